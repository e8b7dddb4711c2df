#include "compiler/code/coverage/coverage_object.hpp"

#include "compiler/code/machine_code.hpp"
#include "compiler/ir/metadata.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// An object file with clang's description of the coverage of a source, as llvm-cov reads it.
Expected<std::string> object_of(const MDNode& data, const HostCpu& cpu) {
  constexpr std::pair<InstrProfSectKind, unsigned> sections[] = {
      {IPSK_covmap, 1}, {IPSK_covfun, 2}, {IPSK_name, 3}};
  LLVMContext context;
  llvm::Module module("coverage", context);
  auto writer = ObjectWriter::borrow(cpu);
  if (!writer) return writer.takeError();
  retarget_to_host(module, (*writer)->machine(), cpu);
  SmallVector<GlobalValue*, 3> variables;
  for (const auto& [section, operand] : sections) {
    Constant* bytes =
        ConstantDataArray::getString(context, cast<MDString>(data.getOperand(operand))->getString(),
                                     /*AddNull=*/false);
    auto* variable = new GlobalVariable(module, bytes->getType(), /*isConstant=*/true,
                                        GlobalValue::PrivateLinkage, bytes, "data");
    variable->setSection(getInstrProfSectionName(section, module.getTargetTriple().getObjectFormat()));
    variable->setAlignment(Align(8));
    variables.push_back(variable);
  }
  appendToUsed(module, variables);
  return (*writer)->write(module);
}

} // namespace

Expected<std::vector<CoverageUnit>> coverage_units(const llvm::Module& program, const HostCpu& cpu) {
  std::vector<CoverageUnit> units;
  const NamedMDNode* list = program.getNamedMetadata(metadata::coverage_data);
  if (!list) return units;
  constexpr unsigned first_source = 4;
  for (const MDNode* data : list->operands()) {
    if (data->getNumOperands() == 1) { // note_lack_of_lines()
      units.emplace_back();
      continue;
    }
    const bool is_right =
        data->getNumOperands() >= first_source &&
        all_of(data->operands(), [](const MDOperand& part) { return isa_and_nonnull<MDString>(part.get()); });
    if (!is_right) return createStringError("the program's coverage data are damaged");
    auto text = [&](unsigned i) { return cast<MDString>(data->getOperand(i))->getString().str(); };
    auto object = object_of(*data, cpu);
    if (!object) return object.takeError();
    CoverageUnit unit{text(0), std::move(*object), {}};
    for (unsigned i = first_source; i + 1 < data->getNumOperands(); i += 2)
      unit.sources.push_back({text(i), text(i + 1)});
    units.push_back(std::move(unit));
  }
  return units;
}

} // namespace hostcl::compiler
