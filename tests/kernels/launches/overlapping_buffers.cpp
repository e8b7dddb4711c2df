// Kernels whose buffers overlap, in every way in which they can: each result is that of the statements in their order,
// also after launches whose buffers are disjoint, for which there is faster code. One work-item writes, so that the order
// is known.

#include "support/choice.hpp"
#include "support/overlapping.hpp"

#include <numeric>

using namespace test::overlap;

namespace {

/// Runs all kernels where the buffers overlap by a little, by much, altogether or not at all.
void check_all(const test::Session& session, Memory& memory) {
  const auto program = session.build(source);
  for (const char* name : kernel_names) {
    const auto kernel = session.kernel(program, name);
    for (const size_t global : {size_t{1}, size_t{64}}) {
      CAPTURE(name, global);
      check_disjoint(session, kernel, name, global);
      for (const Places& places : all_places) {
        CAPTURE(places.in, places.out);
        check_run(session, memory, kernel, name, places, global);
      }
    }
  }
}

} // namespace

TEST_CASE("Overlapping buffers: parts of a buffer", "[overlapping_buffers]") {
  const test::Session session;
  Parts memory(session);
  check_all(session, memory);
}

TEST_CASE("Overlapping buffers: a buffer and a part of it", "[overlapping_buffers]") {
  const test::Session session;
  WholeAndPart memory(session);
  check_all(session, memory);
}

TEST_CASE("Overlapping buffers: memory of the application", "[overlapping_buffers]") {
  if (test::has_guests()) return; // buffers with the same host_ptr have memory of their own there
  const test::Session session;
  HostPointers memory(session);
  check_all(session, memory);
}

TEST_CASE("Overlapping buffers: shared virtual memory", "[overlapping_buffers]") {
  const test::Session session;
  SharedPointers memory(session);
  check_all(session, memory);
}

TEST_CASE("Overlapping buffers: shared virtual memory and a buffer in it", "[overlapping_buffers]") {
  if (test::has_guests()) return; // buffers with the same host_ptr have memory of their own there
  const test::Session session;
  PointerAndBuffer memory(session);
  check_all(session, memory);
}

TEST_CASE("Overlapping buffers: unified memory of each kind", "[overlapping_buffers]") {
  if (!test::has_unified_memory()) return;
  const test::UnifiedMemory world;
  for (const test::Kind kind : test::kinds) {
    UnifiedPointers memory(world, kind);
    check_all(world.session, memory);
  }
}

TEST_CASE("Overlapping buffers: one that the kernel reaches by a pointer in a structure",
          "[overlapping_buffers]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    struct Reached { ulong count; global const uint* numbers; };
    kernel void k(global const struct Reached* in, global uint* out, global uint* other) {
      if (get_global_id(0) != 0) return;
      for (ulong i = 0; i < in->count; ++i) { *out += in->numbers[i] * 3 + 1; other[i] = in->numbers[i]; }
    })",
                                     "k");
  struct Reached {
    cl_ulong count;
    const cl_uint* numbers;
  };
  SharedPointers memory(session), others(session), holders(session);
  for (const Places& places : all_places) {
    std::vector<cl_uint> expected = memory.fill(places.out);
    others.fill(0);
    for (size_t i = 0; i < count; ++i)
      expected[places.out] += expected[places.in + i] * 3 + 1;
    new (holders.data()) Reached{count, memory.data() + places.in};
    holders.set(kernel, 0, 0);
    memory.set(kernel, 1, places.out);
    others.set(kernel, 2, 0);
    session.run(kernel, 1);
    CAPTURE(places.in, places.out);
    CHECK(memory.read() == expected);
  }
}

