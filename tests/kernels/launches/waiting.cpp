// Kernels whose work-items wait for other work-items, sorted by the order of work-items that the waits need in order to
// end. No work-item waits for ever: after a number of polls, a work-item gives up, and all later waits give up as well.
// The results are then wrong.

#include "support/choice.hpp"
#include "support/session.hpp"

#include <cstdlib>

namespace {

/// What a kernel needs so that all of its waits end.
enum class Needs {
  nothing, ///< work-items wait only for work-items that have begun
  order,   ///< groups begin in ascending order
  groups,  ///< all groups make progress, in whatever order they begin
};

struct Kernel {
  const char* name;
  Needs needs;
  size_t groups, local;
  /// The element `o[i]` that each work-item `i`, with global size `n`, must leave.
  cl_uint (*expected)(cl_uint i, cl_uint n);
  const char* body;
};

/// Every kernel gets `s` (states, zero) and `o` (results, zero). `i`, `n`: global id and size; `l`, `m`: local id and
/// size; `g`, `k`: group id and number of groups.
constexpr const char* declarations = R"(
#define SCOPE memory_scope_device
#define LOAD(p) atomic_load_explicit(p, memory_order_acquire, SCOPE)
#define STORE(p, x) atomic_store_explicit(p, x, memory_order_release, SCOPE)
#define ADD(p, x) atomic_fetch_add_explicit(p, x, memory_order_acq_rel, SCOPE)
#define SWAP(p, x) atomic_exchange_explicit(p, x, memory_order_acq_rel, SCOPE)
#define FENCE atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_seq_cst, SCOPE)
#define BARRIER barrier(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
#define WAIT_WHILE(condition) \
  for (uint polls = LOAD(gave_up) ? MOST_POLLS : 0; condition; ) \
    if (++polls >= MOST_POLLS) { STORE(gave_up, 1); break; }
bool take(global atomic_uint* p, uint free, uint taken) {
  return atomic_compare_exchange_strong_explicit(p, &free, taken, memory_order_acq_rel, memory_order_acquire, SCOPE);
}
kernel void k(global atomic_uint* s, global volatile uint* o, global atomic_uint* gave_up) {
  const uint i = get_global_id(0), n = get_global_size(0), l = get_local_id(0), m = get_local_size(0);
  const uint g = get_group_id(0), k = get_num_groups(0);
)";

cl_uint number(cl_uint i, cl_uint) {
  return i;
}
template <cl_uint value>
cl_uint constant(cl_uint, cl_uint) {
  return value;
}
template <cl_uint value>
cl_uint at_0(cl_uint i, cl_uint) {
  return i == 0 ? value : 0;
}
cl_uint size_at_0(cl_uint i, cl_uint n) {
  return i == 0 ? n : 0;
}
cl_uint numbers_after(cl_uint i, cl_uint n) {
  return n - 1 - i;
}
cl_uint sum(cl_uint i, cl_uint) {
  return i * (i + 1) / 2;
}

// In groups of 32.
cl_uint local_number(cl_uint i, cl_uint) {
  return i % 32;
}
cl_uint sum_of_groups(cl_uint i, cl_uint n) {
  return sum(i / 32, n);
}
cl_uint number_of_pair(cl_uint i, cl_uint) {
  return i / 64;
}
cl_uint received(cl_uint i, cl_uint) {
  return i % 64 == 32 ? 5050 : 0;
}
cl_uint at_last_group(cl_uint i, cl_uint n) {
  return i == n - 32 ? 120 : 0;
}

/// The number of paths from the corner of a grid of 8 x 8.
cl_uint paths(cl_uint i, cl_uint n) {
  if (i == 0) return 1;
  return (i % 8 ? paths(i - 1, n) : 0) + (i / 8 ? paths(i - 8, n) : 0);
}

constexpr Kernel kernels[] = {
    // Locks.
    {"test and set", Needs::nothing, 16, 32, size_at_0, "WAIT_WHILE(SWAP(s, 1)) o[0] += 1; STORE(s, 0);"},
    {"test, then set", Needs::nothing, 16, 32, size_at_0,
     "WAIT_WHILE(LOAD(s) || SWAP(s, 1)) o[0] += 1; STORE(s, 0);"},
    {"compare and exchange", Needs::nothing, 16, 32, size_at_0,
     "WAIT_WHILE(!take(s, 0, i + 1)) o[0] += 1; STORE(s, 0);"},
    {"tickets", Needs::nothing, 16, 32, size_at_0,
     "const uint own = ADD(s, 1); WAIT_WHILE(LOAD(s + 1) != own) o[0] += 1; STORE(s + 1, own + 1);"},
    {"lock around a loop", Needs::nothing, 16, 32, at_0<1024>,
     "WAIT_WHILE(SWAP(s, 1)) for (uint j = 0; j < 2 + (o[0] & 1); ++j) o[0] += 1; o[0] -= o[0] & 1; STORE(s, "
     "0);"},
    {"volatile polling", Needs::nothing, 16, 32, size_at_0,
     "const uint own = atomic_inc((volatile global uint*)s); volatile global uint* turn = (volatile global "
     "uint*)s + 1;\n"
     "WAIT_WHILE(*turn != own) FENCE; o[0] += 1; FENCE; *turn = own + 1;"},
    {"queue lock", Needs::nothing, 16, 32, size_at_0, // Mellor-Crummey and Scott; s[1 + 2 * i]: next, locked
     "global atomic_uint* own = s + 1 + 2 * i; const uint before = SWAP(s, i + 1);\n"
     "if (before) { STORE(own + 1, 1); STORE(s + 1 + 2 * (before - 1), i + 1); WAIT_WHILE(LOAD(own + 1)) }\n"
     "o[0] += 1;\n"
     "if (LOAD(own) || !take(s, i + 1, 0)) { WAIT_WHILE(!LOAD(own)) STORE(s + 2 * LOAD(own), 0); }"},
    {"lock of the predecessor", Needs::nothing, 16, 32, size_at_0, // Craig, Landin and Hagersten
     "STORE(s + 1 + i, 1); const uint before = SWAP(s, i + 1);\n"
     "if (before) WAIT_WHILE(LOAD(s + before)) o[0] += 1; STORE(s + 1 + i, 0);"},
    {"bakery", Needs::nothing, 8, 32, at_0<8>,
     "if (l == 0) { uint most = 0; STORE(s + g, 1); FENCE;\n"
     "for (uint j = 0; j < k; ++j) most = max(most, LOAD(s + 32 + j)); STORE(s + 32 + g, most + 1); STORE(s "
     "+ g, 0);\n"
     "FENCE; for (uint j = 0; j < k; ++j) { WAIT_WHILE(LOAD(s + j)) uint its;\n"
     "WAIT_WHILE((its = LOAD(s + 32 + j)) && (its < most + 1 || (its == most + 1 && j < g))) }\n"
     "o[0] += 1; FENCE; STORE(s + 32 + g, 0); } BARRIER;"},
    {"Peterson", Needs::nothing, 2, 32, at_0<100>,
     "if (l == 0) for (uint j = 0; j < 50; ++j) { STORE(s + g, 1); FENCE; SWAP(s + 2, 1 - g); FENCE;\n"
     "WAIT_WHILE(LOAD(s + 1 - g) && LOAD(s + 2) == 1 - g) o[0] += 1; FENCE; STORE(s + g, 0); } BARRIER;"},
    {"two locks", Needs::nothing, 16, 32, size_at_0, // each takes the lower one first
     "const uint a = i % 5, b = (i + 1) % 5; WAIT_WHILE(SWAP(s + min(a, b), 1)) WAIT_WHILE(SWAP(s + max(a, "
     "b), 1))\n"
     "atomic_inc(o); STORE(s + a, 0); STORE(s + b, 0);"},
    {"readers and writers", Needs::nothing, 16, 32, size_at_0, // a writer adds 1 << 16, a reader 1
     "if (i % 4) { WAIT_WHILE(ADD(s, 1) >> 16 && (atomic_fetch_sub(s, 1), true)) const uint a = o[0], b = "
     "o[n];\n"
     "if (a != b) STORE(gave_up, 2); atomic_fetch_sub(s, 1); }\n"
     "else { WAIT_WHILE(!take(s, 0, 1 << 16)) o[0] += 4; o[n] += 4; atomic_fetch_sub(s, 1 << 16); }"},
    {"sequence lock", Needs::nothing, 16, 32, size_at_0,
     "if (l == 0) { uint was; WAIT_WHILE((was = LOAD(s)) & 1 || !take(s, was, was + 1)) FENCE;\n"
     "o[0] += m; o[n] += m; FENCE; STORE(s, was + 2); }\n"
     "else { uint was, a = 0, b = 0; WAIT_WHILE((was = LOAD(s)) & 1 || (a = o[0], b = o[n], FENCE, LOAD(s) "
     "!= was))\n"
     "if (a != b) STORE(gave_up, 2); }"},
    {"semaphore of three", Needs::nothing, 16, 32, size_at_0,
     "uint was; WAIT_WHILE((was = LOAD(s)) == 3 || !take(s, was, was + 1)) atomic_inc(o); "
     "atomic_fetch_sub(s, 1);"},
    {"lock of a group", Needs::nothing, 16, 32, local_number,
     "local atomic_uint lock; local uint next; if (l == 0) { atomic_init(&lock, 0); next = 0; } BARRIER;\n"
     "WAIT_WHILE(atomic_exchange_explicit(&lock, 1, memory_order_acq_rel, memory_scope_work_group))\n"
     "const uint own = next++; atomic_store_explicit(&lock, 0, memory_order_release, "
     "memory_scope_work_group);\n"
     "o[g * m + own] = own;"},
    {"the first one initialises", Needs::nothing, 16, 32, constant<1>,
     "if (take(s, 0, 1)) { for (uint j = 0; j < 100; ++j) STORE(s + 2, j); STORE(s + 1, 1); }\n"
     "WAIT_WHILE(!LOAD(s + 1)) o[i] = LOAD(s + 2) == 99;"},

    // Work in the order in which work-items or groups take it.
    {"queue of work", Needs::nothing, 16, 32, constant<1>,
     "for (;;) { const uint next = ADD(s, 1); if (next >= n) break; o[next] += 1; }"},
    {"stolen work", Needs::nothing, 16, 32, constant<1>, // s[g]: the next element of the group's own part
     "for (uint j = 0; j < k; ++j) for (const uint from = (g + j) % k;;) {\n"
     "const uint next = ADD(s + from, 1); if (next >= m) break; o[from * m + next] += 1; }"},
    {"scan by tickets", Needs::nothing, 16, 32,
     sum_of_groups, // s[1 + ticket]: sum of the groups before, and 1
     "local uint ticket, before; if (l == 0) { ticket = ADD(s, 1);\n"
     "if (ticket) WAIT_WHILE(!LOAD(s + ticket)) before = ticket ? LOAD(s + ticket) - 1 : 0;\n"
     "STORE(s + ticket + 1, before + ticket + 1); } BARRIER; o[ticket * m + l] = before + ticket;"},
    {"look-back by tickets", Needs::nothing, 16, 32,
     sum_of_groups, // s[ticket]: 1 << 30 sum of one, 2 << 30 of all
     "local uint ticket, before; if (l == 0) { ticket = ADD(s, 1); STORE(s + 1 + ticket, 1u << 30 | "
     "ticket);\n"
     "before = 0; for (uint j = ticket; j-- > 0; ) { uint its; WAIT_WHILE((its = LOAD(s + 1 + j)) == 0)\n"
     "before += its & 0xffff; if (its >> 31) break; } STORE(s + 1 + ticket, 2u << 30 | before + ticket); } "
     "BARRIER;\n"
     "o[ticket * m + l] = before + ticket;"},
    {"the last group", Needs::nothing, 16, 32, at_0<120>,
     "if (l == 0) { STORE(s + 1 + g, g); if (ADD(s, 1) == k - 1) { uint all = 0; for (uint j = 0; j < k; "
     "++j)\n"
     "all += LOAD(s + 1 + j); o[0] = all; } } BARRIER;"},

    // Groups that wait for groups with lower numbers.
    {"chained scan", Needs::order, 16, 32, sum_of_groups,
     "local uint before; if (l == 0) { if (g) WAIT_WHILE(!LOAD(s + g)) before = g ? LOAD(s + g) - 1 : 0;\n"
     "STORE(s + g + 1, before + g + 1); } BARRIER; o[i] = before + g;"},
    {"look-back", Needs::order, 40, 32, sum_of_groups,
     "local uint before; if (l == 0) { STORE(s + g, 1u << 30 | g);\n"
     "before = 0; for (uint j = g; j-- > 0; ) { uint its; WAIT_WHILE((its = LOAD(s + j)) == 0)\n"
     "before += its & 0xffff; if (its >> 31) break; } STORE(s + g, 2u << 30 | before + g); } BARRIER;\n"
     "o[i] = before + g;"},
    {"pairs of groups", Needs::order, 16, 32, number_of_pair,
     "if (l == 0 && g % 2 == 0) { o[n + g] = g / 2; STORE(s + g, 1); }\n"
     "if (g % 2) { WAIT_WHILE(!LOAD(s + g - 1)) o[i] = o[n + g - 1]; } else o[i] = g / 2;"},
    {"triangular solve", Needs::order, 64, 1,
     number, // row i has the element (i, j) for each bit that i + 1 has
     "uint x = i; for (uint bit = 1; bit <= i; bit <<= 1) { const uint j = i - bit; WAIT_WHILE(!LOAD(s + "
     "j))\n"
     "x += o[j] - j; } o[i] = x; STORE(s + i, 1);"},
    {"dependency counters", Needs::order, 64, 1, sum, // i waits for i - 1 and, if i is odd, for i / 2
     "WAIT_WHILE(LOAD(s + i) != (i != 0) + (i % 2 && i > 1 ? 1 : 0)) o[i] = i ? o[i - 1] + i : 0;\n"
     "if (i + 1 < n) ADD(s + i + 1, 1); if (2 * i + 1 < n && i) ADD(s + 2 * i + 1, 1);"},
    {"wavefront", Needs::order, 64, 1, paths, // 8 x 8: how many paths lead here
     "const uint x = i % 8, y = i / 8; uint paths = i == 0;\n"
     "if (x) { WAIT_WHILE(!LOAD(s + i - 1)) paths += o[i - 1]; }\n"
     "if (y) { WAIT_WHILE(!LOAD(s + i - 8)) paths += o[i - 8]; } o[i] = paths; STORE(s + i, 1);"},

    // Groups that wait for each other.
    {"global barriers", Needs::groups, 16, 32, constant<5>,
     "for (uint round = 1; round <= 5; ++round) { BARRIER; if (l == 0) { ADD(s, 1);\n"
     "WAIT_WHILE(LOAD(s) < round * k) } BARRIER; o[i] += LOAD(s) >= round * k; }"},
    {"barrier with a sense", Needs::groups, 16, 32, constant<5>,
     "for (uint sense = 1, round = 0; round < 5; ++round, sense ^= 1) { if (l == 0) {\n"
     "if (ADD(s, 1) == k - 1) { STORE(s, 0); STORE(s + 1, sense); } else WAIT_WHILE(LOAD(s + 1) != sense) }\n"
     "BARRIER; o[i] += 1; }"},
    {"dissemination barrier", Needs::groups, 16, 32, constant<5>, // 16 groups: 4 steps
     "for (uint round = 1; round <= 5; ++round) { if (l == 0) for (uint step = 0; step < 4; ++step) {\n"
     "ADD(s + step * k + (g + (1 << step)) % k, 1); WAIT_WHILE(LOAD(s + step * k + g) < round) } BARRIER; "
     "o[i] += 1; }"},
    {"ping-pong", Needs::groups, 2, 32, constant<50>,
     "for (uint j = 0; j < 50; ++j) { if (l == 0) { WAIT_WHILE(LOAD(s) != 2 * j + g) } BARRIER; o[i] += 1; "
     "BARRIER;\n"
     "if (l == 0) STORE(s, 2 * j + g + 1); }"},
    {"a token goes round", Needs::groups, 16, 32, constant<5>,
     "for (uint round = 0; round < 5; ++round) { if (l == 0) WAIT_WHILE(LOAD(s) != round * k + g) BARRIER; "
     "o[i] += 1;\n"
     "BARRIER; if (l == 0) STORE(s, round * k + g + 1); }"},
    {"the first waits for all", Needs::groups, 16, 32, at_0<120>,
     "if (l == 0) { if (g) { STORE(s + g, g); ADD(s, 1); } else { uint all = 0; WAIT_WHILE(LOAD(s) != k - "
     "1)\n"
     "for (uint j = 1; j < k; ++j) all += LOAD(s + j); o[0] = all; } } BARRIER;"},
    {"tree of groups", Needs::groups, 16, 32, at_0<120>,
     "if (l == 0) { uint all = g; for (uint c = 2 * g + 1; c <= 2 * g + 2 && c < k; ++c) { uint its;\n"
     "WAIT_WHILE((its = LOAD(s + c)) == 0) all += its - 1; } STORE(s + g, all + 1); if (g == 0) o[0] = all; "
     "} BARRIER;"},
    {"the next one first", Needs::groups, 64, 1, numbers_after,
     "if (i + 1 < n) { WAIT_WHILE(!LOAD(s + i + 1)) o[i] = o[i + 1] + 1; } STORE(s + i, 1);"},
    {"mailbox", Needs::groups, 16, 32, received, // even groups send 100 numbers, one at a time, to odd ones
     "if (l == 0) { global atomic_uint* box = s + (g & ~1u); uint all = 0; for (uint j = 1; j <= 100; ++j)\n"
     "if (g % 2 == 0) { WAIT_WHILE(LOAD(box)) STORE(box, j); }\n"
     "else { uint got; WAIT_WHILE((got = LOAD(box)) == 0) all += got; STORE(box, 0); } o[i] = all; } "
     "BARRIER;"},
    {"bounded queue", Needs::groups, 16, 32,
     at_last_group, // the last group takes what all others put into four places
     "if (l == 0) { if (g + 1 < k) { const uint at = ADD(s, 1); WAIT_WHILE(LOAD(s + 1) + 4 <= at)\n"
     "STORE(s + 2 + at % 4, g + 1); } else { uint all = 0, got; for (uint j = 0; j + 1 < k; ++j) {\n"
     "WAIT_WHILE((got = LOAD(s + 2 + j % 4)) == 0) all += got; STORE(s + 2 + j % 4, 0); STORE(s + 1, j + 1); "
     "}\n"
     "o[i] = all; } } BARRIER;"},
    {"two places in turn", Needs::groups, 16, 32, constant<1>,
     "if (l == 0) { if (g + 1 < k) for (uint polls = 0, at = 0; !LOAD(s + 2 * g + 2 + at); at ^= 1)\n"
     "if (++polls >= MOST_POLLS) { STORE(gave_up, 1); break; } STORE(s + 2 * g + 1, 1); } BARRIER; o[i] = "
     "1;"},
    {"a wait within a wait", Needs::groups, 16, 32, constant<1>,
     "if (l == 0) { if (g + 1 < k) for (uint polls = 0; !LOAD(s + g + 1);) { while (LOAD(s + k + g)) "
     "++polls;\n"
     "if (++polls >= MOST_POLLS) { STORE(gave_up, 1); break; } } STORE(s + g, 1); } BARRIER; o[i] = 1;"},
    {"one polls for its group", Needs::groups, 16, 32, constant<1>,
     "local uint done; if (l == 0) done = g + 1 == k; BARRIER; for (uint polls = 0; !done;) { BARRIER;\n"
     "if (l == 0) { done = LOAD(s + g + 1); if (++polls >= MOST_POLLS / 64) { STORE(gave_up, 1); done = 1; } "
     "}\n"
     "BARRIER; } if (l == 0) STORE(s + g, 1); o[i] = 1;"},
    {"one polls in a group of one", Needs::groups, 16, 1, constant<1>,
     "local uint done; if (l == 0) done = g + 1 == k; BARRIER; for (uint polls = 0; !done;) { BARRIER;\n"
     "if (l == 0) { done = LOAD(s + g + 1); if (++polls >= MOST_POLLS / 64) { STORE(gave_up, 1); done = 1; } "
     "}\n"
     "BARRIER; } if (l == 0) STORE(s + g, 1); o[i] = 1;"},
    {"one polls and broadcasts", Needs::groups, 16, 32, constant<1>,
     "uint done = g + 1 == k; for (uint polls = 0; !done;) { if (l == 0) { done = LOAD(s + g + 1);\n"
     "if (++polls >= MOST_POLLS / 64) { STORE(gave_up, 1); done = 1; } } done = work_group_broadcast(done, "
     "0); }\n"
     "if (l == 0) STORE(s + g, 1); o[i] = 1;"},
    {"neighbours step by step", Needs::groups, 16, 32, constant<10>,
     "for (uint step = 1; step <= 10; ++step) { o[i] += 1; BARRIER; if (l == 0) { STORE(s + g, step);\n"
     "if (g) { WAIT_WHILE(LOAD(s + g - 1) < step) } if (g + 1 < k) { WAIT_WHILE(LOAD(s + g + 1) < step) } } "
     "BARRIER; }"},
};

/// Whether the kernel's waits end here.
bool ends(Needs needs) {
  if (needs == Needs::nothing) return true;
#if __has_feature(thread_sanitizer)
  const bool has_fibers = false;
#else
  const bool has_fibers = test::is_hostcl() && !test::has_guests();
#endif
  const char* reverse = std::getenv("HOSTCL_REVERSE");
  return has_fibers || (needs == Needs::order && (!reverse || *reverse == '0'));
}

void check(const Kernel& kernel, const test::Session& session) {
  const std::string source = declarations + std::string(kernel.body) + "\n}";
  const auto k = session.kernel(source.c_str(), "k", "-cl-std=CL3.0 -DMOST_POLLS=0x10000000");
  const size_t items = kernel.groups * kernel.local;
  for (unsigned launch = 0; launch < 3; ++launch) {
    auto states = session.buffer(std::vector<cl_uint>(4 * items + 64)),
         results = session.buffer(std::vector<cl_uint>(2 * items)),
         gave_up = session.buffer(std::vector<cl_uint>(1));
    test::set_arguments(k, states, results, gave_up);
    session.run(k, items, kernel.local);
    CAPTURE(launch);
    REQUIRE(session.read<cl_uint>(gave_up, 1)[0] == 0);
    const auto found = session.read<cl_uint>(results, items);
    size_t wrong = 0;
    for (size_t i = 0; i < items; ++i)
      wrong += found[i] != kernel.expected(cl_uint(i), cl_uint(items));
    CHECK(wrong == 0);
  }
}

} // namespace

TEST_CASE("Waiting: waits of work-groups for each other end", "[waiting]") {
  const test::Session session;
  for (const Kernel& kernel : kernels) {
    if (!ends(kernel.needs)) continue;
    CAPTURE(kernel.name);
    check(kernel, session);
  }
}
