// Local memory as arguments and as variables

#include "support/session.hpp"

namespace {

/// What a group of `local` items sees when each reads its neighbour's value.
void check_rotation(const test::Session& session, const test::Kernel& kernel, size_t global, size_t local) {
  const auto values = [&] {
    auto buffer = session.buffer(global * 4);
    REQUIRE_CL(test::set_argument(kernel, 0, buffer));
    session.run(kernel, global, local);
    return session.read<cl_uint>(buffer, global);
  }();
  size_t wrong = 0;
  for (size_t i = 0; i < global; ++i) {
    const size_t group = i / local, next = (i % local + 1) % local;
    wrong += values[i] != group * local + next;
  }
  CAPTURE(global, local);
  CHECK(wrong == 0);
}

} // namespace

TEST_CASE("Local memory: an argument is shared in the group", "[local_memory]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global uint* o, local uint* t) {
      size_t l = get_local_id(0);
      t[l] = get_global_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      o[get_global_id(0)] = t[(l + 1) % get_local_size(0)];
    })",
                                     "k");
  for (size_t local : {1, 2, 3, 16, 100, 1024, 4096}) {
    REQUIRE_CL(test::set_argument(kernel, 1, test::Local{local * 4}));
    check_rotation(session, kernel, local * 4, local);
  }
}

TEST_CASE("Local memory: a variable is shared in the group", "[local_memory]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global uint* o) {
      local uint t[512];
      size_t l = get_local_id(0);
      t[l] = get_global_id(0);
      barrier(CLK_LOCAL_MEM_FENCE);
      o[get_global_id(0)] = t[(l + 1) % get_local_size(0)];
    })",
                                     "k");
  for (size_t local : {1, 5, 64, 512})
    check_rotation(session, kernel, local * 64, local);
}

TEST_CASE("Local memory: arguments and variables of several types keep apart", "[local_memory]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    typedef struct { char c; double d; } Pair;
    kernel void k(global ulong* o, local char* a, local double2* b, local short* c) {
      local Pair pairs[8];
      local char bytes[3];
      local float4 vectors[8];
      size_t l = get_local_id(0);
      a[l] = l; b[l] = (double2)(l, l * 2); c[l] = l * 3;
      pairs[l].c = l; pairs[l].d = l * 5.0; vectors[l] = (float4)(l);
      if (l < 3) bytes[l] = l + 100;
      barrier(CLK_LOCAL_MEM_FENCE);
      ulong s = 0;
      for (int i = 0; i < 8; ++i)
        s += a[i] + (ulong)b[i].y + c[i] + pairs[i].c + (ulong)pairs[i].d + (ulong)vectors[i].w;
      s += bytes[0] + bytes[1] + bytes[2];
      s += 10000 * (((ulong)b % 16) + ((ulong)vectors % 16) + ((ulong)pairs % 8));
      o[get_global_id(0)] = s;
    })",
                                     "k");
  auto buffer = session.buffer(8 * 64);
  test::set_arguments(kernel, buffer, test::Local{8}, test::Local{128}, test::Local{16});
  session.run(kernel, 64, 8);
  CHECK(session.read<cl_ulong>(buffer, 64) == std::vector<cl_ulong>(64, 28 * (1 + 2 + 3 + 1 + 5 + 1) + 303));
}

TEST_CASE("Local memory: the largest types are aligned to their size", "[local_memory]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    typedef struct { long before[3]; long16 wide; char after; } Local;
    kernel void k(global ulong* misplaced, local char* first, local long16* second, local float16* third, long16 add) {
      local char byte;
      local Local variable;
      local double16 doubles[2];
      private Local own = {};
      size_t l = get_local_id(0);
      first[l] = byte = 1;
      if (l == 0) { variable.wide = add; second[0] = add + 1; third[0] = 1.0f; doubles[1] = 2.0; }
      own.wide = l;
      barrier(CLK_LOCAL_MEM_FENCE);
      misplaced[get_global_id(0)] = ((ulong)&variable.wide | (ulong)doubles | (ulong)second | (ulong)&own.wide) % 128 +
                                    (ulong)third % 64 + (variable.wide.sf + second->s0 + own.wide.s1 != 15 + l);
    })",
                                     "k");
  auto buffer = session.buffer(8 * 64);
  cl_long16 seven;
  std::fill(std::begin(seven.s), std::end(seven.s), 7);
  test::set_arguments(kernel, buffer, test::Local{4}, test::Local{128}, test::Local{64}, seven);
  session.run(kernel, 64, 4);
  CHECK(session.read<cl_ulong>(buffer, 64) == std::vector<cl_ulong>(64, 0));
}

