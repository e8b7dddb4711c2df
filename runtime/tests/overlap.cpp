// Whether a launch tells the kernel that its buffers are disjoint (NDRange::buffers_disjoint).

#include "runtime/tests/kernel_world.hpp"

#include <array>

using namespace hostcl;
using namespace hostcl::runtime;
using namespace hostcl::runtime::tests;

namespace {

constexpr const char* source = "kernel void k(global uint* a, constant uint* b, global uint* c) {"
                               "  for (uint i = 0; i < 16; ++i) *c += a[i] + b[i]; }";
constexpr std::size_t bytes = items * sizeof(cl_uint);

/// A kernel with three buffers, whose code depends on whether the buffers are disjoint.
struct Buffers : World {
  Buffers() : World(source) {}
  explicit Buffers(const char* text) : World(text) {}

  bool are_disjoint(Replay replay = Replay::never) const {
    const LaunchRecord record = this->record(replay);
    REQUIRE(record.is_valid());
    return record.range().buffers_disjoint != 0;
  }
  Ref<Memory> part(Memory& whole, std::size_t origin, std::size_t size) const {
    const cl_buffer_region region{origin, size};
    return owned<Memory>(create_sub_buffer(whole.handle(), 0, CL_BUFFER_CREATE_TYPE_REGION, &region));
  }
  Ref<Memory> at(void* host_pointer, std::size_t size = bytes) const {
    return owned<Memory>(create_buffer(context->handle(), CL_MEM_USE_HOST_PTR, size, host_pointer));
  }
  void set_pointer(cl_uint index, const void* pointer) const {
    REQUIRE(kernel->set_svm_argument(index, pointer).ok());
  }

  Ref<Memory> a = zeros(items), b = zeros(items), c = zeros(items);
};

/// Shared virtual memory.
struct Shared {
  Shared(const Buffers& buffers, std::size_t size)
      : context(*buffers.context),
        data(static_cast<std::byte*>(made(svm_alloc(context.handle(), CL_MEM_READ_WRITE, size, 0)))) {}
  ~Shared() { svm_free(context.handle(), data); }
  Shared(const Shared&) = delete;

  Context& context;
  std::byte* data;
};

} // namespace

TEST_CASE("Buffers of a launch: disjoint if each is another one", "[overlap]") {
  const Buffers buffers;
  buffers.set(0, *buffers.a);
  buffers.set(1, *buffers.b);
  buffers.set(2, *buffers.c);
  CHECK(buffers.are_disjoint());
  CHECK(buffers.are_disjoint(Replay::later));
  for (const cl_uint index : {0u, 1u}) {
    buffers.set(index, *buffers.c);
    CHECK_FALSE(buffers.are_disjoint());
    buffers.set(index, *buffers.a);
    CHECK(buffers.are_disjoint() == (index == 0));
    buffers.set(index, *(index == 0 ? buffers.a : buffers.b));
  }
  // A null pointer overlaps with no buffer.
  REQUIRE(buffers.kernel->set_argument(1, sizeof(cl_mem), nullptr).ok());
  CHECK(buffers.are_disjoint());
}

TEST_CASE("Buffers of a launch: parts of one are disjoint unless they share a byte", "[overlap]") {
  const Buffers buffers;
  const Ref<Memory> whole = buffers.zeros(4 * items);
  const Ref<Memory> first = buffers.part(*whole, 0, bytes), more = buffers.part(*whole, 0, bytes + 1),
                    second = buffers.part(*whole, bytes, bytes), inner = buffers.part(*whole, 128, 1);
  buffers.set(0, *buffers.a);
  buffers.set(2, *second);
  buffers.set(1, *first);
  CHECK(buffers.are_disjoint());
  buffers.set(1, *more);
  CHECK_FALSE(buffers.are_disjoint());
  buffers.set(1, *whole);
  CHECK_FALSE(buffers.are_disjoint());
  buffers.set(1, *inner);
  CHECK(buffers.are_disjoint());
  buffers.set(2, *first);
  CHECK_FALSE(buffers.are_disjoint());
}

