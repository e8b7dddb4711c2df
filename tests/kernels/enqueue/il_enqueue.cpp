// Enqueueing kernels in SPIR-V (capability DeviceEnqueue)

#include "support/device_queue.hpp"
#include "support/il.hpp"

#include <algorithm>
#include <functional>

using namespace test::spirv;

namespace {

/// A kernel `k(global uint* out)`, and functions that it enqueues. A function's parameter points to a copy of `out`.
struct Enqueuer {
  Module m{{spv::CapabilityInt8, spv::CapabilityInt64, spv::CapabilityGenericPointer,
            spv::CapabilityDeviceEnqueue}};
  std::uint32_t none = 0, boolean = 0, byte = 0, number = 0, wide = 0, queue = 0, event = 0, range = 0;
  std::uint32_t pair = 0; ///< wide[2]
  std::uint32_t to_number = 0, to_generic_byte = 0, to_event = 0;
  std::uint32_t numbers[12] = {}, wides[12] = {};
  std::uint32_t id = 0; ///< get_global_id(0), of type wide, in the function that is being written
  std::uint32_t out = 0, literal = 0, events = 0, null_events = 0;

  std::uint32_t place(std::uint32_t base, std::uint32_t index) {
    return m.make(spv::OpInBoundsPtrAccessChain, to_number, {base, index});
  }
  std::uint32_t event_place(int index) {
    return m.make(spv::OpInBoundsAccessChain, to_event, {events, wides[index]});
  }
  std::uint32_t default_queue() { return m.make(spv::OpGetDefaultQueue, queue, {}); }
  std::uint32_t line(std::uint32_t global, std::uint32_t local) {
    return m.make(spv::OpBuildNDRange, range, {global, local, wides[0]});
  }
  /// The operands of OpEnqueueKernel.
  Words child(std::uint32_t function, std::uint32_t nd_range, std::uint32_t waits, std::uint32_t made,
              const Words& locals = {}) {
    return joined({default_queue(), numbers[1], nd_range, waits ? numbers[1] : numbers[0],
                   waits ? waits : null_events, made ? made : null_events, function, literal, numbers[8],
                   numbers[8]},
                  locals);
  }
  std::uint32_t enqueue(const Words& operands) { return m.make(spv::OpEnqueueKernel, number, operands); }
};

using Writer = std::function<void(Enqueuer&)>;
using Block = std::function<void(Enqueuer&, std::uint32_t local)>;

void declare_types(Enqueuer& e) {
  Module& m = e.m;
  e.none = m.declare(spv::OpTypeVoid, {});
  e.boolean = m.declare(spv::OpTypeBool, {});
  e.byte = m.declare(spv::OpTypeInt, {8, 0});
  e.number = m.declare(spv::OpTypeInt, {32, 0});
  e.wide = m.declare(spv::OpTypeInt, {64, 0});
  e.queue = m.declare(spv::OpTypeQueue, {});
  e.event = m.declare(spv::OpTypeDeviceEvent, {});
  for (std::uint32_t i = 0; i < 12; ++i) {
    e.numbers[i] = m.make(spv::OpConstant, e.number, {i});
    e.wides[i] = m.make(spv::OpConstant, e.wide, {i, 0});
  }
  const std::uint32_t sizes = m.declare(spv::OpTypeArray, {e.wide, e.numbers[3]});
  e.pair = m.declare(spv::OpTypeArray, {e.wide, e.numbers[2]});
  e.range = m.declare(spv::OpTypeStruct, {e.number, sizes, sizes, sizes});
  e.to_number = m.declare(spv::OpTypePointer, {spv::StorageClassCrossWorkgroup, e.number});
  e.to_generic_byte = m.declare(spv::OpTypePointer, {spv::StorageClassGeneric, e.byte});
  e.to_event = m.declare(spv::OpTypePointer, {spv::StorageClassFunction, e.event});
  e.null_events = m.make(spv::OpConstantNull, e.to_event, {});
}

/// The module of a kernel and of blocks, the ids of whose functions are 1, 2, and so on, after the kernel's, 0.
Words module_of(const std::vector<Block>& blocks, bool has_local, const Writer& write) {
  Enqueuer e;
  Module& m = e.m;
  const std::uint32_t kernel = m.new_id();
  Words functions;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    functions.push_back(m.new_id());
  const std::uint32_t global_id = m.new_id();
  m.append(spv::OpEntryPoint, joined(joined({spv::ExecutionModelKernel, kernel}, string("k")), {global_id}));
  m.append(spv::OpDecorate, {global_id, spv::DecorationBuiltIn, spv::BuiltInGlobalInvocationId});
  declare_types(e);
  const std::uint32_t ids = m.declare(spv::OpTypeVector, {e.wide, 3}),
                      to_ids = m.declare(spv::OpTypePointer, {spv::StorageClassInput, ids}),
                      to_local = m.declare(spv::OpTypePointer, {spv::StorageClassWorkgroup, e.byte}),
                      to_out = m.declare(spv::OpTypePointer, {spv::StorageClassFunction, e.to_number}),
                      generic_out = m.declare(spv::OpTypePointer, {spv::StorageClassGeneric, e.to_number}),
                      four_events = m.declare(spv::OpTypeArray, {e.event, e.numbers[4]}),
                      to_events = m.declare(spv::OpTypePointer, {spv::StorageClassFunction, four_events}),
                      kernel_type = m.declare(spv::OpTypeFunction, {e.none, e.to_number}),
                      block_type = has_local
                                       ? m.declare(spv::OpTypeFunction, {e.none, e.to_generic_byte, to_local})
                                       : m.declare(spv::OpTypeFunction, {e.none, e.to_generic_byte});
  m.append(spv::OpVariable, {to_ids, global_id, spv::StorageClassInput});
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    m.append(spv::OpFunction, {e.none, functions[i], spv::FunctionControlMaskNone, block_type});
    const std::uint32_t literal = m.make(spv::OpFunctionParameter, e.to_generic_byte, {});
    const std::uint32_t local = has_local ? m.make(spv::OpFunctionParameter, to_local, {}) : 0;
    m.declare(spv::OpLabel, {});
    e.id = m.make(spv::OpCompositeExtract, e.wide, {m.make(spv::OpLoad, ids, {global_id}), 0});
    e.out = m.make(spv::OpLoad, e.to_number, {m.make(spv::OpBitcast, generic_out, {literal})});
    blocks[i](e, local);
    m.append(spv::OpReturn, {});
    m.append(spv::OpFunctionEnd, {});
  }
  m.append(spv::OpFunction, {e.none, kernel, spv::FunctionControlMaskNone, kernel_type});
  e.out = m.make(spv::OpFunctionParameter, e.to_number, {});
  m.declare(spv::OpLabel, {});
  const std::uint32_t cell = m.make(spv::OpVariable, to_out, {spv::StorageClassFunction});
  e.events = m.make(spv::OpVariable, to_events, {spv::StorageClassFunction});
  m.append(spv::OpStore, {cell, e.out});
  const std::uint32_t generic = m.make(spv::OpPtrCastToGeneric, generic_out, {cell});
  e.literal = m.make(spv::OpBitcast, e.to_generic_byte, {generic});
  write(e);
  m.append(spv::OpReturn, {});
  m.append(spv::OpFunctionEnd, {});
  return m.words();
}

