// What the device says of its languages is what its compiler does (OpenCL 3.0 API, table 5; cl_ext_cxx_for_opencl,
// cl_ext_float_atomics).

#include "support/session.hpp"

#include <algorithm>
#include <functional>
#include <span>

namespace {

// Names that older headers lack.
constexpr cl_device_info float_atomics_single = 0x4231;
constexpr cl_bitfield global_load_store = 1 << 0, local_load_store = 1 << 16;

std::vector<cl_name_version> named_versions(cl_device_info query) {
  size_t bytes = 0;
  REQUIRE_CL(clGetDeviceInfo(test::device(), query, 0, nullptr, &bytes));
  std::vector<cl_name_version> list(bytes / sizeof(cl_name_version));
  REQUIRE_CL(clGetDeviceInfo(test::device(), query, bytes, list.data(), nullptr));
  return list;
}

bool lists(cl_device_info query, const std::function<bool(const cl_name_version&)>& wanted) {
  return std::ranges::any_of(named_versions(query), wanted);
}

/// What a kernel of a program with these options writes.
cl_uint value_of(const test::Session& session, const std::string& expression, const char* options) {
  const auto out = session.buffer(std::vector<cl_uint>{0});
  const auto kernel =
      session.kernel(("kernel void k(global uint* o) { *o = " + expression + "; }").c_str(), "k", options);
  test::set_arguments(kernel, out);
  session.run(kernel, 1);
  return session.read<cl_uint>(out, 1)[0];
}

/// What OpenCL 3.0 made optional of OpenCL C 2.0, and the other options of OpenCL C 3.0.
constexpr const char* options_of_20[] = {"__opencl_c_3d_image_writes",
                                         "__opencl_c_atomic_order_acq_rel",
                                         "__opencl_c_atomic_order_seq_cst",
                                         "__opencl_c_atomic_scope_device",
                                         "__opencl_c_atomic_scope_all_devices",
                                         "__opencl_c_device_enqueue",
                                         "__opencl_c_generic_address_space",
                                         "__opencl_c_images",
                                         "__opencl_c_pipes",
                                         "__opencl_c_program_scope_global_variables",
                                         "__opencl_c_read_write_images",
                                         "__opencl_c_work_group_collective_functions"};
constexpr const char* more_options_of_30[] = {"__opencl_c_fp64", "__opencl_c_int64", "__opencl_c_subgroups"};

bool has_all(std::span<const char* const> features) {
  return std::ranges::all_of(features, [](const char* feature) {
    return lists(CL_DEVICE_OPENCL_C_FEATURES,
                 [&](const auto& entry) { return entry.name == std::string(feature); });
  });
}

} // namespace

TEST_CASE("Language versions: from 1.0 to 3.1 they are listed, and 2.0 if all of it is there",
          "[language_versions]") {
  std::vector<cl_version> versions{CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0),
                                   CL_MAKE_VERSION(1, 2, 0), CL_MAKE_VERSION(3, 0, 0),
                                   CL_MAKE_VERSION(3, 1, 0)};
  if (has_all(options_of_20)) versions.push_back(CL_MAKE_VERSION(2, 0, 0));
  for (const cl_version version : versions) {
    CAPTURE(CL_VERSION_MAJOR(version), CL_VERSION_MINOR(version));
    CHECK(lists(CL_DEVICE_OPENCL_C_ALL_VERSIONS, [&](const cl_name_version& entry) {
      return std::string(entry.name) == "OpenCL C" && entry.version == version;
    }));
  }
}

TEST_CASE("Language versions: programs of all that are listed are built as of that version",
          "[language_versions]") {
  const test::Session session;
  for (const cl_name_version& entry : named_versions(CL_DEVICE_OPENCL_C_ALL_VERSIONS)) {
    const unsigned major = CL_VERSION_MAJOR(entry.version), minor = CL_VERSION_MINOR(entry.version);
    if (major == 1 && minor == 0) continue; // which no option selects
    const std::string options = "-cl-std=CL" + std::to_string(major) + "." + std::to_string(minor);
    CAPTURE(options);
    CHECK(value_of(session, "__OPENCL_C_VERSION__", options.c_str()) == 100 * major + 10 * minor);
  }
}

TEST_CASE("Language versions: CL_DEVICE_OPENCL_C_VERSION is the newest without missing options",
          "[language_versions]") {
  const bool has_20 = has_all(options_of_20), has_30 = has_20 && has_all(more_options_of_30);
  const std::string expected = has_30 ? "OpenCL C 3.0 " : has_20 ? "OpenCL C 2.0 " : "OpenCL C 1.2 ";
  CHECK(test::device_string(CL_DEVICE_OPENCL_C_VERSION).substr(0, expected.size()) == expected);
}

TEST_CASE("Language versions: without an option programs are of the newest 1.x", "[language_versions]") {
  CHECK(value_of(test::Session(), "__OPENCL_C_VERSION__", "") == 120);
}