TEST_CASE("Buffers of a launch: memory of the application may be anywhere", "[overlap]") {
  const Buffers buffers;
  std::array<cl_uint, 4 * items> memory{};
  const Ref<Memory> first = buffers.at(memory.data()), second = buffers.at(memory.data() + 2 * items);
  buffers.set(0, *buffers.a);
  buffers.set(1, *first);
  buffers.set(2, *buffers.c);
  CHECK(buffers.are_disjoint()); // memory of the application and memory of the driver are disjoint
  buffers.set(2, *second);
  CHECK_FALSE(buffers.are_disjoint());
  buffers.set_pointer(2, memory.data() + 2 * items);
  CHECK_FALSE(buffers.are_disjoint());
  buffers.set(1, *buffers.b);
  CHECK_FALSE(buffers.are_disjoint());
}

TEST_CASE("Buffers of a launch: pointers are of the whole allocation around them", "[overlap]") {
  const Buffers buffers;
  const Shared first(buffers, 4096), second(buffers, 4096);
  buffers.set(0, *buffers.a);
  buffers.set_pointer(1, first.data);
  buffers.set_pointer(2, second.data + 4095);
  CHECK(buffers.are_disjoint());
  CHECK_FALSE(buffers.are_disjoint(Replay::later)); // by then, other allocations may be at these addresses
  buffers.set_pointer(2, first.data + 4095);
  CHECK_FALSE(buffers.are_disjoint());
  buffers.set_pointer(2, second.data + 4096); // the end of the allocation, which contains no byte of it
  CHECK_FALSE(buffers.are_disjoint());
  buffers.set_pointer(2, nullptr);
  CHECK(buffers.are_disjoint());
  const Ref<Memory> same = buffers.at(first.data + 2048);
  buffers.set(2, *same);
  CHECK_FALSE(buffers.are_disjoint());
  const Ref<Memory> other = buffers.at(second.data);
  buffers.set(2, *other);
  CHECK(buffers.are_disjoint());
}

TEST_CASE("Buffers of a launch: nothing is known of many, nor beside pipes and counters", "[overlap]") {
  const auto with = [](const char* text) {
    Buffers buffers(text);
    buffers.set(0, *buffers.a);
    buffers.set(1, *buffers.b);
    return buffers;
  };
  const Buffers counted = with("#pragma OPENCL EXTENSION cl_ext_atomic_counters_32 : enable\n"
                               "kernel void k(global uint* a, global uint* b, counter32_t c) {"
                               "  for (uint i = 0; i < 16; ++i) *a += b[i] + atomic_inc(c); }");
  counted.set(2, *counted.c);
  CHECK_FALSE(counted.are_disjoint());

  for (const unsigned count : {14u, 15u}) {
    std::string text = "kernel void k(global uint* a, global uint* b";
    for (unsigned i = 0; i < count; ++i)
      text += ", global uint* c" + std::to_string(i);
    const Buffers many = with((text + ") { for (uint i = 0; i < 16; ++i) *a += b[i]; }").c_str());
    std::vector<Ref<Memory>> more;
    for (unsigned i = 0; i < count; ++i)
      many.set(2 + i, *more.emplace_back(many.zeros(1)));
    CHECK(many.are_disjoint() == (count == 14));
  }
}

TEST_CASE("Buffers of a launch: kernels that gain nothing are not told", "[overlap]") {
  for (const char* text :
       {"kernel void k(global uint* a, global uint* b, global uint* c) { *a += *b + *c; }",
        "kernel void k(global uint* a, global uint* b, global uint* c) {"
        "  uint s = 0; for (uint i = 0; i < *a; ++i) s += b[i]; *c = s; }",
        "kernel void k(global uint* restrict a, global uint* restrict b, global uint* restrict c) {"
        "  for (uint i = 0; i < 16; ++i) *c += a[i] + b[i]; }",
        "kernel void k(global uint* a, global uint* b, global uint* c) {"
        "  for (uint i = 0; i < 16; ++i) *c += *(global uint*)((ulong)a + i * 4) + b[i]; }",
        "kernel void k(global uint* a, global uint* b, global uint* c) {"
        "  for (global uint* p = a; p != a + 16 && p != b; ++p) *c += *p; }"}) {
    const Buffers buffers(text);
    buffers.set(0, *buffers.a);
    buffers.set(1, *buffers.b);
    buffers.set(2, *buffers.c);
    const LaunchRecord first = buffers.record();
    buffers.run(first); // which prepares the kernel
    CAPTURE(text);
    CHECK_FALSE(buffers.are_disjoint());
  }
}