/// Ids of the enqueued functions: as module_of() gives them.
constexpr std::uint32_t first_block = 2, second_block = 3;

std::vector<cl_uint> run(const Words& module, std::size_t count) {
  const test::EnqueueSession session;
  const auto program = test::il_program(session, module);
  const cl_int error = clBuildProgram(program, 0, nullptr, "-g", nullptr, nullptr);
  CAPTURE(test::build_log(program));
  REQUIRE_CL(error);
  cl_uint kernels = 0;
  REQUIRE_CL(clCreateKernelsInProgram(program, 0, nullptr, &kernels));
  CHECK(kernels == 1);
  const auto kernel = session.kernel(program, "k");
  const auto out = session.buffer(std::vector<cl_uint>(count));
  test::set_arguments(kernel, out);
  session.run(kernel, 1);
  return session.read<cl_uint>(out, count);
}

/// out[id] = value
Block stores(int value) {
  return
      [=](Enqueuer& e, std::uint32_t) { e.m.append(spv::OpStore, {e.place(e.out, e.id), e.numbers[value]}); };
}

} // namespace

TEST_CASE("OpEnqueueKernel: a function runs with a copy of its parameter, in the sizes of OpBuildNDRange",
          "[il_enqueue]") {
  if (!test::has_device_queues()) return;
  const Words module = module_of({stores(7)}, false, [](Enqueuer& e) {
    const std::uint32_t status = e.enqueue(e.child(first_block, e.line(e.wides[4], e.wides[2]), 0, 0));
    e.m.append(spv::OpStore, {e.place(e.out, e.wides[5]), status});
  });
  CHECK(run(module, 6) == std::vector<cl_uint>{7, 7, 7, 7, 0, 0});
}

