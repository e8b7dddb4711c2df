// clGetDeviceInfo (OpenCL 3.0 API, table 5), clRetainDevice, clReleaseDevice

#include "support/choice.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <thread>

namespace {

/// A query of the table with the size of its fixed-size answer and the smallest value the full profile
/// allows.
struct Row {
  const char* name;
  cl_device_info query;
  size_t size;
  cl_ulong least;
};

#define ROW(query, type, least) {#query, query, sizeof(type), least}
constexpr Row fixed_rows[] = {
    ROW(CL_DEVICE_TYPE, cl_device_type, 1),
    ROW(CL_DEVICE_VENDOR_ID, cl_uint, 0),
    ROW(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint, 1),
    ROW(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, cl_uint, 3),
    ROW(CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t, 1),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, cl_uint, 1),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, cl_uint, 1),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, cl_uint, 1),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, cl_uint, 1),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, cl_uint, 1),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, cl_uint, 0),
    ROW(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, cl_uint, 0),
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, cl_uint, 1),
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, cl_uint, 1),
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, cl_uint, 1),
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, cl_uint, 1),
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, cl_uint, 1),
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, cl_uint, 0),
    ROW(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, cl_uint, 0),
    ROW(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint, 0),
    ROW(CL_DEVICE_ADDRESS_BITS, cl_uint, 32),
    ROW(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong, 32u << 20),
    ROW(CL_DEVICE_IMAGE_SUPPORT, cl_bool, 1),
    ROW(CL_DEVICE_MAX_READ_IMAGE_ARGS, cl_uint, 128),
    ROW(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, cl_uint, 64),
    ROW(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, cl_uint, 64),
    ROW(CL_DEVICE_IMAGE2D_MAX_WIDTH, size_t, 16384),
    ROW(CL_DEVICE_IMAGE2D_MAX_HEIGHT, size_t, 16384),
    ROW(CL_DEVICE_IMAGE3D_MAX_WIDTH, size_t, 2048),
    ROW(CL_DEVICE_IMAGE3D_MAX_HEIGHT, size_t, 2048),
    ROW(CL_DEVICE_IMAGE3D_MAX_DEPTH, size_t, 2048),
    ROW(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, size_t, 65536),
    ROW(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, size_t, 2048),
    ROW(CL_DEVICE_MAX_SAMPLERS, cl_uint, 16),
    ROW(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, cl_uint, 0),
    ROW(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, cl_uint, 0),
    ROW(CL_DEVICE_MAX_PIPE_ARGS, cl_uint, 16),
    ROW(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, cl_uint, 1),
    ROW(CL_DEVICE_PIPE_MAX_PACKET_SIZE, cl_uint, 1024),
    ROW(CL_DEVICE_MAX_PARAMETER_SIZE, size_t, 1024),
    ROW(CL_DEVICE_MEM_BASE_ADDR_ALIGN, cl_uint, 1024), // bits of long16
    ROW(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, cl_uint, 128),
    ROW(CL_DEVICE_SINGLE_FP_CONFIG, cl_device_fp_config, CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN),
    ROW(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config, 0),
    ROW(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, cl_device_mem_cache_type, 0),
    ROW(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, cl_uint, 0),
    ROW(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cl_ulong, 0),
    ROW(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong, 32u << 20),
    ROW(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, cl_ulong, 64 << 10),
    ROW(CL_DEVICE_MAX_CONSTANT_ARGS, cl_uint, 8),
    ROW(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, size_t, 0),
    ROW(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, size_t, 0),
    ROW(CL_DEVICE_LOCAL_MEM_TYPE, cl_device_local_mem_type, 1),
    ROW(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong, 32 << 10),
    ROW(CL_DEVICE_ERROR_CORRECTION_SUPPORT, cl_bool, 0),
    ROW(CL_DEVICE_PROFILING_TIMER_RESOLUTION, size_t, 1),
    ROW(CL_DEVICE_ENDIAN_LITTLE, cl_bool, 0),
    ROW(CL_DEVICE_AVAILABLE, cl_bool, 1),
    ROW(CL_DEVICE_COMPILER_AVAILABLE, cl_bool, 1),
    ROW(CL_DEVICE_LINKER_AVAILABLE, cl_bool, 1),
    ROW(CL_DEVICE_EXECUTION_CAPABILITIES, cl_device_exec_capabilities, CL_EXEC_KERNEL),
    ROW(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, cl_command_queue_properties, CL_QUEUE_PROFILING_ENABLE),
    ROW(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, cl_command_queue_properties, 0),
    ROW(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, cl_uint, 0),
    ROW(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, cl_uint, 0),
    ROW(CL_DEVICE_MAX_ON_DEVICE_QUEUES, cl_uint, 0),
    ROW(CL_DEVICE_MAX_ON_DEVICE_EVENTS, cl_uint, 0),
    ROW(CL_DEVICE_PLATFORM, cl_platform_id, 1),
    ROW(CL_DEVICE_NUMERIC_VERSION, cl_version, CL_MAKE_VERSION(3, 1, 1)),
    ROW(CL_DEVICE_PRINTF_BUFFER_SIZE, size_t, 1 << 20),
    ROW(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, cl_bool, 0),
    ROW(CL_DEVICE_PARENT_DEVICE, cl_device_id, 0),
    ROW(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, cl_uint, 0),
    ROW(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, cl_device_affinity_domain, 0),
    ROW(CL_DEVICE_REFERENCE_COUNT, cl_uint, 1),
    ROW(CL_DEVICE_SVM_CAPABILITIES, cl_device_svm_capabilities, 0),
    ROW(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, cl_uint, 0),
    ROW(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, cl_uint, 0),
    ROW(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, cl_uint, 0),
    ROW(CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint, 0),
    ROW(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, cl_bool, 0),
    ROW(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, cl_device_atomic_capabilities,
        CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP),
    ROW(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, cl_device_atomic_capabilities, CL_DEVICE_ATOMIC_ORDER_RELAXED),
    ROW(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, cl_bool, 0),
    ROW(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, cl_bool, 0),
    ROW(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, cl_bool, 0),
    ROW(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, cl_device_device_enqueue_capabilities, 0),
    ROW(CL_DEVICE_PIPE_SUPPORT, cl_bool, 0),
    ROW(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t, 1),
};
#undef ROW

