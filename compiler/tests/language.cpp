// Devices that lack extensions and features, or have an older language: a program that needs more than the device has
// does not build, and the log says what the program needs.

#include "compiler/settings/language.hpp"

#include "compiler/compiler.hpp"
#include "support/catch.hpp"

#include <memory>
#include <set>
#include <string>
#include <string_view>

using namespace hostcl::compiler;

namespace {

constexpr std::uint32_t version(unsigned major, unsigned minor) {
  return major << 22 | minor << 12;
}

Outcome<ModulePtr> compiled(Language language, std::string_view source, std::string_view options) {
  Settings settings = *default_settings();
  language.device = "tested";
  settings.language = std::move(language);
  return compile(std::make_shared<const Settings>(std::move(settings)), source, options);
}

/// A program that needs an extension or feature.
struct Program {
  std::string missing; ///< what the device lacks
  const char* options;
  const char* source;
};

const Program programs[] = {
    {"cl_khr_fp64", "", "kernel void k(global double* p) { *p += 1; }"},
    {"cl_khr_fp64", "-cl-std=CL3.0", "kernel void k(global double4* p) { *p = sqrt(*p); }"},
    {"__opencl_c_fp64", "-cl-std=CL3.0", "kernel void k(global double* p) { *p += 1; }"},
    {"cl_khr_fp64", "", "#ifndef cl_khr_fp64\n#error\n#endif\nkernel void k() {}"},
    {"__opencl_c_fp64", "-cl-std=CL3.0", "#ifndef __opencl_c_fp64\n#error\n#endif\nkernel void k() {}"},
    {"cl_khr_fp16", "",
     "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global half* p) { *p = *p * *p; }"},
    {"cl_khr_fp16", "-cl-std=CL3.0", "kernel void k(global half4* p) { *p += 1; }"},
    {"cl_khr_int64_base_atomics", "", "kernel void k(global long* p) { atom_add(p, 1L); }"},
    {"cl_khr_int64_extended_atomics", "", "kernel void k(global long* p) { atom_max(p, 1L); }"},
    {"cl_khr_int64_base_atomics", "-cl-std=CL3.0",
     "kernel void k(global atomic_long* p) { atomic_fetch_add(p, 1L); }"},
    {"__opencl_c_int64", "", "kernel void k(global int* p) { *p = (long)*p * 3 >> 32; }"},
    {"__opencl_c_int64", "", "kernel void k(global ulong2* p) {}"},
    {"__opencl_c_int64", "-cl-std=CL3.0", "kernel void k(global int* p) { *p = 0x123456789; }"},
    {"__opencl_c_int64", "", "kernel void k(global int* p) { *p = convert_long(*p); }"},
    {"__opencl_c_generic_address_space", "-cl-std=CL3.0",
     "int f(int* p) { return *p; } kernel void k(global int* p) { *p += f(p); }"},
    {"__opencl_c_generic_address_space", "-cl-std=CL2.0", "kernel void k() {}"},
    {"__opencl_c_generic_address_space", "-cl-std=CL3.0",
     "kernel void k(write_only pipe int p) { int x = 1; write_pipe(p, &x); }"},
    {"__opencl_c_pipes", "-cl-std=CL3.0",
     "kernel void k(write_only pipe int p) { int x = 1; write_pipe(p, &x); }"},
    {"__opencl_c_pipes", "-cl-std=CL2.0", "kernel void k() {}"},
    {"__opencl_c_device_enqueue", "-cl-std=CL3.0", "kernel void k(queue_t q) {}"},
    {"__opencl_c_program_scope_global_variables", "-cl-std=CL3.0",
     "global int g; kernel void k(global int* p) { *p = g; }"},
    {"__opencl_c_work_group_collective_functions", "-cl-std=CL3.0",
     "kernel void k(global int* p) { *p = work_group_reduce_add(*p); }"},
    {"cl_khr_subgroup_ballot", "-cl-std=CL3.0",
     "kernel void k(global uint4* p) { *p = sub_group_ballot(1); }"},
    {"cl_khr_subgroup_shuffle", "-cl-std=CL3.0",
     "kernel void k(global int* p) { *p = sub_group_shuffle(*p, 1); }"},
    {"cl_intel_subgroups", "", "kernel void k(global int* p) { *p = intel_sub_group_shuffle(*p, 1); }"},
    {"cl_intel_subgroups_long", "",
     "kernel void k(global ulong* p) { *p = intel_sub_group_block_read_ul(p); }"},
    {"cl_intel_subgroup_local_block_io", "",
     "kernel void k(global uint* p) { local uint l[64]; *p = intel_sub_group_block_read(l); }"},
    {"__opencl_c_images", "",
     "kernel void k(read_only image2d_t i, sampler_t s, global int4* p) { *p = read_imagei(i, s, (int2)(0)); "
     "}"},
    {"__opencl_c_images", "-cl-std=CL3.0", "kernel void k(read_only image2d_t i) {}"},
    {"__opencl_c_images", "", "#ifndef __IMAGE_SUPPORT__\n#error\n#endif\nkernel void k() {}"},
    {"__opencl_c_images", "-cl-std=CL2.0", "kernel void k(read_write image2d_t i) {}"},
    {"cl_khr_3d_image_writes", "",
     "kernel void k(write_only image3d_t i) { write_imagei(i, (int4)(0), (int4)(1)); }"},
    {"__opencl_c_3d_image_writes", "-cl-std=CL3.0",
     "kernel void k(write_only image3d_t i) { write_imagei(i, (int4)(0), (int4)(1)); }"},
    {"__opencl_c_read_write_images", "-cl-std=CL3.0", "kernel void k(read_write image2d_t i) {}"},
    {"cl_khr_depth_images", "", "kernel void k(read_only image2d_depth_t i) {}"},
    {"__opencl_c_atomic_order_seq_cst", "-cl-std=CL3.0",
     "kernel void k(global atomic_int* p) { atomic_store(p, 1); }"},
    {"__opencl_c_atomic_order_acq_rel", "-cl-std=CL3.0",
     "kernel void k(global atomic_int* p) {"
     "  atomic_store_explicit(p, 1, memory_order_release, memory_scope_work_group); }"},
    {"__opencl_c_atomic_scope_device", "-cl-std=CL3.0",
     "kernel void k(global atomic_int* p) {"
     "  atomic_store_explicit(p, 1, memory_order_relaxed, memory_scope_device); }"},
    {"__opencl_c_ext_fp16_global_atomic_add", "-cl-std=CL3.0",
     "kernel void k(global atomic_half* p) { atomic_fetch_add(p, (half)1); }"},
    {"__opencl_c_ext_fp16_local_atomic_min_max", "-cl-std=CL3.0",
     "kernel void k(local atomic_half* p) {"
     "  atomic_fetch_max_explicit(p, (half)1, memory_order_relaxed, memory_scope_work_group); }"},
    {"__opencl_c_ext_fp16_local_atomic_load_store", "-cl-std=CL3.0",
     "kernel void k(global atomic_half* p) { atomic_half* q = p; atomic_store(q, (half)1); }"},
    {"__opencl_c_ext_fp32_global_atomic_add", "-cl-std=CL3.0",
     "kernel void k(global atomic_float* p, global atomic_half* q) { atomic_fetch_sub(p, 1.0f); }"},
    {"cl_ext_atomic_counters_32", "", "kernel void k(counter32_t c) { atomic_inc(c); }"},
    {"cl_ext_atomic_counters_64", "", "kernel void k(counter64_t c) { atomic_inc(c); }"},
    {"cl_khr_extended_async_copies", "",
     "#ifndef cl_khr_extended_async_copies\n#error\n#endif\nkernel void k() {}"},
    {"cl_khr_integer_dot_product", "-cl-std=CL3.0",
     "kernel void k(global uint* p) { *p = dot_4x8packed_uu_uint(*p, 7); }"},
    {"cl_khr_extended_bit_ops", "-cl-std=CL3.0", "kernel void k(global uint* p) { *p = bit_reverse(*p); }"},
    {"cl_khr_kernel_clock", "", "#ifndef cl_khr_kernel_clock\n#error\n#endif\nkernel void k() {}"},
    {"cl_khr_expect_assume", "", "#ifndef cl_khr_expect_assume\n#error\n#endif\nkernel void k() {}"},
    {"cl_ext_cxx_for_opencl", "-cl-std=CLC++2021", "kernel void k() {}"},
    {"cl_intel_subgroup_2d_block_io", "",
     "kernel void k(global uint* p) { uint own; "
     "intel_sub_group_2d_block_read_32b_1r16x1c(p, 64, 1, 64, (int2)(0), &own); *p = own; }"},
    {"cl_intel_subgroup_matrix_multiply_accumulate", "",
     "kernel void k(global int* p) { *p = intel_sub_group_i8_i8_matrix_mad_k32(*p, (int8)(1), 2); }"},
    {"cl_intel_subgroup_matrix_multiply_accumulate_tf32", "",
     "kernel void k(global float* p) { *p = intel_convert_tfloat32_as_float(*p); }"},
    {"cl_intel_split_work_group_barrier", "",
     "kernel void k() { intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE); "
     "intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE); }"},
};

} // namespace

