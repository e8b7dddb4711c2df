#include "compiler/passes/4_range/argument_layout.hpp"

#include "compiler/ir/spaces.hpp"

#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// The alignment of `local` memory in bytes if the pointer's element type is unknown: the alignment of the largest
/// built-in type (OpenCL C 6.3.5).
constexpr Align largest_alignment = Align::Constant<128>();

} // namespace

ArgumentLayout argument_layout(const Function& kernel) {
  const DataLayout& layout = kernel.getDataLayout();
  ArgumentLayout result;
  for (const Argument& argument : kernel.args()) {
    Type* by_value = argument.getParamByValType();
    Type* type = by_value ? by_value : argument.getType();
    Align alignment = layout.getABITypeAlign(type);
    if (by_value) alignment = argument.getParamAlign().value_or(alignment);
    const std::uint64_t offset = alignTo(result.bytes, alignment), size = layout.getTypeAllocSize(type);
    result.bytes = offset + size;
    const auto* pointer = dyn_cast<PointerType>(argument.getType());
    if (pointer && pointer->getAddressSpace() == local_space)
      alignment = argument.getParamAlign().value_or(largest_alignment);
    result.slots.push_back({static_cast<std::uint32_t>(offset), static_cast<std::uint32_t>(size),
                            static_cast<std::uint32_t>(alignment.value())});
  }
  return result;
}

} // namespace hostcl::compiler