TEST_CASE("Local and private variables are aligned as their attributes ask for", "[local_memory]") {
  const test::Session session;
  // The host looks at the addresses: the compiler takes the alignment for granted.
  const char* const text = R"(
    struct __attribute__((aligned(1024))) Record { int a[4]; };
    kernel void k(global ulong* places, global int* sum, int one) {
      local int first[8] __attribute__((aligned(256)));
      local int second[8] __attribute__((aligned(4096)));
      local struct Record shared;
      int array[4] __attribute__((aligned(256)));
      int scalar __attribute__((aligned(4096)));
      struct Record own;
      int l = get_local_id(0);
      for (int i = 0; i < 4; ++i) array[i] = own.a[i] = l;
      scalar = l;
      first[l & 7] = second[l & 7] = shared.a[l & 3] = 1;
      global ulong* place = places + 6 * get_global_id(0);
      place[0] = (ulong)first; place[1] = (ulong)second; place[2] = (ulong)&shared;
      place[3] = (ulong)array; place[4] = (ulong)&scalar; place[5] = (ulong)&own;
      WAIT;
      sum[get_global_id(0)] = array[one] + own.a[one] + *(volatile int*)&scalar - 3 * l +
                              first[l & 7] + second[l & 7] + shared.a[l & 3];
    })";
  const cl_ulong alignments[] = {256, 4096, 1024, 256, 4096, 1024};
  for (const char* options : {"-DWAIT=", "-DWAIT=barrier(CLK_LOCAL_MEM_FENCE)"}) {
    const auto kernel = session.kernel(text, "k", options);
    for (size_t local : {1, 3, 16}) {
      CAPTURE(options, local);
      const size_t count = local * 4;
      auto places = session.buffer(6 * 8 * count), sum = session.buffer(4 * count);
      test::set_arguments(kernel, places, sum, cl_int(1));
      session.run(kernel, count, local);
      size_t misplaced = 0, i = 0;
      for (cl_ulong place : session.read<cl_ulong>(places, 6 * count))
        misplaced += place % alignments[i++ % 6] != 0;
      CHECK(misplaced == 0);
      CHECK(session.read<cl_int>(sum, count) == std::vector<cl_int>(count, 3));
    }
  }
}

TEST_CASE("Local arguments are aligned as the attributes of their types ask for", "[local_memory]") {
  const test::Session session;
  const char* const text = R"(
    struct __attribute__((aligned(256))) Record { int a[4]; };
    struct __attribute__((aligned(4096))) Page { int a[4]; };
    kernel void k(global ulong* places, local int* tile, local struct Record* records, local struct Page* page,
                  local int* rest) {
      int l = get_local_id(0);
      tile[l] = records[l].a[3] = rest[l] = l;
      if (l == 0) page->a[0] = 7;
      WAIT;
      global ulong* place = places + 4 * get_global_id(0);
      place[0] = (ulong)records; place[1] = (ulong)page;
      place[2] = tile[l] + records[l].a[3] + rest[l] - 3 * l;
      place[3] = page->a[0];
    })";
  for (const char* options : {"-DWAIT=", "-DWAIT=barrier(CLK_LOCAL_MEM_FENCE)"}) {
    const auto kernel = session.kernel(text, "k", options);
    const bool waits = std::string(options) != "-DWAIT=";
    for (size_t local : {1, 3, 16}) {
      CAPTURE(options, local);
      const size_t count = local * 4;
      auto places = session.buffer(4 * 8 * count);
      test::set_arguments(kernel, places, test::Local{4 * local}, test::Local{256 * local}, test::Local{4096},
                          test::Local{4 * local});
      session.run(kernel, count, local);
      const auto seen = session.read<cl_ulong>(places, 4 * count);
      size_t wrong = 0;
      for (size_t i = 0; i < count; ++i)
        wrong += seen[4 * i] % 256 != 0 || seen[4 * i + 1] % 4096 != 0 || seen[4 * i + 2] != 0 ||
                 (waits && seen[4 * i + 3] != 7);
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("Local memory: all of it can be used", "[local_memory]") {
  const test::Session session;
  const auto bytes = test::device_value<cl_ulong>(CL_DEVICE_LOCAL_MEM_SIZE);
  const auto kernel = session.kernel(R"(
    kernel void k(global uint* o, local uchar* t, uint n) {
      for (uint i = get_local_id(0); i < n; i += get_local_size(0)) t[i] = i % 251;
      barrier(CLK_LOCAL_MEM_FENCE);
      uint s = 0;
      for (uint i = get_local_id(0); i < n; i += get_local_size(0)) s += t[n - 1 - i] == (n - 1 - i) % 251;
      atomic_add(o, s);
    })",
                                     "k");
  auto buffer = session.buffer(std::vector<cl_uint>(1, 0));
  test::set_arguments(kernel, buffer, test::Local{bytes}, cl_uint(bytes));
  session.run(kernel, 64, 32);
  CHECK(session.read<cl_uint>(buffer, 1)[0] == bytes * 2);
}

TEST_CASE("Local memory: pointers to it go to functions", "[local_memory]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    void put(local uint* t, uint i, uint v) { t[i] = v; }
    uint get(local const uint* t, uint i) { return t[i]; }
    kernel void k(global uint* o) {
      local uint t[64];
      size_t l = get_local_id(0);
      put(t, l, get_global_id(0));
      barrier(CLK_LOCAL_MEM_FENCE);
      o[get_global_id(0)] = get(t, (l + 1) % get_local_size(0));
    })",
                                     "k");
  check_rotation(session, kernel, 640, 64);
}

TEST_CASE("Local memory: groups at the same time do not see each other's", "[local_memory]") {
  const test::Session session;
  const auto kernel = session.kernel(R"(
    kernel void k(global uint* o) {
      local uint t[32];
      size_t l = get_local_id(0);
      for (uint iteration = 0; iteration < 20; ++iteration) {
        t[l] = get_group_id(0) * 32 + iteration + l;
        barrier(CLK_LOCAL_MEM_FENCE);
        uint bad = t[(l + 7) % 32] != get_group_id(0) * 32 + iteration + (l + 7) % 32;
        if (bad) atomic_inc(o);
        barrier(CLK_LOCAL_MEM_FENCE);
      }
    })",
                                     "k");
  auto buffer = session.buffer(std::vector<cl_uint>(1, 0));
  test::set_arguments(kernel, buffer);
  session.run(kernel, 32 * 2000, 32);
  CHECK(session.read<cl_uint>(buffer, 1)[0] == 0);
}
