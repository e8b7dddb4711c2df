// Specialisation constants of programs from SPIR-V, and what devices tell of SPIR-V (OpenCL 3.0 API, 4.2 and 5.8.4)

#include "support/il.hpp"
#include "support/il_programs.hpp"

#include <algorithm>
#include <cstring>

using namespace test::spirv;

namespace {

using namespace test::il_programs;

constexpr cl_device_info spirv_instruction_sets = 0x12B9, spirv_extensions = 0x12BA,
                         spirv_capabilities = 0x12BB;

} // namespace

TEST_CASE("clSetProgramSpecializationConstant: takes a constant of its size, as often as wanted",
          "[il_properties]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  const cl_ulong value = 1;
  for (int i = 0; i < 2; ++i) {
    CHECK_CL(set(program, spec_bool, 1, &value));
    CHECK_CL(set(program, spec_uchar, 1, &value));
    CHECK_CL(set(program, spec_uint, 4, &value));
    CHECK_CL(set(program, spec_ulong, 8, &value));
    CHECK_CL(set(program, spec_double, 8, &value));
  }
}

TEST_CASE("clSetProgramSpecializationConstant: a number may be that of a group of decorations",
          "[il_properties]") {
  Module m({});
  const std::uint32_t group = m.new_id(), constant = m.new_id(), other = m.new_id();
  m.append(spv::OpDecorate, {group, spv::DecorationSpecId, 7});
  m.append(spv::OpDecorationGroup, {group});
  m.append(spv::OpGroupDecorate, {group, constant});
  const std::uint32_t number = m.declare(spv::OpTypeInt, {32, 0});
  m.append(spv::OpSpecConstant, {number, constant, 1});
  m.append(spv::OpSpecConstant, {number, other, 2});
  const test::Session session;
  const auto program = test::il_program(session, m.words());
  const cl_uint value = 3;
  CHECK_CL(set(program, 7, sizeof value, &value));
  CHECK(set(program, 0, sizeof value, &value) == CL_INVALID_SPEC_ID);
}

TEST_CASE("clSetProgramSpecializationConstant: an integer of 4 bits is given as a byte", "[il_properties]") {
  constexpr auto int4 = static_cast<spv::Capability>(5112); // of SPV_INTEL_int4
  Module m({int4});
  const std::uint32_t constant = m.new_id();
  m.append(spv::OpDecorate, {constant, spv::DecorationSpecId, 7});
  const std::uint32_t number = m.declare(spv::OpTypeInt, {4, 0});
  m.append(spv::OpSpecConstant, {number, constant, 1});
  const test::Session session;
  const auto program = test::il_program(session, m.words());
  const cl_uchar values[4] = {3};
  CHECK_CL(set(program, 7, 1, values));
  CHECK_STATUS(set(program, 7, 4, values), CL_INVALID_VALUE);
  CHECK_STATUS(set(program, 7, 0, values), CL_INVALID_VALUE);
}

TEST_CASE("clSetProgramSpecializationConstant: another size is CL_INVALID_VALUE", "[il_properties]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  const char value[16] = {};
  const size_t sizes[] = {1, 1, 4, 8, 8};
  for (cl_uint i = 0; i < 5; ++i)
    for (const size_t size : {0, 1, 2, 3, 4, 5, 8, 9, 16})
      if (size != sizes[i]) CHECK_STATUS(set(program, spec_bool + i, size, value), CL_INVALID_VALUE);
}

TEST_CASE("clSetProgramSpecializationConstant: no value is CL_INVALID_VALUE", "[il_properties]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  CHECK_STATUS(set(program, spec_uint, 4, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clSetProgramSpecializationConstant: a number that no constant has is CL_INVALID_SPEC_ID",
          "[il_properties]") {
  const test::Session session;
  const auto program = test::il_program(session, specialised_kernel());
  const cl_uint value = 1;
  for (const cl_uint id : {0u, 1u, spec_bool - 1u, spec_double + 1u, ~0u})
    CHECK_STATUS(set(program, id, sizeof value, &value), CL_INVALID_SPEC_ID);
  CHECK_STATUS(set(test::il_program(session, caller()), spec_uint, sizeof value, &value), CL_INVALID_SPEC_ID);
}

TEST_CASE("clSetProgramSpecializationConstant: a program without IL is CL_INVALID_PROGRAM",
          "[il_properties]") {
  const test::Session session;
  const cl_uint value = 1;
  CHECK_STATUS(set(nullptr, 0, sizeof value, &value), CL_INVALID_PROGRAM);
  const auto built = session.build("kernel void k() {}");
  CHECK_STATUS(set(built, 0, sizeof value, &value), CL_INVALID_PROGRAM);
  CHECK_STATUS(set(test::from_binary_of(session, built), 0, sizeof value, &value), CL_INVALID_PROGRAM);
}

// ---- Queries

