#pragma once

// What tests ask of programs from SPIR-V and of devices that take it

#include "support/il.hpp"

#include <algorithm>
#include <cstring>

using namespace test::spirv;

namespace test::il_programs {

template <class T>
std::vector<T> device_list(cl_device_info query) {
  size_t bytes = 0;
  REQUIRE_CL(clGetDeviceInfo(test::device(), query, 0, nullptr, &bytes));
  REQUIRE(bytes % sizeof(T) == 0);
  std::vector<T> list(bytes / sizeof(T));
  REQUIRE_CL(clGetDeviceInfo(test::device(), query, bytes, list.data(), nullptr));
  return list;
}
inline std::vector<std::string> device_names(cl_device_info query) {
  std::vector<std::string> names;
  for (const char* name : device_list<const char*>(query))
    names.emplace_back(name);
  return names;
}
inline bool has(const std::vector<std::string>& names, const char* name) {
  return std::count(names.begin(), names.end(), name) == 1;
}

inline cl_int set(cl_program program, cl_uint id, size_t size, const void* value) {
  return clSetProgramSpecializationConstant(program, id, size, value);
}

} // namespace test::il_programs