TEST_CASE("Overlapping buffers: an image of a buffer", "[overlapping_buffers]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(read_only image1d_buffer_t in, global uint* out, global uint* other, uint n) {
      if (get_global_id(0) != 0) return;
      for (uint i = 0; i < n; ++i) { other[i] = out[i]; out[i] = other[i] + 1; *other += read_imageui(in, (int)i).x; }
    })",
                                     "k");
  std::vector<cl_uint> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = cl_uint(i * i);
  auto buffer = session.buffer(values), other = session.buffer(std::vector<cl_uint>(count));
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
  description.image_width = count;
  description.buffer = buffer;
  constexpr cl_image_format format{CL_R, CL_UNSIGNED_INT32};
  cl_int error = 1;
  const test::Buffer image(
      clCreateImage(session.context, CL_MEM_READ_ONLY, &format, &description, nullptr, &error));
  REQUIRE_CL(error);
  test::set_arguments(kernel, image, buffer, other, cl_uint(count));
  session.run(kernel, 1);
  cl_uint sum = values[0];
  for (size_t i = 0; i < count; ++i)
    sum += values[i] + 1; // what the statement before has just written
  CHECK(session.read<cl_uint>(other, 1)[0] == sum);
  std::vector<cl_uint> written = values;
  for (cl_uint& value : written)
    ++value;
  CHECK(session.read<cl_uint>(buffer, count) == written);
}

TEST_CASE("Overlapping buffers: one that the kernel reaches by a program-scope variable",
          "[overlapping_buffers]") {
  const test::Session session;
  const auto program = session.build(R"(
    global uint* kept;
    kernel void keep(global uint* numbers) { if (get_global_id(0) == 0) kept = numbers; }
    kernel void k(global const uint* in, global uint* out, uint n) {
      if (get_global_id(0) != 0) return;
      for (uint i = 0; i < n; ++i) { out[1] += in[i] + 1; kept[2] += out[1]; out[2] ^= kept[1]; }
    })",
                                     "-cl-std=CL3.0");
  const auto keep = session.kernel(program, "keep"), kernel = session.kernel(program, "k");
  SharedPointers memory(session), others(session);
  for (const size_t place : {size_t{0}, size_t{1}, size_t{64}}) {
    std::vector<cl_uint> expected = others.fill(0);
    const std::vector<cl_uint> in = memory.fill(0);
    for (size_t i = 0; i < count; ++i) {
      expected[1] += in[i] + 1;
      expected[place + 2] += expected[1];
      expected[2] ^= expected[place + 1];
    }
    others.set(keep, 0, place);
    session.run(keep, 1);
    memory.set(kernel, 0, 0);
    others.set(kernel, 1, 0);
    REQUIRE_CL(test::set_argument(kernel, 2, cl_uint(count)));
    session.run(kernel, 1);
    CAPTURE(place);
    CHECK(others.read() == expected);
  }
}

TEST_CASE("Overlapping buffers: parts that follow each other, and pointers to the end of one",
          "[overlapping_buffers]") {
  const test::Session session;
  const auto program = session.build(R"(
    kernel void chosen(global uint* a, global uint* b, uint n) {
      if (get_global_id(0) != 0) return;
      global uint* end = a + n;
      global uint* p = b == end ? b : end;
      for (uint i = 0; i < n; ++i) *p += b[i] + 1;
    }
    kernel void branched(global uint* a, global uint* b, uint n) {
      if (get_global_id(0) != 0 || b != a + n) return;
      for (uint i = 0; i < n; ++i) *b += b[i] + 1;
    }
    kernel void numbered(global uint* a, global uint* b, uint n) {
      if (get_global_id(0) != 0) return;
      union { global uint* pointer; ulong number; } p, end;
      p.pointer = b;
      end.pointer = a + n;
      if (p.number != end.number) return;
      for (uint i = 0; i < n; ++i) *p.pointer += b[i] + 1;
    })");
  for (const char* name : {"chosen", "branched", "numbered"}) {
    const auto kernel = session.kernel(program, name);
    std::vector<cl_uint> expected(2 * count);
    std::iota(expected.begin(), expected.end(), cl_uint{3});
    const auto whole = session.buffer(expected);
    std::vector<test::Buffer> parts;
    for (const size_t place : {size_t{0}, count}) {
      const cl_buffer_region region{place * sizeof(cl_uint), count * sizeof(cl_uint)};
      cl_int error = 1;
      parts.emplace_back(clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error));
      REQUIRE_CL(error);
    }
    for (size_t i = 0; i < count; ++i)
      expected[count] += expected[count + i] + 1;
    test::set_arguments(kernel, parts[0], parts[1], cl_uint(count));
    session.run(kernel, 1);
    CAPTURE(name);
    CHECK(session.read<cl_uint>(whole, 2 * count) == expected);
  }
}
