// What modules in SPIR-V may declare: the lists and the names of what is refused.

#include "compiler/front/spirv/support.hpp"

#include "compiler/compiler.hpp"
#include "support/catch.hpp"

#include <spirv/unified1/spirv.hpp>

#include <algorithm>

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
  CHECK(spirv::capability_name(6022) == "CooperativeMatrixKHR");
  CHECK(!spirv::is_supported_capability(spv::CapabilityShader));
  CHECK(!spirv::is_supported_capability(6022));
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
  for (const char* name : {"", "SPV_KHR_", "spv_khr_expect_assume", "SPV_KHR_cooperative_matrix"})
    CHECK(!spirv::is_supported_extension(name));
}

TEST_CASE("SPIR-V: sets of instructions that are told are accepted, and all that mean nothing",
          "[spirv_support]") {
  for (const char* name : spirv_extended_instruction_sets())
    CHECK(spirv::instruction_set(name).has_value());
  CHECK(spirv::instruction_set("OpenCL.std") == spirv::InstructionSet::open_cl);
  CHECK(spirv::instruction_set("NonSemantic.Shader.DebugInfo.100") == spirv::InstructionSet::non_semantic);
  CHECK(spirv::instruction_set("NonSemantic.Unheard.Of") == spirv::InstructionSet::non_semantic);
  for (const char* name : {"", "GLSL.std.450", "OpenCL.std.1", "NonSemantic"})
    CHECK(!spirv::instruction_set(name));
}
