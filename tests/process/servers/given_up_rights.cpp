// Applications that give up a right between two builds, and threads with different rights, with HOSTCL_COMPILER=process,
// which CTest sets: the compiler reads nothing that the thread that builds cannot read. The test is skipped if the system
// lets it give up no right at all.

#include "process/own_process.hpp"
#include "process/servers/build.hpp"
#include "process/servers/processes.hpp"
#include "process/servers/refused_calls.hpp"
#include "process/world.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

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

bool drop_capabilities(std::uint32_t dropped) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[2]{};
  if (syscall(SYS_capget, &header, data) != 0) return false;
  data[0].effective &= ~dropped;
  data[0].permitted &= ~dropped;
  return syscall(SYS_capset, &header, data) == 0;
}
constexpr std::uint32_t to_read_files = 1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH,
                        to_administrate = 1u << CAP_SYS_ADMIN;

/// Has the calling thread enter a Landlock domain that reads files below some of the root folder's entries alone.
template <class Condition>
bool enter_landlock(Condition is_readable) {
  landlock_ruleset_attr rules{};
  rules.handled_access_fs = LANDLOCK_ACCESS_FS_READ_FILE;
  const auto ruleset =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &rules, sizeof rules.handled_access_fs, 0));
  if (ruleset < 0) return false;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/", error)) {
    const int opened = open(entry.path().c_str(), O_PATH | O_CLOEXEC);
    const landlock_path_beneath_attr rule{LANDLOCK_ACCESS_FS_READ_FILE, opened};
    if (is_readable(entry.path()))
      syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(opened);
  }
  const bool is_entered = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
  close(ruleset);
  return is_entered;
}
bool reads_all(const std::filesystem::path&) {
  return true;
}
bool reads_no_header(const std::filesystem::path& path) {
  return path != "/tmp";
}

bool is_any(const Header&) {
  return true;
}
bool joins_readers(const Header& header) {
  return header.is_of_others() && setgroups(1, &readers) == 0 && drop_capabilities(to_read_files);
}
bool has_own_mounts(const Header&) {
  return unshare(CLONE_NEWNS) == 0 && mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
}
bool has_no_new_privileges(const Header&) {
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}
bool has_administration(const Header&) {
  return drop_capabilities(0) && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 0;
}

bool change_root(const Header& header) {
  const std::string root = header.folder + "/root";
  return mkdir(root.c_str(), 0755) == 0 && chroot(root.c_str()) == 0 && chdir("/") == 0;
}
bool give_up_capabilities(const Header& header) {
  return header.is_of_others() && drop_capabilities(to_read_files);
}
bool leave_groups(const Header&) {
  return setgroups(0, nullptr) == 0;
}
bool change_user(const Header& header) {
  return header.is_of_others() && setresuid(readers, readers, readers) == 0;
}
bool change_user_of_thread(const Header& header) {
  return header.is_of_others() && syscall(SYS_setresuid, readers, readers, readers) == 0;
}
bool filter_calls(const Header&) {
  return refuses(SYS_openat, EACCES, 0);
}
bool filter_another_call(const Header&) {
  return refuses(SYS_acct, EACCES, 0);
}
bool own_mounts_and_mount_over(const Header& header) {
  return has_own_mounts(header) && mount("none", header.folder.c_str(), "tmpfs", 0, nullptr) == 0;
}
bool mount_over(const Header& header) {
  return mount("none", header.folder.c_str(), "tmpfs", 0, nullptr) == 0;
}
bool forbid_nothing(const Header& header) {
  return has_no_new_privileges(header) && enter_landlock(reads_all);
}
bool forbid_header(const Header& header) {
  return has_no_new_privileges(header) && enter_landlock(reads_no_header);
}
bool forbid_all_files(const Header& header) {
  return has_no_new_privileges(header) && enter_landlock([](const auto&) { return false; });
}
bool give_up_administration(const Header&) {
  return drop_capabilities(to_administrate);
}
bool forbid_header_and_give_up_administration(const Header&) {
  return enter_landlock(reads_no_header) && drop_capabilities(to_administrate);
}

