// HOSTCL_CHECK=commands: commands that nothing orders are found, and all ways to order commands are known. The findings
// come from the file HOSTCL_CHECK_REPORT, which CTest sets.

#include "command_cases.hpp"

#include <algorithm>

namespace {

using namespace test::command_cases;

const std::string put_line = R"("line":1,)", get_line = R"("line":3,)";

const Case wrong[] = {
    {"two queues in order",
     [](World& w) {
       w.put(w.first);
       w.get(w.second);
     },
     {put_line, get_line, R"("object":"bytes 0 to 255 of allocation )"}},
    {"a queue out of order",
     [](World& w) {
       w.put(w.unordered);
       w.get(w.unordered);
     },
     {put_line, get_line}},
    {"a write beside a kernel that reads",
     [](World& w) {
       w.get(w.first);
       w.write(w.second);
     },
     {get_line, R"("call":"clEnqueueWriteBuffer")"}},
    {"a read beside a kernel that writes",
     [](World& w) {
       w.read(w.second);
       w.put(w.first);
     },
     {put_line, R"("access":"read","call":"clEnqueueReadBuffer")"}},
    {"a write beside a kernel that reads by a constant argument",
     [](World& w) {
       w.look(w.first);
       w.write(w.second);
     },
     {R"("line":7,)", R"("object":"bytes 4 to 255 of)"}},
    {"two writes of some of the same bytes",
     [](World& w) {
       w.write(w.first, w.a, 0, 20);
       w.write(w.second, w.a, 16, 40);
     },
     {R"("object":"bytes 16 to 19 of allocation)", R"("bytes":4,)"}},
    {"a copy and a fill of its target",
     [](World& w) {
       w.copy(w.first);
       w.fill(w.second, w.b);
     },
     {R"("call":"clEnqueueCopyBuffer")", R"("call":"clEnqueueFillBuffer")"}},
    {"two reads into the same memory of the host",
     [](World& w) {
       w.read(w.first);
       w.read(w.unordered, w.b, 0, bytes);
     },
     {R"("object":"256 bytes at 0x)"}},
    {"rectangles of which some rows meet",
     [](World& w) {
       write_rect(w, w.first, 0);
       write_rect(w, w.second, 24);
     },
     {R"("object":"bytes 24 to 31 of)"}},
    {"parts of a buffer that overlap",
     [](World& w) {
       const test::Buffer low = w.part(w.a, 0, 192), high = w.part(w.a, 128, 128);
       w.put(w.first, low);
       w.get(w.second, high);
     },
     {put_line, get_line, R"("object":"bytes 128 to 191 of)"}},
    {"a part of a buffer that has gone",
     [](World& w) {
       {
         const test::Buffer low = w.part(w.a, 0, 192);
         REQUIRE_CL(test::wait(w.fill(w.unordered, w.b)));
         w.put(w.first, low);
         w.fill(w.first, w.b);
         REQUIRE_CL(clFlush(w.first));
       }
       w.get(w.second);
     },
     {put_line, get_line}},
    {"halves that share an element",
     [](World& w) {
       w.put(w.first, {}, 0, half + 1);
       w.put(w.second, {}, half, n);
     },
     {put_line, R"("object":"bytes 128 to 131 of)"}},
    {"an atomic update and a plain read",
     [](World& w) {
       w.count(w.first);
       w.get(w.second);
     },
     {R"("line":5,)", R"("access":"update")"}},
    {"an event of another command",
     [](World& w) {
       const Event before = w.fill(w.first, w.b);
       w.put(w.first);
       w.get(w.second, {before});
     },
     {put_line, get_line}},
    {"the host waits for another event",
     [](World& w) {
       const Event before = w.fill(w.first, w.b);
       w.put(w.first);
       REQUIRE_CL(test::wait(before));
       w.get(w.second);
     },
     {put_line, get_line}},
    {"a marker that orders nothing",
     [](World& w) {
       const Event before = w.put(w.unordered);
       marker(w.unordered, {before});
       w.get(w.unordered);
     },
     {put_line, get_line}},
    {"a barrier of another queue",
     [](World& w) {
       w.put(w.unordered);
       barrier(w.second);
       w.get(w.second);
     },
     {put_line, get_line}},
    {"both wait for the same user event",
     [](World& w) {
       const Event gate = test::user_event(w.session.context);
       w.put(w.first, {gate});
       w.get(w.second, {gate});
       REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
     },
     {put_line, get_line}},
    {"a user event that is set too early",
     [](World& w) {
       const Event gate = test::user_event(w.session.context);
       w.get(w.second, {gate});
       w.put(w.first);
       REQUIRE_CL(clSetUserEventStatus(gate, CL_COMPLETE));
       REQUIRE_CL(clFinish(w.first));
     },
     {put_line, get_line}},
    {"a kernel while the buffer is mapped for writing",
     [](World& w) {
       void* mapped = map(w, w.first, CL_MAP_WRITE);
       w.get(w.first);
       unmap(w, w.first, mapped);
     },
     {get_line, R"("mapped":true)", R"("call":"clEnqueueMapBuffer")",
      "are mapped for writing while a command reads"}},
    {"a kernel that writes while the buffer is mapped for reading",
     [](World& w) {
       void* mapped = map(w, w.first, CL_MAP_READ);
       w.put(w.first);
       REQUIRE_CL(clFinish(w.first));
       unmap(w, w.first, mapped);
     },
     {put_line, "are mapped for reading while a command writes"}},
    {"a kernel that does not wait for the end of a map",
     [](World& w) {
       unmap(w, w.first, map(w, w.first, CL_MAP_WRITE));
       w.get(w.second);
     },
     {get_line, R"("mapped":true)"}},
    {"shared memory that is freed too early",
     [](World& w) {
       int* memory = shared_memory(w);
       put_into(w, w.first, memory);
       clSVMFree(w.session.context, memory);
     },
     {put_line, R"("call":"clSVMFree")"}},
    {"shared memory that a command frees too early",
     [](World& w) {
       void* memory = shared_memory(w);
       put_into(w, w.first, memory);
       REQUIRE_CL(clEnqueueSVMFree(w.second, 1, &memory, nullptr, nullptr, 0, nullptr, nullptr));
     },
     {put_line, R"("call":"clEnqueueSVMFree")"}},
    {"a copy of shared memory beside a kernel",
     [](World& w) {
       int* memory = shared_memory(w);
       put_into(w, w.first, memory);
       REQUIRE_CL(clEnqueueSVMMemcpy(w.second, CL_FALSE, w.more.data(), memory, bytes, 0, nullptr, nullptr));
       w.finish();
       clSVMFree(w.session.context, memory);
     },
     {put_line, R"("call":"clEnqueueSVMMemcpy")"}},
    {"a command buffer and a kernel",
     [](World& w) {
       replay(w, w.first);
       w.get(w.second);
     },
     {put_line, get_line, R"("call":"clEnqueueCommandBufferKHR")"}},
};

} // namespace

TEST_CASE("commands: those that nothing orders are found", "[commands]") {
  for (const Case& test : wrong) {
    CAPTURE(test.name);
    test::command_findings();
    {
      World world;
      test.enqueue(world);
    }
    const std::vector<std::string> found = test::command_findings();
    CAPTURE(found);
    const auto has_all = [&](const std::string& line) {
      return std::ranges::all_of(
          test.wanted, [&](const std::string& part) { return line.find(part) != std::string::npos; });
    };
    CHECK(std::ranges::any_of(found, has_all));
  }
}
