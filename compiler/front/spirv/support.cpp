#include "compiler/front/spirv/support.hpp"

#include "compiler/compiler.hpp"

#include <algorithm>
#include <array>

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

/// A capability that modules may declare only if the device has at least one of some extensions and features.
struct Condition {
  std::uint32_t capability;
  std::array<std::string_view, 3> needs; ///< up to three names; the others are empty
};
constexpr Condition conditions[] = {
    {9, {"cl_khr_fp16"}},                   // Float16
    {10, {"cl_khr_fp64"}},                  // Float64
    {11, {"__opencl_c_int64"}},             // Int64
    {12, {"cl_khr_int64_base_atomics"}},    // Int64Atomics
    {13, {"__opencl_c_images"}},            // ImageBasic
    {14, {"__opencl_c_read_write_images"}}, // ImageReadWrite
    {15, {"cl_khr_mipmap_image"}},          // ImageMipmap
    {17, {"__opencl_c_pipes"}},             // Pipes
    {18,
     {"__opencl_c_subgroups", "cl_intel_subgroups", // Groups
      "__opencl_c_work_group_collective_functions"}},
    {19, {"__opencl_c_device_enqueue"}},                  // DeviceEnqueue
    {20, {"__opencl_c_images"}},                          // LiteralSampler
    {38, {"__opencl_c_generic_address_space"}},           // GenericPointer
    {43, {"__opencl_c_images"}},                          // Sampled1D
    {44, {"__opencl_c_images"}},                          // Image1D
    {46, {"__opencl_c_images"}},                          // SampledBuffer
    {47, {"__opencl_c_images"}},                          // ImageBuffer
    {58, {"__opencl_c_subgroups", "cl_intel_subgroups"}}, // SubgroupDispatch
    {62, {"cl_khr_subgroup_non_uniform_vote"}},           // GroupNonUniformVote
    {63, {"cl_khr_subgroup_non_uniform_arithmetic"}},     // GroupNonUniformArithmetic
    {64, {"cl_khr_subgroup_ballot"}},                     // GroupNonUniformBallot
    {65, {"cl_khr_subgroup_shuffle"}},                    // GroupNonUniformShuffle
    {66, {"cl_khr_subgroup_shuffle_relative"}},           // GroupNonUniformShuffleRelative
    {67, {"cl_khr_subgroup_clustered_reduce"}},           // GroupNonUniformClustered
    {5055, {"cl_khr_kernel_clock"}},                      // ShaderClockKHR
    {5568, {"cl_intel_subgroups"}},                       // SubgroupShuffleINTEL
    {5569, {"cl_intel_subgroups"}},                       // SubgroupBufferBlockIOINTEL
    {5570, {"cl_intel_subgroups"}},                       // SubgroupImageBlockIOINTEL
    {5612, {"__opencl_c_ext_fp32_global_atomic_min_max", "__opencl_c_ext_fp32_local_atomic_min_max"}},
    {5613, {"__opencl_c_ext_fp64_global_atomic_min_max", "__opencl_c_ext_fp64_local_atomic_min_max"}},
    {5616, {"__opencl_c_ext_fp16_global_atomic_min_max", "__opencl_c_ext_fp16_local_atomic_min_max"}},
    {5629, {"cl_khr_expect_assume"}},                               // ExpectAssumeKHR
    {6016, {"cl_khr_integer_dot_product"}},                         // DotProductInputAll
    {6017, {"__opencl_c_integer_dot_product_input_4x8bit"}},        // DotProductInput4x8Bit
    {6018, {"__opencl_c_integer_dot_product_input_4x8bit_packed"}}, // DotProductInput4x8BitPacked
    {6019, {"cl_khr_integer_dot_product"}},                         // DotProduct
    {6022, {"__opencl_c_subgroups", "cl_intel_subgroups"}},         // CooperativeMatrixKHR
    {6025, {"cl_khr_extended_bit_ops"}},                            // BitInstructions
    {6026, {"cl_khr_subgroup_rotate"}},                             // GroupNonUniformRotateKHR
    {6033, {"__opencl_c_ext_fp32_global_atomic_add", "__opencl_c_ext_fp32_local_atomic_add"}},
    {6034, {"__opencl_c_ext_fp64_global_atomic_add", "__opencl_c_ext_fp64_local_atomic_add"}},
    {6095, {"__opencl_c_ext_fp16_global_atomic_add", "__opencl_c_ext_fp16_local_atomic_add"}},
    {6115, {"cl_intel_bfloat16_conversions"}},                // BFloat16ConversionINTEL
    {6141, {"cl_intel_split_work_group_barrier"}},            // SplitBarrierINTEL
    {6220, {"cl_intel_subgroup_buffer_prefetch"}},            // SubgroupBufferPrefetchINTEL
    {6228, {"cl_intel_subgroup_2d_block_io"}},                // Subgroup2DBlockIOINTEL
    {6229, {"cl_intel_subgroup_2d_block_io"}},                // Subgroup2DBlockTransformINTEL
    {6230, {"cl_intel_subgroup_2d_block_io"}},                // Subgroup2DBlockTransposeINTEL
    {6236, {"cl_intel_subgroup_matrix_multiply_accumulate"}}, // SubgroupMatrixMultiplyAccumulateINTEL
};

constexpr const char* instruction_sets[] = {"OpenCL.std", "OpenCL.DebugInfo.100", "DebugInfo"};

} // namespace

std::span<const std::uint32_t> spirv_capabilities() {
  return capabilities;
}
std::vector<std::uint32_t> spirv_capabilities(const Language& language) {
  std::vector<std::uint32_t> had;
  std::ranges::copy_if(capabilities, std::back_inserter(had), [&](std::uint32_t capability) {
    return spirv::missing_for(capability, language).empty();
  });
  return had;
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

std::string_view missing_for(std::uint32_t capability, const Language& language) {
  const auto* found = std::ranges::find(conditions, capability, &Condition::capability);
  if (found == std::end(conditions)) return {};
  const bool has_any = std::ranges::any_of(
      found->needs, [&](std::string_view name) { return !name.empty() && !is_missing(language, name); });
  return has_any ? std::string_view() : found->needs.front();
}

std::string_view capability_name(std::uint32_t capability) {
  const auto* found = std::ranges::find(capability_names, capability, &CapabilityName::number);
  return found != std::end(capability_names) ? found->name : std::string_view();
}

bool is_supported_extension(std::string_view name) {
  return std::ranges::find(extensions, name) != std::end(extensions);
}

std::optional<InstructionSet> instruction_set(std::string_view name) {
  if (name.starts_with("NonSemantic.Shader.DebugInfo.")) return InstructionSet::shader_debug_information;
  if (name.starts_with("NonSemantic.")) return InstructionSet::non_semantic; // SPV_KHR_non_semantic_info
  if (std::ranges::find(instruction_sets, name) == std::end(instruction_sets)) return std::nullopt;
  return name == "OpenCL.std" ? InstructionSet::open_cl : InstructionSet::debug_information;
}

} // namespace spirv

} // namespace hostcl::compiler
