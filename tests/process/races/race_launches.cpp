// HOSTCL_CHECK=races and tier 1 code that is made while a launch runs.

#include "support/catch.hpp"
#include "support/findings.hpp"
#include "support/session.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace {

// CTest makes huge kernels of them (HOSTCL_TEST_STEPS): their tier 0 code has no optimisations, and accesses that the best
// code has not, so that its granules or the numbers of its places are others.
const std::string head = R"((global int* a, uint n) {
  uint x = get_global_id(0);
  for (uint i = 0; i < n; ++i) x = x * 1664525 + (x ^ i);
)";
const std::string tail = R"(
  if (get_local_id(0) == 0 && get_group_id(0) % (get_num_groups(0) - 1) == 0)
    a[0] = get_group_id(0) + 1;
  a[64 + get_global_id(0)] = x;
})";

/// Each place is reported once in a process, so kernels have names of their own.
void check_first_with_last(const std::string& name, const std::string& dead) {
  constexpr size_t groups = 512;
  const std::string source =
      "kernel void " + name + head + "  if ((n & 1) + (n & 1) == 1) { " + dead + " }" + tail;
  const test::Session session;
  const test::Kernel kernel = session.kernel(source.c_str(), name.c_str());
  const test::Buffer a = session.buffer(std::vector<int>(64 * (groups + 1)));
  test::set_arguments(kernel, a, cl_uint{10'000});
  test::new_findings();
  session.run(kernel, 64 * groups, size_t{64});
  const std::vector<std::string> found = test::new_findings();
  CHECK(std::ranges::count_if(found, [](const std::string& line) {
          return line.find(R"("line":6,)") != std::string::npos &&
                 line.find(R"("line":6,)", line.find("other")) != std::string::npos;
        }) == 1);
}

} // namespace

TEST_CASE("A race of the first group with the last is found, whatever code is made meanwhile", "[races]") {
  SECTION("granules of other sizes") {
    check_first_with_last("granules", "((global uchar*)a)[x] += x;");
  }
  SECTION("places with other numbers") {
    std::string dead;
    for (int i = 0; i < 40; ++i)
      dead += "a[x + " + std::to_string(i) + "] += x;";
    check_first_with_last("places", dead);
  }
}
