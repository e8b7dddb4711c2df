#pragma once

// Memory of the application with known values, whose addresses hostile kernels get.

#include "hostile/kernels/random.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace test {

/// Heap blocks, mapped pages, static variables, and an array on the stack of the function that owns the object.
class Canaries {
public:
  Canaries();
  ~Canaries();
  Canaries(const Canaries&) = delete;

  /// An address in one of these blocks, in machine code of the process or of a library, or on the calling thread's
  /// stack.
  std::uint64_t address(Random& random) const;
  /// Names a block that has been changed; empty if no block has been changed.
  std::string changed() const;

private:
  struct Block {
    const char* name;
    std::span<std::uint64_t> words;
  };
  std::array<std::uint64_t, 256> on_stack_;
  std::vector<std::vector<std::uint64_t>> heap_;
  void* pages_;
  std::vector<Block> blocks_;
};

} // namespace test