constexpr cl_device_info string_rows[] = {
    CL_DEVICE_NAME,       CL_DEVICE_VENDOR,           CL_DRIVER_VERSION,
    CL_DEVICE_PROFILE,    CL_DEVICE_VERSION,          CL_DEVICE_OPENCL_C_VERSION,
    CL_DEVICE_EXTENSIONS, CL_DEVICE_BUILT_IN_KERNELS, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED,
    CL_DEVICE_IL_VERSION};

std::vector<cl_name_version> named_versions(cl_device_info query) {
  size_t bytes = 0;
  REQUIRE_CL(clGetDeviceInfo(test::device(), query, 0, nullptr, &bytes));
  REQUIRE(bytes % sizeof(cl_name_version) == 0);
  std::vector<cl_name_version> list(bytes / sizeof(cl_name_version));
  REQUIRE_CL(clGetDeviceInfo(test::device(), query, bytes, list.data(), nullptr));
  return list;
}

bool has_feature(const char* name) {
  for (const cl_name_version& feature : named_versions(CL_DEVICE_OPENCL_C_FEATURES))
    if (std::string(feature.name) == name) return true;
  return false;
}

} // namespace

TEST_CASE("clGetDeviceInfo: every fixed-size query answers with its size and at least the minimum",
          "[device]") {
  for (const Row& row : fixed_rows) {
    CAPTURE(row.name);
    size_t bytes = 0;
    CHECK_CL(clGetDeviceInfo(test::device(), row.query, 0, nullptr, &bytes));
    CHECK(bytes == row.size);
    cl_ulong value = 0; // little-endian hosts: a shorter answer fills the low bytes
    CHECK_CL(clGetDeviceInfo(test::device(), row.query, row.size, &value, nullptr));
    CHECK(value >= row.least);
  }
}

