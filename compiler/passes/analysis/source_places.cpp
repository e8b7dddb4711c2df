#include "compiler/passes/analysis/source_places.hpp"

#include "compiler/passes/marks.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

StringRef SourcePlace::file_name() const {
  return file ? file->getFilename() : "";
}

StringRef SourcePlace::source_line() const {
  if (!file || !line) return "";
  StringRef rest = file->getSource().value_or("");
  for (unsigned i = 1; i < line; ++i)
    rest = rest.split('\n').second;
  return rest.split('\n').first.trim();
}

SourcePlace source_place(const Instruction& instruction) {
  constexpr unsigned most_steps = 4;
  SmallVector<const Value*, 4> near{&instruction, getPointerOperand(&instruction)};
  append_range(near, instruction.operand_values());
  for (const Value* value : near)
    for (unsigned i = 0; i < most_steps && isa_and_nonnull<Instruction>(value); ++i) {
      const auto& step = cast<Instruction>(*value);
      if (const DILocation* place = step.getDebugLoc(); place && place->getLine())
        return {place->getFile(), place->getLine(), place->getColumn()};
      value = step.getNumOperands() ? step.getOperand(0) : nullptr;
    }
  const DISubprogram* kernel = instruction.getFunction()->getSubprogram();
  return kernel ? SourcePlace{kernel->getFile(), kernel->getLine(), 0} : SourcePlace();
}

Constant* text_in(Module& module, StringRef value) {
  const std::string name = (marks::text + value).str();
  Constant* data = ConstantDataArray::getString(module.getContext(), value);
  const GlobalVariable* known = module.getNamedGlobal(name);
  if (known && known->isConstant() && known->hasInitializer() && known->getInitializer() == data)
    return const_cast<GlobalVariable*>(known);
  return new GlobalVariable(module, data->getType(), /*isConstant=*/true, GlobalValue::InternalLinkage, data,
                            name);
}

} // namespace hostcl::compiler
