#pragma once

// Error codes that print as their names, and the three checks that every test uses.

#include "support/catch.hpp"

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <string>

namespace test {

/// "CL_INVALID_VALUE" for -30; the number for a code without a name.
std::string status_name(cl_int code);

struct Status {
  cl_int code;
  friend bool operator==(Status, Status) = default;
};

} // namespace test

template <>
struct Catch::StringMaker<test::Status> {
  static std::string convert(test::Status status) { return test::status_name(status.code); }
};

#define CHECK_STATUS(call, expected) CHECK(test::Status{call} == test::Status{expected})
#define REQUIRE_STATUS(call, expected) REQUIRE(test::Status{call} == test::Status{expected})
#define CHECK_CL(call) CHECK_STATUS(call, CL_SUCCESS)
#define REQUIRE_CL(call) REQUIRE_STATUS(call, CL_SUCCESS)
