// Operations that SPIR-V has and OpenCL C has not, or has in fewer types: small integers, booleans and vectors in groups,
// dot products, bfloat16.

#include "support/il.hpp"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>

using namespace test::spirv;

namespace {

constexpr std::size_t items = 64, group = 16;

/// A kernel `k(global uint* in, global uint* out)` of which a test writes one expression.
struct Expression {
  Module m;
  std::uint32_t boolean = 0, uchar = 0, ushort = 0, number = 0, wide = 0, real = 0, pair = 0;
  std::uint32_t constants[6] = {}; ///< 0 to 5
  std::uint32_t x = 0;             ///< in[i]
  std::uint32_t lane = 0;          ///< of the sub-group
  std::uint32_t in = 0;            ///< the pointer
  std::uint32_t item = 0;          ///< i

  std::uint32_t work_group() const { return constants[spv::ScopeWorkgroup]; }
  std::uint32_t sub_group() const { return constants[spv::ScopeSubgroup]; }
  std::uint32_t extended(std::uint32_t value) { return m.make(spv::OpSConvert, number, {value}); }
};

using Writer = std::function<std::uint32_t(Expression&)>;

Words kernel_of(const Words& capabilities, const Writer& write) {
  Expression e{Module(joined({spv::CapabilityInt8, spv::CapabilityInt16, spv::CapabilityInt64,
                              spv::CapabilityGroups, spv::CapabilitySubgroupDispatch},
                             capabilities))};
  Module& m = e.m;
  const std::uint32_t kernel = m.new_id(), global_id = m.new_id(), lane = m.new_id();
  m.append(spv::OpEntryPoint,
           joined(joined({spv::ExecutionModelKernel, kernel}, string("k")), {global_id, lane}));
  m.append(spv::OpDecorate, {global_id, spv::DecorationBuiltIn, spv::BuiltInGlobalInvocationId});
  m.append(spv::OpDecorate, {lane, spv::DecorationBuiltIn, spv::BuiltInSubgroupLocalInvocationId});
  const std::uint32_t none = m.declare(spv::OpTypeVoid, {});
  e.boolean = m.declare(spv::OpTypeBool, {});
  e.uchar = m.declare(spv::OpTypeInt, {8, 0});
  e.ushort = m.declare(spv::OpTypeInt, {16, 0});
  e.number = m.declare(spv::OpTypeInt, {32, 0});
  e.wide = m.declare(spv::OpTypeInt, {64, 0});
  e.real = m.declare(spv::OpTypeFloat, {32});
  e.pair = m.declare(spv::OpTypeVector, {e.number, 2});
  const std::uint32_t ids = m.declare(spv::OpTypeVector, {e.wide, 3}),
                      pointer = m.declare(spv::OpTypePointer, {spv::StorageClassCrossWorkgroup, e.number}),
                      to_ids = m.declare(spv::OpTypePointer, {spv::StorageClassInput, ids}),
                      to_lane = m.declare(spv::OpTypePointer, {spv::StorageClassInput, e.number}),
                      function = m.declare(spv::OpTypeFunction, {none, pointer, pointer});
  for (std::uint32_t i = 0; i < 6; ++i)
    e.constants[i] = m.make(spv::OpConstant, e.number, {i});
  m.append(spv::OpVariable, {to_ids, global_id, spv::StorageClassInput});
  m.append(spv::OpVariable, {to_lane, lane, spv::StorageClassInput});
  m.append(spv::OpFunction, {none, kernel, spv::FunctionControlMaskNone, function});
  const std::uint32_t in = e.in = m.make(spv::OpFunctionParameter, pointer, {}),
                      out = m.make(spv::OpFunctionParameter, pointer, {});
  m.declare(spv::OpLabel, {});
  const std::uint32_t i = m.make(spv::OpCompositeExtract, e.wide, {m.make(spv::OpLoad, ids, {global_id}), 0});
  e.item = i;
  e.lane = m.make(spv::OpLoad, e.number, {lane});
  e.x = m.make(spv::OpLoad, e.number, {m.make(spv::OpInBoundsPtrAccessChain, pointer, {in, i})});
  m.append(spv::OpStore, {m.make(spv::OpInBoundsPtrAccessChain, pointer, {out, i}), write(e)});
  m.append(spv::OpReturn, {});
  m.append(spv::OpFunctionEnd, {});
  return m.words();
}

using Numbers = std::vector<std::uint32_t>;

/// What the expression makes of each number.
Numbers run(const Numbers& in, const Words& capabilities, const Writer& write) {
  const test::Session session;
  const auto program = test::il_program(session, kernel_of(capabilities, write));
  const cl_int error = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
  CAPTURE(test::build_log(program));
  REQUIRE_CL(error);
  const auto kernel = session.kernel(program, "k");
  const auto from = session.buffer(in), to = session.buffer(in.size() * sizeof in[0]);
  test::set_arguments(kernel, from, to);
  session.run(kernel, in.size(), group);
  return session.read<std::uint32_t>(to, in.size());
}

/// Numbers of which all bytes differ.
Numbers numbers() {
  Numbers values(items);
  for (std::uint32_t i = 0; i < items; ++i)
    values[i] = (i + 1) * 0x9e3779b9u;
  return values;
}

Numbers each(const Numbers& in, const std::function<std::uint32_t(std::uint32_t)>& function) {
  Numbers out;
  for (const std::uint32_t x : in)
    out.push_back(function(x));
  return out;
}

int signed_byte(std::uint32_t word, int index) {
  return static_cast<std::int8_t>(word >> 8 * index);
}
int byte(std::uint32_t word, int index) {
  return word >> 8 * index & 255;
}

/// For each work-item what is made of the first items of its group, up to and without it.
Numbers scanned(const Numbers& in, int start, const std::function<int(int, int)>& combine) {
  Numbers out;
  for (std::size_t i = 0; i < in.size(); ++i) {
    int value = start;
    for (std::size_t j = i - i % group; j < i; ++j)
      value = combine(value, signed_byte(in[j], 0));
    out.push_back(std::uint32_t(signed_byte(std::uint32_t(value), 0)));
  }
  return out;
}

Writer scan_of_bytes(spv::Op op) {
  return [op](Expression& e) {
    const std::uint32_t byte = e.m.make(spv::OpUConvert, e.uchar, {e.x});
    return e.extended(e.m.make(op, e.uchar, {e.work_group(), spv::GroupOperationExclusiveScan, byte}));
  };
}

std::uint32_t bfloat_bits(std::uint32_t bits) {
  if (std::isnan(std::bit_cast<float>(bits))) return (bits >> 16) | 0x40;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

constexpr auto to_bfloat = static_cast<spv::Op>(6116), from_bfloat = static_cast<spv::Op>(6117);
constexpr std::uint32_t bfloat_conversion = 6115;

} // namespace

TEST_CASE("IL: scans of a work-group's bytes begin with the byte's own limits", "[il_operations]") {
  const Numbers in = numbers();
  CHECK(run(in, {}, scan_of_bytes(spv::OpGroupSMin)) ==
        scanned(in, 127, [](int a, int b) { return std::min(a, b); }));
  CHECK(run(in, {}, scan_of_bytes(spv::OpGroupSMax)) ==
        scanned(in, -128, [](int a, int b) { return std::max(a, b); }));
  CHECK(run(in, {}, scan_of_bytes(spv::OpGroupIAdd)) == scanned(in, 0, [](int a, int b) { return a + b; }));
}

TEST_CASE("IL: prefetching a block changes nothing", "[il_operations]") {
  constexpr auto prefetch = static_cast<spv::Op>(6221);
  constexpr std::uint32_t capability = 6220;
  const Numbers in = numbers();
  CHECK(run(in, {capability}, [](Expression& e) {
          e.m.append(prefetch, {e.in, e.constants[4]});
          e.m.append(prefetch, {e.in, e.constants[4], spv::MemoryAccessAlignedMask, 4});
          return e.x;
        }) == in);
}

TEST_CASE("IL: a work-group broadcasts a boolean", "[il_operations]") {
  const Numbers in = numbers();
  const Numbers out = run(in, {}, [](Expression& e) {
    const std::uint32_t is_odd =
        e.m.make(spv::OpINotEqual, e.boolean,
                 {e.m.make(spv::OpBitwiseAnd, e.number, {e.x, e.constants[1]}), e.constants[0]});
    const std::uint32_t place = e.m.make(spv::OpUConvert, e.wide, {e.constants[5]});
    const std::uint32_t sent = e.m.make(spv::OpGroupBroadcast, e.boolean, {e.work_group(), is_odd, place});
    return e.m.make(spv::OpSelect, e.number, {sent, e.constants[1], e.constants[0]});
  });
  for (std::size_t i = 0; i < items; ++i)
    CHECK(out[i] == (in[i - i % group + 5] & 1));
}

TEST_CASE("IL: a work-group reduces vectors component by component", "[il_operations]") {
  const Numbers in = numbers();
  const Numbers out = run(in, {}, [](Expression& e) {
    const std::uint32_t pair = e.m.make(spv::OpCompositeConstruct, e.pair, {e.x, e.constants[2]});
    const std::uint32_t sums =
        e.m.make(spv::OpGroupIAdd, e.pair, {e.work_group(), spv::GroupOperationReduce, pair});
    return e.m.make(spv::OpIAdd, e.number,
                    {e.m.make(spv::OpCompositeExtract, e.number, {sums, 0}),
                     e.m.make(spv::OpCompositeExtract, e.number, {sums, 1})});
  });
  for (std::size_t i = 0; i < items; ++i) {
    std::uint32_t sum = 2 * group;
    for (std::size_t j = 0; j < group; ++j)
      sum += in[i - i % group + j];
    CHECK(out[i] == sum);
  }
}

TEST_CASE("IL: the first lane's vector and boolean are broadcast", "[il_operations]") {
  const Numbers in = numbers();
  const Words capabilities = {spv::CapabilityGroupNonUniform, spv::CapabilityGroupNonUniformBallot};
  // 1 where the pair of the first lane's number and lane is the same for all, which is what that lane has.
  const Numbers out = run(in, capabilities, [](Expression& e) {
    const std::uint32_t pair = e.m.make(spv::OpCompositeConstruct, e.pair, {e.x, e.lane});
    const std::uint32_t first = e.m.make(spv::OpGroupNonUniformBroadcastFirst, e.pair, {e.sub_group(), pair});
    const std::uint32_t leads = e.m.make(spv::OpIEqual, e.boolean, {e.lane, e.constants[0]});
    const std::uint32_t led =
        e.m.make(spv::OpGroupNonUniformBroadcastFirst, e.boolean, {e.sub_group(), leads});
    const std::uint32_t sum = e.m.make(spv::OpISub, e.number,
                                       {e.m.make(spv::OpCompositeExtract, e.number, {first, 0}),
                                        e.m.make(spv::OpCompositeExtract, e.number, {first, 1})});
    const std::uint32_t same = e.m.make(
        spv::OpLogicalOr, e.boolean,
        {e.m.make(spv::OpLogicalNot, e.boolean, {leads}), e.m.make(spv::OpIEqual, e.boolean, {sum, e.x})});
    return e.m.make(spv::OpSelect, e.number,
                    {e.m.make(spv::OpLogicalAnd, e.boolean, {led, same}), e.constants[1], e.constants[0]});
  });
  CHECK(out == Numbers(items, 1));
}

TEST_CASE("IL: dot products of packed bytes", "[il_operations]") {
  Numbers in = numbers();
  in[0] = 0x7fff7f7f; // saturates
  const Words capabilities = {spv::CapabilityDotProduct, spv::CapabilityDotProductInput4x8BitPacked};
  const auto product = [](spv::Op op, bool accumulates) -> Writer {
    return [=](Expression& e) {
      const std::uint32_t other = e.m.make(spv::OpNot, e.number, {e.x});
      Words operands = {e.x, other};
      if (accumulates) operands.push_back(e.x);
      operands.push_back(spv::PackedVectorFormatPackedVectorFormat4x8Bit);
      return e.m.make(op, e.number, operands);
    };
  };
  const auto sum = [](std::uint32_t x, bool a_signed, bool b_signed) {
    std::int64_t total = 0;
    for (int i = 0; i < 4; ++i)
      total += std::int64_t(a_signed ? signed_byte(x, i) : byte(x, i)) *
               std::int64_t(b_signed ? signed_byte(~x, i) : byte(~x, i));
    return total;
  };
  const auto saturated = [](std::int64_t value) {
    return std::uint32_t(std::clamp<std::int64_t>(value, std::numeric_limits<std::int32_t>::min(),
                                                  std::numeric_limits<std::int32_t>::max()));
  };
  CHECK(run(in, capabilities, product(spv::OpSDot, false)) ==
        each(in, [&](std::uint32_t x) { return std::uint32_t(sum(x, true, true)); }));
  CHECK(run(in, capabilities, product(spv::OpUDot, false)) ==
        each(in, [&](std::uint32_t x) { return std::uint32_t(sum(x, false, false)); }));
  CHECK(run(in, capabilities, product(spv::OpSUDotAccSat, true)) ==
        each(in, [&](std::uint32_t x) { return saturated(sum(x, true, false) + std::int32_t(x)); }));
  const Numbers large(items, 0xfffff0f0);
  CHECK(run(large, capabilities, product(spv::OpUDotAccSat, true)) == each(large, [&](std::uint32_t x) {
          return std::uint32_t(std::min<std::int64_t>(sum(x, false, false) + x, 0xffffffff));
        }));
}

TEST_CASE("IL: bfloat16 is rounded to nearest even, and a NaN stays one", "[il_operations]") {
  Numbers in = numbers();
  const Numbers special = {0x3f808000, 0x3f818000, 0x3f808001, 0x7f800000, 0x7f800001,
                           0xff80ffff, 0x7f7fffff, 0x80000000, 0x00008000, 0x0000ffff};
  std::copy(special.begin(), special.end(), in.begin());
  const Numbers narrow = run(in, {bfloat_conversion}, [](Expression& e) {
    const std::uint32_t value = e.m.make(spv::OpBitcast, e.real, {e.x});
    return e.m.make(spv::OpUConvert, e.number, {e.m.make(to_bfloat, e.ushort, {value})});
  });
  CHECK(narrow == each(in, bfloat_bits));
  const Numbers wide = run(in, {bfloat_conversion}, [](Expression& e) {
    const std::uint32_t bits = e.m.make(spv::OpUConvert, e.ushort, {e.x});
    return e.m.make(spv::OpBitcast, e.number, {e.m.make(from_bfloat, e.real, {bits})});
  });
  CHECK(wide == each(in, [](std::uint32_t x) { return x << 16; }));
}

TEST_CASE("IL: the sign of a NaN is that of its sign bit", "[il_operations]") {
  Numbers in(items, 0x3f800000);
  const Numbers special = {0x7fc00000, 0xffc00000, 0xffffffff, 0x80000000,
                           0xff800000, 0xbf800000, 0x80000001};
  std::copy(special.begin(), special.end(), in.begin());
  const Numbers out = run(in, {}, [](Expression& e) {
    const std::uint32_t value = e.m.make(spv::OpBitcast, e.real, {e.x});
    return e.m.make(spv::OpSelect, e.number,
                    {e.m.make(spv::OpSignBitSet, e.boolean, {value}), e.constants[1], e.constants[0]});
  });
  CHECK(out == each(in, [](std::uint32_t x) { return x >> 31; }));
}

TEST_CASE("IL: remainders of floats have the sign of the dividend or of the divisor", "[il_operations]") {
  Numbers in(items, std::bit_cast<std::uint32_t>(100.0f));
  const std::vector<float> special = {7.5f, -7.5f, 1e30f, -1e30f, 0.25f, -0.25f, 16777216.0f, -0.0f};
  for (std::size_t i = 0; i < special.size(); ++i)
    in[i] = std::bit_cast<std::uint32_t>(special[i]);
  const auto remainder = [](spv::Op op) -> Writer {
    return [op](Expression& e) {
      const std::uint32_t value = e.m.make(spv::OpBitcast, e.real, {e.x});
      const std::uint32_t three = e.m.make(spv::OpConvertUToF, e.real, {e.constants[3]});
      return e.m.make(spv::OpBitcast, e.number, {e.m.make(op, e.real, {value, three})});
    };
  };
  CHECK(run(in, {}, remainder(spv::OpFRem)) == each(in, [](std::uint32_t x) {
          return std::bit_cast<std::uint32_t>(std::fmod(std::bit_cast<float>(x), 3.0f));
        }));
  CHECK(run(in, {}, remainder(spv::OpFMod)) == each(in, [](std::uint32_t x) {
          const float value = std::fmod(std::bit_cast<float>(x), 3.0f);
          return std::bit_cast<std::uint32_t>(value < 0 ? value + 3.0f : value);
        }));
}

TEST_CASE("an execution scope that is no constant: the work-group's or the sub-group's operation",
          "[il_operations]") {
  for (const std::uint32_t scope : {spv::ScopeWorkgroup, spv::ScopeSubgroup}) {
    Numbers in = numbers();
    in[0] = scope;
    const auto sum = [&](bool is_constant) {
      return run(in, {}, [&](Expression& e) {
        const std::uint32_t given = e.m.make(spv::OpLoad, e.number, {e.in});
        const std::uint32_t used = is_constant ? e.constants[scope] : given;
        e.m.append(spv::OpControlBarrier, {used, used, e.constants[0]});
        return e.m.make(spv::OpGroupIAdd, e.number, {used, spv::GroupOperationInclusiveScan, e.x});
      });
    };
    CHECK(sum(false) == sum(true));
  }
}

TEST_CASE("integers of 128 and of 48 bits: products, shifts, and in memory", "[il_operations]") {
  constexpr std::uint32_t arbitrary_precision = 5844;
  const Numbers in = numbers();
  const auto halves = run(in, {arbitrary_precision}, [](Expression& e) {
    const std::uint32_t wide = e.m.declare(spv::OpTypeInt, {128, 0}),
                        factor = e.m.make(spv::OpConstant, wide, {0x89abcdef, 0x01234567, 0x76543210, 0}),
                        distance = e.m.make(spv::OpConstant, wide, {77, 0, 0, 0});
    const std::uint32_t product =
        e.m.make(spv::OpIMul, wide, {e.m.make(spv::OpUConvert, wide, {e.x}), factor});
    return e.m.make(spv::OpUConvert, e.number,
                    {e.m.make(spv::OpShiftRightLogical, wide, {product, distance})});
  });
  CHECK(halves == each(in, [](std::uint32_t x) {
          const unsigned __int128 factor =
              (static_cast<unsigned __int128>(0x76543210) << 64) | 0x0123456789abcdefu;
          return static_cast<std::uint32_t>(factor * x >> 77);
        }));
  // Each second number with half of the next one: elements of 48 bits lie 8 bytes apart.
  const auto read = run(in, {arbitrary_precision}, [](Expression& e) {
    const std::uint32_t odd = e.m.declare(spv::OpTypeInt, {48, 0}),
                        to_odd = e.m.declare(spv::OpTypePointer, {spv::StorageClassCrossWorkgroup, odd}),
                        sixteen = e.m.make(spv::OpConstant, odd, {16, 0});
    const std::uint32_t pointer = e.m.make(spv::OpBitcast, to_odd, {e.in}),
                        index = e.m.make(spv::OpShiftRightLogical, e.wide, {e.item, e.constants[1]}),
                        place = e.m.make(spv::OpInBoundsPtrAccessChain, to_odd, {pointer, index});
    const std::uint32_t value = e.m.make(spv::OpLoad, odd, {place, spv::MemoryAccessAlignedMask, 8});
    return e.m.make(spv::OpUConvert, e.number, {e.m.make(spv::OpShiftRightLogical, odd, {value, sixteen})});
  });
  Numbers expected;
  for (std::size_t i = 0; i < in.size(); ++i)
    expected.push_back(in[i / 2 * 2] >> 16 | in[i / 2 * 2 + 1] << 16);
  CHECK(read == expected);
}
