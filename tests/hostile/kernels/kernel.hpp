#pragma once

// A generator of hostile kernels: kernels that build, and whose launches crash, never end, or write where they may not.

#include "hostile/kernels/random.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace test {

/// How a launch may end.
enum class Ending {
  any,     ///< with success, or with an error
  failure, ///< with an error
  stopped  ///< never by itself
};

/// What a kernel may damage. `none`: a launch leaves other objects of its context as they are.
enum class Danger { none, memory };

/// Arguments that a kernel has after `global uint* o, ulong a, ulong b, ulong c, local uint* l`.
enum class Extra { none, images, pipe, counter };

/// The body of a kernel, and how it is launched.
struct Hostility {
  std::string body;
  Ending ending = Ending::any;
  Danger danger = Danger::none;
  Extra extra = Extra::none;
  std::string declarations = {};
  std::size_t global = 64, local = 0; ///< local size 0: the driver chooses
  std::uint64_t c = 0;                ///< the argument c
};

struct Family {
  const char* name;
  Hostility (*make)(Random&);
};
std::span<const Family> memory_families();
std::span<const Family> endless_families();
std::span<const Family> call_families();

struct HostileKernel {
  std::uint64_t number = 0;
  std::string family;
  std::string name, source; ///< the name of the kernel function, and the program that contains it
  Hostility hostility;
};

/// The kernel with a number, which is made from the seed and the number alone.
/// @param wanted part of the names of the families to choose from; empty: all
HostileKernel make_kernel(std::uint64_t seed, std::uint64_t number, const std::string& wanted);

} // namespace test
