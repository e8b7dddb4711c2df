// cl_intel_unified_shared_memory 1.2.0: commands

#include "support/unified_memory.hpp"

#include <numeric>

namespace {

using test::Allocation, test::Kind, test::kinds;
using World = test::UnifiedMemory;

} // namespace

TEST_CASE("clEnqueueMemcpyINTEL: copies between all kinds and the host", "[unified_memory_commands]") {
  if (!test::has_unified_memory()) return;
  const World w;
  std::vector<int> values(1000), back(1000);
  std::iota(values.begin(), values.end(), 5);
  for (const Kind from : kinds)
    for (const Kind to : kinds) {
      Allocation a(w, from, 4000), b(w, to, 4000);
      const auto copy = [&](void* target, const void* source, cl_bool blocking) {
        REQUIRE_CL(
            w.f.clEnqueueMemcpyINTEL(w.session.queue, blocking, target, source, 4000, 0, nullptr, nullptr));
      };
      std::fill(back.begin(), back.end(), 0);
      copy(a.data, values.data(), CL_FALSE);
      copy(b.data, a.data, CL_FALSE);
      copy(back.data(), b.data, CL_TRUE);
      CHECK(back == values);
    }
}

TEST_CASE("clEnqueueMemcpyINTEL: each error of its list", "[unified_memory_commands]") {
  if (!test::has_unified_memory()) return;
  const World w;
  Allocation a(w, Kind::shared, 4096);
  const auto copy = [&](cl_command_queue queue, void* to, const void* from, cl_uint count = 0,
                        const cl_event* waits = nullptr) {
    return w.f.clEnqueueMemcpyINTEL(queue, CL_TRUE, to, from, 64, count, waits, nullptr);
  };
  CHECK_STATUS(copy(nullptr, a.data, a.data + 100), CL_INVALID_COMMAND_QUEUE);
  CHECK_STATUS(copy(w.session.queue, nullptr, a.data), CL_INVALID_VALUE);
  CHECK_STATUS(copy(w.session.queue, a.data, nullptr), CL_INVALID_VALUE);
  CHECK_STATUS(copy(w.session.queue, a.data, a.data + 100, 1, nullptr), CL_INVALID_EVENT_WAIT_LIST);
  CHECK_STATUS(copy(w.session.queue, a.data, a.data + 15), CL_MEM_COPY_OVERLAP);
  CHECK_CL(copy(w.session.queue, a.data, a.data + 16));
  const auto failed = test::user_event(w.session.context);
  REQUIRE_CL(clSetUserEventStatus(failed, -5));
  const cl_event wait = failed;
  CHECK_STATUS(copy(w.session.queue, a.data, a.data + 100, 1, &wait),
               CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
  const auto other = test::make_context();
  const auto foreign = test::user_event(other);
  REQUIRE_CL(clSetUserEventStatus(foreign, CL_COMPLETE));
  const cl_event foreign_wait = foreign;
  CHECK_STATUS(copy(w.session.queue, a.data, a.data + 100, 1, &foreign_wait), CL_INVALID_CONTEXT);
}

TEST_CASE("clEnqueueMemFillINTEL: fills with patterns of every size", "[unified_memory_commands]") {
  if (!test::has_unified_memory()) return;
  const World w;
  Allocation memory(w, Kind::shared, 4096);
  for (size_t size = 1; size <= 128; size *= 2) {
    std::vector<unsigned char> pattern(size);
    std::iota(pattern.begin(), pattern.end(), static_cast<unsigned char>(size));
    REQUIRE_CL(w.f.clEnqueueMemFillINTEL(w.session.queue, memory.data, pattern.data(), size, 4096, 0, nullptr,
                                         nullptr));
    REQUIRE_CL(clFinish(w.session.queue));
    const auto* bytes = reinterpret_cast<unsigned char*>(memory.data);
    for (size_t i = 0; i < 4096; ++i)
      REQUIRE(bytes[i] == pattern[i % size]);
  }
}

TEST_CASE("clEnqueueMemFillINTEL: wrong pointers, patterns and sizes are CL_INVALID_VALUE",
          "[unified_memory_commands]") {
  if (!test::has_unified_memory()) return;
  const World w;
  Allocation memory(w, Kind::host, 4096);
  const char pattern[256] = {};
  const auto fill = [&](void* to, const void* data, size_t pattern_size, size_t size) {
    return w.f.clEnqueueMemFillINTEL(w.session.queue, to, data, pattern_size, size, 0, nullptr, nullptr);
  };
  CHECK_STATUS(fill(nullptr, pattern, 4, 64), CL_INVALID_VALUE);
  CHECK_STATUS(fill(reinterpret_cast<char*>(memory.data) + 1, pattern, 4, 64), CL_INVALID_VALUE);
  CHECK_STATUS(fill(memory.data, nullptr, 4, 64), CL_INVALID_VALUE);
  CHECK_STATUS(fill(memory.data, pattern, 3, 63), CL_INVALID_VALUE);
  CHECK_STATUS(fill(memory.data, pattern, 256, 256), CL_INVALID_VALUE);
  CHECK_STATUS(fill(memory.data, pattern, 4, 63), CL_INVALID_VALUE);
  CHECK_STATUS(w.f.clEnqueueMemFillINTEL(nullptr, memory.data, pattern, 4, 64, 0, nullptr, nullptr),
               CL_INVALID_COMMAND_QUEUE);
}

TEST_CASE("clEnqueueMemsetINTEL: sets bytes", "[unified_memory_commands]") {
  if (!test::has_unified_memory()) return;
  const World w;
  Allocation memory(w, Kind::device, 64);
  int value = 0;
  REQUIRE_CL(w.f.clEnqueueMemsetINTEL(w.session.queue, memory.data, 0x1ab, 64, 0, nullptr, nullptr));
  REQUIRE_CL(
      w.f.clEnqueueMemcpyINTEL(w.session.queue, CL_TRUE, &value, memory.data + 15, 4, 0, nullptr, nullptr));
  CHECK(static_cast<unsigned>(value) == 0xabababab);
}

TEST_CASE("Hints about unified memory are commands with events, and unknown ones CL_INVALID_VALUE",
          "[unified_memory_commands]") {
  if (!test::has_unified_memory()) return;
  const World w;
  Allocation memory(w, Kind::shared, 4096);
  const auto type_of = [](cl_event event) {
    cl_command_type type = 0;
    CHECK_CL(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, nullptr));
    return type;
  };
  test::Event migrated, advised, filled, copied;
  const int zero = 0;
  CHECK_CL(
      w.f.clEnqueueMigrateMemINTEL(w.session.queue, memory.data, 4096, 0, 0, nullptr, migrated.address()));
  CHECK_CL(w.f.clEnqueueMemAdviseINTEL(w.session.queue, memory.data, 4096, 0, 0, nullptr, advised.address()));
  CHECK_CL(
      w.f.clEnqueueMemFillINTEL(w.session.queue, memory.data, &zero, 4, 64, 0, nullptr, filled.address()));
  CHECK_CL(w.f.clEnqueueMemcpyINTEL(w.session.queue, CL_FALSE, memory.data, memory.data + 100, 64, 0, nullptr,
                                    copied.address()));
  CHECK(type_of(migrated) == CL_COMMAND_MIGRATEMEM_INTEL);
  CHECK(type_of(advised) == CL_COMMAND_MEMADVISE_INTEL);
  CHECK(type_of(filled) == CL_COMMAND_MEMFILL_INTEL);
  CHECK(type_of(copied) == CL_COMMAND_MEMCPY_INTEL);
  CHECK_STATUS(w.f.clEnqueueMigrateMemINTEL(w.session.queue, memory.data, 4096, 1 << 10, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
  CHECK_STATUS(w.f.clEnqueueMemAdviseINTEL(w.session.queue, memory.data, 4096, 1, 0, nullptr, nullptr),
               CL_INVALID_VALUE);
}
