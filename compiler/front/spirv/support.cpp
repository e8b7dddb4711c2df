#include "compiler/front/spirv/support.hpp"

#include "compiler/compiler.hpp"

#include <algorithm>

namespace hostcl::compiler {

namespace {

#define SUPPORTED(number, name) number,
#define HINT(number, name) number,
constexpr std::uint32_t capabilities[] = {
#include "compiler/front/spirv/capabilities.inc"
};
#undef SUPPORTED
#undef HINT
static_assert(std::ranges::adjacent_find(capabilities, std::ranges::greater_equal()) ==
              std::end(capabilities));

struct CapabilityName {
  std::uint32_t number;
  std::string_view name;
};

constexpr CapabilityName capability_names[] = {
#define SUPPORTED(number, name) {number, #name},
#define HINT(number, name) {number, #name},
#define CAPABILITY(number, name) {number, #name},
#define OPCODE(number, name)
#include "compiler/front/spirv/capabilities.inc"
#include "compiler/front/spirv/newer_names.inc"
#include "spirv_capabilities.inc"
#undef SUPPORTED
#undef HINT
#undef CAPABILITY
#undef OPCODE
};

#define EXTENSION(name) name,
#define HINT(name) name,
constexpr const char* extensions[] = {
#include "compiler/front/spirv/extensions.inc"
};
#undef EXTENSION
#undef HINT

constexpr const char* instruction_sets[] = {"OpenCL.std", "OpenCL.DebugInfo.100", "DebugInfo"};

} // namespace

std::span<const std::uint32_t> spirv_capabilities() {
  return capabilities;
}
std::span<const char* const> spirv_extensions() {
  return extensions;
}
std::span<const char* const> spirv_extended_instruction_sets() {
  return instruction_sets;
}

namespace spirv {

bool is_supported_capability(std::uint32_t capability) {
  return std::ranges::binary_search(capabilities, capability);
}

std::string_view capability_name(std::uint32_t capability) {
  const auto* found = std::ranges::find(capability_names, capability, &CapabilityName::number);
  return found != std::end(capability_names) ? found->name : std::string_view();
}

bool is_supported_extension(std::string_view name) {
  return std::ranges::find(extensions, name) != std::end(extensions);
}

std::optional<InstructionSet> instruction_set(std::string_view name) {
  if (name.starts_with("NonSemantic.")) return InstructionSet::non_semantic; // SPV_KHR_non_semantic_info
  if (std::ranges::find(instruction_sets, name) == std::end(instruction_sets)) return std::nullopt;
  return name == "OpenCL.std" ? InstructionSet::open_cl : InstructionSet::debug_information;
}

} // namespace spirv

} // namespace hostcl::compiler
