#pragma once

// Memory of the device and what has to be in it.

#include "soak/world.hpp"

namespace soak {

/// A buffer of one of several kinds, or SVM. One thread owns it at a time. Its commands are in order: each
/// waits for the one before it, on whatever queues they are.
struct Memory {
  test::Buffer buffer; ///< null for SVM
  std::uint32_t* svm = nullptr;
  const void* host = nullptr; ///< what commands use of the application's memory; null if it has none
  Words model;                ///< contents when `last` is complete
  test::Event last;           ///< of the latest command that succeeds; null if there was none

  Memory() = default;
  Memory(const Memory&) = delete;
  ~Memory();

  std::size_t words() const { return model.size(); }
  cl_context context = nullptr;
};

std::unique_ptr<Memory> make_memory(World& world, Random& random, const Place& place);
/// Waits for the memory's commands, and compares all of it, unless one of them failed for want of something.
void verify(Memory& memory, cl_command_queue queue, const Place& place);
void compare(const Place& place, const char* what, const std::uint32_t* actual, const Words& expected);

} // namespace soak
