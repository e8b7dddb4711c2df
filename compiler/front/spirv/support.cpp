#include "compiler/front/spirv/support.hpp"

#include "compiler/compiler.hpp"

#include <algorithm>
#include <array>

namespace hostcl::compiler {

namespace {

struct Capability {
  std::uint32_t number;
  std::string_view name;
  bool is_supported;
};

#define SUPPORTED(number, name) {number, #name, true},
#define HINT(number, name) {number, #name, true},
#define UNSUPPORTED(number, name) {number, #name, false},
constexpr Capability capabilities[] = {
#include "compiler/front/spirv/capabilities.inc"
};
#undef SUPPORTED
#undef HINT
#undef UNSUPPORTED
static_assert(std::ranges::adjacent_find(capabilities, std::ranges::greater_equal(), &Capability::number) ==
              std::end(capabilities));

constexpr auto supported_capabilities = [] {
  std::array<std::uint32_t, std::ranges::count_if(capabilities, &Capability::is_supported)> numbers{};
  std::size_t count = 0;
  for (const Capability& capability : capabilities)
    if (capability.is_supported) numbers[count++] = capability.number;
  return numbers;
}();

#define EXTENSION(name) name,
#define HINT(name) name,
constexpr const char* extensions[] = {
#include "compiler/front/spirv/extensions.inc"
};
#undef EXTENSION
#undef HINT

constexpr const char* instruction_sets[] = {"OpenCL.std", "OpenCL.DebugInfo.100", "DebugInfo"};

/// Returns null if the capability is unknown.
const Capability* find(std::uint32_t number) {
  const auto* found = std::ranges::lower_bound(capabilities, number, {}, &Capability::number);
  return found != std::end(capabilities) && found->number == number ? found : nullptr;
}

} // namespace

std::span<const std::uint32_t> spirv_capabilities() {
  return supported_capabilities;
}
std::span<const char* const> spirv_extensions() {
  return extensions;
}
std::span<const char* const> spirv_extended_instruction_sets() {
  return instruction_sets;
}

namespace spirv {

bool is_supported_capability(std::uint32_t capability) {
  const Capability* found = find(capability);
  return found && found->is_supported;
}

std::string_view capability_name(std::uint32_t capability) {
  const Capability* found = find(capability);
  return found ? found->name : std::string_view();
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
