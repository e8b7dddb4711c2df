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
constexpr std::uint32_t largest_alignment = 128;

ArgumentSlot slot_of(const Argument& argument, const DataLayout& layout) {
  if (Type* type = argument.getParamByValType())
    return {
        0, static_cast<std::uint32_t>(layout.getTypeAllocSize(type)),
        static_cast<std::uint32_t>(argument.getParamAlign().value_or(layout.getABITypeAlign(type)).value())};
  Type* type = argument.getType();
  return {0, static_cast<std::uint32_t>(layout.getTypeAllocSize(type)),
          static_cast<std::uint32_t>(layout.getABITypeAlign(type).value())};
}

} // namespace

ArgumentLayout argument_layout(const Function& kernel) {
  const DataLayout& data_layout = kernel.getDataLayout();
  ArgumentLayout result;
  for (const Argument& argument : kernel.args()) {
    ArgumentSlot slot = slot_of(argument, data_layout);
    slot.offset = static_cast<std::uint32_t>(alignTo(result.bytes, slot.alignment));
    result.bytes = slot.offset + slot.size;
    auto* pointer = dyn_cast<PointerType>(argument.getType());
    if (pointer && pointer->getAddressSpace() == local_space)
      slot.alignment = static_cast<std::uint32_t>(argument.getParamAlign() ? argument.getParamAlign()->value()
                                                                           : largest_alignment);
    result.slots.push_back(slot);
  }
  return result;
}

} // namespace hostcl::compiler