TEST_CASE("clGetDeviceInfo: a value one byte too small is CL_INVALID_VALUE for every query", "[device]") {
  std::vector<char> room(4096);
  for (const Row& row : fixed_rows) {
    CAPTURE(row.name);
    CHECK_STATUS(clGetDeviceInfo(test::device(), row.query, row.size - 1, room.data(), nullptr),
                 CL_INVALID_VALUE);
  }
}

TEST_CASE("clGetDeviceInfo: every string ends with a zero", "[device]") {
  for (cl_device_info query : string_rows) {
    CAPTURE(query);
    size_t bytes = 0;
    CHECK_CL(clGetDeviceInfo(test::device(), query, 0, nullptr, &bytes));
    REQUIRE(bytes >= 1);
    std::vector<char> text(bytes, 'x');
    CHECK_CL(clGetDeviceInfo(test::device(), query, bytes, text.data(), nullptr));
    CHECK(text.back() == '\0');
  }
}

TEST_CASE("clGetDeviceInfo: it is an OpenCL 3.1 device of the full profile", "[device]") {
  CHECK(test::device_string(CL_DEVICE_PROFILE) == "FULL_PROFILE");
  CHECK(test::device_string(CL_DEVICE_VERSION).substr(0, 11) == "OpenCL 3.1 ");
  CHECK(test::device_string(CL_DEVICE_OPENCL_C_VERSION).substr(0, 9) == "OpenCL C ");
}

TEST_CASE("clGetDeviceInfo: work-item sizes are a list of max dimensions", "[device]") {
  size_t sizes[3] = {};
  REQUIRE_CL(clGetDeviceInfo(test::device(), CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, nullptr));
  for (size_t size : sizes)
    CHECK(size >= 1);
}

TEST_CASE("clGetDeviceInfo: an allocation can be a quarter of global memory", "[device]") {
  const auto largest = test::device_value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  const auto all = test::device_value<cl_ulong>(CL_DEVICE_GLOBAL_MEM_SIZE);
  CHECK(largest >= std::min<cl_ulong>(all / 4, 1u << 30));
  CHECK(largest <= all);
}

TEST_CASE("clGetDeviceInfo: compute units are at most the processors of the machine", "[device]") {
  CHECK(test::device_value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS) <= std::thread::hardware_concurrency());
}

TEST_CASE("cl_intel_device_attribute_query: the threads of all execution units are the compute units",
          "[device]") {
  if (!test::has_extension("cl_intel_device_attribute_query")) return;
  CHECK(test::device_value<cl_uint>(CL_DEVICE_NUM_SLICES_INTEL) *
            test::device_value<cl_uint>(CL_DEVICE_NUM_SUB_SLICES_PER_SLICE_INTEL) *
            test::device_value<cl_uint>(CL_DEVICE_NUM_EUS_PER_SUB_SLICE_INTEL) *
            test::device_value<cl_uint>(CL_DEVICE_NUM_THREADS_PER_EU_INTEL) ==
        test::device_value<cl_uint>(CL_DEVICE_MAX_COMPUTE_UNITS));
  const cl_device_partition_property one_unit[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0};
  cl_device_id part = nullptr;
  if (clCreateSubDevices(test::device(), one_unit, 1, &part, nullptr) == CL_SUCCESS) {
    cl_uint slices = 0;
    CHECK_CL(clGetDeviceInfo(part, CL_DEVICE_NUM_SLICES_INTEL, sizeof slices, &slices, nullptr));
    CHECK(slices == 1);
    CHECK_CL(clReleaseDevice(part));
  }
#ifdef __x86_64__
  const auto id = test::device_value<cl_uint>(CL_DEVICE_ID_INTEL); // CPUID 1: stepping, model, type, family
  CHECK((id >> 8 & 0xf) >= 6);
  CHECK((id & 0xf000c000) == 0);
#endif
}

TEST_CASE("clGetDeviceInfo: work-groups of 4096 items are possible", "[device]") {
  CHECK(test::device_value<size_t>(CL_DEVICE_MAX_WORK_GROUP_SIZE) >= 4096);
}

