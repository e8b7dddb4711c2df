#pragma once

// Opcodes that older versions of the SPIR-V headers do not have.

#include <spirv/unified1/spirv.hpp>

namespace hostcl::compiler::spirv {

namespace newer_opcodes {
inline constexpr auto OpTypeUntypedPointerKHR = static_cast<spv::Op>(4417);
inline constexpr auto OpUntypedVariableKHR = static_cast<spv::Op>(4418);
inline constexpr auto OpUntypedAccessChainKHR = static_cast<spv::Op>(4419);
inline constexpr auto OpUntypedInBoundsAccessChainKHR = static_cast<spv::Op>(4420);
inline constexpr auto OpUntypedPtrAccessChainKHR = static_cast<spv::Op>(4423);
inline constexpr auto OpUntypedInBoundsPtrAccessChainKHR = static_cast<spv::Op>(4424);
inline constexpr auto OpUntypedPrefetchKHR = static_cast<spv::Op>(4426);
inline constexpr auto OpFmaKHR = static_cast<spv::Op>(4427);
inline constexpr auto OpExtInstWithForwardRefsKHR = static_cast<spv::Op>(4433);
inline constexpr auto OpUntypedGroupAsyncCopyKHR = static_cast<spv::Op>(4434);
inline constexpr auto OpConstantCompositeReplicateEXT = static_cast<spv::Op>(4461);
inline constexpr auto OpSpecConstantCompositeReplicateEXT = static_cast<spv::Op>(4462);
inline constexpr auto OpCompositeConstructReplicateEXT = static_cast<spv::Op>(4463);
inline constexpr auto OpAbortKHR = static_cast<spv::Op>(5121);
inline constexpr auto OpConstantDataKHR = static_cast<spv::Op>(5147);
inline constexpr auto OpSpecConstantDataKHR = static_cast<spv::Op>(5148);
inline constexpr auto OpPoisonKHR = static_cast<spv::Op>(5158);
inline constexpr auto OpFreezeKHR = static_cast<spv::Op>(5159);
inline constexpr auto OpVariableLengthArrayINTEL = static_cast<spv::Op>(5818);
inline constexpr auto OpSaveMemoryINTEL = static_cast<spv::Op>(5819);
inline constexpr auto OpRestoreMemoryINTEL = static_cast<spv::Op>(5820);
inline constexpr auto OpCompositeConstructContinuedINTEL = static_cast<spv::Op>(6096);
inline constexpr auto OpArithmeticFenceEXT = static_cast<spv::Op>(6145);
inline constexpr auto OpConvertFToBF16INTEL = static_cast<spv::Op>(6116);
inline constexpr auto OpConvertBF16ToFINTEL = static_cast<spv::Op>(6117);
inline constexpr auto OpControlBarrierArriveINTEL = static_cast<spv::Op>(6142);
inline constexpr auto OpControlBarrierWaitINTEL = static_cast<spv::Op>(6143);
inline constexpr auto OpSubgroupBlockPrefetchINTEL = static_cast<spv::Op>(6221);
inline constexpr auto OpUntypedVariableLengthArrayINTEL = static_cast<spv::Op>(6244);
inline constexpr auto OpMaskedGatherINTEL = static_cast<spv::Op>(6428);
inline constexpr auto OpMaskedScatterINTEL = static_cast<spv::Op>(6429);
} // namespace newer_opcodes

/// All opcodes by name. Names must be qualified, so that a declaration in the headers takes precedence over
/// one above.
namespace opcodes {
using enum spv::Op;
using namespace newer_opcodes;
} // namespace opcodes

} // namespace hostcl::compiler::spirv
