#include "compiler/front/spirv/lines/source_lines.hpp"

#include "compiler/front/spirv/instructions/instructions.hpp"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"

#include <spirv/unified1/NonSemanticShaderDebugInfo100.h>

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

// The first two instructions are in all sets; the other instructions are in NonSemantic.Shader.DebugInfo alone.
constexpr std::uint32_t debug_function = NonSemanticShaderDebugInfo100DebugFunction,
                        debug_source = NonSemanticShaderDebugInfo100DebugSource,
                        debug_function_definition = NonSemanticShaderDebugInfo100DebugFunctionDefinition,
                        debug_source_continued = NonSemanticShaderDebugInfo100DebugSourceContinued,
                        debug_line = NonSemanticShaderDebugInfo100DebugLine,
                        debug_no_line = NonSemanticShaderDebugInfo100DebugNoLine;

} // namespace

SourceLines::SourceLines(Reader& reader, bool wanted) : reader_(reader) {
  if (wanted) information_ = std::make_unique<DIBuilder>(reader.module());
}

void SourceLines::note(const Instruction& instruction) {
  if (!information_) return;
  Operands in(instruction);
  switch (instruction.op) {
  case spv::OpSource:
    return note_source(in);
  case spv::OpSourceContinued:
    return continue_text(in.string());
  case spv::OpFunction:
    in.id();
    definition_ = definitions_.lookup(in.id());
    return;
  case spv::OpExtInst:
  case opcodes::OpExtInstWithForwardRefsKHR:
    return note_debug_instruction(in);
  case spv::OpBranchConditional:
    if (reader_.is_in_function()) branching_.insert(reader_.ir().GetInsertBlock());
    return;
  default:
    return;
  }
}

void SourceLines::note_source(Operands in) {
  in.word(); // the language
  in.word(); // its version
  const Id file = in.empty() ? 0 : in.id();
  begin_text(file, in.empty() ? std::string_view() : in.string());
}

void SourceLines::note_debug_instruction(Operands in) {
  in.id(); // the type, which is void
  const Id result = in.id();
  const InstructionSet set = entry(reader_.instruction_sets, in.id(), "a set of extended instructions");
  const bool is_shader = set == InstructionSet::shader_debug_information;
  if (!is_shader && set != InstructionSet::debug_information) return;
  const auto number = [&] {
    return is_shader ? static_cast<std::uint32_t>(reader_.constant_number(in.id())) : in.word();
  };
  const std::uint32_t instruction = in.word();
  if (instruction == debug_source) {
    const Id file = sources_[result] = in.id();
    // llvm-spirv writes the file's checksum in place of the text.
    const StringRef text = in.empty() ? StringRef() : StringRef(reader_.strings.lookup(in.id()));
    begin_text(file, text.starts_with("//__CSK_") ? StringRef() : text);
  } else if (instruction == debug_function && in.size() > 8) {
    in.id(); // the name
    in.id(); // the type
    Place& place = definitions_[result];
    place.file = sources_.lookup(in.id());
    place.line = number();
    place.column = number();
    for (unsigned skipped = 0; skipped < 4; ++skipped) // parent, name of linkage, flags, line of the scope
      in.word();
    if (!is_shader && !in.empty()) {
      const Place known = place;
      definitions_[in.id()] = known;
    }
  } else if (is_shader && instruction == debug_function_definition) {
    definition_ = definitions_.lookup(in.id());
  } else if (is_shader && instruction == debug_source_continued) {
    continue_text(reader_.strings.lookup(in.id()));
  } else if (is_shader && instruction == debug_line) {
    const Id source = sources_.lookup(in.id());
    const std::uint32_t line = number();
    number(); // the last line
    reader_.place = {source, line, number()};
  } else if (is_shader && instruction == debug_no_line) {
    reader_.place = {};
  }
}

/// If a module has several texts of one file, the last one is kept.
void SourceLines::begin_text(Id file, std::string_view text) {
  last_text_ = text.empty() ? 0 : file;
  if (last_text_ != 0) texts_[file] = text;
}

void SourceLines::continue_text(std::string_view text) {
  if (last_text_ != 0) texts_[last_text_] += text;
}

DIFile* SourceLines::file(Id id) {
  return information_->createFile(StringRef(entry(reader_.strings, id, "a string")), "");
}

DISubprogram* SourceLines::subprogram() {
  Function& function = reader_.function();
  if (DISubprogram* known = function.getSubprogram()) return known;
  const Place& place = definition_.file != 0 ? definition_ : reader_.place;
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

void SourceLines::count() const {
  std::vector<Header> texts;
  for (const auto& [file, text] : texts_)
    texts.push_back({std::string(entry(reader_.strings, file, "a string")), text});
  count_lines(reader_.module(), reader_.request, texts, branching_);
}

void SourceLines::end_module() {
  if (!unit_) return;
  information_->finalize();
  reader_.module().addModuleFlag(llvm::Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
}

} // namespace hostcl::compiler::spirv