struct Right {
  const char* name;
  bool (*prepare)(const Header&); ///< what comes before OpenCL
  bool (*give_up)(const Header&);
};
constexpr Right rights[] = {
    {"the root folder", is_any, change_root},
    {"capabilities", is_any, give_up_capabilities},
    {"groups", joins_readers, leave_groups},
    {"the user", is_any, change_user},
    {"the user of a thread", is_any, change_user_of_thread},
    {"system calls", is_any, filter_calls},
    {"a folder below a mount", has_own_mounts, mount_over},
    {"a folder below a mount, by a namespace", is_any, own_mounts_and_mount_over},
    {"files, by Landlock", is_any, forbid_header},
    {"all files, by Landlock", is_any, forbid_all_files},
    {"files, by Landlock, without new privileges", has_no_new_privileges, forbid_header},
    {"files, by a second layer of Landlock", forbid_nothing, forbid_header},
};

/// Two threads give up different rights of one kind. The first one may still read the header.
struct TwoThreads {
  const char* name;
  bool (*prepare)(const Header&);
  bool (*first)(const Header&);
  bool (*second)(const Header&);
};
constexpr TwoThreads of_threads[] = {
    {"files, by one layer of Landlock for each of two threads", is_any, forbid_nothing, forbid_header},
    {"files, by Landlock in a thread that had the capability for it", has_administration,
     give_up_administration, forbid_header_and_give_up_administration},
    {"system calls, by one filter for each of two threads", is_any, filter_another_call, filter_calls},
};

constexpr int refused = 77;

std::string source(const Header& header, int number) {
  return "#include \"" + header.file() + "\"\nkernel void k(global int* p) { p[" + std::to_string(number) +
         "] = secret; }";
}

void require_that_header_is_read(const World& world, const Header& header) {
  require(build(world, source(header, 0)).code == CL_SUCCESS, "the header is read");
  require(!servers_of(getpid()).empty(), "a server waits");
}

void require_that_header_is_not_read(const World& world, const Header& header) {
  require(!header.can_be_opened(), "the application cannot read the header");
  require(build(world, source(header, 1)).code == CL_BUILD_PROGRAM_FAILURE, "nor can a source");
  require(builds(world, 1), "a program that needs no file is built");
}

int give_up(const Right& right) {
  const Header header;
  return in_child([&] {
    if (!right.prepare(header)) return refused;
    World world;
    require_that_header_is_read(world, header);
    if (!right.give_up(header)) return refused;
    require_that_header_is_not_read(world, header);
    return 0;
  });
}

/// @returns what the function returns on a thread of its own
template <class Function>
int in_thread(Function function) {
  int result = 1;
  std::thread([&] { result = function(); }).join();
  return result;
}

int give_up(const TwoThreads& right) {
  const Header header;
  return in_child([&] {
    if (!right.prepare(header)) return refused;
    World world;
    const int first = in_thread([&] {
      if (!right.first(header)) return refused;
      require_that_header_is_read(world, header);
      return 0;
    });
    return first ? first : in_thread([&] {
      if (!right.second(header)) return refused;
      require_that_header_is_not_read(world, header);
      return 0;
    });
  });
}

/// A thread that has given nothing up does not get the server of one that has.
int read_with_other_rights() {
  const Header header;
  return in_child([&] {
    World world;
    const int first = in_thread([&] {
      if (!has_no_new_privileges(header) || !forbid_header(header)) return refused;
      require_that_header_is_not_read(world, header);
      return 0;
    });
    if (first != 0) return first;
    require_that_header_is_read(world, header);
    return 0;
  });
}

bool has_failed = false, has_given_up = false;

void note(const char* name, int ending) {
  const char* result = ending == 0 ? "given up" : ending == refused ? "refused" : "FAILED";
  std::printf("%s: %s\n", name, result);
  has_failed = has_failed || (ending != 0 && ending != refused);
  has_given_up = has_given_up || ending == 0;
}

} // namespace

int main() {
  setenv("HOSTCL_CODE", "tier1", 1); // nothing is compiled in the background
  for (const Right& right : rights)
    note(right.name, give_up(right));
  for (const TwoThreads& right : of_threads)
    note(right.name, give_up(right));
  note("files, by Landlock, in another thread", read_with_other_rights());
  if (has_failed) return 1;
  return has_given_up ? 0 : refused;
}
