// Sizes of work-groups, local memory, arguments of kernels.

#include "portability/program.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace portability {

namespace {

/// A kernel that writes 7 to its element in a launch of up to three dimensions.
std::string filling(const std::string& attribute = "") {
  return "uint id() { return (get_global_id(2) * get_global_size(1) + get_global_id(1)) * get_global_size(0) "
         "+ "
         "get_global_id(0); }\nkernel " +
         attribute + " void k(global uint* out) { out[id()] = 7; }";
}

void run_filling(Bench& bench, cl_kernel kernel, std::vector<std::size_t> global,
                 std::vector<std::size_t> local) {
  std::size_t items = 1;
  for (const std::size_t size : global)
    items *= size;
  cl_mem out = bench.buffer(items * sizeof(cl_uint));
  set_arguments(kernel, out);
  bench.launch(kernel, std::move(global), std::move(local));
  for (const cl_uint value : bench.read<cl_uint>(out, items))
    expect(value == 7);
}

/// The largest power of two that is a size of work-groups in all dimensions, at most `wanted` work-items in all.
std::size_t allowed(const Bench& bench, std::size_t wanted) {
  std::size_t most = std::min(wanted, bench.max_group());
  const auto sizes = bench.info<std::array<std::size_t, 3>>(CL_DEVICE_MAX_WORK_ITEM_SIZES);
  most = std::min({most, sizes[0], sizes[1], sizes[2]});
  std::size_t size = 1;
  while (size * 2 <= most)
    size *= 2;
  return size;
}

void group_of_256(Bench& bench) {
  const std::size_t local = bench.mended ? allowed(bench, 256) : 256;
  run_filling(bench, bench.kernel(filling()), {1024}, {local});
}

void group_of_512(Bench& bench) {
  const std::size_t local = bench.mended ? allowed(bench, 512) : 512;
  run_filling(bench, bench.kernel(filling()), {1024}, {local});
}

void group_of_32_by_32(Bench& bench) {
  std::size_t side = 32;
  while (bench.mended && side * side > allowed(bench, 1024))
    side /= 2;
  run_filling(bench, bench.kernel(filling()), {64, 64}, {side, side});
}

void deep_group(Bench& bench) {
  const std::size_t depth = bench.mended ? allowed(bench, 128) : 128;
  run_filling(bench, bench.kernel(filling()), {1, 1, 256}, {1, 1, depth});
}

void required_group(Bench& bench) {
  const std::size_t local = bench.mended ? allowed(bench, 256) : 256;
  const std::string size = std::to_string(local);
  run_filling(bench, bench.kernel(filling("__attribute__((reqd_work_group_size(" + size + ", 1, 1)))")),
              {1024}, {local});
}

void many_registers(Bench& bench) {
  cl_kernel kernel =
      bench.kernel("kernel void k(global uint* out) { uint a[128]; for (int i = 0; i < 128; ++i) "
                   "a[i] = out[0] + i; uint s = 0; for (int i = 0; i < 128; ++i) s += a[(i * 7) & 127]; "
                   "out[get_global_id(0)] = s ? 7 : 7; }");
  std::size_t local = 1024;
  if (bench.mended)
    check(clGetKernelWorkGroupInfo(kernel, bench.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof local, &local,
                                   nullptr));
  while (1024 % local != 0)
    --local;
  run_filling(bench, kernel, {1024}, {local});
}

void uneven_groups(Bench& bench) {
  const bool asks = bench.mended && !bench.info<cl_bool>(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT);
  const std::size_t local = asks ? 1 : std::min<std::size_t>(8, bench.max_group());
  run_filling(bench, bench.kernel(filling(), "-cl-std=CL3.0"), {1001}, {bench.mended ? local : 8});
}

/// A kernel with a local variable of 1024 elements of `bytes` bytes in all.
void local_variable(Bench& bench, std::size_t bytes) {
  if (bench.mended) bytes = std::min<std::size_t>(bytes, bench.info<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE));
  const std::string count = std::to_string(bytes / sizeof(cl_uint));
  cl_kernel kernel = bench.kernel(
      "kernel void k(global uint* out) { local uint t[" + count + "]; t[get_local_id(0)] = 7; t[" + count +
      " - 1] = 7; barrier(CLK_LOCAL_MEM_FENCE); out[get_global_id(0)] = t[get_local_id(0)]; }");
  run_filling(bench, kernel, {8}, {1});
}
void local_variable_of_48k(Bench& bench) {
  local_variable(bench, 48 << 10);
}
void local_variable_of_2k(Bench& bench) {
  local_variable(bench, 2 << 10);
}

void local_argument_of_40k(Bench& bench) {
  std::size_t bytes = 40 << 10;
  if (bench.mended) bytes = std::min<std::size_t>(bytes, bench.info<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE));
  cl_kernel kernel = bench.kernel("kernel void k(global uint* out, local uint* t) { t[get_local_id(0)] = 7; "
                                  "out[get_global_id(0)] = t[get_local_id(0)]; }");
  check(clSetKernelArg(kernel, 1, bytes, nullptr));
  run_filling(bench, kernel, {8}, {1});
}

