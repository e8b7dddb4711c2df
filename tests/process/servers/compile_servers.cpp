// Compile servers (compiler/server/server.hpp): HOSTCL_COMPILER=process, which CTest sets. Each case has an application
// of its own.

#include "process/own_process.hpp"
#include "process/servers/build.hpp"
#include "process/servers/processes.hpp"
#include "process/servers/watched_source.hpp"
#include "process/world.hpp"
#include "support/catch.hpp"
#include "support/forked.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace test;

bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 10'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

const std::string endless_source = doubling("+ 1", 40) + "#if 1 M40\n#endif\nkernel void k() {}";

/// An application that builds, writes the numbers of its servers to `servers`, and ends. A child of it has copies of all its
/// descriptors until the test closes its end of `over`.
[[noreturn]] void end_with_servers(bool is_killed, bool is_compiling, int servers, const int (&over)[2]) {
  World world;
  if (!builds(world, 1)) _exit(1);
  if (is_compiling) {
    const WatchedHeader header;
    std::thread([&world, source = header.include() + endless_source] { build(world, source); }).detach();
    if (!header.is_read()) _exit(1);
  }
  for (const pid_t server : servers_of(getpid()))
    if (write(servers, &server, sizeof server) != sizeof server) _exit(1);
  if (fork() == 0) {
    close(servers);
    close(over[1]);
    char none;
    _exit(static_cast<int>(read(over[0], &none, 1))); // returns when the test has closed the other end
  }
  close(servers);
  if (is_killed) raise(SIGKILL);
  _exit(0);
}

std::atomic<int> child_signals = 0;
void on_child(int) {
  ++child_signals;
}

} // namespace

TEST_CASE("programs are compiled by another process", "[servers]") {
  CHECK(in_child([] {
          World world;
          require(world.run() && !servers_of(getpid()).empty(), "a process compiles");
          const Built built = build(world, "kernel void k() { none(); }");
          require(built.code == CL_BUILD_PROGRAM_FAILURE &&
                      built.log.find("program.cl:1:19: error:") != built.log.npos,
                  "the log is clang's");
          return 0;
        }) == 0);
}

TEST_CASE("a build whose server is killed goes on in another one", "[servers]") {
  CHECK(in_child([] {
          World world;
          Built built;
          const WatchedHeader header;
          const std::string long_source = doubling("+ 1", 18) + "#if 1 M18\n#endif\nkernel void k() {}";
          std::thread builder([&] { built = build(world, header.include() + long_source); });
          require(header.is_read(), "a process compiles");
          for (const pid_t server : servers_of(getpid()))
            kill(server, SIGKILL);
          builder.join();
          require(built.code == CL_SUCCESS, built.log.c_str());
          return 0;
        }) == 0);
}

TEST_CASE("a build whose servers are all killed lacks memory", "[servers]") {
  CHECK(in_child([] {
          World world;
          Built built;
          std::atomic<bool> has_ended = false;
          std::thread builder([&] {
            built = build(world, endless_source);
            has_ended = true;
          });
          while (!has_ended)
            for (const pid_t server : servers_of(getpid()))
              kill(server, SIGKILL);
          builder.join();
          require(built.code == CL_OUT_OF_HOST_MEMORY, "the build's error");
          require(built.log.find("ended by signal 9 (SIGKILL)") != built.log.npos, built.log.c_str());
          require(builds(world, 1), "the next build starts another process");
          return 0;
        }) == 0);
}

TEST_CASE("a server that is killed between two builds is not missed", "[servers]") {
  CHECK(in_child([] {
          World world;
          for (int i = 0; i < 5; ++i) {
            const std::vector<pid_t> servers = servers_of(getpid());
            for (const pid_t server : servers)
              kill(server, SIGKILL);
            require(comes_true([&] { return std::ranges::all_of(servers, has_ended); }), "it ends");
            require(builds(world, i), "the next build starts another process");
          }
          return 0;
        }) == 0);
}

TEST_CASE("a server is started as the dynamic loaders of old C libraries can", "[servers]") {
  CHECK(in_child([] {
          World world;
          require(builds(world, 1), "a build");
          for (const pid_t server : servers_of(getpid())) {
            const std::string line = content_of("/proc/" + std::to_string(server) + "/cmdline");
            // glibc 2.28's knows no option that is of use here.
            require(line[line.find('\0') + 1] == '/', "the loader gets the driver's file, and no option");
          }
          return 0;
        }) == 0);
}

