// The versions of a kernel that exist: those made ahead, and those that lack of memory leaves.

#include "compiler/abi/launch.hpp"
#include "compiler/code/variant.hpp"
#include "compiler/compiler.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>

using namespace hostcl;
using namespace hostcl::compiler;

namespace {

/// The size of allocations that are counted; the one whose number is `failing` fails.
std::atomic<std::size_t> counted_bytes = 0;
std::atomic<long> counted = 0, failing = -1;

} // namespace

void* operator new(std::size_t bytes) {
  if (bytes == counted_bytes.load(std::memory_order_relaxed) && counted++ == failing) throw std::bad_alloc();
  if (void* block = std::malloc(bytes ? bytes : 1)) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept {
  std::free(block);
}
void operator delete(void* block, std::size_t) noexcept {
  std::free(block);
}

namespace {

/// A std::map that tells the size of its nodes.
template <class T>
struct Measuring : std::allocator<T> {
  Measuring() = default;
  template <class U>
  Measuring(const Measuring<U>&) {}
  template <class U>
  struct rebind {
    using other = Measuring<U>;
  };
  T* allocate(std::size_t count) {
    counted_bytes = count * sizeof(T);
    return std::allocator<T>::allocate(count);
  }
};

/// From now on allocations count that are as large as an entry of a table of code by variants.
void count_entries() {
  using Entry = std::pair<const Variant, std::shared_ptr<int>>;
  std::map<Variant, std::shared_ptr<int>, std::less<>, Measuring<Entry>> table;
  table.emplace(Variant(), nullptr);
}

std::shared_ptr<Executable> program_of(std::string_view source,
                                       const Settings& settings = *default_settings()) {
  auto built = build(std::make_shared<const Settings>(settings), source, "-cl-std=CL3.0");
  REQUIRE(built.status == Status::success);
  return built.value.executable;
}

std::shared_ptr<Executable> new_program(int number) {
  return program_of("kernel void k(global int* o) { *o = " + std::to_string(number) + "; }");
}

constexpr abi::NDRange launch{{64, 1, 1}, {0, 0, 0}, {64, 1, 1}, {1, 1, 1}, 1, 0};

} // namespace

TEST_CASE("Kernel versions: code that there is no memory to note in the end is there for the next launch",
          "[kernel_versions]") {
  count_entries();
  new_program(0)->kernel(0).code(launch);
  auto program = new_program(1);
  counted = 0;
  REQUIRE(program->kernel(0).code(launch).status == Status::success);
  const long last = counted - 1; // the entry in the table of complete versions

  program = new_program(2);
  counted = 0;
  failing = last;
  const Status without_memory = program->kernel(0).code(launch).status;
  failing = -1;
  CHECK(without_memory == Status::out_of_memory);
  CHECK(program->kernel(0).code(launch).status == Status::success);
  counted_bytes = 0;
}

TEST_CASE("Kernel versions: code that is made ahead is for the width that is asked for",
          "[kernel_versions]") {
  constexpr abi::NDRange lines{{4096, 1, 1}, {0, 0, 0}, {128, 1, 1}, {32, 1, 1}, 1, 0};
  for (const unsigned width : {0u, 4u})
    for (const bool reversed : {false, true}) {
      Settings settings = *default_settings();
      settings.width = width;
      settings.reversed = reversed;
      for (const char* value : {"get_global_id(0)", "get_sub_group_local_id()"}) {
        const auto program = program_of(
            std::string("kernel void k(global uint* o) { o[get_global_id(0)] = ") + value + "; }", settings);
        program->kernel(0).compile_ahead();
        CAPTURE(width, reversed, value);
        CHECK(program->kernel(0).find(lines).code);
      }
    }
}

TEST_CASE("Kernel versions: the tier 0 code of a huge kernel is not optimised", "[kernel_versions]") {
  constexpr abi::NDRange lines{{4096, 1, 1}, {0, 0, 0}, {128, 1, 1}, {32, 1, 1}, 1, 0};
  for (const bool is_huge : {false, true}) {
    std::string source = "uint f(uint x, uint y) {";
    for (int step = 0; step < 64; ++step)
      source += " x = (x ^ y) * 5 + (x >> 3);";
    source += " return x; } kernel void k(global uint* o) { uint x = o[get_global_id(0)];";
    for (int call = 0; call < (is_huge ? 320 : 2); ++call)
      source += " x = f(x, " + std::to_string(call) + ");";
    const auto program = program_of(source + " o[get_global_id(0)] = x; }");
    const auto made = program->kernel(0).code(lines);
    CAPTURE(is_huge, made.log);
    REQUIRE(made.value.code);
    CHECK((made.value.code->width > 1) != is_huge);
    CHECK_FALSE(made.value.is_tier1);
  }
}

TEST_CASE("Kernel versions: code that no better one follows is not the one that is quick to make",
          "[kernel_versions]") {
  constexpr abi::NDRange lines{{4096, 1, 1}, {0, 0, 0}, {128, 1, 1}, {32, 1, 1}, 1, 0};
  // Vectors of it are much code: a CPU has no instruction that stores bytes of all lanes.
  std::string source = "kernel void k(global uchar* o, uint x) { x += get_global_id(0);";
  for (int step = 0; step < 96; ++step)
    source += " x = x * 5 + (x >> 7); o[x & 255] = x;";
  for (const bool expected : {true, false}) {
    Settings settings = *default_settings();
    settings.has_tier1 = expected;
    const auto program = program_of(source + " }", settings);
    const auto first = program->kernel(0).code(lines);
    CAPTURE(expected, first.log);
    REQUIRE(first.value.code);
    CHECK_FALSE((expected && first.value.is_tier1));
    const auto best = program->kernel(0).tier1_code(lines);
    REQUIRE(best.value.code);
    CHECK((first.value.code->width > 1) == (!expected && best.value.code->width > 1));
  }
}

TEST_CASE("Kernel versions: a kernel that is launched in ever new ways has a bounded number of them",
          "[kernel_versions]") {
  const auto program = program_of("kernel void k(global uint* a, global uint* b) {"
                                  "  for (uint i = 0; i < 4; ++i) a[get_global_id(0)] += b[i]; }");
  constexpr unsigned most = 32;
  unsigned launches = 0;
  for (const std::uint32_t disjoint : {0u, 1u})
    for (const std::uint64_t local : {1, 2, 4, 8, 16, 48})
      for (const std::uint64_t rows : {1, 2})
        for (const std::uint64_t more : {0, 1})
          for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1} << 32}) {
            const abi::NDRange shape{{local * 64 + more, rows, 1},
                                     {offset, 0, 0},
                                     {local, rows, 1},
                                     {64 + more, 1, 1},
                                     2,
                                     disjoint};
            REQUIRE(program->kernel(0).tier1_code(shape).value.code);
            ++launches;
          }
  CHECK(launches > 2 * most);
  CHECK(program->kernel(0).versions() == most);
}

