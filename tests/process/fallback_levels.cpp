// Kernels of all kinds, for processes in which the compiler fails at steps (check_fallback_levels): at whatever level they are
// compiled has, results are right and sub-groups have their size.

#include "support/catch.hpp"
#include "support/images.hpp"
#include "support/session.hpp"

#include <chrono>
#include <cstdio>
#include <numeric>

namespace {

constexpr size_t items = 256, local = 64;

constexpr const char* source = R"(
kernel void vectors(global const int* a, global int* out) {
  size_t i = get_global_id(0);
  int s = 0;
  for (int k = 0; k < a[i] % 9; ++k) s += a[(i + k) % 256] / (k + 1);
  out[i] = s;
}
kernel void alone(global const int* a, global int* out) {
  size_t i = get_global_id(0);
  int s = 0;
  for (int k = 0; k < 64; ++k) s += a[(i + k) % 256];
  out[i] = s;
}
kernel void barriers(global const int* a, global int* out) {
  local int all[64];
  size_t i = get_global_id(0), l = get_local_id(0);
  all[l] = a[i];
  for (uint step = 32; step; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = all[l] + all[(l + step) % 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    all[l] = sum;
  }
  out[i] = all[0] == 0 ? -1 : all[l];
}
kernel void sub_groups(global const int* a, global int* out) {
  size_t i = get_global_id(0);
  out[i] = sub_group_reduce_add(a[i]) + 100000 * get_max_sub_group_size();
}
kernel void atomics(global const int* a, global int* out) {
  local int count;
  size_t i = get_global_id(0);
  if (get_local_id(0) == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (a[i] & 1) atomic_inc(&count);
  atomic_add(out, a[i]);
  int place = atomic_inc(out + 1);
  atomic_max(out + 2, place);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_add(out + 3, count);
}
kernel void images(read_only image2d_t in, write_only image2d_t out, sampler_t sampler) {
  int2 at = {get_global_id(0), get_global_id(1)};
  write_imagei(out, at, read_imagei(in, sampler, at + (int2)(1, 0)) * 2);
}
)";

std::vector<cl_int> numbers() {
  std::vector<cl_int> values(items);
  for (size_t i = 0; i < items; ++i)
    values[i] = static_cast<cl_int>(i * 37 % 101 + 1);
  return values;
}

std::vector<cl_int> run(const test::Session& session, cl_program program, const char* name,
                        size_t local_size) {
  const auto kernel = session.kernel(program, name);
  const auto a = session.buffer(numbers()), out = session.buffer(std::vector<cl_int>(items));
  test::set_arguments(kernel, a, out);
  session.run(kernel, items, local_size);
  return session.read<cl_int>(out, items);
}

size_t sub_group_size(cl_kernel kernel) {
  size_t size = 0;
  REQUIRE_CL(clGetKernelSubGroupInfo(kernel, test::device(), CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                     sizeof local, &local, sizeof size, &size, nullptr));
  return size;
}

template <class Value>
std::vector<cl_int> expected(Value value) {
  const auto a = numbers();
  std::vector<cl_int> all(items);
  for (size_t i = 0; i < items; ++i)
    all[i] = value(a, i);
  return all;
}

} // namespace

TEST_CASE("Fallback levels: kernels of all kinds give right results in each form of their code",
          "[fallback_levels]") {
  const test::Session session;
  std::printf("launching\n");
  std::fflush(stdout);
  const auto program = session.build(source, "-cl-std=CL3.0");
  CHECK(run(session, program, "vectors", local) == expected([](auto& a, size_t i) {
          cl_int sum = 0;
          for (cl_int k = 0; k < a[i] % 9; ++k)
            sum += a[(i + static_cast<size_t>(k)) % items] / (k + 1);
          return sum;
        }));
  CHECK(run(session, program, "alone", 1) == expected([](auto& a, size_t i) {
          cl_int sum = 0;
          for (size_t k = 0; k < 64; ++k)
            sum += a[(i + k) % items];
          return sum;
        }));
  CHECK(run(session, program, "barriers", local) == expected([](auto& a, size_t i) {
          const auto group = a.begin() + static_cast<std::ptrdiff_t>(i / local * local);
          return std::accumulate(group, group + local, 0);
        }));

  const auto kernel = session.kernel(program, "sub_groups");
  const size_t width = sub_group_size(kernel);
  std::printf("sub-groups of %zu\n", width);
  CHECK(run(session, program, "sub_groups", local) == expected([&](auto& a, size_t i) {
          const auto group = a.begin() + static_cast<std::ptrdiff_t>(i / width * width);
          return std::accumulate(group, group + static_cast<std::ptrdiff_t>(width), 0) +
                 100000 * static_cast<cl_int>(width);
        }));

  const auto a = numbers();
  auto counted = run(session, program, "atomics", local);
  counted.resize(4);
  CHECK(counted ==
        std::vector<cl_int>{std::accumulate(a.begin(), a.end(), 0), cl_int(items), cl_int(items) - 1,
                            cl_int(std::count_if(a.begin(), a.end(), [](cl_int v) { return v & 1; }))});
}

TEST_CASE("Fallback levels: images are read and written in each form of the code", "[fallback_levels]") {
  const test::Session session;
  const auto program = session.build(source, "-cl-std=CL3.0");
  const cl_image_format format{CL_RGBA, CL_SIGNED_INT32};
  cl_image_desc desc{};
  desc.image_type = CL_MEM_OBJECT_IMAGE2D;
  desc.image_width = desc.image_height = 8;
  auto texels = numbers();
  const test::Buffer in(
      clCreateImage(session.context, CL_MEM_COPY_HOST_PTR, &format, &desc, texels.data(), nullptr)),
      out(clCreateImage(session.context, 0, &format, &desc, nullptr, nullptr));
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE,
                                              CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE, 0};
  const cl_sampler sampler = clCreateSamplerWithProperties(session.context, properties, nullptr);
  const auto kernel = session.kernel(program, "images");
  test::set_arguments(kernel, in, out, sampler);
  session.run(kernel, test::Range(8, 8), test::Range(8, 2));
  const size_t origin[3] = {0, 0, 0}, region[3] = {8, 8, 1};
  std::vector<cl_int> read(items);
  REQUIRE_CL(clEnqueueReadImage(session.queue, out, CL_TRUE, origin, region, 0, 0, read.data(), 0, nullptr,
                                nullptr));
  clReleaseSampler(sampler);
  CHECK(read == expected([](auto& values, size_t i) {
          const size_t x = i / 4 % 8, y = i / 32;
          return 2 * values[(y * 8 + std::min<size_t>(x + 1, 7)) * 4 + i % 4];
        }));
}
