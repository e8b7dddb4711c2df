#pragma once

// Programs of one shape and any size.

#include <span>
#include <string>

namespace test {

/// Texts that a program consists of. Those that are repeated hold # for the number of the copy, from 1 on, `
/// for the number before it, and $ for some odd number. In `end`, @ is the number of copies.
struct Shape {
  const char* name;
  const char* functions = ""; ///< repeated; there is a function uint f0(uint) before them
  const char* begin = "";     ///< the kernel's first statements, which know global uint* p, uint i and uint v
  const char* body = "";      ///< repeated
  const char* second = "";    ///< repeated after all copies of `body`
  const char* end = "";       ///< statements, before p[i] = v
  unsigned few = 100;         ///< a number of copies that takes a part of a second to compile
};

std::span<const Shape> shapes();

/// OpenCL C with a kernel k(global uint* p). @param seed makes programs differ
std::string source_of(const Shape& shape, unsigned copies, unsigned seed);

} // namespace test
