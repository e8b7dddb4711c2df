#include "compiler/front/spirv/source_lines.hpp"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

#include <algorithm>

namespace hostcl::compiler::spirv {

using namespace llvm;

SourceLines::SourceLines(Reader& reader, const Words& words, bool wanted) : reader_(reader) {
  const auto instructions = words.instructions();
  if (wanted && std::ranges::find(instructions, spv::OpLine, &Instruction::op) != instructions.end())
    information_ = std::make_unique<DIBuilder>(reader.module());
}

DIFile* SourceLines::file(Id id) {
  return information_->createFile(StringRef(entry(reader_.strings, id, "a string")), "");
}

DISubprogram* SourceLines::subprogram() {
  Function& function = reader_.function();
  if (DISubprogram* known = function.getSubprogram()) return known;
  const Place& place = reader_.place;
  if (place.file == 0) return nullptr;
  DIFile* source = file(place.file);
  if (!unit_)
    unit_ = information_->createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_OpenCL), source, "SPIR-V",
                                            /*isOptimized=*/false, "", 0);
  StringRef name = function.getName();
  name.consume_front("il.");
  DISubprogram* made =
      information_->createFunction(unit_, name, function.getName(), source, place.line,
                                   information_->createSubroutineType(information_->getOrCreateTypeArray({})),
                                   place.line, DINode::FlagPrototyped, DISubprogram::SPFlagDefinition);
  function.setSubprogram(made);
  return made;
}

void SourceLines::begin_block() {
  if (information_) subprogram();
}

void SourceLines::apply() {
  if (!information_) return;
  DISubprogram* function = subprogram();
  DebugLoc location;
  if (const Place& place = reader_.place; function && place.file != 0) {
    DIFile* source = file(place.file);
    DILocalScope* scope = function;
    if (source != function->getFile()) scope = information_->createLexicalBlockFile(function, source);
    location = DILocation::get(reader_.context(), place.line, place.column, scope);
  } else if (function) {
    location = DILocation::get(reader_.context(), 0, 0, function);
  }
  reader_.ir().SetCurrentDebugLocation(location);
}

/// If a function has a DISubprogram, LLVM requires a debug location at each call that may be inlined.
/// Instructions without a line therefore get line 0.
void SourceLines::end_function() {
  if (!information_) return;
  Function& function = reader_.function();
  DISubprogram* described = function.getSubprogram();
  if (!described) return;
  for (llvm::Instruction& instruction : instructions(function))
    if (!instruction.getDebugLoc())
      instruction.setDebugLoc(DILocation::get(reader_.context(), 0, 0, described));
}

void SourceLines::end_module() {
  if (!information_) return;
  information_->finalize();
  reader_.module().addModuleFlag(llvm::Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
}

} // namespace hostcl::compiler::spirv