TEST_CASE("Language versions: that of C++ for OpenCL is the one that -cl-std=CLC++ selects",
          "[language_versions]") {
  if (!test::has_extension("cl_ext_cxx_for_opencl")) return;
  const auto version = test::device_value<cl_version>(CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT);
  CHECK(value_of(test::Session(), "__OPENCL_CPP_VERSION__", "-cl-std=CLC++") ==
        100 * CL_VERSION_MAJOR(version) + 10 * CL_VERSION_MINOR(version) + CL_VERSION_PATCH(version));
}

TEST_CASE("Language versions: atomic numbers that can be loaded, stored and exchanged are reported",
          "[language_versions]") {
  if (!test::has_extension("cl_ext_float_atomics")) return;
  const test::Session session;
  const char* const types[] = {"float", "double", "half"}; // in the order of their queries
  for (cl_uint i = 0; i < 3; ++i) {
    CAPTURE(types[i]);
    const auto capabilities =
        test::device_value<cl_bitfield>(static_cast<cl_device_info>(float_atomics_single + i));
    CHECK((capabilities & global_load_store) != 0);
    CHECK((capabilities & local_load_store) != 0);
    const std::string type = types[i];
    const auto kernel =
        session.kernel(("kernel void k(global atomic_" + type +
                        "* a, global float* out) {"
                        "  local atomic_" +
                        type +
                        " l;"
                        "  atomic_store_explicit(a, (" +
                        type +
                        ")2, memory_order_relaxed, memory_scope_device);"
                        "  atomic_store_explicit(&l, (" +
                        type +
                        ")3, memory_order_relaxed, memory_scope_work_group);"
                        "  out[0] = atomic_exchange_explicit(a, (" +
                        type +
                        ")5, memory_order_relaxed, memory_scope_device);"
                        "  out[1] = atomic_load_explicit(a, memory_order_relaxed, memory_scope_device);"
                        "  out[2] = atomic_exchange_explicit(&l, (" +
                        type +
                        ")7, memory_order_relaxed, memory_scope_work_group);"
                        "  out[3] = atomic_load_explicit(&l, memory_order_relaxed, memory_scope_work_group);"
                        "}")
                           .c_str(),
                       "k", "-cl-std=CL3.0");
    const auto object = session.buffer(sizeof(cl_double)), out = session.buffer(4 * sizeof(cl_float));
    test::set_arguments(kernel, object, out);
    session.run(kernel, 1);
    CHECK(session.read<cl_float>(out, 4) == std::vector<cl_float>{2, 5, 3, 7});
  }
}

TEST_CASE("Language versions: a program uses all of OpenCL C 2.0", "[language_versions]") {
  if (!has_all(options_of_20)) return;
  const test::Session session;
  const auto kernel = session.kernel(R"(
    global int variable = 3;
    global atomic_int counter = ATOMIC_VAR_INIT(4);
    int value_at(int* p) { return *p; }
    void block(global int* out, queue_t queue) {
      enqueue_kernel(queue, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4), ^{ out[8 + get_global_id(0)] = 10 + get_global_id(0); });
    }
    kernel void unused(read_only pipe int from, write_only pipe int to, read_write image2d_t image, write_only image3d_t box) {
      int packet;
      reserve_id_t place = work_group_reserve_read_pipe(from, 1);
      if (is_valid_reserve_id(place)) { read_pipe(from, place, 0, &packet); work_group_commit_read_pipe(from, place); }
      write_pipe(to, &packet);
      float4 colour = read_imagef(image, (int2)(0));
      atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item);
      write_imagef(image, (int2)(1), colour);
      write_imagef(box, (int4)(0), colour);
    }
    kernel void k(global int* out, queue_t queue) {
      local int group; int own = 1;
      if (get_local_linear_id() == 0) group = 2;
      work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
      int sum = value_at(&own) + value_at(&group) + value_at(&variable); // all address spaces
      int all = work_group_reduce_add(1) + work_group_scan_inclusive_add(1) + work_group_broadcast(5, 0);
      atomic_fetch_add_explicit(&counter, 1, memory_order_acq_rel, memory_scope_all_svm_devices);
      work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
      if (get_global_linear_id() == 3) {
        out[0] = sum; out[1] = all; out[2] = atomic_load(&counter); out[3] = get_enqueued_local_size(0);
        out[4] = to_global(out) == out && to_local(&group) != 0; out[5] = ctz(8); out[6] = __OPENCL_C_VERSION__;
        block(out, queue);
      }
    })",
                                     "k", "-cl-std=CL2.0");
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int error = 1;
  const test::Queue on_device(
      clCreateCommandQueueWithProperties(session.context, test::device(), properties, &error));
  REQUIRE_CL(error);
  const auto out = session.buffer(std::vector<cl_int>(12));
  REQUIRE_CL(test::set_argument(kernel, 0, out));
  const cl_command_queue handle = on_device;
  REQUIRE_CL(clSetKernelArg(kernel, 1, sizeof handle, &handle));
  session.run(kernel, 4, 4);
  CHECK(session.read<cl_int>(out, 12) == std::vector<cl_int>{6, 13, 8, 4, 1, 3, 200, 0, 10, 11, 12, 13});
}
