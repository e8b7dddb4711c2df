// Reads the instructions of SPV_KHR_untyped_pointers that replace those which take the type from a pointer.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"

#include "llvm/Support/MathExtras.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

/// Returns a type of that many bytes: an integer, or a vector of integers.
const Type& element_of(Reader& r, std::uint64_t bytes) {
  constexpr std::uint64_t most = 128, word = 8;
  if (!isPowerOf2_64(bytes) || bytes > most)
    refuse("elements of " + Twine(bytes) + " bytes are not supported");
  const Type& none = r.integers_like({}, unsigned(std::min(bytes, word)) * 8);
  if (bytes <= word) return none;
  return r.integers_like({.kind = Type::Kind::vector, .count = bytes / word}, 64);
}

} // namespace

/// Ignores the hint, as the library does.
void read_untyped_prefetch(Reader& r, Operands in) {
  r.pointer(in.id());
  r.scalar_integer(in.id());
}

void read_untyped_async_copy(Reader& r, Operands in) {
  const auto [type, result] = read_result(r, in);
  if (r.execution_scope(in.id()) != spv::ScopeWorkgroup) refuse("the execution scope must be Workgroup (2)");
  const TypedValue target = r.pointer(in.id()), source = r.pointer(in.id());
  const Type& element = element_of(r, r.constant_number(in.id()));
  MangledName name("async_work_group_strided_copy");
  name.add(Parameter{.type = target.type, .content = &element})
      .add(Parameter{.type = source.type, .is_const = true, .content = &element});
  SmallVector<Value*, 5> arguments{target.value, source.value};
  for (unsigned i = 0; i < 2; ++i) { // the number of elements, and then the stride
    arguments.push_back(r.ir().CreateZExtOrTrunc(r.scalar_integer(in.id()).value, r.ir().getInt64Ty()));
    name.add(Parameter{.name = "m"});
  }
  arguments.push_back(r.of_type(in.id(), type));
  name.add(type);
  r.define(result, type, r.call(name.str(), type.ir, arguments));
}

} // namespace hostcl::compiler::spirv