TEST_CASE("OpEnqueueKernel: local memory, and two dimensions", "[il_enqueue]") {
  if (!test::has_device_queues()) return;
  const Words module = module_of(
      {[](Enqueuer& e, std::uint32_t local) {
        e.m.append(spv::OpStore, {local, e.m.make(spv::OpUConvert, e.byte, {e.numbers[9]})});
        const std::uint32_t read = e.m.make(spv::OpLoad, e.byte, {local});
        e.m.append(spv::OpStore, {e.place(e.out, e.id), e.m.make(spv::OpUConvert, e.number, {read})});
      }},
      true, [](Enqueuer& e) {
        const auto sizes = [&](int x, int y) {
          return e.m.make(spv::OpCompositeConstruct, e.pair, {e.wides[x], e.wides[y]});
        };
        const std::uint32_t global = sizes(3, 2), local = sizes(1, 2), offset = sizes(2, 0);
        const std::uint32_t range = e.m.make(spv::OpBuildNDRange, e.range, {global, local, offset});
        e.enqueue(e.child(first_block, range, 0, 0, {e.numbers[8]}));
      });
  CHECK(run(module, 6) == std::vector<cl_uint>{0, 0, 9, 9, 9, 0});
}

TEST_CASE("OpEnqueueMarker and events: an order, user events, queries", "[il_enqueue]") {
  if (!test::has_device_queues()) return;
  const Block copies = [](Enqueuer& e, std::uint32_t) {
    const std::uint32_t next = e.m.make(spv::OpLoad, e.number, {e.place(e.out, e.wides[0])});
    e.m.append(spv::OpStore, {e.place(e.out, e.wides[1]), next}); // what the other one has written
  };
  const Words module = module_of({stores(6), copies}, false, [](Enqueuer& e) {
    Module& m = e.m;
    const auto keep = [&](int index, std::uint32_t value) {
      m.append(spv::OpStore, {e.place(e.out, e.wides[index]), value});
    };
    const std::uint32_t user = m.make(spv::OpCreateUserEvent, e.event, {});
    m.append(spv::OpStore, {e.event_place(0), user});
    e.enqueue(e.child(first_block, e.line(e.wides[1], e.wides[1]), e.event_place(0), e.event_place(1)));
    keep(2, m.make(spv::OpEnqueueMarker, e.number,
                   {e.default_queue(), e.numbers[1], e.event_place(1), e.event_place(2)}));
    e.enqueue(e.child(second_block, e.line(e.wides[1], e.wides[1]), e.event_place(2), 0));
    m.append(spv::OpRetainEvent, {user});
    m.append(spv::OpReleaseEvent, {user});
    const std::uint32_t valid = m.make(spv::OpIsValidEvent, e.boolean, {user});
    keep(3, m.make(spv::OpSelect, e.number, {valid, e.numbers[1], e.numbers[2]}));
    m.append(spv::OpSetUserEventStatus, {user, e.numbers[0]});
    for (int i = 0; i < 3; ++i)
      m.append(spv::OpReleaseEvent, {m.make(spv::OpLoad, e.event, {e.event_place(i)})});
    const Words function = {first_block, e.literal, e.numbers[8], e.numbers[8]};
    const std::uint32_t line = e.line(e.wides[8], e.wides[8]);
    keep(4, m.make(spv::OpGetKernelWorkGroupSize, e.number, function));
    keep(5, m.make(spv::OpGetKernelPreferredWorkGroupSizeMultiple, e.number, function));
    keep(6, m.make(spv::OpGetKernelNDrangeSubGroupCount, e.number, joined({line}, function)));
    keep(7, m.make(spv::OpGetKernelNDrangeMaxSubGroupSize, e.number, joined({line}, function)));
    keep(8, m.make(spv::OpGetKernelMaxNumSubgroups, e.number, function));
    keep(9, m.make(spv::OpGetKernelLocalSizeForSubgroupCount, e.number, joined({e.numbers[3]}, function)));
    const std::uint32_t too_many = m.make(spv::OpShiftLeftLogical, e.number, {e.numbers[9], e.numbers[11]});
    keep(10, m.make(spv::OpGetKernelLocalSizeForSubgroupCount, e.number, joined({too_many}, function)));
  });
  const auto results = run(module, 11);
  CHECK(results[0] == 6);
  CHECK(results[1] == 6);
  CHECK(results[2] == 0);
  CHECK(results[3] == 1);
  CHECK(results[4] >= 1);
  CHECK(results[5] >= 1);
  CHECK(results[6] * results[7] >= 8);
  REQUIRE(results[8] >= 1);
  const cl_uint width = results[4] / results[8]; // of the largest group's sub-groups
  CHECK(results[9] == 3 * width);
  CHECK(results[10] == 0);
}