TEST_CASE("clGetDeviceInfo: extensions with versions are those of the extension string", "[device]") {
  const auto list = named_versions(CL_DEVICE_EXTENSIONS_WITH_VERSION);
  const std::string text = test::device_string(CL_DEVICE_EXTENSIONS);
  size_t words = 0;
  for (size_t i = 0; i < text.size(); ++i)
    words += text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
  CHECK(list.size() == words);
  for (const cl_name_version& extension : list) {
    CAPTURE(extension.name);
    CHECK(test::has_extension(extension.name));
    if (test::is_hostcl()) CHECK(extension.version > 0);
  }
}

TEST_CASE("clGetDeviceInfo: extensions that every 3.0 device has are listed", "[device]") {
  for (const char* name : {"cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics",
                           "cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics",
                           "cl_khr_byte_addressable_store"}) {
    CAPTURE(name);
    CHECK(test::has_extension(name));
  }
}

TEST_CASE("clGetDeviceInfo: atomics have every order and scope", "[device]") {
  if (!test::is_hostcl()) return;
  const auto memory = test::device_value<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES);
  const auto fence = test::device_value<cl_device_atomic_capabilities>(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES);
  const cl_device_atomic_capabilities all =
      CL_DEVICE_ATOMIC_ORDER_RELAXED | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_ORDER_SEQ_CST |
      CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP | CL_DEVICE_ATOMIC_SCOPE_DEVICE | CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES;
  CHECK((memory & all) == all);
  CHECK((fence & (all | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM)) == (all | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM));
  for (const char* name : {"__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_order_seq_cst",
                           "__opencl_c_atomic_scope_device", "__opencl_c_atomic_scope_all_devices",
                           "__opencl_c_generic_address_space"}) {
    CAPTURE(name);
    CHECK(has_feature(name));
  }
}

TEST_CASE("clGetDeviceInfo: every listed feature is a macro in OpenCL C 3.0", "[device]") {
  test::Session session;
  for (const cl_name_version& feature : named_versions(CL_DEVICE_OPENCL_C_FEATURES)) {
    const std::string source =
        std::string("#ifndef ") + feature.name + "\n#error missing\n#endif\n" + "kernel void nothing() {}";
    CAPTURE(feature.name);
    CHECK_CL(session.try_build(source.c_str(), "-cl-std=CL3.0"));
  }
}

TEST_CASE("clGetDeviceInfo: every listed language extension is a macro", "[device]") {
  test::Session session;
  for (const char* name :
       {"cl_khr_fp64", "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics", "cl_khr_fp16",
        "cl_khr_global_int32_base_atomics", "cl_khr_byte_addressable_store"}) {
    if (!test::has_extension(name)) continue;
    const std::string source =
        std::string("#ifndef ") + name + "\n#error missing\n#endif\nkernel void nothing() {}";
    CAPTURE(name);
    CHECK_CL(session.try_build(source.c_str()));
  }
}

TEST_CASE("clGetDeviceInfo: all kinds of SVM are there", "[device]") {
  if (!test::is_hostcl()) return;
  CHECK(test::device_value<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES) ==
        (CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS |
         (test::has_guests() ? 0 : CL_DEVICE_SVM_FINE_GRAIN_SYSTEM)));
}

TEST_CASE("clGetDeviceInfo: an unknown query is CL_INVALID_VALUE", "[device]") {
  char room[64];
  CHECK_STATUS(clGetDeviceInfo(test::device(), 0x0001, sizeof room, room, nullptr), CL_INVALID_VALUE);
}

TEST_CASE("clRetainDevice and clReleaseDevice leave a root device alone", "[device]") {
  CHECK_CL(clRetainDevice(test::device()));
  CHECK_CL(clReleaseDevice(test::device()));
  CHECK_CL(clReleaseDevice(test::device()));
  CHECK(test::device_value<cl_uint>(CL_DEVICE_REFERENCE_COUNT) == 1);
}
