#include "compiler/front/spirv/module.hpp"

#include "compiler/front/spirv/instructions/instructions.hpp"
#include "compiler/front/spirv/kernels.hpp"
#include "compiler/front/spirv/lines/source_lines.hpp"
#include "compiler/front/spirv/matrices/sub_group_values.hpp"
#include "compiler/front/spirv/reader.hpp"

#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <set>

namespace hostcl::compiler::spirv {

namespace {

using Instructions = std::span<const Instruction>;

/// Returns whether the instruction is in a block and may make code.
bool is_in_block(const Reader& reader, const Instruction& instruction) {
  switch (instruction.op) {
  case spv::OpFunction:
  case spv::OpFunctionParameter:
  case spv::OpFunctionEnd:
  case spv::OpLabel:
  case spv::OpLine:
  case spv::OpNoLine:
    return false;
  default:
    return reader.is_in_function();
  }
}

void follow(SourceLines& lines, const Reader& reader, const Instruction& instruction) {
  lines.note(instruction);
  if (instruction.op == spv::OpLabel && reader.is_in_function()) lines.begin_block();
  if (instruction.op == spv::OpFunctionEnd && reader.is_in_function()) lines.end_function();
  if (is_in_block(reader, instruction)) lines.apply();
}

/// @throws Refusal, whose text names the instruction and its source line
void read(Reader& reader, SourceLines& lines, const Instruction& instruction) {
  const InstructionRow* row = find_row(instruction.op);
  try {
    if (!row) refuse("the instruction is not supported");
    follow(lines, reader, instruction);
    read_instruction(reader, *row, Operands(instruction));
  } catch (const Refusal& refusal) {
    throw Refusal(reader.place_name() + instruction_name(instruction.op) + ": " + refusal.what());
  }
}

void read(Reader& reader, SourceLines& lines, Instructions instructions) {
  for (const Instruction& instruction : instructions)
    read(reader, lines, instruction);
}

/// Returns the instructions before the first one for which `is_end` holds.
Instructions front(Instructions instructions, auto is_end) {
  return instructions.first(std::ranges::find_if(instructions, is_end) - instructions.begin());
}

bool is_label(const Instruction& instruction) {
  return instruction.op == spv::OpLabel;
}
bool ends_function(const Instruction& instruction) {
  return instruction.op == spv::OpFunctionEnd || instruction.op == spv::OpFunction;
}

/// Reads the blocks of a function, each one after a block that branches to it, and so after all blocks that
/// dominate it. In SPIR-V blocks have such an order, but modules of llvm-spirv up to version 15 do not keep
/// to it. Blocks that no other block branches to are read when there are no others.
void read_blocks(Reader& reader, SourceLines& lines, Instructions body) {
  std::vector<Instructions> blocks;
  llvm::DenseMap<llvm::BasicBlock*, std::size_t> indices;
  while (!body.empty()) {
    const std::size_t length = front(body.subspan(1), is_label).size() + 1;
    llvm::BasicBlock* block = reader.block(Operands(body.front()).id());
    indices.try_emplace(block, blocks.size());
    blocks.push_back(body.first(length));
    body = body.subspan(length);
  }
  std::set<std::size_t> unread, reached;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    unread.insert(unread.end(), i);
  while (!unread.empty()) {
    const std::size_t next = reached.empty() ? *unread.begin() : *reached.begin();
    unread.erase(next);
    reached.erase(next);
    read(reader, lines, blocks[next]);
    llvm::BasicBlock* block = reader.last_block(Operands(blocks[next].front()).id());
    if (!block) continue; // the block has no end; it is refused when the next block begins
    for (llvm::BasicBlock* successor : llvm::successors(block))
      if (auto found = indices.find(successor); found != indices.end() && unread.contains(found->second))
        reached.insert(found->second);
  }
}

std::unique_ptr<llvm::Module> read_all(Reader& reader, const Words& words, bool with_lines) {
  const bool counts = reader.request.settings->coverage;
  SourceLines lines(reader, with_lines || counts);
  for (Instructions rest = words.instructions(); !rest.empty();) {
    const Instructions before = front(rest, is_label);
    read(reader, lines, before);
    rest = rest.subspan(before.size());
    const Instructions body = front(rest, ends_function);
    if (reader.is_in_function())
      read_blocks(reader, lines, body);
    else
      read(reader, lines, body); // the label is refused, as it is outside of a function
    rest = rest.subspan(body.size());
  }
  if (reader.is_in_function()) refuse("the last function has no OpFunctionEnd");
  if (counts) lines.count();
  describe_kernels(reader);
  if (reader.has_matrices) {
    inline_matrices(reader.module());
    share_matrix_variables(reader.module());
  }
  lines.end_module();
  if (!with_lines) StripDebugInfo(reader.module());
  std::string errors;
  llvm::raw_string_ostream stream(errors);
  if (verifyModule(reader.module(), &stream))
    refuse("the module is not valid, as LLVM's verifier says: " + llvm::StringRef(errors).rtrim());
  return reader.take_module();
}

/// The text of a version of SPIR-V, such as "1.6". @param version as in the header of a module
std::string text_of_version(std::uint32_t version) {
  return std::to_string(version >> 16) + "." + std::to_string(version >> 8 & 0xff);
}

void check_version(std::uint32_t version, const Language& language) {
  if (language.newest_spirv == 0) return;
  if (language.newest_spirv == Language::no_spirv) refuse(described_device(language) + " has no SPIR-V");
  const std::uint32_t newest = language.newest_spirv >> 22 << 16 | (language.newest_spirv >> 12 & 0xff) << 8;
  if (version > newest)
    refuse("its version is " + text_of_version(version) + "; the newest SPIR-V of " +
           described_device(language) + " is " + version_text(language.newest_spirv));
}

} // namespace

llvm::Expected<std::unique_ptr<llvm::Module>> read_module(llvm::LLVMContext& context,
                                                          const CompileIlRequest& request, bool with_lines) {
  try {
    const Words words(request.il);
    check_version(words.version(), request.settings->language);
    Reader reader(context, words, request);
    return read_all(reader, words, with_lines);
  } catch (const Refusal& refusal) {
    return llvm::createStringError(refusal.what());
  }
}

} // namespace hostcl::compiler::spirv
