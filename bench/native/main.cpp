// Measures the same work as OpenCL and as C++ with oneTBB, and prints one JSON object per row. The sides take turns,
// and the results of all are compared. bench/native/compare runs this program on all platforms of a machine.

#include "bench/json.hpp"
#include "bench/native/work.hpp"
#include "bench/options.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <time.h>

namespace bench::native {
namespace {

constexpr const char* usage = R"(usage: bench_native [OPTION...] [ROW...]
  --platform NAME   the platform whose name contains NAME (default: the first one)
  --seconds S       time for the rounds of each side of a row, of which the shortest counts (default: 0.5)
  --processor-time  counts the time that the process had on processors, where others disturb: with one processor
  --small           small sizes, once each: whether the sides agree
  --opencl          OpenCL alone, without comparing results
  --list            names and titles of the rows
  --launches        the launches of the rows: row, file, kernel, global size, and local size where the row has one
Output: one JSON object per line, with seconds for OpenCL and for the C++ of each compiler.
)";

struct Options {
  std::string platform;
  double seconds = 0.5;
  bool processor_time = false;
  bool small = false;
  bool opencl = false;
  bool list = false;
  bool launches = false;
  std::vector<std::string> rows;
};

Options parse(int argc, char** argv) {
  Options options;
  options.rows = parse_options(argc, argv,
                               {{"--platform", &options.platform},
                                {"--seconds", &options.seconds},
                                {"--processor-time", &options.processor_time},
                                {"--small", &options.small},
                                {"--opencl", &options.opencl},
                                {"--list", &options.list},
                                {"--launches", &options.launches}},
                               usage);
  return options;
}

std::vector<Row> selected_rows(const std::vector<std::string>& names) {
  std::vector<Row> rows;
  for (const auto table :
       {memory_rows(), stencil_rows(), product_rows(), reduction_rows(), atomic_rows(), sorting_rows(),
        graph_rows(), particle_rows(), dynamic_rows(), signal_rows(), image_rows()})
    rows.insert(rows.end(), table.begin(), table.end());
  for (const std::string& name : names)
    if (std::ranges::none_of(rows, [&](const Row& row) { return row.name == name; }))
      throw std::invalid_argument("there is no row " + name + "; --list shows all");
  if (!names.empty())
    std::erase_if(rows, [&](const Row& row) { return std::ranges::find(names, row.name) == names.end(); });
  return rows;
}

/// One way to do a row's work.
struct Side {
  std::string name;
  std::function<void()> restore, run, check;
  double seconds = std::numeric_limits<double>::infinity();
};

Side opencl_side(Work& work) {
  return {.name = "opencl",
          .restore = [&] { work.restore_opencl(); },
          .run = [&] { work.run_opencl(); },
          .check = [&] { work.check_opencl(); }};
}

std::vector<Side> sides_of(const Row& row, Work& work) {
  std::vector<Side> sides = {opencl_side(work)};
  for (const auto& [compiler, call] : functions()[row.name])
    sides.push_back({.name = compiler,
                     .restore = [&] { work.restore_native(); },
                     .run = [&work, call] { work.run_native(call); },
                     .check = [&] { work.check_native(); }});
  if (sides.size() == 1) throw std::logic_error("the row has no C++ side");
  return sides;
}

double now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

/// One round of a side; @returns its seconds
double round(const Side& side, clockid_t clock = CLOCK_MONOTONIC) {
  side.restore();
  const double start = now(clock);
  side.run();
  return now(clock) - start;
}

void verify(const std::vector<Side>& sides) {
  for (const Side& side : sides) {
    round(side);
    side.check();
  }
}

/// All sides in turn, until each has had `seconds` or 200 rounds, but at least 5 rounds.
void measure(std::vector<Side>& sides, double seconds, clockid_t clock) {
  double longest = 0; // what the slowest side has had
  std::vector<double> spent(sides.size());
  for (int rounds = 0; rounds < 5 || (rounds < 200 && longest < seconds); ++rounds)
    for (std::size_t i = 0; i < sides.size(); ++i) {
      const double one = round(sides[i], clock);
      sides[i].seconds = std::min(sides[i].seconds, one);
      longest = std::max(longest, spent[i] += one);
    }
}

std::string seconds_field(const Side& side) {
  char number[32];
  std::snprintf(number, sizeof number, "%.6g", side.seconds);
  return json_string(side.name) + ": " + number;
}

/// Runs a row. @returns the fields that say what came of it
std::string outcome(const Row& row, const Device& device, const Options& options) {
  Work work(device, row.kernels, options.small);
  row.set_up(work);
  const clockid_t clock = options.processor_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
  if (options.opencl) {
    std::vector<Side> sides = {opencl_side(work)};
    round(sides[0]); // compiles
    measure(sides, options.seconds, clock);
    return seconds_field(sides[0]);
  }
  auto sides = sides_of(row, work);
  std::rotate(sides.begin(), sides.begin() + 1, sides.end()); // the first C++ side says what is right
  round(sides.front());
  work.keep_expected();
  verify(sides);
  if (options.small) return R"("verified": true)";

  measure(sides, options.seconds, clock);
  verify(sides); // again: a driver may have made other code meanwhile
  std::string fields;
  for (const Side& side : sides)
    fields += seconds_field(side) + ", ";
  return fields + R"("verified": true)";
}

void print_launches(const Row& row, const Device& device) {
  Work work(device, row.kernels, /*small=*/false);
  row.set_up(work);
  for (const std::string& launch : work.launches())
    std::printf("%s %s %s\n", row.name, row.kernels, launch.c_str());
}

/// Returns false where the row failed.
bool print_result(const Row& row, const Device& device, const Options& options) {
  std::string fields;
  bool right = false;
  try {
    fields = outcome(row, device, options);
    right = true;
  } catch (const cl::Error& error) {
    fields = text_field("error", std::string(error.what()) + " returned " + std::to_string(error.err()));
  } catch (const std::exception& error) {
    fields = text_field("error", error.what());
  }
  std::printf("{%s, %s, %s}\n", text_field("case", row.name).c_str(), text_field("title", row.title).c_str(),
              fields.c_str());
  std::fflush(stdout);
  return right;
}

int run(const Options& options) {
  const auto rows = selected_rows(options.rows);
  if (options.list) {
    for (const Row& row : rows)
      std::printf("%-20s %s\n", row.name, row.title);
    return EXIT_SUCCESS;
  }
  const Device device(find_device(options.platform));
  bool all_right = true;
  for (const Row& row : rows)
    if (options.launches)
      print_launches(row, device);
    else
      all_right &= print_result(row, device, options);
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace
} // namespace bench::native

int main(int argc, char** argv) {
  try {
    return bench::native::run(bench::native::parse(argc, argv));
  } catch (const cl::Error& error) {
    std::fprintf(stderr, "bench_native: %s returned %d\n", error.what(), error.err());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_native: %s\n", error.what());
  }
  return 2;
}
