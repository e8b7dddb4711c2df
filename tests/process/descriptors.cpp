// Descriptors that the driver keeps between calls, and applications that close what they do not know.

#include "process/own_process.hpp"
#include "process/semaphores.hpp"
#include "process/servers/processes.hpp"
#include "process/world.hpp"
#include "support/catch.hpp"
#include "support/forked.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

using namespace test;

struct Setting {
  const char *name, *value;
};

/// What each setting has the driver keep, beside servers, each of which has four descriptors (docs/runtime.md).
struct Feature {
  std::vector<Setting> settings;
  std::size_t descriptors;
};

std::vector<Feature> features(const std::string& folder) {
  static std::set<std::string> names;
  const auto file = [&](const char* name) { return names.insert(folder + "/" + name).first->c_str(); };
  return {
      {{}, 0},
      {{{"HOSTCL_COMPILER", "process"}}, 0},
      {{{"HOSTCL_TRACE", file("trace.json")}}, 1},
      {{{"HOSTCL_PERF", "map"}}, 1},
      {{{"HOSTCL_PERF", "jitdump"}, {"JITDUMPDIR", folder.c_str()}}, 1},
      {{{"HOSTCL_CHECK", "bounds"}, {"HOSTCL_CHECK_REPORT", file("report.jsonl")}}, 0},
      {{{"HOSTCL_CHECK", "uninitialised"}}, 1},
      {{{"HOSTCL_PROFILE", file("profile.html")}}, 0},
      {{{"HOSTCL_DEBUG", "1"}, {"HOSTCL_LOG", "error"}}, 0},
      {{{"HOSTCL_CACHE", "1"}, {"HOSTCL_CACHE_DIR", file("cache")}}, 0},
  };
}

/// A folder that is removed with the object.
class Folder {
public:
  Folder() { require(mkdtemp(path_.data()) != nullptr, "a folder"); }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  const std::string& path() const { return path_; }

private:
  std::string path_ = "/tmp/hostcl-descriptors-XXXXXX";
};

void set(const Feature& feature) {
  setenv("HOSTCL_CODE", "tier1", 1); // nothing is compiled in the background
  for (const Setting& setting : feature.settings)
    setenv(setting.name, setting.value, 1);
}

/// Builds and runs a program that was not there before, with a buffer that is large enough for a shadow in a file.
void run_job(int number) {
  World world(iterations_source("// program " + std::to_string(number) + "\n"));
  cl_mem large = clCreateBuffer(world.context, CL_MEM_READ_WRITE, std::size_t{64} << 20, nullptr, nullptr);
  require(large != nullptr && world.run(), "a job");
  clReleaseMemObject(large);
  world.release();
}

/// Files of an application: they show whether others use their descriptors.
class OwnFiles {
public:
  OwnFiles() {
    constexpr int many = 16;
    for (int i = 0; i < many; ++i) {
      files_.push_back(open("/tmp", O_TMPFILE | O_RDWR, 0600));
      require(write(files_.back(), text, sizeof text) == sizeof text, "a file");
      events_.push_back(eventfd(0, EFD_NONBLOCK));
      int ends[2];
      require(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends) == 0, "sockets");
      sockets_.insert(sockets_.end(), {ends[0], ends[1]});
    }
  }
  void check() const {
    char read_text[2 * sizeof text];
    for (const int file : files_)
      require(pread(file, read_text, sizeof read_text, 0) == sizeof text &&
                  std::memcmp(read_text, text, sizeof text) == 0,
              "a file has what the application wrote");
    std::uint64_t count;
    for (const int event : events_)
      require(read(event, &count, sizeof count) == -1 && errno == EAGAIN, "an eventfd has not been written");
    for (std::size_t i = 0; i < sockets_.size(); ++i)
      require(send(sockets_[i ^ 1], "x", 1, MSG_NOSIGNAL) == 1 && recv(sockets_[i], read_text, 2, 0) == 1 &&
                  recv(sockets_[i], read_text, 2, 0) == -1 && errno == EAGAIN,
              "a socket has what the application sent");
  }

private:
  static constexpr char text[] = "data of the application";
  std::vector<int> files_, events_, sockets_;
};

void close_all() {
  require(syscall(SYS_close_range, 3u, ~0u, 0u) == 0, "close_range()");
}

/// Has standard error go to a file that close_all() leaves.
void keep_errors() {
  require(dup2(open("/tmp", O_TMPFILE | O_RDWR, 0600), STDERR_FILENO) >= 0, "a file");
}
std::string errors() {
  std::string text(1 << 16, '\0');
  const ssize_t bytes = pread(STDERR_FILENO, text.data(), text.size(), 0);
  text.resize(bytes > 0 ? std::size_t(bytes) : 0);
  return text;
}

std::size_t kept_by(const Feature& feature) {
  return feature.descriptors + 4 * servers_of(getpid()).size();
}

} // namespace

TEST_CASE("the driver keeps the descriptors that its documents name, and no other", "[descriptors]") {
  const Folder folder;
  for (const Feature& feature : features(folder.path())) {
    INFO((feature.settings.empty() ? "plain" : feature.settings[0].name));
    CHECK(in_child([&] {
            set(feature);
            const std::size_t before = descriptors_of(getpid());
            run_job(1);
            require(descriptors_of(getpid()) == before + kept_by(feature), "in the process");
            if (!children_have_threads) return 0;
            return in_child([&] {
              run_job(2);
              require(descriptors_of(getpid()) == before + kept_by(feature), "in a child of fork()");
              return 0;
            });
          }) == 0);
  }
}