TEST_CASE("a server that gives up ends", "[servers]") {
  CHECK(in_child([] {
          World world;
          require(builds(world, 1), "a build");
          const std::vector<pid_t> before = servers_of(getpid());
          const std::string deep = deep_source();
          // One that makes code in the background is not asked.
          for (int i = 0; i < 5 && std::ranges::none_of(before, has_ended); ++i) {
            const Built built = build(world, deep);
            require(built.log.find("nested too deeply") != built.log.npos, built.log.c_str());
          }
          require(comes_true([&] { return std::ranges::any_of(before, has_ended); }),
                  "the one that gave up has ended");
          require(builds(world, 2), "the next build starts another process");
          return 0;
        }) == 0);
}

TEST_CASE("a build beyond its time ends with its server", "[servers]") {
  CHECK(in_child([] {
          setenv("HOSTCL_COMPILE_SECONDS", "1", 1);
          World world;
          const Built built = build(world, endless_source);
          require(built.code == CL_BUILD_PROGRAM_FAILURE, "it fails");
          require(built.log.find("HOSTCL_COMPILE_SECONDS") != built.log.npos, built.log.c_str());
          require(builds(world, 1), "the next one succeeds");
          return 0;
        }) == 0);
}

TEST_CASE("a server that waits for a processor does not use up its time", "[servers]") {
  CHECK(in_child([] {
          setenv("HOSTCL_COMPILE_SECONDS", "1", 1);
          World world;
          const WatchedHeader header;
          Built built;
          // Enough that the process is at work when it is starved.
          const std::string source = doubling("+ 1", 20) + "#if 1 M20\n#endif\nkernel void k() {}";
          std::thread builder([&] { built = build(world, header.include() + source); });
          require(header.is_read(), "a process compiles");
          {
            const Starvation starvation(servers_of(getpid()));
            std::this_thread::sleep_for(std::chrono::seconds(2)); // more than the limit
          }
          builder.join();
          require(built.code == CL_SUCCESS, built.log.c_str());
          return 0;
        }) == 0);
}

TEST_CASE("a build beyond its memory ends with its server", "[servers]") {
  CHECK(in_child([] {
          setenv("HOSTCL_COMPILE_MEMORY", "96M", 1);
          World world;
          // clang fills the array with zeros.
          const Built built = build(world, "constant char text[1 << 30] = \"x\";\n"
                                           "kernel void k(global char* p) { p[0] = text[p[1]]; }");
          require(built.code == CL_BUILD_PROGRAM_FAILURE, "it fails");
          require(built.log.find("HOSTCL_COMPILE_MEMORY") != built.log.npos, built.log.c_str());
          require(builds(world, 1), "the next one succeeds");
          return 0;
        }) == 0);
}

TEST_CASE("a request beyond a server's memory is the build's failure alone", "[servers]") {
  CHECK(in_child([] {
          setenv("HOSTCL_COMPILE_MEMORY", "100M", 1);
          constexpr std::size_t beyond = 200 << 20; // a server's stack and reserve included
          World world;
          const Built built =
              build(world, "//" + std::string(beyond, 'x') + "\nkernel void k(global int* p) { p[0] = 1; }");
          require(built.code == CL_BUILD_PROGRAM_FAILURE, "it fails");
          require(built.log.find("HOSTCL_COMPILE_MEMORY") != built.log.npos, built.log.c_str());
          require(builds(world, 1), "the next one succeeds");
          return 0;
        }) == 0);
}

TEST_CASE("no wait() of the application sees a server, and no signal tells of it", "[servers]") {
  CHECK(in_child([] {
          std::signal(SIGCHLD, on_child);
          World world;
          require(world.run(), "a launch");
          for (int i = 0; i < 3; ++i) {
            require(waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD, "there is no child");
            for (const pid_t server : servers_of(getpid()))
              kill(server, SIGKILL);
            require(builds(world, i), "a build");
          }
          const pid_t own = fork();
          if (own == 0) _exit(3);
          int status = 0;
          require(wait(&status) == own && WEXITSTATUS(status) == 3, "wait() has the application's child");
          require(wait(nullptr) == -1 && errno == ECHILD, "and no other one");
          require(child_signals == 1, "one signal for one child");
          return 0;
        }) == 0);
}

TEST_CASE("an application that ignores SIGCHLD has servers", "[servers]") {
  CHECK(in_child([] {
          std::signal(SIGCHLD, SIG_IGN);
          World world;
          for (int i = 0; i < 3; ++i) {
            for (const pid_t server : servers_of(getpid()))
              kill(server, SIGKILL);
            require(builds(world, i), "a build");
          }
          return 0;
        }) == 0);
}

