// cl_khr_unified_svm 0.9: types of shared virtual memory, allocations with properties, and queries of pointers

#include "support/unified_svm.hpp"
#include "support/choice.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

using namespace test::unified_svm;

namespace {

constexpr Capabilities device_owned = 1 << 2, unassociated = 1 << 3, host_owned = 1 << 5, host_read = 1 << 6,
                       host_write = 1 << 7, host_map = 1 << 8, system_allocated = 1 << 1,
                       concurrent_atomics = 1 << 13;
constexpr cl_kernel_exec_info indirect_access = 0x11BB;

std::vector<Capabilities> types() {
  size_t bytes = 0;
  REQUIRE_CL(clGetDeviceInfo(test::device(), device_types, 0, nullptr, &bytes));
  std::vector<Capabilities> list(bytes / sizeof(Capabilities));
  REQUIRE_CL(clGetDeviceInfo(test::device(), device_types, bytes, list.data(), nullptr));
  return list;
}

bool has_unified_svm() {
  return test::has_extension("cl_khr_unified_svm");
}

struct World {
  test::Session session;
  Functions f;
  std::vector<Capabilities> list = types();

  /// The properties that an allocation of the type needs, and others.
  Properties properties(cl_uint type, Properties others = {}) const {
    if (!(list[type] & unassociated))
      others.insert(others.end(), {associated_device, reinterpret_cast<cl_properties>(test::device())});
    others.push_back(0);
    return others;
  }
  void* allocate(cl_uint type, size_t bytes, Properties others = {}) const {
    cl_int error = CL_INVALID_VALUE;
    void* memory = f.alloc(session.context, properties(type, std::move(others)).data(), type, bytes, &error);
    CHECK_CL(error);
    return memory;
  }
  cl_int failure(cl_uint type, size_t bytes, const Properties& properties) const {
    cl_int error = CL_SUCCESS;
    CHECK(f.alloc(session.context, properties.data(), type, bytes, &error) == nullptr);
    return error;
  }
  template <class T>
  T info(const void* pointer, cl_uint name, cl_device_id device = nullptr) const {
    T value{};
    size_t size = 0;
    CHECK_CL(f.info(session.context, device, pointer, name, sizeof value, &value, &size));
    CHECK(size == sizeof value);
    return value;
  }
  void free(void* memory) const { CHECK_CL(f.free(session.context, nullptr, 0, memory)); }

  void write(void* to, const std::vector<int>& from) const {
    REQUIRE_CL(
        clEnqueueSVMMemcpy(session.queue, CL_TRUE, to, from.data(), from.size() * 4, 0, nullptr, nullptr));
  }
  std::vector<int> read(const void* from, size_t count) const {
    std::vector<int> to(count);
    REQUIRE_CL(clEnqueueSVMMemcpy(session.queue, CL_TRUE, to.data(), from, count * 4, 0, nullptr, nullptr));
    return to;
  }
};

} // namespace

TEST_CASE("Unified SVM: the platform promises of each type what its device can do", "[unified_svm]") {
  if (!has_unified_svm()) return;
  const auto device = types();
  std::vector<Capabilities> platform(device.size());
  size_t bytes = 0;
  REQUIRE_CL(clGetPlatformInfo(test::platform(), platform_types, device.size() * sizeof(Capabilities),
                               platform.data(), &bytes));
  CHECK(bytes == device.size() * sizeof(Capabilities));
  CHECK(platform == device);
  CHECK(std::set(device.begin(), device.end()).size() == device.size());
  for (Capabilities wanted : {device_owned, host_owned, host_map, system_allocated, concurrent_atomics})
    CHECK(std::ranges::any_of(device, [wanted](Capabilities type) { return type & wanted; }) ==
          (wanted != system_allocated || !test::has_guests()));
}

