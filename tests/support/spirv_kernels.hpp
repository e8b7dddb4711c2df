#pragma once

// Small modules in SPIR-V that tests make programs of.

#include "support/spirv.hpp"

namespace test::spirv {

/// The constants that specialised_kernel() has, by their numbers.
enum SpecId : std::uint32_t {
  spec_bool = 10,
  spec_uchar = 11,
  spec_uint = 12,
  spec_ulong = 13,
  spec_double = 14
};

/// `kernel void k(global ulong* v)`, which stores specialisation constants: a boolean, true, a uchar, 3, a uint, 5,
/// a ulong, 7, and the bits of a double, 1.5.
inline Words specialised_kernel() {
  Module m({spv::CapabilityInt8, spv::CapabilityInt64, spv::CapabilityFloat64});
  const std::uint32_t kernel = m.new_id(), truth = m.new_id(), byte = m.new_id(), word = m.new_id(),
                      wide = m.new_id(), real = m.new_id();
  m.append(spv::OpEntryPoint, joined({spv::ExecutionModelKernel, kernel}, string("k")));
  const std::uint32_t constants[] = {truth, byte, word, wide, real};
  for (std::uint32_t i = 0; i < 5; ++i)
    m.append(spv::OpDecorate, {constants[i], spv::DecorationSpecId, spec_bool + i});

  const std::uint32_t none = m.declare(spv::OpTypeVoid, {}), boolean = m.declare(spv::OpTypeBool, {}),
                      uchar_type = m.declare(spv::OpTypeInt, {8, 0}),
                      uint_type = m.declare(spv::OpTypeInt, {32, 0}),
                      ulong_type = m.declare(spv::OpTypeInt, {64, 0}),
                      double_type = m.declare(spv::OpTypeFloat, {64}),
                      pointer = m.declare(spv::OpTypePointer, {spv::StorageClassCrossWorkgroup, ulong_type}),
                      function = m.declare(spv::OpTypeFunction, {none, pointer});
  m.append(spv::OpSpecConstantTrue, {boolean, truth});
  m.append(spv::OpSpecConstant, {uchar_type, byte, 3});
  m.append(spv::OpSpecConstant, {uint_type, word, 5});
  m.append(spv::OpSpecConstant, {ulong_type, wide, 7, 0});
  m.append(spv::OpSpecConstant, {double_type, real, 0, 0x3ff80000});
  std::uint32_t indices[5];
  for (std::uint32_t i = 0; i < 5; ++i)
    indices[i] = m.make(spv::OpConstant, ulong_type, {i, 0});

  m.append(spv::OpFunction, {none, kernel, spv::FunctionControlMaskNone, function});
  const std::uint32_t v = m.make(spv::OpFunctionParameter, pointer, {});
  m.declare(spv::OpLabel, {});
  const std::uint32_t values[] = {m.make(spv::OpSelect, ulong_type, {truth, indices[1], indices[0]}),
                                  m.make(spv::OpUConvert, ulong_type, {byte}),
                                  m.make(spv::OpUConvert, ulong_type, {word}), wide,
                                  m.make(spv::OpBitcast, ulong_type, {real})};
  for (std::uint32_t i = 0; i < 5; ++i)
    m.append(spv::OpStore, {m.make(spv::OpInBoundsPtrAccessChain, pointer, {v, indices[i]}), values[i],
                            spv::MemoryAccessAlignedMask, 8});
  m.append(spv::OpReturn, {});
  m.append(spv::OpFunctionEnd, {});
  return m.words();
}

/// `kernel void k(global uint* v) { *v = helper(20); }`, whose helper is somewhere else.
inline Words caller() {
  Module m({spv::CapabilityLinkage});
  const std::uint32_t kernel = m.new_id(), helper = m.new_id();
  m.append(spv::OpEntryPoint, joined({spv::ExecutionModelKernel, kernel}, string("k")));
  m.append(spv::OpDecorate, joined(joined({helper, spv::DecorationLinkageAttributes}, string("helper")),
                                   {spv::LinkageTypeImport}));
  const std::uint32_t none = m.declare(spv::OpTypeVoid, {}), number = m.declare(spv::OpTypeInt, {32, 0}),
                      pointer = m.declare(spv::OpTypePointer, {spv::StorageClassCrossWorkgroup, number}),
                      of_kernel = m.declare(spv::OpTypeFunction, {none, pointer}),
                      of_helper = m.declare(spv::OpTypeFunction, {number, number}),
                      twenty = m.make(spv::OpConstant, number, {20});
  m.append(spv::OpFunction, {number, helper, spv::FunctionControlMaskNone, of_helper});
  m.make(spv::OpFunctionParameter, number, {});
  m.append(spv::OpFunctionEnd, {});
  m.append(spv::OpFunction, {none, kernel, spv::FunctionControlMaskNone, of_kernel});
  const std::uint32_t v = m.make(spv::OpFunctionParameter, pointer, {});
  m.declare(spv::OpLabel, {});
  m.append(spv::OpStore,
           {v, m.make(spv::OpFunctionCall, number, {helper, twenty}), spv::MemoryAccessAlignedMask, 4});
  m.append(spv::OpReturn, {});
  m.append(spv::OpFunctionEnd, {});
  return m.words();
}

/// `uint helper(uint x) { return x + x + addend; }`; the addend is 2 and the specialisation constant spec_uint.
inline Words helper() {
  Module m({spv::CapabilityLinkage});
  const std::uint32_t helper = m.new_id(), addend = m.new_id();
  m.append(spv::OpDecorate, {addend, spv::DecorationSpecId, spec_uint});
  m.append(spv::OpDecorate, joined(joined({helper, spv::DecorationLinkageAttributes}, string("helper")),
                                   {spv::LinkageTypeExport}));
  const std::uint32_t number = m.declare(spv::OpTypeInt, {32, 0}),
                      type = m.declare(spv::OpTypeFunction, {number, number});
  m.append(spv::OpSpecConstant, {number, addend, 2});
  m.append(spv::OpFunction, {number, helper, spv::FunctionControlMaskNone, type});
  const std::uint32_t x = m.make(spv::OpFunctionParameter, number, {});
  m.declare(spv::OpLabel, {});
  const std::uint32_t twice = m.make(spv::OpIAdd, number, {x, x});
  m.append(spv::OpReturnValue, {m.make(spv::OpIAdd, number, {twice, addend})});
  m.append(spv::OpFunctionEnd, {});
  return m.words();
}

} // namespace test::spirv