TEST_CASE("servers are ordinary processes without the application's descriptors", "[servers]") {
  CHECK(in_child([] {
          std::signal(SIGINT, SIG_IGN);
          for (int i = 0; i < 50; ++i)
            require(open("/dev/null", O_RDONLY) >= 0, "a descriptor that execve() leaves open");
          World world;
          require(builds(world, 1), "a build");
          for (const pid_t server : servers_of(getpid())) {
            // A thread that starts another one blocks signals for that moment.
            require(comes_true([&] { return status_of(server, "SigBlk") == "0000000000000000"; }),
                    "no signal is blocked");
            const auto ignored = std::stoull(status_of(server, "SigIgn"), nullptr, 16);
            require((ignored & (1ull << (SIGINT - 1))) == 0, "the application's choices are not inherited");
            require(getsid(server) == server, "a terminal's signals do not reach it");
            require(descriptors_of(server) <= 7, "its own descriptors");
          }
          return 0;
        }) == 0);
}

TEST_CASE("servers that have ended leave no descriptors", "[servers]") {
  CHECK(in_child([] {
          World world;
          require(builds(world, 0), "a build");
          const std::size_t before = descriptors_of(getpid());
          constexpr int iterations = 16, kept = 3 * 4; // of those that wait for a task
          for (int i = 1; i <= iterations; ++i) {
            for (const pid_t server : servers_of(getpid()))
              kill(server, SIGKILL);
            require(builds(world, i), "a build");
          }
          require(descriptors_of(getpid()) <= before + kept, "few more than before");
          return 0;
        }) == 0);
}

TEST_CASE("as many servers compile as there are builds, and few stay", "[servers]") {
  CHECK(in_child([] {
          World world;
          std::vector<std::thread> threads;
          std::atomic<int> failures = 0;
          for (int t = 0; t < 8; ++t)
            threads.emplace_back([&, t] {
              for (int i = 0; i < 6; ++i)
                failures += !builds(world, 100 * t + i);
            });
          for (std::thread& thread : threads)
            thread.join();
          require(failures == 0, "all builds succeed");
          require(comes_true([] { return servers_of(getpid()).size() <= 4; }), "four stay");
          return 0;
        }) == 0);
}

TEST_CASE("a child of fork() has servers of its own", "[servers]") {
  if (!children_have_threads) return;
  CHECK(in_child([] {
          World world;
          require(builds(world, 1), "a build");
          const std::vector<pid_t> own = servers_of(getpid());
          const int child = in_child([&] {
            World other;
            require(other.run() && builds(other, 2), "a build in the child");
            const std::vector<pid_t> others = servers_of(getpid());
            require(!others.empty(), "the child has a server");
            require(std::ranges::none_of(own, has_ended), "the parent's are not touched");
            return 0;
          });
          require(child == 0 && builds(world, 3), "the parent goes on");
          return 0;
        }) == 0);
}

TEST_CASE("servers end with their application", "[servers]") {
  int over[2];
  REQUIRE(pipe(over) == 0);
  struct Application {
    pid_t process;
    int servers, status;
  };
  std::vector<Application> applications; // at once, because fork() waits seconds for a build
  for (const bool is_killed : {false, true})
    for (const bool is_compiling : {false, true}) {
      int ends[2];
      REQUIRE(pipe(ends) == 0);
      const pid_t process = fork();
      if (process == 0) end_with_servers(is_killed, is_compiling, ends[1], over);
      close(ends[1]);
      applications.push_back({process, ends[0], is_killed ? 128 + SIGKILL : 0});
    }
  for (const Application& application : applications) {
    std::vector<pid_t> servers;
    for (pid_t server; read(application.servers, &server, sizeof server) == sizeof server;)
      servers.push_back(server);
    close(application.servers);
    CHECK(ending_of(application.process) == application.status);
    CHECK(!servers.empty());
    CHECK(comes_true([&] { return std::ranges::all_of(servers, has_ended); }));
  }
  close(over[0]);
  close(over[1]);
}

TEST_CASE("headers are found in the folder that the application works in now", "[servers]") {
  std::string folder = "/tmp/hostcl-servers-XXXXXX";
  REQUIRE(mkdtemp(folder.data()));
  for (const char* name : {"a", "b"}) {
    std::filesystem::create_directory(folder + "/" + name);
    std::ofstream(folder + "/" + name + "/value.h") << "#error this is " << name << "\n";
  }
  CHECK(in_child([&] {
          World world;
          for (const std::string name : {"a", "b"}) {
            require(chdir((folder + "/" + name).c_str()) == 0, "chdir");
            const Built built = build(world, "#include \"value.h\"\n");
            require(built.log.find("this is " + name) != built.log.npos, built.log.c_str());
          }
          return 0;
        }) == 0);
  std::filesystem::remove_all(folder);
}
