// Compares the mathematical functions of a driver with references in long double, for several settings of hostcl at
// once, and prints the largest errors. Exit status 1 if an error is above its bound.

#include "device.hpp"
#include "path.hpp"
#include "sweep.hpp"

#include "bench/options.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <new>
#include <sstream>

#include <sys/mman.h>

namespace {

using namespace maths;

constexpr const char* usage = R"(usage: maths_survey [OPTION...] [NAME...]
Without NAMEs, all functions are tested. fast_exp is exp with -cl-fast-relaxed-math.
  --path SETTINGS   tests the driver with these settings, such as CPU=haswell+WIDTH=1 for HOSTCL_CPU and HOSTCL_WIDTH;
                    may be given several times; references are computed once for all paths. Default: native, that is
                    the settings of the environment
  --types LIST      of float,double,half; default: all
  --widths LIST     of 1,2,3,4,8,16: scalar and vector types of the kernels; default: all
  --random N        random arguments of each function and type; default: 4000000
  --stride N        tests each Nth bit pattern of floats, for functions of one argument; 1: all; default: 211
  --quick           few arguments, and one vector type for each function; prints only errors above their bounds
  --table           prints the rows of docs/maths.md at the end
  --flush           builds programs with -cl-denorms-are-zero
  --sweep           compares floats with the driver's double functions instead, for all 2^32 arguments
)";

struct Options {
  std::vector<std::string> paths, names;
  std::string types = "float,double,half";
  Widths widths{{1, 2, 3, 4, 8, 16}};
  Amount amount{4'000'000, 211};
  bool quick = false, table = false, flush = false, sweep = false;
};

/// @throws std::invalid_argument if the text is no list of widths
std::vector<int> widths_of(const std::string& text) {
  std::vector<int> result;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) {
    const int width = std::stoi(word);
    if (width != 3 && !(width <= 16 && std::has_single_bit(unsigned(width))))
      throw std::invalid_argument(word + " is no width of a vector");
    result.push_back(width);
  }
  return result;
}

Options options_of(int count, char** arguments) {
  Options options;
  std::string widths;
  double random = -1, stride = -1;
  options.names = bench::parse_options(count, arguments,
                                       {{"--path", &options.paths},
                                        {"--types", &options.types},
                                        {"--widths", &widths},
                                        {"--random", &random},
                                        {"--stride", &stride},
                                        {"--quick", &options.quick},
                                        {"--table", &options.table},
                                        {"--flush", &options.flush},
                                        {"--sweep", &options.sweep}},
                                       usage);
  if (options.quick) {
    options.widths.alternate = true;
    options.amount = {3000, 1'000'003};
  }
  if (!widths.empty()) options.widths.list = widths_of(widths);
  if (random >= 0) options.amount.random = std::size_t(random);
  if (stride >= 0) options.amount.stride = std::uint64_t(stride);
  if (options.paths.empty()) options.paths.push_back("native");
  return options;
}

/// The functions with these names; all if there are none.
std::vector<Function> chosen_functions(const std::vector<std::string>& names) {
  std::vector<Function> functions = all_functions();
  if (!names.empty())
    std::erase_if(functions, [&](const Function& function) {
      return std::find(names.begin(), names.end(), function.name) == names.end();
    });
  if (functions.empty()) throw std::invalid_argument(usage);
  return functions;
}

/// Memory that all processes share. Each path writes its own element of `worst`.
struct Shared {
  static constexpr std::size_t most_paths = 32;
  Batch batch;
  Worst worst[most_paths];
};

/// The largest errors for one function and type.
struct Report {
  const Function* function;
  std::size_t format;
  Worst worst;
  std::string path; ///< names of the paths that have found this error
  double bound() const { return function->bound[format]; }
  bool is_wrong() const { return !(worst.error <= bound()); }
};

class Survey {
public:
  Survey(const Options& options, const std::vector<Function>& functions);
  /// False if an error is above its bound, or a path has failed.
  bool run();

private:
  Path::Serve start(std::size_t path);
  void test(std::size_t function, std::size_t format);
  void finish(std::vector<Report>& reports);
  void print(const Report& report) const;
  void print_table() const;

  const Options& options_;
  const std::vector<Function>& functions_;
  Shared* shared_;
  std::vector<std::unique_ptr<Path>> paths_;
  std::vector<Report> reports_;
  bool right_ = true;
};

Survey::Survey(const Options& options, const std::vector<Function>& functions)
    : options_(options), functions_(functions) {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || options.paths.size() > Shared::most_paths) throw std::bad_alloc();
  shared_ = static_cast<Shared*>(memory);
  for (std::size_t i = 0; i < options.paths.size(); ++i)
    paths_.push_back(std::make_unique<Path>(options.paths[i], [this, i] { return start(i); }));
}