TEST_CASE("Unified SVM: a kernel doubles memory of each type, which answers what it is", "[unified_svm]") {
  if (!has_unified_svm()) return;
  const World w;
  const auto kernel = w.session.kernel("kernel void k(global int* v) { v[get_global_id(0)] *= 2; }", "k");
  for (cl_uint type = 0; type < w.list.size(); ++type) {
    CAPTURE(type);
    auto* memory = static_cast<int*>(w.allocate(type, 4096));
    REQUIRE(memory);
    const std::vector<int> numbers(1024, 21);
    if (w.list[type] & host_write)
      std::ranges::copy(numbers, memory);
    else
      w.write(memory, numbers);
    REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, memory));
    w.session.run(kernel, 1024);
    const std::vector<int> doubled(1024, 42);
    if (w.list[type] & host_read) CHECK(std::ranges::equal(doubled, std::span(memory, 1024)));
    CHECK(w.read(memory, 1024) == doubled);

    for (cl_device_id device : {cl_device_id(nullptr), test::device()}) {
      const void* inside = memory + 100;
      CHECK(w.info<cl_uint>(inside, type_index, device) == type);
      CHECK(w.info<Capabilities>(inside, capabilities_of_pointer, device) == w.list[type]);
      CHECK(w.info<void*>(inside, base_of_pointer, device) == memory);
      CHECK(w.info<size_t>(inside, size_of_pointer, device) == 4096);
      CHECK(w.info<cl_bitfield>(inside, access_of_pointer, device) == 0);
      CHECK(w.info<cl_device_id>(inside, device_of_pointer, device) ==
            (w.list[type] & unassociated ? nullptr : test::device()));
    }
    w.free(memory);
    CHECK(w.info<cl_uint>(memory, type_index) == CL_UINT_MAX);
  }
}

TEST_CASE("Unified SVM: properties are kept and answered", "[unified_svm]") {
  if (!has_unified_svm()) return;
  const World w;
  for (cl_uint type = 0; type < w.list.size(); ++type)
    for (cl_properties alignment : {0, 1, 4, 128})
      for (cl_properties flags : {0, 1, 2, 0x100, 0x303}) {
        const Properties others = {alignment_property, alignment, access_flags, flags};
        void* memory = w.allocate(type, 100, others);
        CHECK(reinterpret_cast<uintptr_t>(memory) % (alignment ? alignment : 128) == 0);
        CHECK(w.info<cl_bitfield>(memory, access_of_pointer) == flags);
        Properties answered(w.properties(type, others).size());
        size_t size = 0;
        CHECK_CL(w.f.info(w.session.context, nullptr, memory, properties_of_pointer,
                          answered.size() * sizeof answered[0], answered.data(), &size));
        CHECK(size == answered.size() * sizeof answered[0]);
        CHECK(answered == w.properties(type, others));
        w.free(memory);
      }
}

TEST_CASE("Unified SVM: pointers of other allocations have the types of theirs", "[unified_svm]") {
  if (!has_unified_svm()) return;
  const World w;
  void* coarse = clSVMAlloc(w.session.context, CL_MEM_READ_WRITE, 64, 0);
  void* fine = clSVMAlloc(w.session.context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0);
  CHECK((w.info<Capabilities>(coarse, capabilities_of_pointer) & (host_map | host_write)) == host_map);
  CHECK((w.info<Capabilities>(fine, capabilities_of_pointer) & (host_map | host_write)) ==
        (host_map | host_write));
  w.free(coarse);
  clSVMFree(w.session.context, fine);
  const test::Session other;
  void* theirs = w.allocate(0, 64);
  cl_uint index = 0;
  CHECK_CL(w.f.info(other.context, nullptr, theirs, type_index, sizeof index, &index, nullptr));
  CHECK(index == CL_UINT_MAX);
  CHECK_STATUS(w.f.free(other.context, nullptr, 0, theirs), CL_INVALID_VALUE);
  w.free(theirs);
}

