// Limits of the process, read from folders that look like /proc and /sys/fs/cgroup.

#include "runtime/threads/process_limits.hpp"

#include "support/catch.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace hostcl::runtime;

namespace {

/// A folder with /proc and /sys, removed at the end. The machine has 64 GB of memory.
class FakeSystem {
public:
  explicit FakeSystem(const std::string& control_groups) {
    REQUIRE(mkdtemp(root_.data()));
    put("/proc/self/cgroup", control_groups);
    put("/proc/meminfo", "MemTotal:       67108864 kB\nMemFree:        1024 kB\n");
  }
  ~FakeSystem() { std::filesystem::remove_all(root_); }
  FakeSystem(const FakeSystem&) = delete;

  FakeSystem& put(const std::string& path, const std::string& text) {
    const std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
    return *this;
  }
  unsigned threads() const { return usable_threads(std::vector<unsigned>(64), root_); }
  unsigned threads_of(std::size_t processors) const {
    return usable_threads(std::vector<unsigned>(processors), root_);
  }
  std::uint64_t gigabytes() const { return usable_memory(root_) >> 30; }

private:
  std::string root_ = "/tmp/hostcl-limits-XXXXXX";
};

} // namespace

TEST_CASE("process limits: without limits the process has the whole machine", "[process_limits]") {
  FakeSystem system("0::/user/session");
  system.put("/sys/fs/cgroup/user/cpu.max", "max 100000").put("/sys/fs/cgroup/user/memory.max", "max");
  CHECK(system.threads() == 64);
  CHECK(system.gigabytes() == 64);
  CHECK(system.threads_of(3) == 3);
}

TEST_CASE("process limits: a container's own group is the root that it sees", "[process_limits]") {
  FakeSystem system("0::/");
  system.put("/sys/fs/cgroup/cpu.max", "200000 100000").put("/sys/fs/cgroup/memory.max", "4294967296");
  CHECK(system.threads() == 2);
  CHECK(system.gigabytes() == 4);
}

TEST_CASE("process limits: part of a processor is one, and a quota above the affinity mask has no effect",
          "[process_limits]") {
  FakeSystem system("0::/a");
  CHECK(system.put("/sys/fs/cgroup/a/cpu.max", "150000 100000").threads() == 2);
  CHECK(system.put("/sys/fs/cgroup/a/cpu.max", "5000 100000").threads() == 1);
  CHECK(system.put("/sys/fs/cgroup/a/cpu.max", "400000 100000").threads_of(3) == 3);
}

TEST_CASE("process limits: of nested groups the least limit holds", "[process_limits]") {
  FakeSystem system("0::/outer/middle/inner");
  system.put("/sys/fs/cgroup/outer/cpu.max", "300000 100000").put("/sys/fs/cgroup/outer/memory.max", "max");
  system.put("/sys/fs/cgroup/outer/middle/cpu.max", "max 100000");
  system.put("/sys/fs/cgroup/outer/middle/memory.max", "2147483648");
  system.put("/sys/fs/cgroup/outer/middle/inner/cpu.max", "800000 100000");
  system.put("/sys/fs/cgroup/outer/middle/inner/memory.max", "8589934592");
  CHECK(system.threads() == 3);
  CHECK(system.gigabytes() == 2);
}

TEST_CASE("process limits: version 1 has a hierarchy for each controller", "[process_limits]") {
  FakeSystem system("4:memory:/job\n3:cpuset:/other\n2:cpuacct,cpu:/job\n1:name=systemd:/\n0::/");
  system.put("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "400000");
  system.put("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000");
  system.put("/sys/fs/cgroup/memory/job/memory.limit_in_bytes", "3221225472");
  // The process is in this group of the hierarchy of cpuset alone.
  system.put("/sys/fs/cgroup/cpu/other/cpu.cfs_quota_us", "100000");
  system.put("/sys/fs/cgroup/cpu/other/cpu.cfs_period_us", "100000");
  CHECK(system.threads() == 4);
  CHECK(system.gigabytes() == 3);
}

TEST_CASE("process limits: files that say nothing limit nothing", "[process_limits]") {
  FakeSystem system("nonsense\n0::/a");
  system.put("/sys/fs/cgroup/a/cpu.max", "").put("/sys/fs/cgroup/a/memory.max", "0");
  CHECK(system.threads() == 64);
  CHECK(system.gigabytes() == 64);
  CHECK(system.put("/sys/fs/cgroup/a/cpu.max", "100000 0").threads() == 64);
  CHECK(system.put("/proc/meminfo", "").gigabytes() > 64);
}
