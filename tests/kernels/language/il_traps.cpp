// The ways in which modules in SPIR-V end a work-item: SPV_KHR_abort, imported functions, and OpUnreachable, which is all
// that producers leave of a trap.

#include "support/il.hpp"
#include "support/trap_session.hpp"

#include <functional>

using namespace test::spirv;

namespace {

constexpr std::uint32_t abort_capability = 5120, constant_data_capability = 5146;
constexpr auto op_abort = static_cast<spv::Op>(5121), op_constant_data = static_cast<spv::Op>(5147);

struct Ids {
  std::uint32_t none, number, function, text_type, text;
};

/// Writes what the work-item ends with, the end of its block included.
using Ending = std::function<void(Module&, const Ids&)>;

/// `kernel void k(global uint* v)`, which ends as `end` says where *v is 5, and otherwise stores 1 in *v.
/// @param import a function without parameters, or an empty name
Words module_of(const char* import, const Ending& end) {
  Module m({abort_capability, constant_data_capability, spv::CapabilityInt8, spv::CapabilityLinkage});
  Ids ids{};
  const std::uint32_t kernel = m.new_id();
  ids.function = m.new_id();
  m.append(spv::OpEntryPoint, joined({spv::ExecutionModelKernel, kernel}, string("k")));
  if (*import)
    m.append(spv::OpDecorate, joined(joined({ids.function, spv::DecorationLinkageAttributes}, string(import)),
                                     {spv::LinkageTypeImport}));
  ids.none = m.declare(spv::OpTypeVoid, {});
  const std::uint32_t boolean = m.declare(spv::OpTypeBool, {}), byte = m.declare(spv::OpTypeInt, {8, 0});
  ids.number = m.declare(spv::OpTypeInt, {32, 0});
  const std::uint32_t pointer = m.declare(spv::OpTypePointer, {spv::StorageClassCrossWorkgroup, ids.number}),
                      of_kernel = m.declare(spv::OpTypeFunction, {ids.none, pointer}),
                      of_function = m.declare(spv::OpTypeFunction, {ids.none}),
                      one = m.make(spv::OpConstant, ids.number, {1}),
                      five = m.make(spv::OpConstant, ids.number, {5});
  ids.text_type = m.declare(spv::OpTypeArray, {byte, five});
  ids.text = m.make(op_constant_data, ids.text_type, string("five"));
  if (*import) {
    m.append(spv::OpFunction, {ids.none, ids.function, spv::FunctionControlMaskNone, of_function});
    m.append(spv::OpFunctionEnd, {});
  }
  m.append(spv::OpFunction, {ids.none, kernel, spv::FunctionControlMaskNone, of_kernel});
  const std::uint32_t v = m.make(spv::OpFunctionParameter, pointer, {});
  m.declare(spv::OpLabel, {});
  const std::uint32_t value = m.make(spv::OpLoad, ids.number, {v, spv::MemoryAccessAlignedMask, 4}),
                      is_five = m.make(spv::OpIEqual, boolean, {value, five}), wrong = m.new_id(),
                      right = m.new_id();
  m.append(spv::OpBranchConditional, {is_five, wrong, right});
  m.append(spv::OpLabel, {wrong});
  end(m, ids);
  m.append(spv::OpLabel, {right});
  m.append(spv::OpStore, {v, one, spv::MemoryAccessAlignedMask, 4});
  m.append(spv::OpReturn, {});
  m.append(spv::OpFunctionEnd, {});
  return m.words();
}

void unreachable(Module& m, const Ids&) {
  m.append(spv::OpUnreachable, {});
}
void call(Module& m, const Ids& ids) {
  m.make(spv::OpFunctionCall, ids.none, {ids.function});
  m.append(spv::OpUnreachable, {});
}
void call_and_return(Module& m, const Ids& ids) {
  m.make(spv::OpFunctionCall, ids.none, {ids.function});
  m.append(spv::OpReturn, {});
}
void abort_with_text(Module& m, const Ids& ids) {
  m.append(op_abort, {ids.text_type, ids.text});
}

struct Case {
  const char *name, *import;
  Ending end;
  const char* reason;
};

} // namespace

TEST_CASE("OpUnreachable, OpAbortKHR and imported traps end the launch that comes to them", "[il_traps]") {
  if (!test::is_hostcl()) return;
  test::TrapSession session;
  for (const Case& each :
       {Case{"OpUnreachable", "", unreachable, "ended by code that is declared unreachable"},
        Case{"OpAbortKHR", "", abort_with_text, "ended by abort(): five"},
        Case{"llvm.trap", "llvm.trap", call, "ended by a trap"},
        Case{"llvm.debugtrap", "llvm.debugtrap", call_and_return, "ended by a breakpoint"},
        Case{"abort", "abort", call_and_return, "ended by abort(),"}}) {
    CAPTURE(each.name);
    const auto program = test::il_program(session, module_of(each.import, each.end));
    const cl_int status = clBuildProgram(program, 0, nullptr, "", nullptr, nullptr);
    CAPTURE(test::build_log(program));
    REQUIRE_CL(status);
    const auto loaded = test::from_binary_of(session, program);
    REQUIRE_CL(clBuildProgram(loaded, 0, nullptr, "", nullptr, nullptr));
    for (const cl_program made : {cl_program(program), cl_program(loaded)}) {
      const auto kernel = session.kernel(made, "k");
      for (const cl_uint value : {4u, 5u, 6u}) {
        const auto v = session.buffer(std::vector<cl_uint>(1, value));
        test::set_arguments(kernel, v);
        session.sentences.clear();
        const std::size_t one = 1;
        REQUIRE_CL(
            clEnqueueNDRangeKernel(session.queue, kernel, 1, nullptr, &one, nullptr, 0, nullptr, nullptr));
        CHECK_STATUS(clFinish(session.queue), value == 5 ? test::trapped : CL_SUCCESS);
        CHECK(session.sentences.have({each.reason, "work-item (0, 0, 0)"}) == (value == 5));
        CHECK(session.read<cl_uint>(v, 1)[0] == (value == 5 ? 5 : 1));
      }
    }
  }
}