/// A sum over `count` constant arguments. The mended form passes them in one buffer.
void constant_arguments(Bench& bench, unsigned count) {
  const unsigned arguments = bench.mended ? 1 : count;
  std::string parameters, sum = "0";
  for (unsigned i = 0; i < arguments; ++i) {
    const std::string name = "c" + std::to_string(i);
    parameters += ", constant uint* " + name;
    sum += " + " + name + "[0]";
  }
  if (bench.mended)
    for (unsigned i = 1; i < count; ++i)
      sum += " + c0[" + std::to_string(i) + "]";
  cl_kernel kernel =
      bench.kernel("kernel void k(global uint* out" + parameters + ") { out[0] = " + sum + "; }");
  const std::vector<cl_uint> ones(count, 1);
  cl_mem out = bench.buffer(sizeof(cl_uint)), in = bench.buffer(count * sizeof(cl_uint), ones.data());
  set_arguments(kernel, out);
  for (unsigned i = 0; i < arguments; ++i)
    check(clSetKernelArg(kernel, i + 1, sizeof in, &in));
  bench.launch(kernel, {1});
  expect(bench.read<cl_uint>(out, 1)[0] == count);
}
void nine_constant_arguments(Bench& bench) {
  constant_arguments(bench, 9);
}
void ten_constant_arguments(Bench& bench) {
  constant_arguments(bench, 10);
}
void five_constant_arguments(Bench& bench) {
  constant_arguments(bench, 5);
}

void large_constant_argument(Bench& bench) {
  const std::size_t bytes = 128 << 10;
  const char* space = bench.mended ? "global const" : "constant";
  cl_kernel kernel = bench.kernel("kernel void k(global uint* out, " + std::string(space) +
                                  " uint* in) { out[get_global_id(0)] = in[get_global_id(0) * 1000]; }");
  const std::vector<cl_uint> sevens(bytes / sizeof(cl_uint), 7);
  cl_mem in = bench.buffer(bytes, sevens.data());
  check(clSetKernelArg(kernel, 1, sizeof in, &in));
  run_filling(bench, kernel, {8}, {1});
}

/// A struct as an argument; the mended form passes it in a buffer.
void large_parameters(Bench& bench) {
  const char* parameter = bench.mended ? "constant struct s* p" : "struct s p";
  const std::string access = bench.mended ? "p->a" : "p.a";
  cl_kernel kernel =
      bench.kernel("struct s { uint a[512]; }; kernel void k(global uint* out, " + std::string(parameter) +
                   ") { out[get_global_id(0)] = " + access + "[get_global_id(0)]; }");
  std::array<cl_uint, 512> sevens;
  sevens.fill(7);
  cl_mem in = bench.buffer(sizeof sevens, sevens.data());
  if (bench.mended)
    check(clSetKernelArg(kernel, 1, sizeof in, &in));
  else
    check(clSetKernelArg(kernel, 1, sizeof sevens, &sevens));
  run_filling(bench, kernel, {8}, {1});
}

} // namespace

std::vector<Program> launch_programs() {
  constexpr cl_int resources = CL_OUT_OF_RESOURCES, group = CL_INVALID_WORK_GROUP_SIZE,
                   side = CL_INVALID_WORK_ITEM_SIZE;
  return {
      {"a work-group of 256", {"videocore-4", "least-1.2", "least-3.0"}, side, "256", group_of_256},
      {"a work-group of 512", {"radeon-rx-6800-xt", "radeon-vii"}, group, "256", group_of_512},
      {"a side of 512", {"apple-m4-pro", "mali-g52"}, side, "512", group_of_512},
      {"a work-group of 32 by 32",
       {"mali-g52", "radeon-vii", "iris-xe"},
       group,
       "work-group",
       group_of_32_by_32},
      {"a work-group of 1 by 1 by 128", {"rtx-3050"}, side, "128", deep_group},
      {"a required work-group of 256", {"videocore-4", "least-3.0"}, side, "256", required_group},
      {"a kernel that takes many registers", {"rtx-3050"}, group, "registers", many_registers},
      {"groups that do not divide the range",
       {"rtx-3050"},
       group,
       "CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT",
       uneven_groups},
      {"48 KiB of local variables",
       {"mali-g610", "adreno-650", "apple-m4-pro"},
       resources,
       "local memory",
       local_variable_of_48k},
      {"2 KiB of local variables", {"embedded"}, resources, "local memory", local_variable_of_2k},
      {"a local argument of 40 KiB",
       {"adreno-640", "apple-m4-pro", "least-1.2"},
       resources,
       "CL_DEVICE_LOCAL_MEM_SIZE",
       local_argument_of_40k},
      {"9 constant arguments",
       {"adreno-650", "iris-xe", "least-1.2"},
       resources,
       "constant",
       nine_constant_arguments},
      {"10 constant arguments", {"rtx-3050"}, resources, "constant", ten_constant_arguments},
      {"5 constant arguments", {"embedded"}, resources, "constant", five_constant_arguments},
      {"a constant argument of 128 KiB",
       {"rtx-3050", "adreno-650", "least-3.0"},
       resources,
       "constant",
       large_constant_argument},
      {"2 KiB of arguments",
       {"mali-g610", "radeon-vii", "videocore-4"},
       resources,
       "argument",
       large_parameters},
  };
}

} // namespace portability
