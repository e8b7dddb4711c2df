// A soak: threads that build, launch, release, call back and fork in random order, each result compared with
// what the host knows of it.
//   soak [--threads=8] [--seconds=10 | --operations=N] [--seed=1] [--watchdog=60] [--exits] [--axes=NAMES]
// --operations is per thread: the same seed gives the same operations. --exits adds processes that exit in
// the middle of everything. --axes, or $SOAK_AXES, is "all" or a list of faults, forks, stacks, limits and cancels
// (soak/axes.hpp). SOAK_ABORT=1 makes a failure dump core.

#include "soak/crew.hpp"

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <unistd.h>

namespace {

using namespace soak;

struct Settings {
  unsigned threads = 8;
  std::uint64_t seed = 1;
  std::uint64_t watchdog = 60;
  std::optional<std::uint64_t> seconds, operations;
  std::string axes;
  bool exits = false;
  bool exit_at_random = false;
};

std::optional<std::uint64_t> value_of(std::string_view argument, std::string_view name) {
  if (!argument.starts_with(name) || argument.size() == name.size()) return {};
  char* end = nullptr;
  const std::uint64_t value = std::strtoull(argument.data() + name.size(), &end, 10);
  return *end ? std::nullopt : std::optional(value);
}

std::optional<Settings> parse(int count, char** arguments) {
  Settings settings;
  if (const char* names = std::getenv("SOAK_AXES")) settings.axes = names;
  for (int i = 1; i < count; ++i) {
    const std::string_view argument = arguments[i];
    if (auto threads = value_of(argument, "--threads="))
      settings.threads = static_cast<unsigned>(*threads);
    else if (auto seconds = value_of(argument, "--seconds="))
      settings.seconds = seconds;
    else if (auto operations = value_of(argument, "--operations="))
      settings.operations = operations;
    else if (auto seed = value_of(argument, "--seed="))
      settings.seed = *seed;
    else if (auto watchdog = value_of(argument, "--watchdog="))
      settings.watchdog = *watchdog;
    else if (argument.starts_with("--axes="))
      settings.axes = argument.substr(7);
    else if (argument == "--exits")
      settings.exits = true;
    else if (argument == "--exit-at-random")
      settings.exit_at_random = true;
    else
      return {};
  }
  return settings;
}

/// Aborts, so that a core dump shows where threads hang, if one of them stays in one operation for too long.
class Watchdog {
public:
  Watchdog(const std::vector<std::unique_ptr<Worker>>& workers, std::chrono::seconds limit)
      : thread_([this, &workers, limit] {
          for (; !is_over_; std::this_thread::sleep_for(std::chrono::milliseconds(50)))
            for (const std::unique_ptr<Worker>& worker : workers)
              if (!worker->is_over() && worker->busy() > limit) report(workers);
        }) {}
  ~Watchdog() {
    is_over_ = true;
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;

private:
  [[noreturn]] static void report(const std::vector<std::unique_ptr<Worker>>& workers) {
    std::fprintf(stderr, "failed: a thread hangs; seed %llu\n",
                 static_cast<unsigned long long>(workers.front()->place().seed));
    for (const std::unique_ptr<Worker>& worker : workers)
      std::fprintf(stderr, "  %s\n", worker->state().c_str());
    std::fprintf(stderr, "  again: %s\n", repetition.c_str());
    std::abort();
  }

  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

/// Never returns: one of the threads ends the process at a random moment while the others go on.
[[noreturn]] void exit_at_random(std::uint64_t seed) {
  auto* world = new World(seed); // threads use it to the very end
  Random random(seed);
  const auto moment = std::chrono::milliseconds(random.below(400));
  auto end = [moment] {
    std::this_thread::sleep_for(moment);
    stop_judging();
    if (::write(STDOUT_FILENO, "x", 1) != 1) std::_Exit(1);
    std::exit(7);
  };
  for (unsigned i = 0; i < 4; ++i)
    std::thread([world, i] { (new Worker(*world, i))->run({.with_processes = false}); }).detach();
  if (random.chance(50))
    std::thread(end).detach();
  else
    end();
  for (;;)
    pause();
}

/// Before the first call of OpenCL, and before others register handlers for fork().
bool prepare(const Settings& settings, char** arguments) {
  const std::optional<Axes> chosen = parse_axes(settings.axes);
  if (!chosen) return false;
  axes = *chosen;
  for (; *arguments; ++arguments)
    repetition += (repetition.empty() ? "" : " ") + std::string(*arguments);
  if (const char* names = std::getenv("SOAK_AXES"))
    repetition = "SOAK_AXES=" + std::string(names) + " " + repetition;
  if (axes.limits) shortage::prepare();
  return true;
}

/// Everything in random order until the limits are reached.
std::uint64_t soak_world(World& world, const Settings& settings, const Limits& limits) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (unsigned i = 0; i < settings.threads; ++i)
    workers.push_back(std::make_unique<Worker>(world, i));
  // The application's handler is there before the driver is, or comes later.
  if (axes.faults && settings.seed % 2) pager::install();
  {
    const Watchdog watchdog(workers, std::chrono::seconds(settings.watchdog));
    std::optional<pager::Thread> pager;
    if (axes.faults) pager.emplace(settings.seed);
    std::optional<shortage::Thread> shortage;
    if (axes.limits) shortage.emplace(settings.seed);
    Crew(workers, limits, settings.seed).run();
  }
  std::uint64_t operations = 0;
  for (const std::unique_ptr<Worker>& worker : workers)
    operations += worker->place().operation;
  return operations;
}

} // namespace

int main(int count, char** arguments) {
  const std::optional<Settings> settings = parse(count, arguments);
  if (!settings || settings->threads == 0 || !prepare(*settings, arguments)) {
    std::fprintf(stderr,
                 "usage: soak [--threads=8] [--seconds=10 | --operations=N] [--seed=1] [--watchdog=60] "
                 "[--exits] [--axes=all|faults,forks,stacks,limits,cancels]\n");
    return 2;
  }
  if (settings->exit_at_random) exit_at_random(settings->seed);

  Limits limits{.with_exits = settings->exits};
  if (settings->operations) limits.operations = *settings->operations;
  if (!settings->operations || settings->seconds)
    limits.end = Clock::now() + std::chrono::seconds(settings->seconds.value_or(10));
  if (axes.faults && settings->seed % 2 == 0) pager::install();
  World world(settings->seed);
  const std::uint64_t operations = soak_world(world, *settings, limits);
  overcome(world.place, [&world] { world.check(); });
  std::printf("seed %llu: %llu operations, %s", static_cast<unsigned long long>(settings->seed),
              static_cast<unsigned long long>(operations), report().c_str());
  std::fflush(stdout);
  if (!settings->exits) std::_Exit(0); // without the driver's end, which --exits is about
}
