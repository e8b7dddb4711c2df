// Sources that need an extension, a feature or a version of OpenCL C that the device lacks. The mended form tests a
// macro first, or is written in the older language.

#include "portability/program.hpp"

#include <algorithm>

namespace portability {

namespace {

/// Builds the faulty or the mended source, and runs a kernel that must write 7.
void run_source(Bench& bench, const std::string& faulty, const std::string& mended, const char* options = "",
                const char* mended_options = nullptr) {
  cl_kernel kernel = bench.mended ? bench.kernel(mended, mended_options ? mended_options : options)
                                  : bench.kernel(faulty, options);
  cl_mem out = bench.buffer(sizeof(cl_uint));
  set_arguments(kernel, out);
  bench.launch(kernel, {1}, {1});
  expect(bench.read<cl_uint>(out, 1)[0] == 7);
}

/// The mended form of a body has an alternative for devices without the macro.
void run_body(Bench& bench, const std::string& before, const std::string& body, const char* macro,
              const char* options = "", const char* mended_options = nullptr) {
  const std::string head = "kernel void k(global uint* out) { ", faulty = before + head + body + " }";
  run_source(bench, faulty,
             "#ifdef " + std::string(macro) + "\n" + faulty + "\n#else\n" + head + "out[0] = 7; }\n#endif\n",
             options, mended_options);
}

/// -cl-std=CL3.0 if the device has it, otherwise OpenCL C 1.2.
const char* newest(const Bench& bench) {
  return bench.is_version(3, 0) ? "-cl-std=CL3.0" : "-cl-std=CL1.2";
}

void doubles(Bench& bench) {
  run_body(bench, "", "double d = out[0]; out[0] = (uint)(d * 0.0 + 7.5);", "cl_khr_fp64");
}
void double_literals(Bench& bench) {
  run_body(bench, "double seven(uint x) { return x * 0.0 + 7.0; }\n", "out[0] = seven(1);", "cl_khr_fp64");
}
void halves(Bench& bench) {
  run_body(bench, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n",
           "half h = (half)3.5f; out[0] = (uint)(float)(h + h);", "cl_khr_fp16");
}
void half_functions(Bench& bench) {
  run_body(bench, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n",
           "half4 h = sqrt((half4)(49.0f)); out[0] = convert_uint_rte(h.x);", "cl_khr_fp16");
}
void atomics_of_64_bits(Bench& bench) {
  run_source(
      bench,
      "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
      "kernel void k(global uint* out) { local ulong sum; sum = 0; atom_add(&sum, 7UL); out[0] = sum; }",
      "kernel void k(global uint* out) { local uint sum; sum = 0; atomic_add(&sum, 7U); out[0] = sum; }");
}
void standard_2_0(Bench& bench) {
  run_source(bench, "kernel void k(global uint* out) { out[0] = 7; }",
             "kernel void k(global uint* out) { out[0] = 7; }", "-cl-std=CL2.0", "");
}
void standard_3_0(Bench& bench) {
  run_source(bench, "kernel void k(global uint* out) { out[0] = 7; }",
             "kernel void k(global uint* out) { out[0] = 7; }", "-cl-std=CL3.0", newest(bench));
}
void version_macros(Bench& bench) {
  const std::string kernel = "kernel void k(global uint* out) { out[0] = 7; }";
  run_source(bench, "#ifndef CL_VERSION_2_0\n#error this file needs OpenCL 2.0\n#endif\n" + kernel, kernel);
}
void generic_global_pointers(Bench& bench) {
  run_source(bench, "void put(uint* p) { *p = 7; } kernel void k(global uint* out) { put(out); }",
             "void put(global uint* p) { *p = 7; } kernel void k(global uint* out) { put(out); }",
             "-cl-std=CL3.0");
}
void program_variables(Bench& bench) {
  run_source(bench, "global uint seven = 7; kernel void k(global uint* out) { out[0] = seven; }",
             "constant uint seven = 7; kernel void k(global uint* out) { out[0] = seven; }", "-cl-std=CL3.0",
             newest(bench));
}
void group_functions(Bench& bench) {
  run_body(bench, "", "out[0] = work_group_reduce_add(7u);", "__opencl_c_work_group_collective_functions",
           "-cl-std=CL3.0", newest(bench));
}
void device_scope(Bench& bench) {
  run_source(
      bench,
      "kernel void k(global uint* out) { volatile global atomic_uint* a = (volatile global atomic_uint*)out; "
      "atomic_store_explicit(a, 7u, memory_order_relaxed, memory_scope_device); }",
      "kernel void k(global uint* out) { atomic_xchg(out, 7u); }", "-cl-std=CL3.0", newest(bench));
}
void sequential_order(Bench& bench) {
  run_source(
      bench,
      "kernel void k(global uint* out) { volatile global atomic_uint* a = (volatile global atomic_uint*)out; "
      "atomic_store(a, 7u); }",
      "kernel void k(global uint* out) { atomic_xchg(out, 7u); }", "-cl-std=CL3.0", newest(bench));
}
void sub_groups(Bench& bench) {
  run_body(bench, "#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n",
           "out[0] = sub_group_reduce_add(7u);", "cl_khr_subgroups");
}
void ballots(Bench& bench) {
  run_body(bench, "", "out[0] = sub_group_ballot(1).x & 1 ? 7 : 0;", "cl_khr_subgroup_ballot",
           "-cl-std=CL2.0");
}
void shuffles(Bench& bench) {
  run_body(bench, "", "out[0] = sub_group_shuffle(7u, 0);", "cl_khr_subgroup_shuffle", "-cl-std=CL2.0");
}
void dot_products(Bench& bench) {
  run_body(bench, "", "out[0] = dot((uchar4)(1, 2, 0, 0), (uchar4)(3, 2, 0, 0));",
           "__opencl_c_integer_dot_product_input_4x8bit", "-cl-std=CL3.0", newest(bench));
}
void bit_operations(Bench& bench) {
  run_body(bench, "#pragma OPENCL EXTENSION cl_khr_extended_bit_ops : enable\n",
           "out[0] = bit_reverse(7u) >> 29;", "cl_khr_extended_bit_ops");
}
void volume_writes(Bench& bench) {
  const char* other =
      "kernel void other(write_only image3d_t i) { write_imagef(i, (int4)(0), (float4)(0)); }\n";
  run_body(bench, "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n" + std::string(other),
           "out[0] = 7;", "cl_khr_3d_image_writes");
}
void images_for_reading_and_writing(Bench& bench) {
  run_body(bench,
           "kernel void other(read_write image2d_t i) { write_imagef(i, (int2)(0), read_imagef(i, "
           "(int2)(1))); }\n",
           "out[0] = 7;", "__opencl_c_read_write_images", "-cl-std=CL3.0", newest(bench));
}
void any_images(Bench& bench) {
  run_body(bench,
           "kernel void other(read_only image2d_t i, global float4* o) { *o = read_imagef(i, (int2)(1)); }\n",
           "out[0] = 7;", "__IMAGE_SUPPORT__");
}
void pipes(Bench& bench) {
  run_body(bench, "kernel void other(read_only pipe uint p, global uint* o) { read_pipe(p, o); }\n",
           "out[0] = 7;", "__opencl_c_pipes", "-cl-std=CL3.0", newest(bench));
}
void blocks(Bench& bench) {
  run_body(bench,
           "kernel void other(queue_t q, global uint* o) { enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, "
           "ndrange_1D(1), "
           "^{ o[0] = 1; }); }\n",
           "out[0] = 7;", "__opencl_c_device_enqueue", "-cl-std=CL3.0", newest(bench));
}
void cplusplus(Bench& bench) {
  run_source(
      bench,
      "template <class T> T get() { return 7; } kernel void k(global uint* out) { out[0] = get<uint>(); }",
      "uint get(void) { return 7; } kernel void k(global uint* out) { out[0] = get(); }", "-cl-std=CLC++2021",
      "");
}

} // namespace

std::vector<Program> language_programs() {
  constexpr cl_int build = CL_BUILD_PROGRAM_FAILURE;
  return {
      {"double", {"mali-g610", "adreno-650", "iris-xe", "least-1.2"}, build, "double", doubles},
      {"a function of type double",
       {"mali-g52", "apple-m4-pro", "videocore-4", "embedded"},
       build,
       "double",
       double_literals},
      {"half", {"rtx-3050", "apple-m4-pro", "least-3.0"}, build, "half", halves},
      {"functions of half", {"videocore-4", "least-1.2"}, build, "half", half_functions},
      {"64-bit atomics", {"adreno-650", "apple-m4-pro", "least-1.2"}, build, "atom_add", atomics_of_64_bits},
      {"-cl-std=CL2.0",
       {"apple-m4-pro", "rtx-3050", "least-1.2"},
       CL_INVALID_BUILD_OPTIONS,
       "CL2.0",
       standard_2_0},
      {"-cl-std=CL3.0",
       {"mali-g610", "adreno-650", "videocore-4"},
       CL_INVALID_BUILD_OPTIONS,
       "CL3.0",
       standard_3_0},
      {"the macro of OpenCL 2.0",
       {"apple-m4-pro", "videocore-4", "least-1.2"},
       build,
       "needs OpenCL 2.0",
       version_macros},
      {"pointers to global memory without an address space",
       {"rtx-3050", "least-3.0"},
       build,
       "__private uint *",
       generic_global_pointers},
      {"program-scope variables",
       {"rtx-3050", "least-3.0"},
       build,
       "program scope variable",
       program_variables},
      {"work-group functions", {"rtx-3050", "least-3.0"}, build, "work_group_reduce_add", group_functions},
      {"atomics of device scope", {"rtx-3050", "least-3.0"}, build, "memory_scope_device", device_scope},
      {"atomics of sequential order", {"rtx-3050", "least-3.0"}, build, "atomic_store", sequential_order},
      {"sub-groups", {"apple-m4-pro", "rtx-3050", "least-3.0"}, build, "sub_group_reduce_add", sub_groups},
      {"ballots", {"adreno-650", "radeon-vii", "radeon-rx-6800-xt"}, build, "sub_group_ballot", ballots},
      {"shuffles", {"mali-g610", "radeon-vii"}, build, "sub_group_shuffle", shuffles},
      {"integer dot products", {"rtx-3050", "least-3.0"}, build, "dot", dot_products},
      {"bit operations", {"mali-g610", "rtx-3050"}, build, "bit_reverse", bit_operations},
      {"writes to 3D images", {"least-1.2", "embedded"}, build, "cl_khr_3d_image_writes", volume_writes},
      {"images for reading and writing", {"rtx-3050"}, build, "read_write", images_for_reading_and_writing},
      {"images", {"least-3.0", "videocore-4"}, build, "__opencl_c_images", any_images},
      {"pipes", {"rtx-3050", "iris-xe"}, build, "pipe", pipes},
      {"kernels that enqueue kernels", {"rtx-3050", "iris-xe"}, build, "queue_t", blocks},
      {"C++ for OpenCL", {"apple-m4-pro", "adreno-650"}, CL_INVALID_BUILD_OPTIONS, "CLC++2021", cplusplus},
  };
}

} // namespace portability