TEST_CASE("Language: a program that needs what the device lacks is refused, and the log names it",
          "[language]") {
  for (const auto& [missing, options, source] : programs) {
    CAPTURE(missing, options, source);
    const auto full = compiled({}, source, options);
    CAPTURE(full.log);
    CHECK(full.status == Status::success);
    const auto refused = compiled({.lacks = {missing}}, source, options);
    CHECK(refused.status != Status::success);
    CHECK(refused.log.find(missing) != refused.log.npos);
    CHECK(refused.log.find("the device 'tested'") != refused.log.npos);
  }
}

TEST_CASE("Language: a program that needs none of what the device lacks is built", "[language]") {
  Language least;
  for (const auto rows : {language_extensions(), language_features()})
    for (const NamedVersion& row : rows)
      least.lacks.emplace_back(row.name);
  constexpr const char* source = R"(
    #pragma OPENCL EXTENSION cl_khr_fp16 : disable
    constant float table[2] = {1, 2};
    kernel void k(global float4* p, global const half* h, local int* l, constant int* c) {
      const size_t i = get_global_id(0);
      l[get_local_id(0)] = c[i];
      barrier(CLK_LOCAL_MEM_FENCE);
      p[i] = sin(p[i]) + vload_half(i, h) + table[i & 1];
      atomic_add(l, 1);
    })";
  for (const char* options : {"", "-cl-std=CL1.1", "-cl-std=CL1.2", "-cl-std=CL3.0", "-cl-std=CL3.1"}) {
    CAPTURE(options);
    const auto made = compiled(least, source, options);
    CAPTURE(made.log);
    CHECK(made.status == Status::success);
  }
}

