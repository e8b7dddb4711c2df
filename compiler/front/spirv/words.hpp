#pragma once

// Splits a SPIR-V module into instructions (SPIR-V specification, 2.3).

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/Twine.h"

#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hostcl::compiler::spirv {

using Id = std::uint32_t;

/// The limit for the bound of ids, from SPIR-V's universal limits (2.17).
inline constexpr Id max_bound = 0x3FFFFF;

/// The reason why a module is refused: a sentence without a full stop. Functions of the reader throw it, and
/// read_module() catches it.
class Refusal : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

[[noreturn]] void refuse(const llvm::Twine& why);

/// The id as a part of an error message.
std::string described(Id id);

struct Instruction {
  spv::Op op;
  std::span<const std::uint32_t> operands; ///< all words but the first one
};

/// Takes the operands of an instruction one after the other. Each function refuses the module if there are
/// too few.
class Operands {
public:
  explicit Operands(const Instruction& instruction) : op_(instruction.op), rest_(instruction.operands) {}

  spv::Op op() const { return op_; }
  /// The result of an operation, after take_result().
  Id result() const { return result_; }
  void take_result() { result_ = id(); }
  bool empty() const { return rest_.empty(); }
  std::size_t size() const { return rest_.size(); }
  std::uint32_t word();
  /// An enumerant. SPIR-V's enumerations end at 0x7fffffff; larger words become 0x7fffffff.
  template <class Enum>
  Enum enumerant() {
    return static_cast<Enum>(std::min<std::uint32_t>(word(), 0x7fffffff));
  }
  Id id();
  /// A literal string: it ends with a null character and fills whole words.
  std::string_view string();
  /// A literal number of up to 64 bits, in one word or two.
  std::uint64_t number(unsigned bits);
  /// A literal integer of any number of bits.
  llvm::APInt integer(unsigned bits);
  std::span<const std::uint32_t> rest() const { return rest_; }
  /// The same operands, for another instruction.
  Operands of(spv::Op op) const;

private:
  spv::Op op_;
  Id result_ = 0;
  std::span<const std::uint32_t> rest_;
};

/// A module in the byte order of this machine.
class Words {
public:
  /// Checks the header, and that instructions fill the module exactly.
  /// @throws Refusal
  explicit Words(std::span<const std::byte> bytes);

  /// The version in the header: 0x00010400 is 1.4.
  std::uint32_t version() const { return words_[1]; }
  Id bound() const { return words_[3]; }
  std::span<const Instruction> instructions() const { return instructions_; }

private:
  /// Appends the operands of an instruction that continues the previous one, such as
  /// OpTypeStructContinuedINTEL. @returns whether it does
  bool continue_last(const Instruction& instruction);

  std::vector<std::uint32_t> words_;
  std::deque<std::vector<std::uint32_t>> joined_; ///< operands of instructions that others continue
  std::vector<Instruction> instructions_;
};

/// The newest version of SPIR-V that the reader knows.
inline constexpr std::uint32_t newest_version = 0x00010600;

} // namespace hostcl::compiler::spirv
