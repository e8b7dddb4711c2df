// HOSTCL_CHECK=races,divergence: what is found in kernels, and that nothing is in good ones. The findings come from the
// file HOSTCL_CHECK_REPORT, which CTest sets.

#include "support/catch.hpp"
#include "support/findings.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace {

using test::new_findings;

struct Case {
  const char* name;
  const char* source; ///< kernel void k(global int* a, local int* t)
  size_t global = 256, local = 64;
  /// What findings have: the check, the line, and more text; empty for kernels that are right.
  std::vector<std::string> expected = {};
};

void run(const Case& test, int launches = 1) {
  const test::Session session;
  const test::Kernel kernel = session.kernel(test.source, "k", "-cl-std=CL3.0");
  const test::Buffer a = session.buffer(std::vector<int>(4096));
  test::set_arguments(kernel, a, test::Local{4096});
  new_findings();
  for (int i = 0; i < launches; ++i)
    session.run(kernel, test.global, test.local);
  const std::vector<std::string> found = new_findings();
  std::string all;
  for (const std::string& line : found)
    all += line + "\n";
  CAPTURE(all);
  if (test.expected.empty()) {
    CHECK(found.empty());
    return;
  }
  auto has_all = [&](const std::string& line) {
    return std::ranges::all_of(test.expected,
                               [&](const std::string& part) { return line.find(part) != std::string::npos; });
  };
  CHECK(std::ranges::any_of(found, has_all));
}

// The macros end in two texts that are one.
// NOLINTBEGIN(bugprone-suspicious-missing-comma)
#define RACE(line) R"("check":"races")", "\"line\":" #line ","
#define DIVERGENCE(line) R"("check":"divergence")", "\"line\":" #line ","

const Case wrong[] = {
    {"a neighbour's element is read without a barrier",
     R"(kernel void k(global int* a, local int* t) {
  size_t i = get_local_id(0);
  t[i] = i;
  a[get_global_id(0)] = t[(i + 1) % 64];
})",
     256,
     64,
     {RACE(4), R"("object":"argument 1, 't', of 4096 bytes")", R"("access":"read")", R"("other":{)"}},
    {"a fence is no barrier",
     R"(kernel void k(global int* a, local int* t) {
  size_t i = get_local_id(0);
  t[i] = i;
  mem_fence(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[i ^ 1];
})",
     256,
     64,
     {RACE(5)}},
    {"a loop without a barrier at its end",
     R"(kernel void k(global int* a, local int* t) {
  size_t i = get_local_id(0);
  int sum = 0;
  for (int r = 0; r < 3; ++r) {
    t[i] = i + r;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum += t[63 - i];
  }
  a[get_global_id(0)] = sum;
})",
     256,
     64,
     {RACE(5), R"("access":"write")"}},
    {"a barrier for local memory does not order global memory",
     R"(kernel void k(global int* a, local int* t) {
  size_t i = get_global_id(0);
  a[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[i + 1024] = a[i ^ 1];
})",
     256,
     64,
     {RACE(5)}},
    {"all write one local variable",
     R"(kernel void k(global int* a, local int* t) {
  local int last;
  last = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = last;
})",
     256,
     64,
     {RACE(3), R"("access":"write")", "variable 'last'"}},
    {"what is read goes into a volatile variable and is used by nothing",
     R"(kernel void k(global int* a, local int* t) {
  t[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  volatile int x;
  x = t[get_local_id(0)];
  atomic_inc(t);
})",
     64,
     64,
     {RACE(6)}},
    {"groups add to one place",
     R"(kernel void k(global int* a, local int* t) {
  if (get_local_id(0) == 0)
    a[0] += 1;
})",
     256,
     64,
     {RACE(3), R"("group_id":[)"}},
    {"a group reads what another has written",
     R"(kernel void k(global int* a, local int* t) {
  a[get_global_id(0)] = 1 + (int)get_global_id(0);
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0) + 1024] = a[(get_global_id(0) + 64) % 256];
})",
     256,
     64,
     {RACE(4)}},
    {"one access is atomic, the other is not",
     R"(kernel void k(global int* a, local int* t) {
  atomic_add(&a[0], 1);
  if (get_global_id(0) == 9)
    a[1] = a[0];
})",
     64,
     64,
     {RACE(4)}},
    {"a relaxed flag orders nothing",
     R"(kernel void k(global int* a, local int* t) {
  global atomic_int* count = (global atomic_int*)(a + 1024);
  if (get_local_id(0) != 0) return;
  a[get_group_id(0)] = get_group_id(0) + 1;
  if (atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device) == 3)
    a[100] = a[0] + a[1] + a[2] + a[3];
})",
     256,
     64,
     {R"("check":"races")"}},
    {"written after the flag was set",
     R"(kernel void k(global int* a, local int* t) {
  global atomic_int* count = (global atomic_int*)(a + 1024);
  if (get_local_id(0) != 0) return;
  int before = atomic_fetch_add(count, 1);
  a[get_group_id(0)] = get_group_id(0) + 1;
  if (before == 3)
    a[100] = a[0] + a[1] + a[2] + a[3];
})",
     256,
     64,
     {R"("check":"races")"}},
    {"bytes of one word that overlap",
     R"(kernel void k(global int* a, local int* t) {
  global uchar* b = (global uchar*)a;
  b[get_global_id(0) / 2] = get_global_id(0);
})",
     64,
     64,
     {RACE(3)}},
    {"warp-synchronous reduction",
     R"(kernel void k(global int* a, local int* t) {
  size_t i = get_local_id(0);
  t[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 16) t[i] += t[i + 16];
  if (i < 8) t[i] += t[i + 8];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i == 0) a[get_group_id(0)] = t[0];
})",
     64,
     64,
     {RACE(6)}},
    {"a barrier for half of the work-items",
     R"(kernel void k(global int* a, local int* t) {
  size_t i = get_local_id(0);
  if (i < 48)
    barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = i;
})",
     64,
     64,
     {DIVERGENCE(3), R"("reaching":48,"others":16)", R"("barrier":{)"}},
    {"a return in front of a barrier",
     R"(kernel void k(global int* a, local int* t) {
  if (get_global_id(0) >= 100) return;
  t[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[0];
})",
     128,
     64,
     {DIVERGENCE(2), R"("reaching":36,"others":28)", R"("group_id":[1,0,0])"}},
    {"loops around a barrier with different counts",
     R"(kernel void k(global int* a, local int* t) {
  int sum = 0;
  for (size_t i = get_local_id(0); i < 100; i += 64) {
    sum += i;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  a[get_global_id(0)] = sum;
})",
     64,
     64,
     {DIVERGENCE(3)}},
    {"a work-group function that not all reach",
     R"(kernel void k(global int* a, local int* t) {
  if (get_local_id(0) & 1)
    a[get_global_id(0)] = work_group_reduce_add(1);
})",
     64,
     64,
     {R"("check":"divergence")"}},
};
// NOLINTEND(bugprone-suspicious-missing-comma)

