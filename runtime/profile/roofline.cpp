#include "runtime/profile/roofline.hpp"

#include "runtime/profile/numbers.hpp"
#include "runtime/profile/peak_loops.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/options.hpp"
#include "runtime/support/result.hpp"
#include "runtime/threads/machine.hpp"
#include "runtime/threads/start_thread.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

namespace hostcl::runtime::profile {

namespace {

struct Free {
  void operator()(Vector* memory) const { std::free(memory); }
};
using Array = std::unique_ptr<Vector[], Free>;

Array array(std::size_t count) {
  Array made(static_cast<Vector*>(std::aligned_alloc(4096, (count * sizeof(Vector) + 4095) / 4096 * 4096)));
  if (made) std::fill_n(made.get(), count, Vector{} + 1.0F);
  return made;
}

/// Calls step(thread) on all threads at the same time, `iterations` times. Only CPU time counts, so other processes on
/// the machine do not make this one seem slower.
/// @returns steps per nanosecond of all threads, from the shortest step of each thread; 0 if threads cannot be started
double rate(unsigned threads, unsigned iterations, const std::function<void(unsigned)>& step) {
  std::vector<double> shortest(threads);
  std::atomic<unsigned> arrived = 0;
  const auto run = [&](unsigned thread) {
    arrived.fetch_add(1);
    for (unsigned waited = 0; arrived.load() < threads && waited < 10'000; ++waited)
      sched_yield();
    for (unsigned iteration = 0; iteration < iterations; ++iteration) {
      const std::uint64_t began = thread_ns();
      step(thread);
      const auto ns = static_cast<double>(thread_ns() - began);
      shortest[thread] = iteration == 0 ? ns : std::min(shortest[thread], ns);
    }
  };
  std::vector<pthread_t> started;
  for (unsigned thread = 1; thread < threads; ++thread)
    if (const auto id = start_thread([&run, thread] { run(thread); })) started.push_back(*id);
  run(0);
  for (const pthread_t thread : started)
    pthread_join(thread, nullptr);
  double sum = 0;
  for (const double ns : shortest)
    sum += ns > 0 ? 1 / ns : 0;
  return started.size() + 1 == threads ? sum : 0;
}

/// @param bytes size of the three arrays of a thread together
double stream_gbs(unsigned threads, std::size_t bytes, unsigned iterations, unsigned repeats) {
  const std::size_t count = std::max<std::size_t>(bytes / 3 / sizeof(Vector), 16);
  std::vector<Array> arrays(std::size_t{3} * threads);
  std::atomic<bool> has_memory = true;
  const auto step = [&](unsigned thread) {
    Array* own = &arrays[std::size_t{3} * thread];
    if (!own[0])
      for (unsigned i = 0; i < 3; ++i)
        own[i] = array(count);
    if (!own[0] || !own[1] || !own[2]) {
      has_memory = false;
      return;
    }
    for (unsigned repeat = 0; repeat < repeats; ++repeat)
      stream(own[0].get(), own[1].get(), own[2].get(), count);
  };
  const double steps = rate(threads, iterations, step);
  return has_memory ? 3.0 * static_cast<double>(count) * sizeof(Vector) * repeats * steps : 0;
}

double float_gflops(unsigned threads) {
  std::vector<float> results(threads);
  const auto step = [&](unsigned thread) { results[thread] = flops(static_cast<float>(thread) * 1e-6F); };
  constexpr std::size_t lanes = sizeof(Vector) / sizeof(float);
  const double operations = 2.0 * chains * flop_iterations * lanes;
  return operations * rate(threads, 12, step);
}

Roofline measure() {
  const unsigned threads = machine().threads;
  constexpr std::size_t most = std::size_t{256} << 20, least = std::size_t{48} << 20;
  const std::size_t memory = std::clamp<std::size_t>(4 * caches().last_level, least, most);
  const std::size_t cache = std::max<std::size_t>(caches().second_level, std::size_t{256} << 10) / 2;
  Roofline measured;
  measured.memory_gbs = stream_gbs(threads, memory / threads, 5, 1);
  measured.cache_gbs = std::max(stream_gbs(threads, cache, 6, 64), measured.memory_gbs);
  measured.gflops = float_gflops(threads);
  return measured;
}

std::string file_name() {
  const std::string folder = options().cache ? cache_folder() : "";
  return folder.empty() ? "" : folder + "/roofline";
}

/// The first line of a file that was written on a machine like this one.
std::string machine_line() {
  return text("hostcl roofline 1, ", machine().threads, " threads of ", machine().cpu_name);
}

std::optional<Roofline> remembered(const std::string& name) {
  const int file = name.empty() ? -1 : open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return std::nullopt;
  char bytes[512] = {};
  const ssize_t count = read(file, bytes, sizeof(bytes) - 1);
  close(file);
  const std::string_view content(bytes, count > 0 ? static_cast<std::size_t>(count) : 0);
  const std::string head = machine_line() + "\n";
  if (!content.starts_with(head)) return std::nullopt;
  Roofline known;
  known.is_remembered = true;
  const char* at = content.data() + head.size();
  for (double* number : {&known.memory_gbs, &known.cache_gbs, &known.gflops}) {
    const auto [end, error] = std::from_chars(at, content.data() + content.size(), *number);
    if (error != std::errc() || !(*number > 0 && *number < 1e9)) return std::nullopt;
    at = end + 1;
  }
  return known;
}

void remember(const std::string& name, const Roofline& measured) {
  if (name.empty() || measured.memory_gbs <= 0 || measured.gflops <= 0) return;
  const std::string own = text(name, ".", getpid());
  const int file = open(own.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return;
  const std::string content = text(machine_line(), "\n", fixed(measured.memory_gbs, 4), " ",
                                   fixed(measured.cache_gbs, 4), " ", fixed(measured.gflops, 4), "\n");
  const bool is_whole = write(file, content.data(), content.size()) == static_cast<ssize_t>(content.size());
  close(file);
  if (!is_whole || rename(own.c_str(), name.c_str()) != 0) unlink(own.c_str());
}

} // namespace

Roofline roofline() {
  const std::string name = file_name();
  if (const auto known = remembered(name)) return *known;
  const Roofline measured = measure();
  remember(name, measured);
  return measured;
}

} // namespace hostcl::runtime::profile
