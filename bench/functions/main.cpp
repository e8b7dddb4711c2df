// Measures mathematical functions on one OpenCL platform. bench/maths runs this program once per platform.

#include "bench/functions/measured.hpp"
#include "bench/json.hpp"
#include "bench/options.hpp"
#include "tests/maths/opencl.hpp"

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
  std::size_t format;
  std::string name() const { return maths::formats[format].name + ('.' + row->function.name); }
  double bound() const { return row->function.bound[format]; }
};

std::vector<Selected> all_rows() {
  std::vector<Selected> all;
  for (std::size_t format = 0; format < maths::formats.size(); ++format)
    for (const Row& row : rows())
      if (const Selected selected{&row, format}; !std::isnan(selected.bound())) all.push_back(selected);
  return all;
}

Selected find_row(const std::string& name) {
  for (const Selected& row : all_rows())
    if (row.name() == name) return row;
  throw std::invalid_argument("there is no row " + name + "; --list shows all");
}

/// A number. JSON has no infinity and no NaN: they become the text "inf".
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

/// The arguments of an error, the result, and the exact result.
std::string text_of(const maths::Worst& worst) {
  char text[200];
  std::snprintf(text, sizeof text, "x = %a, y = %a: %s%a, exactly %.20Lg", double(worst.x), double(worst.y),
                worst.second ? "second result " : "", double(worst.got), worst.wanted);
  return text;
}

std::string fields_of(const Device& device, const Selected& selected) {
  const Row& row = *selected.row;
  const Figures figures = measure(device, row, selected.format);
  const double rate = clock_rate();
  std::string fields = text_field("title", row.title);
  for (const auto& [key, number] : {std::pair<const char*, double>{"ns", figures.throughput * 1e9},
                                    {"clocks", figures.throughput * rate},
                                    {"latency_ns", figures.latency * 1e9},
                                    {"latency_clocks", figures.latency * rate},
                                    {"gigahertz", rate * 1e-9},
                                    {"error", figures.error.error},
                                    {"bound", selected.bound()}})
    fields += ", " + number_field(key, number);
  fields += ", " + text_field("error_at", text_of(figures.error));
  if (!row.x.subnormal)
    fields += ", " + numbers_field("ranges", {row.x.low, row.x.high, row.y.low, row.y.high});
  return fields;
}

void print_row(const Device& device, const std::string& name) {
  std::string fields;
  try {
    fields = maths::with_error_numbers([&] { return fields_of(device, find_row(name)); });
  } catch (const Unsupported& missing) {
    fields = text_field("skipped", missing.what());
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
    return maths::with_error_numbers([&] { return bench::functions::run(argc, argv); });
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_maths: %s\n", error.what());
  }
  return 2;
}