/// Runs in the path's process.
Path::Serve Survey::start(std::size_t path) {
  if (options_.sweep) return [this] { with_error_numbers([&] { sweep(functions_); }); };
  auto device = with_error_numbers(
      [&] { return std::make_shared<Device>(functions_, options_.widths, options_.flush); });
  return [this, device, path] {
    shared_->worst[path] = with_error_numbers([&] { return device->test(shared_->batch); });
  };
}

void Survey::test(std::size_t function, std::size_t format) {
  shared_->batch.function = function;
  shared_->batch.format = format;
  const Arguments arguments(functions_[function], formats[format], options_.amount);
  std::vector<Report> reports(paths_.size(), {&functions_[function], format, {}, {}});
  for (std::size_t first = 0; first < arguments.size(); first += Batch::capacity) {
    shared_->batch.fill(
        functions_[function], [&](std::size_t i) { return arguments[i]; }, first, arguments.size());
    for (const auto& path : paths_)
      path->request();
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (!paths_[i]->wait())
        throw std::runtime_error(paths_[i]->name() + ": failed at " + functions_[function].name + " of " +
                                 formats[format].name);
      reports[i].worst.add(shared_->worst[i]);
    }
  }
  finish(reports);
}

/// Keeps the largest error of all paths, and prints each path's largest error. Paths with the same error share a line.
void Survey::finish(std::vector<Report>& reports) {
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const Worst& worst = reports[i].worst;
    const auto same =
        std::find_if(reports.begin(), reports.begin() + std::ptrdiff_t(i), [&](const Report& other) {
          return other.worst.error == worst.error && other.worst.x == worst.x &&
                 other.worst.width == worst.width;
        });
    same->path += (same->path.empty() ? "" : " ") + paths_[i]->name();
  }
  Report& all = reports_.emplace_back(reports[0]);
  for (const Report& report : reports) {
    all.worst.add(report.worst);
    right_ = right_ && !report.is_wrong();
    if (!report.path.empty() && (!options_.quick || report.is_wrong())) print(report);
  }
}

/// The range that x is restricted to, as it is printed.
std::string range_of(const Function& function) {
  char range[60] = "";
  if (function.low < function.high)
    std::snprintf(range, sizeof range, " in [%g, %g]", function.low, function.high);
  return range;
}

void Survey::print(const Report& report) const {
  const Function& function = *report.function;
  const Worst& worst = report.worst;
  std::printf("%-12s %-6s %9.4g of %4g  %s%s", function.name.c_str(), formats[report.format].name,
              worst.error, report.bound(), report.path.c_str(), range_of(function).c_str());
  if (worst.error != 0) {
    std::printf(", width %d: x = %a", worst.width, double(worst.x));
    if (function.second_argument == Kind::real) std::printf(", y = %a", double(worst.y));
    if (function.second_argument == Kind::integer) std::printf(", y = %.0Lf", worst.y);
    std::printf(": %s%.17Lg, exactly %.20Lg", worst.second ? "second result " : "", worst.got, worst.wanted);
  }
  std::printf("%s\n", report.is_wrong() ? "  TOO LARGE" : "");
  std::fflush(stdout);
}

/// Rows of docs/maths.md: functions with all types; functions with one type; names of exact functions.
void Survey::print_table() const {
  std::string exact;
  for (std::size_t i = 0; i < reports_.size(); ++i) {
    const Function& function = *reports_[i].function;
    if (function.bound[0] == 0) {
      if (reports_[i].format == 0) exact += " " + function.name;
    } else if (!std::isnan(function.bound[1])) {
      if (i == 0 || reports_[i - 1].function != &function) std::printf("| `%s` |", function.name.c_str());
      std::printf(" %.2f (%g) |", reports_[i].worst.error, reports_[i].bound());
      if (i + 1 == reports_.size() || reports_[i + 1].function != &function) std::printf("\n");
    } else {
      std::printf("| `%s`%s | %.4g | %g |\n", function.name.c_str(), range_of(function).c_str(),
                  reports_[i].worst.error, reports_[i].bound());
    }
  }
  std::printf("exact:%s\n", exact.c_str());
}

bool Survey::run() {
  if (options_.sweep) {
    for (const auto& path : paths_) {
      std::printf("%s:\n", path->name().c_str());
      std::fflush(stdout);
      path->request();
      right_ = path->wait() && right_;
    }
    return right_;
  }
  for (std::size_t i = 0; i < functions_.size(); ++i)
    for (std::size_t format = 0; format < formats.size(); ++format)
      if (!std::isnan(functions_[i].bound[format]) &&
          options_.types.find(formats[format].name) != std::string::npos)
        test(i, format);
  if (options_.table) print_table();
  return right_;
}

} // namespace

int main(int argc, char** argv) {
  try {
    const Options options = options_of(argc, argv);
    const std::vector<Function> functions = chosen_functions(options.names);
    return Survey(options, functions).run() ? 0 : 1;
  } catch (const std::invalid_argument& wrong) {
    std::fprintf(stderr, "%s\n", wrong.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "maths_survey: %s\n", error.what());
    return 1;
  }
}