TEST_CASE("clGetDeviceInfo: SPIR-V 1.6 to 1.0, by name and with versions", "[il_properties]") {
  std::string names;
  cl_version last = ~cl_version(0);
  for (const auto& entry : device_list<cl_name_version>(CL_DEVICE_ILS_WITH_VERSION)) {
    CHECK(entry.version < last);
    last = entry.version;
    names += (names.empty() ? "" : " ") + std::string(entry.name) + "_" +
             std::to_string(CL_VERSION_MAJOR(entry.version)) + "." +
             std::to_string(CL_VERSION_MINOR(entry.version));
  }
  CHECK(test::device_string(CL_DEVICE_IL_VERSION) == names);
  if (test::is_hostcl())
    CHECK(names == "SPIR-V_1.6 SPIR-V_1.5 SPIR-V_1.4 SPIR-V_1.3 SPIR-V_1.2 SPIR-V_1.1 SPIR-V_1.0");
}

TEST_CASE("clGetDeviceInfo: SPIR-V's sets of instructions", "[il_properties]") {
  if (!test::has_extension("cl_khr_spirv_queries")) return;
  const auto sets = device_names(spirv_instruction_sets);
  CHECK(has(sets, "OpenCL.std"));
  if (test::is_hostcl()) CHECK(has(sets, "OpenCL.DebugInfo.100"));
}

TEST_CASE("clGetDeviceInfo: SPIR-V's extensions are there with those of OpenCL that ask for them",
          "[il_properties]") {
  if (!test::has_extension("cl_khr_spirv_queries")) return;
  const auto extensions = device_names(spirv_extensions);
  const std::pair<const char*, const char*> pairs[] = {
      {"cl_intel_bfloat16_conversions", "SPV_INTEL_bfloat16_conversion"},
      {"cl_intel_split_work_group_barrier", "SPV_INTEL_split_barrier"},
      {"cl_intel_subgroup_buffer_prefetch", "SPV_INTEL_subgroup_buffer_prefetch"},
      {"cl_khr_expect_assume", "SPV_KHR_expect_assume"},
      {"cl_khr_extended_bit_ops", "SPV_KHR_bit_instructions"},
      {"cl_khr_integer_dot_product", "SPV_KHR_integer_dot_product"},
      {"cl_khr_kernel_clock", "SPV_KHR_shader_clock"},
      {"cl_khr_spirv_linkonce_odr", "SPV_KHR_linkonce_odr"},
      {"cl_khr_spirv_no_integer_wrap_decoration", "SPV_KHR_no_integer_wrap_decoration"},
      {"cl_khr_subgroup_rotate", "SPV_KHR_subgroup_rotate"},
      {"cl_khr_work_group_uniform_arithmetic", "SPV_KHR_uniform_group_instructions"},
      {"cl_ext_float_atomics", "SPV_EXT_shader_atomic_float_add"},
      {"cl_ext_float_atomics", "SPV_EXT_shader_atomic_float16_add"},
      {"cl_ext_float_atomics", "SPV_EXT_shader_atomic_float_min_max"},
  };
  for (const auto& [extension, of_spirv] : pairs) {
    CAPTURE(extension);
    if (test::has_extension(extension)) CHECK(has(extensions, of_spirv));
  }
  for (const std::string& name : extensions)
    CHECK(has(extensions, name.c_str()));
}

TEST_CASE("clGetDeviceInfo: SPIR-V's capabilities are those that the device's features ask for",
          "[il_properties]") {
  if (!test::has_extension("cl_khr_spirv_queries")) return;
  const auto capabilities = device_list<cl_uint>(spirv_capabilities);
  const auto has_capability = [&](cl_uint capability) {
    CAPTURE(capability);
    CHECK(std::count(capabilities.begin(), capabilities.end(), capability) == 1);
  };
  for (const cl_uint capability :
       {spv::CapabilityAddresses, spv::CapabilityFloat16Buffer, spv::CapabilityInt64, spv::CapabilityInt16,
        spv::CapabilityInt8, spv::CapabilityKernel, spv::CapabilityLinkage, spv::CapabilityVector16,
        spv::CapabilityUniformDecoration})
    has_capability(capability);
  if (test::device_value<cl_bool>(CL_DEVICE_IMAGE_SUPPORT))
    for (const cl_uint capability :
         {spv::CapabilityImageBasic, spv::CapabilityLiteralSampler, spv::CapabilitySampled1D,
          spv::CapabilityImage1D, spv::CapabilitySampledBuffer, spv::CapabilityImageBuffer})
      has_capability(capability);
  if (test::device_value<cl_bool>(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT))
    has_capability(spv::CapabilityGenericPointer);
  if (test::device_value<cl_uint>(CL_DEVICE_MAX_NUM_SUB_GROUPS)) {
    has_capability(spv::CapabilityGroups);
    has_capability(spv::CapabilitySubgroupDispatch);
  }
  const auto has_none = [&](cl_uint capability) {
    CAPTURE(capability);
    CHECK(std::count(capabilities.begin(), capabilities.end(), capability) == 0);
  };
  has_none(spv::CapabilityShader);
  if (test::device_value<cl_bool>(CL_DEVICE_PIPE_SUPPORT))
    has_capability(spv::CapabilityPipes);
  else
    has_none(spv::CapabilityPipes);
  if (test::device_value<cl_bitfield>(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES))
    has_capability(spv::CapabilityDeviceEnqueue);
  else
    has_none(spv::CapabilityDeviceEnqueue);
}
