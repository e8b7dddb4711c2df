// What modules in SPIR-V may declare: the lists and the names of what is refused.

#include "compiler/front/spirv/support.hpp"

#include "compiler/compiler.hpp"
#include "support/catch.hpp"

#include <spirv/unified1/spirv.hpp>

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

using namespace hostcl::compiler;

TEST_CASE("SPIR-V: the capabilities that are told are those that are accepted, and have names",
          "[spirv_support]") {
  std::size_t supported = 0;
  for (std::uint32_t number = 0; number < 0x2000; ++number) {
    if (!spirv::is_supported_capability(number)) continue;
    CAPTURE(number);
    ++supported;
    CHECK(std::ranges::count(spirv_capabilities(), number) == 1);
    CHECK(!spirv::capability_name(number).empty());
  }
  CHECK(spirv_capabilities().size() == supported);
}

TEST_CASE("SPIR-V: capabilities that are not supported have names", "[spirv_support]") {
  CHECK(spirv::capability_name(spv::CapabilityShader) == "Shader");
  CHECK(spirv::capability_name(spv::CapabilityDeviceEnqueue) == "DeviceEnqueue");
  CHECK(spirv::capability_name(4174) == "TensorsARM");
  CHECK(!spirv::is_supported_capability(spv::CapabilityShader));
  CHECK(!spirv::is_supported_capability(4174));
}

TEST_CASE("SPIR-V: numbers that no kernel declares have no name", "[spirv_support]") {
  for (const std::uint32_t number : {16u, 26u, 72u, 6529u, 0x7fffffffu, ~0u}) {
    CHECK(spirv::capability_name(number).empty());
    CHECK(!spirv::is_supported_capability(number));
  }
}

TEST_CASE("SPIR-V: extensions that are told are accepted, others are not", "[spirv_support]") {
  for (const char* name : spirv_extensions())
    CHECK(spirv::is_supported_extension(name));
  for (const char* name : {"", "SPV_KHR_", "spv_khr_expect_assume", "SPV_NV_cooperative_matrix"})
    CHECK(!spirv::is_supported_extension(name));
}

TEST_CASE("SPIR-V: sets of instructions that are told are accepted, and all that mean nothing",
          "[spirv_support]") {
  for (const char* name : spirv_extended_instruction_sets())
    CHECK(spirv::instruction_set(name).has_value());
  CHECK(spirv::instruction_set("OpenCL.std") == spirv::InstructionSet::open_cl);
  CHECK(spirv::instruction_set("NonSemantic.Shader.DebugInfo.100") ==
        spirv::InstructionSet::shader_debug_information);
  CHECK(spirv::instruction_set("NonSemantic.Unheard.Of") == spirv::InstructionSet::non_semantic);
  for (const char* name : {"", "GLSL.std.450", "OpenCL.std.1", "NonSemantic"})
    CHECK(!spirv::instruction_set(name));
}

TEST_CASE("SPIR-V: a device lacks the capabilities that need its missing extensions and features",
          "[spirv_support]") {
  const auto lost = [](const char* name) {
    const std::vector<std::uint32_t> had = spirv_capabilities({.lacks = {name}});
    std::vector<std::uint32_t> missing;
    std::ranges::set_difference(spirv_capabilities(), had, std::back_inserter(missing));
    return missing;
  };
  using Numbers = std::vector<std::uint32_t>;
  CHECK(lost("cl_khr_fp16") == Numbers{spv::CapabilityFloat16, 5616, 6095});
  CHECK(lost("cl_khr_fp64") == Numbers{spv::CapabilityFloat64, 5613, 6034});
  CHECK(lost("__opencl_c_int64") == Numbers{spv::CapabilityInt64, spv::CapabilityInt64Atomics});
  CHECK(lost("__opencl_c_pipes") == Numbers{spv::CapabilityPipes});
  CHECK(lost("__opencl_c_device_enqueue") == Numbers{spv::CapabilityDeviceEnqueue});
  CHECK(lost("__opencl_c_generic_address_space") ==
        Numbers{spv::CapabilityPipes, spv::CapabilityDeviceEnqueue, spv::CapabilityGenericPointer});
  CHECK(lost("__opencl_c_read_write_images") == Numbers{spv::CapabilityImageReadWrite});
  CHECK(lost("__opencl_c_subgroups").empty()); // cl_intel_subgroups gives SubgroupDispatch as well
  const auto without_sub_groups =
      spirv_capabilities({.lacks = {"__opencl_c_subgroups", "cl_intel_subgroups"}});
  CHECK(std::ranges::count(without_sub_groups, spv::CapabilitySubgroupDispatch) == 0);
  CHECK(std::ranges::count(without_sub_groups, spv::CapabilityGroups) ==
        1); // work-group functions need it too
}

namespace {

std::string refusal_of(const std::vector<std::uint32_t>& module, const Language& language) {
  Settings settings = *default_settings();
  settings.language = language;
  return compile_il(std::make_shared<const Settings>(std::move(settings)), std::as_bytes(std::span(module)),
                    {}, "")
      .log;
}

/// A module without functions that declares a capability.
std::vector<std::uint32_t> module_with(spv::Capability capability) {
  return {spv::MagicNumber,
          0x00010200,
          0,
          1,
          0,
          2 << 16 | spv::OpCapability,
          std::uint32_t(capability),
          2 << 16 | spv::OpCapability,
          spv::CapabilityKernel,
          2 << 16 | spv::OpCapability,
          spv::CapabilityAddresses,
          2 << 16 | spv::OpCapability,
          spv::CapabilityLinkage,
          3 << 16 | spv::OpMemoryModel,
          spv::AddressingModelPhysical64,
          spv::MemoryModelOpenCL};
}

} // namespace

TEST_CASE("SPIR-V: a module that needs what the device lacks is refused with the reason", "[spirv_support]") {
  const auto module = module_with(spv::CapabilityFloat64);
  CHECK(refusal_of(module, {}).empty());
  CHECK(refusal_of(module, {.lacks = {"cl_khr_fp16"}}).empty());
  CHECK(refusal_of(module, {.device = "d", .lacks = {"cl_khr_fp64"}})
            .find("the capability Float64 needs cl_khr_fp64, which the device 'd' lacks") !=
        std::string::npos);
  constexpr std::uint32_t v1_1 = 1 << 22 | 1 << 12, v1_2 = 1 << 22 | 2 << 12;
  CHECK(refusal_of(module, {.newest_spirv = v1_2}).empty());
  CHECK(refusal_of(module, {.newest_spirv = v1_1})
            .find("its version is 1.2; the newest SPIR-V of the device is 1.1") != std::string::npos);
  CHECK(refusal_of(module, {.newest_spirv = Language::no_spirv}).find("the device has no SPIR-V") !=
        std::string::npos);
  CHECK(refusal_of(module, {.address_bits = 64}).empty());
  CHECK(refusal_of(module, {.address_bits = 32}).find("the device has 32-bit addresses") !=
        std::string::npos);
}