TEST_CASE("Language: no macro of what the device lacks is defined", "[language]") {
  Language least;
  std::string source = "kernel void k() {}\n#ifdef __IMAGE_SUPPORT__\n#error __IMAGE_SUPPORT__\n#endif\n";
  for (const auto rows : {language_extensions(), language_features()})
    for (const NamedVersion& row : rows) {
      least.lacks.emplace_back(row.name);
      source.append("#ifdef ").append(row.name).append("\n#error ").append(row.name).append("\n#endif\n");
    }
  // The last of these programs get a precompiled header (compiler/front/clang/prefix_header.cpp).
  for (int program = 0; program < 12; ++program)
    for (const char* options : {"", "-cl-std=CL1.1", "-cl-std=CL3.0"}) {
      const auto made = compiled(least, source, options);
      CAPTURE(program, options, made.log);
      CHECK(made.status == Status::success);
    }
}

TEST_CASE("Language: each extension and feature of the language is a macro", "[language]") {
  // Extensions without a macro: feature macros tell of the image formats, and the others add nothing to OpenCL C.
  const std::set<std::string_view> without = {
      "cl_ext_cxx_for_opencl", "cl_ext_image_raw10_raw12", "cl_ext_image_unorm_int_2_101010",
      "cl_ext_image_unsigned_10x6_12x4_14x2", "cl_intel_devicelib_assert"};
  std::string source = "kernel void k() {}\n";
  for (const auto rows : {language_extensions(), language_features()})
    for (const NamedVersion& row : rows)
      if (!without.contains(row.name))
        source.append("#ifndef ").append(row.name).append("\n#error ").append(row.name).append("\n#endif\n");
  const auto made = compiled({}, source, "-cl-std=CL3.0");
  CAPTURE(made.log);
  CHECK(made.status == Status::success);
}

TEST_CASE("Language: the log names all that a program needs, and nothing else", "[language]") {
  const Language language{
      .lacks = {"__opencl_c_images", "cl_khr_fp16", "cl_khr_fp64", "cl_khr_kernel_clock"}};
  constexpr const char* source = "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
                                 "kernel void k(global double* p, global half* q) { *p = *q; }";
  CHECK(compiled(language, source, "")
            .log.find("note: the program needs cl_khr_fp16, cl_khr_fp64, which the device 'tested' lacks") !=
        std::string::npos);
  CHECK(compiled(language, "kernel void k( {}", "").log.find("note: the program needs") == std::string::npos);
}

TEST_CASE("Language: each of two parts gives a device sub-groups", "[language]") {
  constexpr const char* source = "kernel void k(global int* p) { *p = sub_group_reduce_add(*p); }";
  for (const char* options : {"-cl-std=CL2.0", "-cl-std=CL3.0"}) {
    CAPTURE(options);
    CHECK(compiled({.lacks = {"cl_intel_subgroups"}}, source, options).status == Status::success);
    CHECK(compiled({.lacks = {"__opencl_c_subgroups"}}, source, options).status == Status::success);
    const auto refused = compiled({.lacks = {"__opencl_c_subgroups", "cl_intel_subgroups"}}, source, options);
    CHECK(refused.status == Status::failure);
    CHECK(refused.log.find("which the device 'tested' lacks") != refused.log.npos);
  }
}