TEST_CASE("Unified SVM: the suggested type has what is required, and most of what is desired",
          "[unified_svm]") {
  if (!has_unified_svm()) return;
  const World w;
  auto suggestion = [&](Capabilities required, Capabilities desired) {
    cl_uint index = 0;
    CHECK_CL(w.f.suggest(w.session.context, required, desired, nullptr, 4096, &index));
    return index;
  };
  for (Capabilities type : w.list) {
    REQUIRE(suggestion(type, 0) < w.list.size());
    CHECK((w.list[suggestion(type, 0)] & type) == type);
    CHECK(w.list[suggestion(0, type)] == (w.list[suggestion(0, type)] | type));
  }
  CHECK(w.list[suggestion(device_owned, host_read)] & device_owned);
  CHECK(suggestion(device_owned | host_owned, 0) == CL_UINT_MAX);
  CHECK(suggestion(Capabilities(1) << 40, 0) == CL_UINT_MAX);
  CHECK(suggestion(0, Capabilities(1) << 40) < w.list.size());
  cl_uint index = 0;
  CHECK_CL(w.f.suggest(w.session.context, 0, 0, nullptr, SIZE_MAX, &index));
  CHECK(index == CL_UINT_MAX);
  CHECK_STATUS(w.f.suggest(w.session.context, 0, 0, nullptr, 1, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(w.f.suggest(nullptr, 0, 0, nullptr, 1, &index), CL_INVALID_CONTEXT);
  const Properties wrong = {0x7777, 1, 0};
  CHECK_STATUS(w.f.suggest(w.session.context, 0, 0, wrong.data(), 1, &index), CL_INVALID_PROPERTY);
}

TEST_CASE("Unified SVM: wrong arguments of allocations are refused", "[unified_svm]") {
  if (!has_unified_svm()) return;
  const World w;
  const auto device = reinterpret_cast<cl_properties>(test::device());
  const auto most = test::device_value<cl_ulong>(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  CHECK_STATUS(w.failure(static_cast<cl_uint>(w.list.size()), 64, {0}), CL_INVALID_VALUE);
  CHECK_STATUS(w.failure(CL_UINT_MAX, 64, {0}), CL_INVALID_VALUE);
  for (cl_uint type = 0; type < w.list.size(); ++type) {
    CAPTURE(type);
    if (!(w.list[type] & unassociated)) {
      CHECK_STATUS(w.failure(type, 64, {0}), CL_INVALID_DEVICE);
      CHECK_STATUS(w.failure(type, 64, {associated_device, 0, 0}), CL_INVALID_DEVICE);
    }
    CHECK_STATUS(w.failure(type, most + 1, w.properties(type)), CL_INVALID_BUFFER_SIZE);
    CHECK_STATUS(w.failure(type, SIZE_MAX, w.properties(type)), CL_INVALID_BUFFER_SIZE);
    CHECK_STATUS(w.failure(type, 64, w.properties(type, {0x7777, 1})), CL_INVALID_PROPERTY);
    CHECK_STATUS(w.failure(type, 64, w.properties(type, {alignment_property, 3})), CL_INVALID_PROPERTY);
    CHECK_STATUS(w.failure(type, 64, w.properties(type, {alignment_property, 1 << 20})), CL_INVALID_PROPERTY);
    CHECK_STATUS(w.failure(type, 64, w.properties(type, {access_flags, 1 << 2})), CL_INVALID_PROPERTY);
    CHECK_STATUS(w.failure(type, 64, {associated_device, device, associated_device, device, 0}),
                 CL_INVALID_PROPERTY);
    CHECK_STATUS(w.failure(type, 64, {associated_device, cl_properties(0x1234), 0}), CL_INVALID_DEVICE);
    CHECK(w.allocate(type, 0) == nullptr);
  }
  cl_int error = CL_SUCCESS;
  CHECK(w.f.alloc(nullptr, nullptr, 0, 64, &error) == nullptr);
  CHECK_STATUS(error, CL_INVALID_CONTEXT);
}

TEST_CASE("Unified SVM: wrong arguments of queries and of frees are refused", "[unified_svm]") {
  if (!has_unified_svm()) return;
  const World w;
  void* memory = w.allocate(0, 64);
  size_t value = 0;
  const cl_context context = w.session.context;
  CHECK_STATUS(w.f.info(context, nullptr, memory, 0x7777, sizeof value, &value, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(w.f.info(context, nullptr, memory, size_of_pointer, 4, &value, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(w.f.info(context, reinterpret_cast<cl_device_id>(&value), memory, size_of_pointer,
                        sizeof value, &value, nullptr),
               CL_INVALID_DEVICE);
  const Properties unknown = {1, 1, 0}, none = {0};
  CHECK_STATUS(w.f.free(context, unknown.data(), 0, memory), CL_INVALID_PROPERTY);
  CHECK_STATUS(w.f.free(context, nullptr, 1, memory), CL_INVALID_VALUE);
  CHECK_STATUS(w.f.free(nullptr, nullptr, 0, memory), CL_INVALID_CONTEXT);
  CHECK_STATUS(w.f.free(context, nullptr, 0, static_cast<char*>(memory) + 1), CL_INVALID_VALUE);
  CHECK_STATUS(w.f.free(context, nullptr, 0, &value), CL_INVALID_VALUE);
  CHECK_CL(w.f.free(context, none.data(), 0, memory));
  CHECK_STATUS(w.f.free(context, nullptr, 0, memory), CL_INVALID_VALUE);
  CHECK_CL(w.f.free(context, nullptr, 0, nullptr));
}

TEST_CASE("Unified SVM: commands of SVM take memory of every type, and no bytes at any address",
          "[unified_svm]") {
  if (!has_unified_svm()) return;
  const World w;
  const cl_command_queue queue = w.session.queue;
  const int pattern = 7;
  int value = 0;
  for (cl_uint type = 0; type < w.list.size(); ++type) {
    CAPTURE(type);
    void* memory = w.allocate(type, 4096);
    REQUIRE_CL(clEnqueueSVMMemFill(queue, memory, &pattern, sizeof pattern, 4096, 0, nullptr, nullptr));
    CHECK(w.read(memory, 1024) == std::vector<int>(1024, 7));
    const void* pointers[] = {memory};
    CHECK_CL(clEnqueueSVMMigrateMem(queue, 1, pointers, nullptr, 0, 0, nullptr, nullptr));
    CHECK_CL(clEnqueueSVMFree(queue, 1, &memory, nullptr, nullptr, 0, nullptr, nullptr));
    CHECK_CL(clFinish(queue));
    CHECK(w.info<cl_uint>(memory, type_index) == CL_UINT_MAX);
  }
  CHECK_CL(clEnqueueSVMMemcpy(queue, CL_TRUE, nullptr, &value, 0, 0, nullptr, nullptr));
  CHECK_CL(clEnqueueSVMMemcpy(queue, CL_TRUE, &value, nullptr, 0, 0, nullptr, nullptr));
  CHECK_CL(clEnqueueSVMMemFill(queue, nullptr, &pattern, sizeof pattern, 0, 0, nullptr, nullptr));
  CHECK_CL(clFinish(queue));
}

TEST_CASE("Unified SVM: a kernel follows pointers that one declaration allows", "[unified_svm]") {
  if (!has_unified_svm()) return;
  const World w;
  const auto kernel = w.session.kernel(R"(
    struct link { global int* to; };
    kernel void k(global struct link* links) { links[get_global_id(0)].to[get_global_id(0)] += 1; })",
                                       "k");
  const cl_bool yes = CL_TRUE;
  REQUIRE_CL(clSetKernelExecInfo(kernel, indirect_access, sizeof yes, &yes));
  CHECK_STATUS(clSetKernelExecInfo(kernel, indirect_access, 1, &yes), CL_INVALID_VALUE);
  std::vector<int*> links;
  for (cl_uint type = 0; type < w.list.size(); ++type) {
    links.push_back(static_cast<int*>(w.allocate(type, 64)));
    w.write(links.back(), std::vector<int>(16, 5));
  }
  void* list = w.allocate(0, links.size() * sizeof links[0]);
  REQUIRE_CL(clEnqueueSVMMemcpy(w.session.queue, CL_TRUE, list, links.data(), links.size() * sizeof links[0],
                                0, nullptr, nullptr));
  REQUIRE_CL(clSetKernelArgSVMPointer(kernel, 0, list));
  w.session.run(kernel, links.size());
  for (size_t i = 0; i < links.size(); ++i) {
    std::vector<int> expected(16, 5);
    expected[i] = 6;
    CHECK(w.read(links[i], 16) == expected);
    w.free(links[i]);
  }
  w.free(list);
}
