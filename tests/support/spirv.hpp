#pragma once

// Modules in SPIR-V, put together word by word.

#include <spirv/unified1/spirv.hpp>

#include <cstdint>
#include <string_view>
#include <vector>

namespace test::spirv {

using Words = std::vector<std::uint32_t>;

/// A literal string: its characters, a zero, and zeros up to the end of a word.
inline Words string(std::string_view text) {
  Words words(text.size() / 4 + 1);
  for (std::size_t i = 0; i < text.size(); ++i)
    words[i / 4] |= std::uint32_t(static_cast<unsigned char>(text[i])) << i % 4 * 8;
  return words;
}

inline Words joined(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// A module for Kernel and Physical64 with the capabilities given, to which instructions are appended.
class Module {
public:
  explicit Module(const Words& capabilities, std::uint32_t version = 0x00010000)
      : words_{spv::MagicNumber, version, 0, 0, 0} {
    for (std::uint32_t capability :
         {std::uint32_t(spv::CapabilityKernel), std::uint32_t(spv::CapabilityAddresses)})
      append(spv::OpCapability, {capability});
    for (std::uint32_t capability : capabilities)
      append(spv::OpCapability, {capability});
    append(spv::OpMemoryModel, {spv::AddressingModelPhysical64, spv::MemoryModelOpenCL});
  }

  std::uint32_t new_id() { return ++last_; }

  void append(spv::Op op, const Words& operands) {
    words_.push_back(static_cast<std::uint32_t>(operands.size() + 1) << spv::WordCountShift | op);
    words_.insert(words_.end(), operands.begin(), operands.end());
  }
  /// An instruction whose result has no type, such as a type. @returns its id
  std::uint32_t declare(spv::Op op, const Words& operands) {
    const std::uint32_t id = new_id();
    append(op, joined({id}, operands));
    return id;
  }
  /// An instruction with a result. @returns its id
  std::uint32_t make(spv::Op op, std::uint32_t type, const Words& operands) {
    const std::uint32_t id = new_id();
    append(op, joined({type, id}, operands));
    return id;
  }

  Words words() const {
    Words words = words_;
    words[3] = last_ + 1;
    return words;
  }

private:
  Words words_;
  std::uint32_t last_ = 0;
};

} // namespace test::spirv
