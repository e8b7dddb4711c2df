#include "compiler/modules/ir_module.hpp"

#include "compiler/isolation/guard.hpp"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace hostcl::compiler {

std::vector<std::byte> write_bitcode(const llvm::Module& module) {
  const LongStep step;
  llvm::SmallVector<char, 0> buffer;
  llvm::BitcodeWriter writer(buffer);
  writer.writeModule(module);
  writer.writeStrtab(); // without a symbol table, because no linker reads these files
  const auto* first = reinterpret_cast<const std::byte*>(buffer.data());
  return {first, first + buffer.size()};
}

static llvm::MemoryBufferRef buffer_of(const Module& module) {
  return {{reinterpret_cast<const char*>(module.bitcode().data()), module.bitcode().size()}, "program"};
}

llvm::Expected<std::unique_ptr<llvm::Module>> read_bitcode(llvm::LLVMContext& context, const Module& module) {
  const LongStep step;
  return llvm::parseBitcodeFile(buffer_of(module), context);
}

llvm::Expected<std::unique_ptr<llvm::Module>> read_declarations(llvm::LLVMContext& context,
                                                                const Module& module) {
  return llvm::getLazyBitcodeModule(buffer_of(module), context, /*ShouldLazyLoadMetadata=*/true);
}

} // namespace hostcl::compiler
