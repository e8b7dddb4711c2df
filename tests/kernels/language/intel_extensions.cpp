// Functions of Intel's extensions: split barriers, bfloat16, blocks in local memory, prefetching.

#include "support/session.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace {

/// The upper half of a float, rounded to nearest even; any NaN for a NaN.
cl_ushort bfloat_of(cl_float value) {
  const auto bits = std::bit_cast<cl_uint>(value);
  const cl_uint lower = bits & 0xffff, upper = bits >> 16;
  if (std::isnan(value)) return 0x7fc0;
  return cl_ushort(upper + (lower > 0x8000 || (lower == 0x8000 && (upper & 1))));
}

std::vector<cl_float> floats_near_every_boundary() {
  std::vector<cl_float> values;
  for (cl_uint upper = 0; upper < 0x10000; upper += 37)
    for (cl_uint lower : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
      values.push_back(std::bit_cast<cl_float>(upper << 16 | lower));
  values.resize(values.size() / 16 * 16);
  return values;
}

std::string width_name(int width) {
  return width == 1 ? "" : std::to_string(width);
}

} // namespace

TEST_CASE("Intel's extensions: bfloat16 is rounded to nearest even, in every width", "[intel_extensions]") {
  if (!test::has_extension("cl_intel_bfloat16_conversions")) return;
  const test::Session session;
  const auto in = floats_near_every_boundary();
  auto input = session.buffer(in), narrow = session.buffer(in.size() * 2),
       wide = session.buffer(in.size() * 4);
  for (int width : {1, 2, 4, 8, 16}) {
    CAPTURE(width);
    const std::string n = width_name(width);
    const auto kernel = session.kernel(
        ("#ifndef cl_intel_bfloat16_conversions\n#error no macro\n#endif\n"
         "kernel void k(global float" +
         n + "* in, global ushort" + n + "* narrow, global float" + n +
         "* wide) { size_t i = get_global_id(0); narrow[i] = intel_convert_bfloat16" + n + "_as_ushort" + n +
         "(in[i]); wide[i] = intel_convert_as_bfloat16" + n + "_float" + n + "(narrow[i]); }")
            .c_str(),
        "k");
    test::set_arguments(kernel, input, narrow, wide);
    session.run(kernel, in.size() / size_t(width));
    const auto halves = session.read<cl_ushort>(narrow, in.size());
    const auto floats = session.read<cl_float>(wide, in.size());
    size_t wrong = 0;
    for (size_t i = 0; i < in.size(); ++i) {
      const bool is_nan = (halves[i] & 0x7fff) > 0x7f80;
      wrong += std::isnan(in[i]) ? !is_nan : halves[i] != bfloat_of(in[i]);
      wrong += std::bit_cast<cl_uint>(floats[i]) != cl_uint(halves[i]) << 16;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("Intel's extensions: what is written before arriving is there after waiting, in loops as well",
          "[intel_extensions]") {
  if (!test::has_extension("cl_intel_split_work_group_barrier")) return;
  const test::Session session;
  for (const char* options : {"", "-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CLC++2021"}) {
    for (size_t local : {1, 7, 64, 100, 256}) {
      CAPTURE(options, local);
      const auto kernel = session.kernel(
          session.build("kernel void k(global int* data, local int* t, int iterations) {"
                        "  int l = get_local_id(0), n = get_local_size(0), x = data[get_global_id(0)];"
                        "  for (int r = 0; r < iterations; ++r) {"
                        "    t[l] = x;"
                        "    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);"
                        "    int own = x * 3;" // work between the halves
                        "    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);"
                        "    x = own + t[(l + 1) % n];"
                        "\n#if __OPENCL_C_VERSION__ >= 200 || defined(__OPENCL_CPP_VERSION__)\n"
                        "    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);"
                        "    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE, memory_scope_device);"
                        "\n#else\n"
                        "    barrier(CLK_LOCAL_MEM_FENCE);"
                        "\n#endif\n"
                        "  }"
                        "  data[get_global_id(0)] = x;"
                        "}",
                        options),
          "k");
      std::vector<cl_int> values(local * 3);
      for (size_t i = 0; i < values.size(); ++i)
        values[i] = cl_int(i * i % 11);
      auto data = session.buffer(values);
      REQUIRE_CL(test::set_argument(kernel, 0, data));
      REQUIRE_CL(clSetKernelArg(kernel, 1, local * sizeof(cl_int), nullptr));
      REQUIRE_CL(test::set_argument(kernel, 2, cl_int(4)));
      session.run(kernel, values.size(), local);
      for (int iteration = 0; iteration < 4; ++iteration) {
        const auto before = values;
        for (size_t i = 0; i < values.size(); ++i)
          values[i] = before[i] * 3 + before[i / local * local + (i % local + 1) % local];
      }
      CHECK(session.read<cl_int>(data, values.size()) == values);
    }
  }
}

TEST_CASE("Intel's extensions: blocks of local memory are written and read by sub-groups",
          "[intel_extensions]") {
  if (!test::has_extension("cl_intel_subgroup_local_block_io")) return;
  const test::Session session;
  struct Type {
    const char *name, *letters;
  };
  for (const Type type :
       {Type{"uint", "_ui"}, {"uint", ""}, {"ushort", "_us"}, {"uchar", "_uc"}, {"ulong", "_ul"}}) {
    for (int width : {1, 2, 4, 8}) {
      CAPTURE(type.name, type.letters, width);
      const std::string vector = type.name + width_name(width), suffix = type.letters + width_name(width);
      // Element j of lane l of a sub-group of s lies at j * s + l.
      const auto kernel = session.kernel(
          session.build(("kernel void k(global " + vector + "* out, global uint* wrong, local " + type.name +
                         "* t) { uint s = get_max_sub_group_size(), l = get_sub_group_local_id();"
                         "  local " +
                         type.name + "* own = t + get_sub_group_id() * s * " + std::to_string(width) +
                         ";"
                         "  " +
                         vector + " x; for (int j = 0; j < " + std::to_string(width) + "; ++j) ((" +
                         type.name +
                         "*)&x)[j] = 16 * j + l;"
                         "  intel_sub_group_block_prefetch_ui2((global uint*)wrong);"
                         "  intel_sub_group_block_write" +
                         suffix +
                         "(own, x);"
                         "  sub_group_barrier(CLK_LOCAL_MEM_FENCE);"
                         "  for (int j = 0; j < " +
                         std::to_string(width) + "; ++j) if (own[j * s + l] != (" + type.name +
                         ")(16 * j + l)) atomic_inc(wrong);"
                         "  out[get_global_id(0)] = intel_sub_group_block_read" +
                         suffix + "(own) - x; }")
                            .c_str(),
                        "-cl-std=CL3.0"),
          "k");
      constexpr size_t items = 128;
      const size_t bytes = items * size_t(width) * 8;
      auto out = session.buffer(std::vector<cl_uchar>(bytes, 0xee)),
           wrong = session.buffer(std::vector<cl_uint>{0});
      test::set_arguments(kernel, out, wrong);
      REQUIRE_CL(clSetKernelArg(kernel, 2, bytes, nullptr));
      session.run(kernel, items, 64);
      CHECK(session.read<cl_uint>(wrong, 1).front() == 0);
      const std::string name = type.name;
      const size_t element = name == "uint" ? 4 : name == "ushort" ? 2 : name == "uchar" ? 1 : 8;
      CHECK(session.read<cl_uchar>(out, items * size_t(width) * element) ==
            std::vector<cl_uchar>(items * size_t(width) * element, 0));
    }
  }
}