const Case right[] = {
    {"tree reduction", R"(kernel void k(global int* a, local int* t) {
  size_t i = get_local_id(0);
  t[i] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (size_t n = get_local_size(0) / 2; n > 0; n /= 2) {
    if (i < n) t[i] += t[i + n];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i == 0) a[1024 + get_group_id(0)] = t[0];
})"},
    {"histogram with local atomics", R"(kernel void k(global int* a, local int* t) {
  size_t i = get_local_id(0);
  if (i < 16) t[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_inc(&t[(i * 7) % 16]);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 16) atomic_add(&a[i], t[i]);
})"},
    {"double buffering", R"(kernel void k(global int* a, local int* t) {
  size_t i = get_local_id(0);
  local int *from = t, *to = t + 64;
  from[i] = i;
  for (int r = 0; r < 6; ++r) {
    barrier(CLK_LOCAL_MEM_FENCE);
    to[i] = from[i] + (i >= (1 << r) ? from[i - (1 << r)] : 0);
    local int* other = from;
    from = to;
    to = other;
  }
  a[get_global_id(0)] = from[i];
})"},
    {"last group reduces", R"(kernel void k(global int* a, local int* t) {
  global atomic_int* count = (global atomic_int*)(a + 2048);
  local int is_last;
  if (get_local_id(0) == 0) {
    a[1024 + get_group_id(0)] = get_group_id(0);
    is_last = atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (is_last && get_local_id(0) == 0) {
    int sum = 0;
    for (int g = 0; g < get_num_groups(0); ++g) sum += a[1024 + g];
    a[0] = sum;
  }
})",
     1024, 64},
    {"last group, with fences of OpenCL 1", R"(kernel void k(global int* a, local int* t) {
  if (get_local_id(0) != 0) return;
  a[1024 + get_group_id(0)] = get_group_id(0);
  mem_fence(CLK_GLOBAL_MEM_FENCE);
  if (atomic_inc(&a[2048]) == get_num_groups(0) - 1) {
    int sum = 0;
    for (int g = 0; g < get_num_groups(0); ++g) sum += a[1024 + g];
    a[0] = sum;
  }
})",
     1024, 64},
    {"ticket lock", R"(kernel void k(global int* a, local int* t) {
  global atomic_int* next = (global atomic_int*)a;
  global atomic_int* serving = (global atomic_int*)(a + 1);
  if (get_local_id(0) != 0) return;
  int mine = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);
  while (atomic_load_explicit(serving, memory_order_acquire, memory_scope_device) != mine) {}
  a[2] += 1;
  atomic_store_explicit(serving, mine + 1, memory_order_release, memory_scope_device);
})",
     1024, 64},
    {"a chain of groups", R"(kernel void k(global int* a, local int* t) {
  local int sum;
  global atomic_int* flags = (global atomic_int*)(a + 1024);
  size_t g = get_group_id(0);
  if (get_local_id(0) == 0) {
    if (g > 0)
      while (atomic_load_explicit(&flags[g - 1], memory_order_acquire, memory_scope_device) == 0) {}
    sum = g > 0 ? a[g - 1] + 1 : 1;
    a[g] = sum;
    atomic_store_explicit(&flags[g], 1, memory_order_release, memory_scope_device);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[2048 + get_global_id(0)] = sum;
})",
     512, 64},
    {"bitonic sort", R"(kernel void k(global int* a, local int* t) {
  size_t i = get_local_id(0);
  t[i] = (i * 37) % 64;
  for (int size = 2; size <= 64; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      size_t j = i ^ stride;
      int x = t[i], y = t[j];
      barrier(CLK_LOCAL_MEM_FENCE);
      bool up = (i & size) == 0;
      t[i] = (i < j) == up ? min(x, y) : max(x, y);
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[63 - i];
})"},
    {"work-group functions and asynchronous copies", R"(kernel void k(global int* a, local int* t) {
  event_t e = async_work_group_copy(t, a + get_group_id(0) * 64, 64, 0);
  wait_group_events(1, &e);
  int x = work_group_scan_inclusive_add(t[63 - get_local_id(0)]);
  x += work_group_broadcast(x, 7) + work_group_any(x > 3);
  t[get_local_id(0) + 64] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(a + 1024 + get_group_id(0) * 64, t + 64, 64, 0);
  wait_group_events(1, &e);
})"},
    {"bytes of one word", R"(kernel void k(global int* a, local int* t) {
  ((global uchar*)a)[get_global_id(0)] = get_global_id(0);
  ((global ushort*)(a + 1024))[get_global_id(0)] = get_global_id(0);
})"},
    {"all write the same value", R"(kernel void k(global int* a, local int* t) {
  a[0] = 7;
  if (get_global_id(0) % 3 == 0) a[1] = 1;
})"},
    {"conditions that are uniform in fact", R"(kernel void k(global int* a, local int* t) {
  t[get_local_id(0)] = 5;
  barrier(CLK_LOCAL_MEM_FENCE);
  int n = t[get_local_id(0)];
  for (int i = 0; i < n; ++i) {
    if (t[get_local_id(0)] == 5) barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] += i;
  }
})"},
    {"a barrier is reached in different ways", R"(kernel void k(global int* a, local int* t) {
  int l = get_local_id(0), n = get_local_size(0), r = 0;
  t[l] = l;
  if (l % 2) { r = 10; } else { if (t[l] > n) goto skip; r = 20; }
  barrier(CLK_LOCAL_MEM_FENCE);
  r += t[n - 1 - l];
skip:
  a[get_global_id(0)] = r;
})"},
    {"whole groups return", R"(kernel void k(global int* a, local int* t) {
  if (get_group_id(0) & 1) return;
  t[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[63 - get_local_id(0)];
})"},
    {"sub-group collectives", R"(kernel void k(global int* a, local int* t) {
  int lane = get_sub_group_local_id(), first = get_local_id(0) - lane;
  t[get_local_id(0)] = lane;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = sub_group_reduce_add(t[first + (lane ^ 1) % (int)get_sub_group_size()]);
})"},
};

} // namespace

TEST_CASE("Races and divergence are found", "[races]") {
  for (const Case& test : wrong)
    DYNAMIC_SECTION(test.name) run(test);
}

TEST_CASE("Kernels without races have no report", "[races]") {
  for (const Case& test : right)
    DYNAMIC_SECTION(test.name) run(test);
}

// The thread that ran the group before runs it again, often with the launch's data at the same address.
TEST_CASE("One group, launch after launch, has no report", "[races]") {
  for (Case test : right)
    DYNAMIC_SECTION(test.name) {
      test.global = 64;
      run(test, 20);
    }
}
