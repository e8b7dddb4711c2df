#pragma once

// Programs from the modules of spirv_kernels.hpp.

#include "support/session.hpp"
#include "support/spirv_kernels.hpp"

namespace test {

/// A program from a module, not built.
inline Program il_program(const Session& session, const spirv::Words& words) {
  cl_int error = 1;
  Program program(
      clCreateProgramWithIL(session.context, words.data(), words.size() * sizeof words[0], &error));
  REQUIRE_CL(error);
  return program;
}

/// A program, not built, from the binary of another.
inline Program from_binary_of(const Session& session, cl_program program) {
  size_t size = 0;
  REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr));
  REQUIRE(size > 0);
  std::vector<unsigned char> bytes(size);
  const cl_device_id id = device();
  const unsigned char* data = bytes.data();
  REQUIRE_CL(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof data, &data, nullptr));
  cl_int error = 1;
  Program loaded(clCreateProgramWithBinary(session.context, 1, &id, &size, &data, nullptr, &error));
  REQUIRE_CL(error);
  return loaded;
}

/// The same words in the other byte order.
inline spirv::Words swapped(spirv::Words words) {
  for (std::uint32_t& word : words)
    word = __builtin_bswap32(word);
  return words;
}

} // namespace test
