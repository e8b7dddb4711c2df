// Programs that rely on behaviour which no query tells: the order of work-groups, the contents of new memory, denormal
// numbers, the size of printf's buffer, the time of callbacks, contraction.

#include "portability/program.hpp"
#include "support/poll.hpp"

#include <algorithm>
#include <atomic>

namespace portability {

namespace {

/// Each group appends its number to a list, which the faulty form expects to be in ascending order.
void order_of_groups(Bench& bench) {
  cl_kernel kernel =
      bench.kernel("kernel void k(global uint* out) { out[1 + atomic_inc(out)] = get_group_id(0); }");
  const std::vector<cl_uint> zeros(101);
  cl_mem out = bench.buffer(zeros.size() * sizeof(cl_uint), zeros.data());
  set_arguments(kernel, out);
  bench.launch(kernel, {100}, {1});
  std::vector<cl_uint> list = bench.read<cl_uint>(out, 101);
  if (bench.mended) std::sort(list.begin() + 1, list.end());
  for (cl_uint i = 0; i < 100; ++i)
    expect(list[1 + i] == i);
}

/// The faulty form expects that the last group writes last.
void last_writer(Bench& bench) {
  const char* write = bench.mended ? "atomic_max(out, get_group_id(0));" : "out[0] = get_group_id(0);";
  cl_kernel kernel = bench.kernel("kernel void k(volatile global uint* out) { " + std::string(write) + " }");
  const cl_uint zero = 0;
  cl_mem out = bench.buffer(sizeof zero, &zero);
  set_arguments(kernel, out);
  bench.launch(kernel, {1000}, {1});
  expect(bench.read<cl_uint>(out, 1)[0] == 999);
}

void new_buffer(Bench& bench) {
  const std::vector<cl_uint> zeros(4096);
  cl_mem memory = bench.buffer(zeros.size() * sizeof(cl_uint), bench.mended ? zeros.data() : nullptr);
  expect(bench.read<cl_uint>(memory, zeros.size()) == zeros);
}

void new_local_memory(Bench& bench) {
  const char* clear = bench.mended ? "t[get_local_id(0)] = 0; " : "";
  cl_kernel kernel =
      bench.kernel("kernel void k(global uint* out) { local uint t[4]; " + std::string(clear) +
                   "barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = t[get_local_id(0)]; }");
  cl_mem out = bench.buffer(4 * sizeof(cl_uint));
  set_arguments(kernel, out);
  bench.launch(kernel, {4}, {1});
  expect(bench.read<cl_uint>(out, 4) == std::vector<cl_uint>(4));
}

/// A product that is below the smallest normal number. In the mended form, the first factor is larger by 1e10.
void denormal(Bench& bench) {
  cl_kernel kernel = bench.kernel("kernel void k(global float* out, float a, float b) { out[0] = a * b; }");
  const cl_float a = bench.mended ? 1e-10F : 1e-20F, b = 1e-20F;
  cl_mem out = bench.buffer(sizeof(cl_float));
  set_arguments(kernel, out, a, b);
  bench.launch(kernel, {1}, {1});
  expect(bench.read<cl_float>(out, 1)[0] > 0);
}

/// printf() returns -1 if its buffer is full.
void long_output(Bench& bench) {
  cl_kernel kernel =
      bench.kernel("kernel void k(global int* out) { out[get_global_id(0)] = "
                   "printf(\"                                                               \\n\"); }");
  const std::size_t items = bench.mended ? 4 : 100;
  cl_mem out = bench.buffer(items * sizeof(cl_int));
  set_arguments(kernel, out);
  bench.launch(kernel, {items}, {1});
  for (const cl_int result : bench.read<cl_int>(out, items))
    expect(result == 0);
}

void CL_CALLBACK note_call(cl_event, cl_int, void* called) {
  *static_cast<std::atomic<bool>*>(called) = true;
}

/// The faulty form expects that callbacks have been called when clFinish() returns.
void late_callback(Bench& bench) {
  static std::atomic<bool> called = false;
  cl_kernel kernel = bench.kernel("kernel void k(global uint* out) { out[0] = 7; }");
  cl_mem out = bench.buffer(sizeof(cl_uint));
  set_arguments(kernel, out);
  const std::size_t one = 1;
  cl_event event = nullptr;
  check(clEnqueueNDRangeKernel(bench.queue, kernel, 1, nullptr, &one, &one, 0, nullptr, &event));
  check(clSetEventCallback(event, CL_COMPLETE, note_call, &called));
  check(clFinish(bench.queue));
  expect(bench.mended ? test::becomes([] { return called.load(); }) : called.load());
}

/// a * b - c is 0 if the product is rounded, and the rounding error of the product if the operations are contracted. In
/// the mended form, the product is a volatile variable, which prevents contraction.
void contraction(Bench& bench) {
  const char* product =
      bench.mended ? "volatile float p = a * b; out[0] = p - c;" : "float p = a * b; out[0] = p - c;";
  cl_kernel kernel = bench.kernel("kernel void k(global float* out, float a, float b, float c) { " +
                                  std::string(product) + " }");
  const cl_float a = 1.0F + 0x1p-12F, c = a * a;
  cl_mem out = bench.buffer(sizeof(cl_float));
  set_arguments(kernel, out, a, a, c);
  bench.launch(kernel, {1}, {1});
  expect(bench.read<cl_float>(out, 1)[0] == 0);
}

} // namespace

std::vector<Program> behaviour_programs() {
  constexpr const char* reverse = R"({"device": {}, "quirks": {"group_order": "reverse"}})";
  constexpr const char* late = R"({"device": {}, "quirks": {"callback_delay_us": 300000}})";
  constexpr const char* contracts = R"({"device": {}, "quirks": {"contract": true}})";
  return {
      {"an ascending order of groups",
       {"least-1.2", "least-3.0", reverse},
       wrong_result,
       "",
       order_of_groups,
       false},
      {"the last group writes last", {"least-1.2", reverse}, wrong_result, "", last_writer, false},
      {"a new buffer is zero", {"least-1.2", "embedded"}, wrong_result, "", new_buffer, false},
      {"local memory is zero", {"least-1.2", "embedded"}, wrong_result, "", new_local_memory, false},
      {"denormal numbers", {"adreno-650", "apple-m4-pro", "radeon-vii"}, wrong_result, "", denormal},
      {"6 KB of output", {"embedded"}, wrong_result, "", long_output},
      {"callbacks before clFinish() returns", {late}, wrong_result, "", late_callback, false},
      {"products that are rounded", {contracts}, wrong_result, "", contraction},
  };
}

} // namespace portability
