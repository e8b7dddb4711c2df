// Applications that give up a right between two builds, with HOSTCL_COMPILER=process, which CTest sets: the compiler
// reads nothing that the application can no longer read.

#include "process/own_process.hpp"
#include "process/servers/build.hpp"
#include "process/servers/processes.hpp"
#include "process/servers/refused_calls.hpp"
#include "process/world.hpp"
#include "support/catch.hpp"

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

using namespace test;

constexpr gid_t readers = 4242;

/// A folder with a header that its owner and a group may read.
class Header {
public:
  Header() {
    require(mkdtemp(folder.data()) != nullptr && chmod(folder.c_str(), 0755) == 0, "a folder");
    std::ofstream(file()) << "constant int secret = 12345;\n";
    is_of_others_ = chown(file().c_str(), 65534, readers) == 0 && chmod(file().c_str(), 0640) == 0;
  }
  ~Header() { std::filesystem::remove_all(folder); }
  Header(const Header&) = delete;
  std::string file() const { return folder + "/secret.h"; }
  bool is_of_others() const { return is_of_others_; }
  bool can_be_opened() const {
    const int opened = open(file().c_str(), O_RDONLY | O_CLOEXEC);
    if (opened >= 0) close(opened);
    return opened >= 0;
  }

  std::string folder = "/tmp/hostcl-rights-XXXXXX";

private:
  bool is_of_others_ = false;
};

/// The capabilities to read files of others.
bool drop_file_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  if (syscall(SYS_capget, &header, data) != 0) return false;
  constexpr std::uint32_t kept = ~(1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH);
  data[0].effective &= kept;
  data[0].permitted &= kept;
  return syscall(SYS_capset, &header, data) == 0;
}

bool is_any(const Header&) {
  return true;
}
bool joins_readers(const Header& header) {
  return header.is_of_others() && setgroups(1, &readers) == 0 && drop_file_capabilities();
}
bool has_own_mounts(const Header&) {
  return unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}

bool change_root(const Header& header) {
  const std::string root = header.folder + "/root";
  return mkdir(root.c_str(), 0755) == 0 && chroot(root.c_str()) == 0 && chdir("/") == 0;
}
bool drop_capabilities(const Header& header) {
  return header.is_of_others() && drop_file_capabilities();
}
bool leave_groups(const Header&) {
  return setgroups(0, nullptr) == 0;
}
bool filter_calls(const Header&) {
  refuse(SYS_openat, EACCES, 0);
  return true;
}
bool mount_over(const Header& header) {
  return mount("none", header.folder.c_str(), "tmpfs", 0, nullptr) == 0;
}
bool enter_landlock(const Header&) {
  landlock_ruleset_attr rules{};
  rules.handled_access_fs = LANDLOCK_ACCESS_FS_READ_FILE;
  const auto ruleset =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, sizeof rules.handled_access_fs, 0));
  return ruleset >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
}
bool has_no_new_privileges(const Header&) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

struct Right {
  const char* name;
  bool (*prepare)(const Header&); ///< what comes before OpenCL
  bool (*give_up)(const Header&);
};
constexpr Right rights[] = {
    {"the root folder", is_any, change_root},
    {"capabilities", is_any, drop_capabilities},
    {"groups", joins_readers, leave_groups},
    {"system calls", is_any, filter_calls},
    {"a folder below a mount", has_own_mounts, mount_over},
    {"files, by Landlock", is_any, enter_landlock},
    {"files, by Landlock, without new privileges", has_no_new_privileges, enter_landlock},
};

} // namespace

TEST_CASE("a source reads no file that the application has given up the right to read", "[given_up_rights]") {
  setenv("HOSTCL_CODE", "tier1", 1); // nothing is compiled in the background
  constexpr int refused = 77;
  for (const Right& right : rights) {
    INFO(right.name);
    const Header header;
    const int ending = in_child([&] {
      if (!right.prepare(header)) return refused;
      World world;
      const std::string include = "#include \"" + header.file() + "\"\n";
      require(build(world, include + "kernel void k(global int* p) { p[0] = secret; }").code == CL_SUCCESS,
              "the header is read at first");
      require(!servers_of(getpid()).empty(), "a server waits");
      if (!right.give_up(header)) return refused;
      require(!header.can_be_opened(), "the application cannot read the header any more");
      const Built built = build(world, include + "kernel void k(global int* p) { p[1] = secret; }");
      require(built.code == CL_BUILD_PROGRAM_FAILURE, "nor can a source");
      require(builds(world, 1), "a program that needs no file is built");
      return 0;
    });
    if (ending == refused)
      WARN("the system does not let this test give up " << right.name);
    else
      CHECK(ending == 0);
  }
}

TEST_CASE("a server waits as long as the application keeps its rights", "[given_up_rights]") {
  CHECK(in_child([] {
          setenv("HOSTCL_CODE", "tier1", 1);
          World world;
          require(builds(world, 1), "a build");
          const auto before = servers_of(getpid());
          require(!before.empty() && builds(world, 2) && servers_of(getpid()) == before,
                  "the same one builds");
          return 0;
        }) == 0);
}