TEST_CASE("OpEnqueueKernel: what is not as it needs it refuses the module", "[il_enqueue]") {
  if (!test::has_device_queues()) return;
  const test::Session session;
  const auto refused = [&](const Writer& write) {
    const auto program = test::il_program(session, module_of({stores(1)}, false, write));
    CHECK_STATUS(clBuildProgram(program, 0, nullptr, "", nullptr, nullptr), CL_BUILD_PROGRAM_FAILURE);
    return test::build_log(program);
  };
  CHECK_THAT(refused([](Enqueuer& e) {
               Words operands = e.child(first_block, e.line(e.wides[1], e.wides[1]), 0, 0);
               operands[0] = e.numbers[0];
               e.enqueue(operands);
             }),
             Catch::Matchers::ContainsSubstring("not a queue"));
  CHECK_THAT(refused([](Enqueuer& e) { e.enqueue(e.child(first_block, e.numbers[1], 0, 0)); }),
             Catch::Matchers::ContainsSubstring("NDRange"));
  CHECK_THAT(refused([](Enqueuer& e) { e.m.append(spv::OpRetainEvent, {e.numbers[1]}); }),
             Catch::Matchers::ContainsSubstring("not a device event"));
  CHECK_THAT(refused([](Enqueuer& e) {
               const std::uint32_t pair =
                   e.m.make(spv::OpCompositeConstruct, e.pair, {e.wides[1], e.wides[1]});
               e.m.make(spv::OpBuildNDRange, e.range, {pair, e.wides[1], e.wides[1]});
             }),
             Catch::Matchers::ContainsSubstring("dimensions"));
}