TEST_CASE("Language: what depends on a missing part is missing as well", "[language]") {
  const Language no_images{.lacks = {"__opencl_c_images"}};
  CHECK(is_missing(no_images, "__opencl_c_read_write_images"));
  CHECK(is_missing(no_images, "cl_khr_3d_image_writes"));
  CHECK(is_missing(no_images, "__opencl_c_3d_image_writes"));
  CHECK(is_missing(no_images, "cl_khr_mipmap_image_writes"));
  CHECK_FALSE(is_missing(no_images, "__opencl_c_pipes"));
  const Language no_double{.lacks = {"__opencl_c_fp64"}};
  CHECK(is_missing(no_double, "cl_khr_fp64"));
  CHECK(is_missing(no_double, "__opencl_c_ext_fp64_local_atomic_add"));
  CHECK_FALSE(is_missing(no_double, "__opencl_c_ext_fp32_local_atomic_add"));
  CHECK_FALSE(is_missing({}, "cl_khr_fp64"));
}

TEST_CASE("Language: -cl-std names no newer OpenCL C than the device has", "[language]") {
  constexpr const char* source = "kernel void k() {}";
  const Language old{.newest_c = version(1, 2)};
  for (const char* options : {"", "-cl-std=CL1.0", "-cl-std=CL1.1", "-cl-std=CL1.2"})
    CHECK(compiled(old, source, options).status == Status::success);
  for (const char* options : {"-cl-std=CL2.0", "-cl-std=CL3.0", "-cl-std=CL3.1"}) {
    const auto refused = compiled(old, source, options);
    CAPTURE(refused.log);
    CHECK(refused.status == Status::invalid_options);
    CHECK(refused.log.find(options) != refused.log.npos);
    CHECK(refused.log.find("the newest OpenCL C of the device 'tested' is 1.2") != refused.log.npos);
  }
}

TEST_CASE("Language: without -cl-std a program has the device's default version", "[language]") {
  const auto is = [](const Language& language, const char* number) {
    const std::string source =
        std::string("#if __OPENCL_C_VERSION__ != ") + number + "\n#error\n#endif\nkernel void k() {}";
    return compiled(language, source, "").status == Status::success;
  };
  CHECK(is({}, "120"));
  CHECK(is({.newest_c = version(3, 0)}, "120"));
  CHECK(is({.newest_c = version(1, 1)}, "110"));
  CHECK(is({.default_c = version(3, 0)}, "300"));
  CHECK(is({.newest_c = version(2, 0), .default_c = version(2, 0)}, "200"));
}

TEST_CASE("Language: __OPENCL_VERSION__ is the version of the device", "[language]") {
  const auto is = [](const Language& language, const char* number) {
    const std::string source =
        std::string("#if __OPENCL_VERSION__ != ") + number + "\n#error\n#endif\nkernel void k() {}";
    return compiled(language, source, "").status == Status::success;
  };
  CHECK(is({}, "310"));
  CHECK(is({.device_version = version(1, 2)}, "120"));
  CHECK(is({.device_version = version(3, 0)}, "300"));
}

TEST_CASE("Language: a kernel may require the device's sub-group sizes only", "[language]") {
  const Language language{.sub_group_sizes = {32, 64}};
  const auto built = [&](const char* size) {
    return compiled(
        language, std::string("__attribute__((intel_reqd_sub_group_size(") + size + "))) kernel void k() {}",
        "");
  };
  CHECK(built("32").status == Status::success);
  CHECK(built("64").status == Status::success);
  const auto refused = built("16");
  CHECK(refused.status == Status::failure);
  CHECK(refused.log.find("the required size of sub-groups is 16; it must be one of the sizes of the device "
                         "'tested', which are 32, 64") != refused.log.npos);
}

TEST_CASE("Language: a device that lacks cl_intel_required_subgroup_size ignores the attribute",
          "[language]") {
  const Language language{.lacks = {"cl_intel_required_subgroup_size"}, .sub_group_sizes = {32}};
  const auto made =
      compiled(language, "__attribute__((intel_reqd_sub_group_size(16))) kernel void k() {}", "");
  CHECK(made.status == Status::success);
  CHECK(made.log.find("attribute 'intel_reqd_sub_group_size' is ignored: the device 'tested' lacks") !=
        made.log.npos);
}
