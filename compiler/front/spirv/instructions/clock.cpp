// Reads OpReadClockKHR. Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/mangling.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

/// The result is a number of 64 bits, or a vector of its lower and its upper half.
Value* read_clock(Reader& r, const Type& type, Operands in) {
  const Id scope_id = in.id();
  r.scalar_integer(scope_id);
  // All scopes have the same clock, so any scope will do if it is not constant.
  const std::uint64_t scope =
      r.is_constant_number(scope_id) ? r.constant_number(scope_id) : std::uint64_t(spv::ScopeDevice);
  const char* name = scope == spv::ScopeDevice      ? "device"
                     : scope == spv::ScopeWorkgroup ? "work_group"
                     : scope == spv::ScopeSubgroup  ? "sub_group"
                                                    : nullptr;
  if (!name)
    refuse("the scope is " + Twine(scope) + "; it must be Device (1), Workgroup (2) or Subgroup (3)");
  const bool is_pair = type.is(Type::Kind::vector);
  llvm::Type* ticks = r.ir().getInt64Ty();
  if (is_pair) ticks = FixedVectorType::get(r.ir().getInt32Ty(), 2);
  return call_library(r, std::string(is_pair ? "clock_read_hilo_" : "clock_read_") + name, ticks, {});
}

} // namespace hostcl::compiler::spirv
