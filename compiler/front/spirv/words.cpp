#include "compiler/front/spirv/words.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/SwapByteOrder.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace hostcl::compiler::spirv {

namespace {

constexpr std::size_t header_words = 5;
constexpr std::uint32_t oldest_version = 0x00010000;
std::vector<std::uint32_t> words_of(std::span<const std::byte> bytes) {
  if (bytes.size() % sizeof(std::uint32_t) != 0)
    refuse("its size of " + llvm::Twine(bytes.size()) + " bytes is not a multiple of 4");
  std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
  if (words.size() < header_words)
    refuse("it has " + llvm::Twine(bytes.size()) + " bytes, fewer than a header");
  std::memcpy(words.data(), bytes.data(), bytes.size());
  if (words[0] == llvm::byteswap(spv::MagicNumber))
    std::ranges::transform(words, words.begin(), [](std::uint32_t word) { return llvm::byteswap(word); });
  if (words[0] != spv::MagicNumber) refuse("it does not begin with SPIR-V's magic number 0x07230203");
  return words;
}

void check_header(std::span<const std::uint32_t> words) {
  const std::uint32_t version = words[1], bound = words[3];
  if ((version & 0xff0000ff) != 0 || version < oldest_version || version > newest_version)
    refuse("its version 0x" + llvm::Twine::utohexstr(version) + " is not one of SPIR-V 1.0 to 1.6");
  if (bound == 0 || bound > max_bound)
    refuse("the id bound in its header is " + llvm::Twine(bound) + "; it must be in 1 to " +
           llvm::Twine(max_bound));
}

/// Returns which instruction an instruction of SPV_INTEL_long_composites continues.
std::optional<spv::Op> continued_by(spv::Op op) {
  switch (unsigned(op)) {
  case 6090: // OpTypeStructContinuedINTEL
    return spv::OpTypeStruct;
  case 6091: // OpConstantCompositeContinuedINTEL
    return spv::OpConstantComposite;
  case 6092: // OpSpecConstantCompositeContinuedINTEL
    return spv::OpSpecConstantComposite;
  case 6096: // OpCompositeConstructContinuedINTEL
    return spv::OpCompositeConstruct;
  default:
    return std::nullopt;
  }
}

} // namespace

void refuse(const llvm::Twine& why) {
  throw Refusal(why.str());
}

std::string described(Id id) {
  return "id " + std::to_string(id);
}

std::uint32_t Operands::word() {
  if (rest_.empty()) refuse("operands are missing");
  const std::uint32_t word = rest_.front();
  rest_ = rest_.subspan(1);
  return word;
}

Id Operands::id() {
  const Id id = word();
  if (id == 0 || id >= max_bound)
    refuse("the id " + llvm::Twine(id) + " is out of range: it must be in 1 to " +
           llvm::Twine(max_bound - 1));
  return id;
}

Operands Operands::of(spv::Op op) const {
  Operands made = *this;
  made.op_ = op;
  return made;
}

std::string_view Operands::string() {
  const auto* text = reinterpret_cast<const char*>(rest_.data());
  const std::size_t length = rest_.empty() ? 0 : ::strnlen(text, rest_.size_bytes());
  if (length == rest_.size_bytes()) refuse("a string has no end");
  rest_ = rest_.subspan(length / sizeof(std::uint32_t) + 1);
  return {text, length};
}

std::uint64_t Operands::number(unsigned bits) {
  const std::uint64_t low = word();
  return bits > 32 ? low | std::uint64_t(word()) << 32 : low;
}

llvm::APInt Operands::integer(unsigned bits) {
  llvm::SmallVector<std::uint64_t, 2> parts;
  for (unsigned read = 0; read < bits; read += 64)
    parts.push_back(number(bits - read));
  return llvm::APInt(bits, parts);
}

Words::Words(std::span<const std::byte> bytes) : words_(words_of(bytes)) {
  check_header(words_);
  std::span<const std::uint32_t> rest = std::span(words_).subspan(header_words);
  while (!rest.empty()) {
    const std::size_t count = rest[0] >> spv::WordCountShift;
    if (count == 0 || count > rest.size())
      refuse("the instruction at word " + llvm::Twine(words_.size() - rest.size()) + " has a word count of " +
             llvm::Twine(count) + ", but " + llvm::Twine(rest.size()) + " words are left");
    const Instruction instruction{static_cast<spv::Op>(rest[0] & spv::OpCodeMask),
                                  rest.subspan(1, count - 1)};
    if (!continue_last(instruction)) instructions_.push_back(instruction);
    rest = rest.subspan(count);
  }
}

bool Words::continue_last(const Instruction& instruction) {
  const auto base = continued_by(instruction.op);
  if (!base || instructions_.empty() || instructions_.back().op != *base) return false;
  Instruction& last = instructions_.back();
  if (joined_.empty() || joined_.back().data() != last.operands.data())
    joined_.emplace_back(last.operands.begin(), last.operands.end());
  joined_.back().insert(joined_.back().end(), instruction.operands.begin(), instruction.operands.end());
  last.operands = joined_.back();
  return true;
}

} // namespace hostcl::compiler::spirv
