#include "compiler/front/spirv/module.hpp"

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/kernels.hpp"
#include "compiler/front/spirv/reader.hpp"

#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

namespace hostcl::compiler::spirv {

namespace {

/// @throws Refusal, whose text names the instruction and its source line
void read(Reader& reader, const Instruction& instruction) {
  const InstructionRow* row = find_row(instruction.op);
  try {
    if (!row) refuse("the instruction is not supported");
    row->read(reader, Operands(instruction));
  } catch (const Refusal& refusal) {
    const std::string name = row ? row->name : "instruction " + std::to_string(instruction.op);
    throw Refusal(reader.place() + name + ": " + refusal.what());
  }
}

std::unique_ptr<llvm::Module> read_all(Reader& reader, const Words& words) {
  for (const Instruction& instruction : words.instructions())
    read(reader, instruction);
  if (reader.is_in_function()) refuse("the last function has no OpFunctionEnd");
  describe_kernels(reader);
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  if (verifyModule(reader.module(), &stream))
    refuse("the module breaks a rule of IR: " + llvm::StringRef(errors).rtrim());
  return reader.take_module();
}

} // namespace

llvm::Expected<std::unique_ptr<llvm::Module>> read_module(llvm::LLVMContext& context,
                                                          std::span<const std::byte> il,
                                                          std::span<const Specialisation> values) {
  try {
    const Words words(il);
    Reader reader(context, words, values);
    return read_all(reader, words);
  } catch (const Refusal& refusal) {
    return llvm::createStringError(refusal.what());
  }
}

} // namespace hostcl::compiler::spirv
