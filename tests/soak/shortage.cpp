#include "soak/shortage.hpp"

#include "soak/axes.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace soak::shortage {

namespace {

enum class Resource { address_space, data, descriptors, threads };
constexpr std::array resources = {Resource::address_space, Resource::data, Resource::descriptors,
                                  Resource::threads};
constexpr std::array names = {RLIMIT_AS, RLIMIT_DATA, RLIMIT_NOFILE, RLIMIT_NPROC};

std::mutex lock;
int lifted = 0;
std::array<rlimit, resources.size()> former;

/// The number after a name in /proc/self/status.
std::size_t status_number(const char* name) {
  std::size_t value = 0;
  if (FILE* file = std::fopen("/proc/self/status", "re")) {
    char line[256];
    while (std::fgets(line, sizeof line, file))
      if (std::string_view(line).starts_with(name))
        value = std::strtoull(line + std::string_view(name).size(), nullptr, 10);
    std::fclose(file);
  }
  return value;
}

std::size_t next_descriptor() {
  const int next = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (next >= 0) close(next);
  return static_cast<std::size_t>(std::max(next, 3));
}

std::size_t in_use(Resource resource) {
  switch (resource) {
  case Resource::address_space:
    return status_number("VmSize:") << 10;
  case Resource::data:
    return status_number("VmData:") << 10;
  case Resource::descriptors:
    return next_descriptor();
  default:
    return status_number("Threads:");
  }
}

std::size_t margin(Resource resource, Random& random) {
  if (resource == Resource::address_space || resource == Resource::data)
    return random.chance(30) ? 0 : random.between(1, 64) << 20;
  return random.below(4);
}

void raise_all() {
  for (std::size_t i = 0; i < names.size(); ++i)
    setrlimit(names[i], &former[i]);
}

void lower(Random& random, std::size_t which) {
  rlimit value = former[which];
  value.rlim_cur =
      std::min<rlim_t>(in_use(resources[which]) + margin(resources[which], random), value.rlim_max);
  if (setrlimit(names[which], &value) == 0) ++counts.lowered;
}

} // namespace

bool is_permitted(cl_int status) {
  return axes.limits && (status == CL_OUT_OF_HOST_MEMORY || status == CL_OUT_OF_RESOURCES ||
                         status == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                         status == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
}

Lifted::Lifted() {
  if (!axes.limits) return;
  std::scoped_lock guard(lock);
  if (lifted++ == 0) raise_all();
}

Lifted::~Lifted() {
  if (!axes.limits) return;
  std::scoped_lock guard(lock);
  --lifted;
}

void prepare() {
  for (std::size_t i = 0; i < names.size(); ++i)
    getrlimit(names[i], &former[i]);
  pthread_atfork([] { lock.lock(); }, [] { lock.unlock(); }, [] { lock.unlock(); });
  constexpr uid_t other = 65534;
  const char* driver = std::getenv("OCL_ICD_VENDORS");
  if (geteuid() != 0 || !driver || setresuid(other, other, 0) != 0) return;
  if (eaccess(driver, R_OK) == 0)
    prctl(PR_SET_DUMPABLE, 1);
  else if (setresuid(0, 0, 0) != 0)
    std::exit(1);
}

void end_in_child() {
  if (!axes.limits) return;
  raise_all();
  axes.limits = false;
}

Thread::Thread(std::uint64_t seed) : thread_([this, seed] { run(Random(seed)); }) {}

Thread::~Thread() {
  is_over_ = true;
  thread_.join();
}

void Thread::run(Random random) {
  while (!is_over_) {
    std::this_thread::sleep_for(std::chrono::milliseconds(random.between(1, 60)));
    {
      std::scoped_lock guard(lock);
      if (lifted > 0) continue;
      for (std::size_t count = random.chance(20) ? 2 : 1; count > 0; --count)
        lower(random, random.below(resources.size()));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random.between(1, 60)));
    std::scoped_lock guard(lock);
    raise_all();
  }
}

} // namespace soak::shortage
