// Reads inline assembly (SPV_INTEL_inline_assembly). Assembly that does nothing (programs use it to hide a
// value from the optimiser) makes no code: a result is the argument that shares a register with it. Memory
// barriers of the CPU become fences. All other assembly is accepted only if HOSTCL_ASSEMBLY allows it.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/functions.hpp"
#include "compiler/front/spirv/instructions/composites.hpp"
#include "compiler/front/spirv/instructions/instructions.hpp"

#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/Error.h"

#include <algorithm>
#include <optional>
#include <string>

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

/// Returns whether each statement is empty or one of `known`.
bool consists_of(std::string_view text, ArrayRef<StringRef> known) {
  std::string statements(text);
  std::ranges::replace(statements, '\n', ';');
  SmallVector<StringRef, 4> all;
  StringRef(statements).split(all, ';');
  return all_of(all, [&](StringRef each) { return each.trim().empty() || is_contained(known, each.trim()); });
}

bool does_nothing(std::string_view text) {
  return consists_of(text, {"nop", "pause"});
}

/// Returns whether the assembly orders memory and has neither operands nor a result.
bool is_fence(const Assembly& assembly) {
  return assembly.type->element->is(Type::Kind::nothing) && assembly.type->members.empty() &&
         consists_of(assembly.text, {"mfence", "lfence", "sfence", "nop", "pause"});
}

Value* call_assembly(Reader& r, const Assembly& assembly, ArrayRef<Value*> arguments) {
  auto* type = cast<FunctionType>(assembly.type->ir);
  CallInst* call = r.ir().CreateCall(type,
                                     InlineAsm::get(type, StringRef(assembly.text),
                                                    StringRef(assembly.constraints), /*hasSideEffects=*/true),
                                     arguments);
  call->addFnAttr(Attribute::NoUnwind);
  return call;
}

/// Returns for each output the number of the argument that shares a register with it, or nothing if no
/// argument does.
SmallVector<std::optional<unsigned>, 2> sources(const InlineAsm::ConstraintInfoVector& constraints) {
  SmallVector<std::optional<unsigned>, 2> outputs;
  unsigned arguments = 0;
  for (const InlineAsm::ConstraintInfo& constraint : constraints) {
    if (constraint.Type == InlineAsm::isOutput && !constraint.isIndirect) {
      outputs.emplace_back();
    } else if (constraint.Type == InlineAsm::isInput || constraint.isIndirect) {
      for (const std::string& code : constraint.Codes)
        if (unsigned output = 0; !StringRef(code).getAsInteger(10, output) && output < outputs.size())
          outputs[output] = arguments;
      ++arguments;
    }
  }
  return outputs;
}

} // namespace

void read_assembly(Reader& r, Operands in) {
  const Type& type = r.type(in.id());
  const Id result = in.id();
  const Type& function = r.type(in.id());
  in.id(); // the id of OpAsmTargetINTEL, which is not needed
  const std::string_view text = in.string(), constraints = in.string();
  if (!function.is(Type::Kind::function) || function.element->ir != type.ir)
    refuse("the function type is not an OpTypeFunction that returns the result type");
  if (Error error = InlineAsm::verify(cast<FunctionType>(function.ir), StringRef(constraints)))
    refuse("the constraints do not match the function type: " + llvm::toString(std::move(error)));
  const Assembly assembly{&function, text, constraints};
  if (!does_nothing(text) && !is_fence(assembly) && !r.request.settings->assembly)
    refuse("inline assembly is only allowed with HOSTCL_ASSEMBLY=1: '" + Twine(StringRef(text)) + "'");
  r.assemblies[result] = assembly;
}

void read_assembly_call(Reader& r, Operands in) {
  const Type& type = r.type(in.id());
  const Id result = in.id();
  const Assembly& assembly = entry(r.assemblies, in.id(), "assembly");
  const SmallVector<Value*, 8> arguments = read_arguments(r, *assembly.type, type, in);
  if (!does_nothing(assembly.text)) {
    if (is_fence(assembly)) return (void)r.ir().CreateFence(AtomicOrdering::SequentiallyConsistent);
    Value* value = call_assembly(r, assembly, arguments);
    return type.is(Type::Kind::nothing) ? void() : r.define(result, type, value);
  }
  if (type.is(Type::Kind::nothing)) return;
  const auto outputs = sources(InlineAsm::ParseConstraints(StringRef(assembly.constraints)));
  const auto value_of = [&](unsigned output, llvm::Type* wanted) {
    Value* value =
        output < outputs.size() && outputs[output] ? arguments[*outputs[output]] : UndefValue::get(wanted);
    if (value->getType() != wanted)
      refuse("the type of an output differs from that of the input that is tied to it");
    return value;
  };
  if (!type.is(Type::Kind::structure)) return r.define(result, type, value_of(0, type.ir));
  SmallVector<Value*, 4> members;
  for (unsigned i = 0; i < type.members.size(); ++i)
    members.push_back(value_of(i, type.members[i]->ir));
  r.define(result, type, together(r, type, members));
}

} // namespace hostcl::compiler::spirv