TEST_CASE("Kernel versions: a choice says among how many it was made, and is not asked for twice",
          "[kernel_versions]") {
  const auto program = program_of("kernel void k(global uint* a) { a[get_global_id(0)] = 1; }");
  const KernelChoice first = program->kernel(0).code(launch).value;
  CHECK_FALSE(first.is_tier1);
  CHECK(first.versions == 1);
  CHECK(program->kernel(0).tier1_code(launch).value.versions == 2);
  const KernelChoice best = program->kernel(0).find(launch);
  CHECK(best.is_tier1);
  CHECK(best.versions == program->kernel(0).versions());
}

TEST_CASE("Kernel versions: one for buffers that are disjoint, if the kernel gains by it",
          "[kernel_versions]") {
  const auto versions = [](const char* body) {
    const auto program =
        program_of(std::string("kernel void k(global uint* a, global uint* b, uint n) { ") + body + " }");
    for (const std::uint32_t disjoint : {1u, 0u, 1u, 0u}) {
      abi::NDRange shape = launch;
      shape.buffers_disjoint = disjoint;
      REQUIRE(program->kernel(0).tier1_code(shape).value.is_tier1);
    }
    CHECK(program->kernel(0).gains_if_disjoint() == (program->kernel(0).versions() == 2));
    return program->kernel(0).versions();
  };
  CHECK(versions("for (uint i = 0; i < n; ++i) a[get_global_id(0)] += b[i];") == 2);
  CHECK(versions("for (uint i = 0; i < n; ++i) atomic_inc(&a[b[i]]);") == 2);
  CHECK(versions("a[get_global_id(0)] += b[get_global_id(0)];") == 1);
  CHECK(versions("uint s = 0; for (uint i = 0; i < n; ++i) s += b[i]; a[get_global_id(0)] = s;") == 1);
}

TEST_CASE("Kernel versions: code that is made ahead is for as many dimensions as the kernel asks about",
          "[kernel_versions]") {
  constexpr abi::NDRange line{{4096, 1, 1}, {0, 0, 0}, {128, 1, 1}, {32, 1, 1}, 1, 0};
  constexpr abi::NDRange plane{{512, 300, 1}, {0, 0, 0}, {16, 16, 1}, {32, 19, 1}, 2, 0};
  constexpr abi::NDRange space{{64, 30, 9}, {0, 0, 0}, {4, 4, 4}, {16, 8, 3}, 3, 0};
  const auto made_ahead = [](const std::string& place) {
    auto program = program_of("kernel void k(global uint* o) { o[" + place + "] = 1; }");
    program->kernel(0).compile_ahead();
    return program;
  };
  const auto one = made_ahead("get_global_id(0)"), two = made_ahead("get_global_id(0) + get_local_id(1)"),
             three = made_ahead("get_group_id(2)");
  CHECK(one->kernel(0).find(line).code);
  CHECK_FALSE(one->kernel(0).find(plane).code);
  CHECK(one->kernel(0).code(plane).value.code);
  CHECK(two->kernel(0).find(line).code);
  CHECK(two->kernel(0).find(plane).code);
  CHECK_FALSE(two->kernel(0).find(space).code);
  CHECK(three->kernel(0).find(space).code);
}
