// Sampler objects (OpenCL 3.0 API, 5.7)

#include "support/session.hpp"

#include <cfloat>
#include <cstring>

namespace {

template <class T>
T value_of(cl_sampler sampler, cl_sampler_info name) {
  T value{};
  REQUIRE_CL(clGetSamplerInfo(sampler, name, sizeof(value), &value, nullptr));
  return value;
}

test::Sampler make(const test::Session& session, const cl_sampler_properties* list,
                   cl_int expected = CL_SUCCESS) {
  cl_int error = 1;
  test::Sampler sampler(clCreateSamplerWithProperties(session.context, list, &error));
  CHECK_STATUS(error, expected);
  CHECK(static_cast<bool>(sampler) == (expected == CL_SUCCESS));
  return sampler;
}

cl_sampler_properties bits_of(float value) {
  cl_uint bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

} // namespace

TEST_CASE("clCreateSamplerWithProperties: without properties it has the defaults", "[sampler]") {
  const test::Session session;
  const auto sampler = make(session, nullptr);
  CHECK(value_of<cl_bool>(sampler, CL_SAMPLER_NORMALIZED_COORDS) == CL_TRUE);
  CHECK(value_of<cl_addressing_mode>(sampler, CL_SAMPLER_ADDRESSING_MODE) == CL_ADDRESS_CLAMP);
  CHECK(value_of<cl_filter_mode>(sampler, CL_SAMPLER_FILTER_MODE) == CL_FILTER_NEAREST);
  CHECK(value_of<cl_uint>(sampler, CL_SAMPLER_REFERENCE_COUNT) == 1);
  CHECK(value_of<cl_context>(sampler, CL_SAMPLER_CONTEXT) == session.context);
  if (!test::is_hostcl()) return;
  CHECK(value_of<cl_filter_mode>(sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR) == CL_FILTER_NEAREST);
  CHECK(value_of<cl_float>(sampler, CL_SAMPLER_LOD_MIN_KHR) == 0);
  CHECK(value_of<cl_float>(sampler, CL_SAMPLER_LOD_MAX_KHR) == FLT_MAX);
}

TEST_CASE("clCreateSamplerWithProperties: keeps its properties and their values", "[sampler]") {
  const test::Session session;
  const cl_sampler_properties list[] = {CL_SAMPLER_FILTER_MODE,
                                        CL_FILTER_LINEAR,
                                        CL_SAMPLER_ADDRESSING_MODE,
                                        CL_ADDRESS_MIRRORED_REPEAT,
                                        CL_SAMPLER_NORMALIZED_COORDS,
                                        CL_FALSE,
                                        0};
  const auto sampler = make(session, list);
  CHECK(value_of<cl_bool>(sampler, CL_SAMPLER_NORMALIZED_COORDS) == CL_FALSE);
  CHECK(value_of<cl_addressing_mode>(sampler, CL_SAMPLER_ADDRESSING_MODE) == CL_ADDRESS_MIRRORED_REPEAT);
  CHECK(value_of<cl_filter_mode>(sampler, CL_SAMPLER_FILTER_MODE) == CL_FILTER_LINEAR);
  cl_sampler_properties read[7] = {};
  size_t bytes = 0;
  REQUIRE_CL(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof(read), read, &bytes));
  CHECK(bytes == sizeof(list));
  CHECK(std::memcmp(read, list, sizeof(list)) == 0);
}

TEST_CASE("clCreateSamplerWithProperties: the mipmap filter and levels of detail are kept", "[sampler]") {
  if (!test::is_hostcl()) return;
  const test::Session session;
  const cl_sampler_properties list[] = {CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                        CL_FILTER_LINEAR,
                                        CL_SAMPLER_LOD_MIN_KHR,
                                        bits_of(1.5f),
                                        CL_SAMPLER_LOD_MAX_KHR,
                                        bits_of(4),
                                        0};
  const auto sampler = make(session, list);
  CHECK(value_of<cl_filter_mode>(sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR) == CL_FILTER_LINEAR);
  CHECK(value_of<cl_float>(sampler, CL_SAMPLER_LOD_MIN_KHR) == 1.5f);
  CHECK(value_of<cl_float>(sampler, CL_SAMPLER_LOD_MAX_KHR) == 4);
  const cl_sampler_properties inverted[] = {CL_SAMPLER_LOD_MIN_KHR, bits_of(4), CL_SAMPLER_LOD_MAX_KHR,
                                            bits_of(1), 0};
  make(session, inverted, CL_INVALID_VALUE);
}

TEST_CASE("clCreateSamplerWithProperties: unknown names, wrong values and repetitions are CL_INVALID_VALUE",
          "[sampler]") {
  const test::Session session;
  const cl_sampler_properties lists[][5] = {
      {CL_QUEUE_PROPERTIES, 1, 0},
      {CL_SAMPLER_NORMALIZED_COORDS, 2, 0},
      {CL_SAMPLER_ADDRESSING_MODE, CL_FILTER_LINEAR, 0},
      {CL_SAMPLER_FILTER_MODE, CL_ADDRESS_CLAMP, 0},
      {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}};
  for (const auto& list : lists)
    make(session, list, CL_INVALID_VALUE);
}

TEST_CASE("clCreateSampler: has the given values and no properties", "[sampler]") {
  const test::Session session;
  cl_int error = 1;
  const test::Sampler sampler(
      clCreateSampler(session.context, CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR, &error));
  REQUIRE_CL(error);
  CHECK(value_of<cl_bool>(sampler, CL_SAMPLER_NORMALIZED_COORDS) == CL_TRUE);
  CHECK(value_of<cl_addressing_mode>(sampler, CL_SAMPLER_ADDRESSING_MODE) == CL_ADDRESS_REPEAT);
  CHECK(value_of<cl_filter_mode>(sampler, CL_SAMPLER_FILTER_MODE) == CL_FILTER_LINEAR);
  size_t bytes = 1;
  CHECK_CL(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, nullptr, &bytes));
  CHECK(bytes == 0);
}

TEST_CASE("clCreateSampler: wrong values are CL_INVALID_VALUE", "[sampler]") {
  const test::Session session;
  const auto check = [&](cl_bool normalized, cl_addressing_mode addressing, cl_filter_mode filter) {
    cl_int error = 1;
    CHECK(clCreateSampler(session.context, normalized, addressing, filter, &error) == nullptr);
    CHECK_STATUS(error, CL_INVALID_VALUE);
  };
  check(7, CL_ADDRESS_NONE, CL_FILTER_NEAREST);
  check(CL_FALSE, CL_FILTER_LINEAR, CL_FILTER_NEAREST);
  check(CL_FALSE, CL_ADDRESS_NONE, CL_ADDRESS_NONE);
}

TEST_CASE("clRetainSampler and clReleaseSampler count references", "[sampler]") {
  const test::Session session;
  const auto sampler = make(session, nullptr);
  REQUIRE_CL(clRetainSampler(sampler));
  CHECK(value_of<cl_uint>(sampler, CL_SAMPLER_REFERENCE_COUNT) == 2);
  REQUIRE_CL(clReleaseSampler(sampler));
  CHECK(value_of<cl_uint>(sampler, CL_SAMPLER_REFERENCE_COUNT) == 1);
}

TEST_CASE("clGetSamplerInfo: an unknown query and a value that is too small are CL_INVALID_VALUE",
          "[sampler]") {
  const test::Session session;
  const auto sampler = make(session, nullptr);
  char byte = 0;
  CHECK_STATUS(clGetSamplerInfo(sampler, CL_MEM_SIZE, 1, &byte, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, 1, &byte, nullptr), CL_INVALID_VALUE);
}