TEST_CASE("an application that has closed all descriptors has its own for itself", "[descriptors]") {
  const Folder folder;
  const bool in_fork = GENERATE(false, true);
  if (in_fork && !children_have_threads) return;
  for (const Feature& feature : features(folder.path())) {
    INFO((feature.settings.empty() ? "plain" : feature.settings[0].name) << ", fork: " << in_fork);
    CHECK(in_child([&] {
            set(feature);
            run_job(1);
            const auto go_on = [] {
              close_all();
              keep_errors();
              const OwnFiles files;
              for (int i = 2; i < 5; ++i)
                run_job(i);
              files.check();
              const std::string text = errors();
              require(std::ranges::count(text, '\n') <= 1, "one message");
              require(text.empty() || text.find("the application has closed") != text.npos, text.c_str());
              return 0;
            };
            return in_fork ? in_child(go_on) : go_on();
          }) == 0);
  }
}

TEST_CASE("semaphores go on with new descriptors after the application has closed theirs", "[descriptors]") {
  CHECK(in_child([] {
          World world;
          cl_command_queue other =
              clCreateCommandQueueWithProperties(world.context, world.device, nullptr, nullptr);
          const auto meet = [&](const SharedSemaphore& semaphore) {
            cl_event waited;
            semaphore.wait(other, &waited);
            clFlush(other);
            semaphore.signal(world.queue);
            clFlush(world.queue);
            const cl_int status = clWaitForEvents(1, &waited);
            clReleaseEvent(waited);
            return status;
          };
          const std::size_t before = descriptors_of(getpid());
          const SharedSemaphore old(world);
          require(meet(old) == CL_SUCCESS, "a signal arrives");
          require(descriptors_of(getpid()) == before + 2, "that of the semaphore and of the waiting thread");
          close_all();
          const OwnFiles files;
          require(meet(old) == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a lost semaphore's wait fails");
          const SharedSemaphore anew(world);
          require(meet(anew) == CL_SUCCESS && meet(anew) == CL_SUCCESS, "a new one's does not");
          old.release();
          require(meet(anew) == CL_SUCCESS, "nor when the lost one is released");
          files.check();
          return 0;
        }) == 0);
}

TEST_CASE("a timeline that others truncate begins anew", "[descriptors]") {
  const Folder folder;
  const std::string file = folder.path() + "/trace.json";
  CHECK(in_child([&] {
          set({{{"HOSTCL_TRACE", file.c_str()}}, 1});
          run_job(1);
          require(truncate(file.c_str(), 0) == 0, "truncate()");
          run_job(2);
          std::exit(0); // writes the last events
          return 0;
        }) == 0);
  const std::string text = content_of(file);
  CHECK(text.starts_with("{\"displayTimeUnit\""));
  CHECK(text.ends_with("]}\n"));
  CHECK(text.find("clEnqueueNDRangeKernel") != text.npos);
}

/// How many times the process has written to a file.
std::size_t count_writes() {
  std::ifstream counters("/proc/self/io");
  std::string name;
  for (std::size_t count = 0; counters >> name >> count;)
    if (name == "syscw:") return count;
  require(false, "/proc/self/io");
  return 0;
}

TEST_CASE("a timeline is written once a millisecond, or when 64 KiB are full", "[descriptors]") {
  const Folder folder;
  const std::string file = folder.path() + "/trace.json";
  CHECK(in_child([&] {
          set({{{"HOSTCL_TRACE", file.c_str()}}, 1});
          World world;
          require(world.run(), "a job");
          const std::size_t before = count_writes();
          const auto begin = std::chrono::steady_clock::now();
          for (int call = 0; call < 20'000; ++call)
            require(clFinish(world.queue) == CL_SUCCESS, "clFinish");
          const auto taken = std::chrono::steady_clock::now() - begin;
          const auto periods = static_cast<std::size_t>(taken / std::chrono::milliseconds(1));
          const std::size_t blocks = std::filesystem::file_size(file) >> 16;
          require(count_writes() - before <= periods + blocks + 2, "there are few writes");
          std::exit(0);
          return 0;
        }) == 0);
  const std::string text = content_of(file);
  std::size_t calls = 0;
  for (std::size_t place = 0; (place = text.find("\"clFinish\"", place)) != text.npos; ++place)
    ++calls;
  CHECK(calls >= 20'000); // exit() loses none
}

TEST_CASE("relative names of files are those of the folder in which the driver was loaded", "[descriptors]") {
  const Folder first, second;
  CHECK(in_child([&] {
          set({{{"HOSTCL_TRACE", "trace.json"},
                {"HOSTCL_PROFILE", "json:profile.json"},
                {"HOSTCL_CHECK", "bounds"},
                {"HOSTCL_CHECK_REPORT", "report.jsonl"},
                {"HOSTCL_CACHE", "1"},
                {"HOSTCL_CACHE_DIR", "cache"}},
               1});
          require(chdir(first.path().c_str()) == 0, "chdir()");
          cl_uint platforms;
          require(clGetPlatformIDs(0, nullptr, &platforms) == CL_SUCCESS, "the driver");
          require(chdir(second.path().c_str()) == 0, "chdir()");
          run_job(1);
          std::exit(0); // writes the profile
          return 0;
        }) == 0);
  for (const char* name : {"trace.json", "profile.json", "report.jsonl", "cache"})
    CHECK(std::filesystem::exists(first.path() + "/" + name));
  CHECK(std::filesystem::is_empty(second.path()));
}
