// Measures mathematical functions on one OpenCL platform. bench/maths runs this program once per platform.

#include "bench/functions/measured.hpp"
#include "bench/json.hpp"
#include "bench/options.hpp"

#include <cstdio>
#include <cstdlib>
#include <iostream>

namespace bench::functions {
namespace {

constexpr const char* usage = R"(usage: bench_maths [OPTION...] [ROW...]
  --platform NAME  the platform whose name contains NAME (default: the first one)
  --seconds S      time for the rounds of each figure, of which the shortest counts (default: 0.05)
  --list           names of the rows
Measures the given rows, or else each row whose name it reads from standard input. A row's name is that of a type and a
function: float.sin. Output: one JSON object that describes the platform, then one per row.
)";

struct Selected {
  const Row* row;
  Type type;
  std::string name() const { return std::string(name_of(type)) + '.' + row->name; }
};

std::vector<Selected> all_rows() {
  std::vector<Selected> all;
  for (const Type type : {Type::single_precision, Type::double_precision, Type::half_precision})
    for (const Row& row : rows())
      if (std::ranges::find(row.types, type) != row.types.end()) all.push_back({&row, type});
  return all;
}

Selected find_row(const std::string& name) {
  for (const Selected& row : all_rows())
    if (row.name() == name) return row;
  throw std::invalid_argument("there is no row " + name + "; --list shows all");
}

/// A number; JSON has no infinite ones, so that these are text.
std::string number_field(const char* key, double number) {
  if (!std::isfinite(number)) return text_field(key, "inf");
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", number);
  return '"' + std::string(key) + "\": " + text;
}

void print_platform(const Device& device, const cl::Device& chosen) {
  const cl::Platform platform(chosen.getInfo<CL_DEVICE_PLATFORM>());
  std::printf("{%s, %s, %s, %s}\n", text_field("platform", platform.getInfo<CL_PLATFORM_NAME>()).c_str(),
              text_field("version", platform.getInfo<CL_PLATFORM_VERSION>()).c_str(),
              text_field("driver", chosen.getInfo<CL_DRIVER_VERSION>()).c_str(),
              text_field("device", device.name()).c_str());
  std::fflush(stdout);
}

std::string fields_of(const Device& device, const Selected& selected) {
  const Row& row = *selected.row;
  const Figures figures = measure(device, row, selected.type);
  const double rate = clock_rate();
  std::string fields = text_field("title", row.title);
  for (const auto& [key, number] : {std::pair<const char*, double>{"ns", figures.throughput * 1e9},
                                    {"clocks", figures.throughput * rate},
                                    {"latency_ns", figures.latency * 1e9},
                                    {"latency_clocks", figures.latency * rate},
                                    {"gigahertz", rate * 1e-9},
                                    {"error", figures.error.ulp},
                                    {"bound", row.bounds[int(selected.type)]}})
    fields += ", " + number_field(key, number);
  fields += ", " + text_field("error_at", figures.error.arguments);
  if (!row.x.subnormal)
    fields += ", " + numbers_field("ranges", {row.x.low, row.x.high, row.y.low, row.y.high});
  return fields;
}

void print_row(const Device& device, const std::string& name) {
  std::string fields;
  try {
    fields = fields_of(device, find_row(name));
  } catch (const Unsupported& missing) {
    fields = text_field("skipped", missing.what());
  } catch (const cl::Error& error) {
    fields = text_field("failed", std::string(error.what()) + " returned " + std::to_string(error.err()));
  } catch (const std::exception& error) {
    fields = text_field("failed", error.what());
  }
  std::printf("{%s, %s}\n", text_field("row", name).c_str(), fields.c_str());
  std::fflush(stdout);
}

int run(int argc, char** argv) {
  std::string platform;
  bool list = false;
  round_seconds = 0.05;
  const std::vector<std::string> names = parse_options(
      argc, argv, {{"--platform", &platform}, {"--seconds", &round_seconds}, {"--list", &list}}, usage);
  if (list) {
    for (const Selected& row : all_rows())
      std::puts(row.name().c_str());
    return EXIT_SUCCESS;
  }
  const cl::Device chosen = find_device(platform);
  const Device device(chosen);
  print_platform(device, chosen);
  for (const std::string& name : names)
    print_row(device, name);
  if (names.empty())
    for (std::string name; std::getline(std::cin, name);)
      print_row(device, name);
  return EXIT_SUCCESS;
}

} // namespace
} // namespace bench::functions

int main(int argc, char** argv) {
  try {
    return bench::functions::run(argc, argv);
  } catch (const cl::Error& error) {
    std::fprintf(stderr, "bench_maths: %s returned %d\n", error.what(), error.err());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_maths: %s\n", error.what());
  }
  return 2;
}
