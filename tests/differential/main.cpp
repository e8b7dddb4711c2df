// Runs random kernels, and kernels from files, in several ways whose results have to be the same bit for bit:
// at widths 1, 4, 8 and 16 and the one that the compiler chooses, with work-items in reverse order, without
// some of the compiler's heuristics, for other CPUs, and on other OpenCL drivers. A kernel about which two
// ways disagree is made small and printed.

#include "differential/census.hpp"
#include "differential/compare.hpp"
#include "differential/generator.hpp"
#include "differential/host_program.hpp"
#include "differential/reduce.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <random>
#include <sstream>

namespace differential {

namespace {

constexpr const char* usage = R"(usage: differential [options] [FILE.cl...]

  --seeds=FIRST,COUNT  random kernels of these seeds
  --theme=NAME         random kernels of this theme; all: of each theme in turn; every: also kernels without a theme
  --minutes=N          no new seed after so long
  --against=DRIVER     another OpenCL driver that has to give the same results (may be repeated)
  --host               the same kernels as C++, compiled by g++; without it where there is none
  --way=SETTINGS       instead of the usual ways: HOSTCL_* settings in small letters, as "width=8 without=permuted_access",
                       with il=O1 through SPIR-V that clang-22 makes at -O1
                       (may be repeated; the first is what others are compared with)
  --one-by-one         launches follow each other, also of kernels that are to be launched at once
  --sample             each random kernel only at width 1 and in one other way, in turn
  --save=DIR           write small forms of failing kernels there
  --fault=PATTERN=>TEXT  instead of the usual ways: width 1, and the same with kernels in which the text is another one;
                       they disagree where it matters (for tests of this program)
  --first-failure      no new seed after a failure
  --no-reduction       leave failing kernels as they are
  --print              print the kernels and do not run them
  --times              print what the ways have taken
  --census[=FEWEST]    print how many random kernels each heuristic of the compiler has changed; fail if a heuristic has
                       changed fewer than FEWEST kernels, or less than 1 % of the kernels of every theme
  --limit=SECONDS      for one kernel; more is a hang (30)
A file is OpenCL C with a kernel `test` and begins with its ranges, as cases printed by this program do.
The environment selects hostcl, as for any application (OCL_ICD_VENDORS or OCL_ICD_FILENAMES).
)";

struct Options {
  std::uint64_t first_seed = 0, seeds = 0;
  double minutes = std::numeric_limits<double>::infinity();
  std::optional<std::uint64_t> census; ///< how many kernels each heuristic must change
  std::vector<std::string> against, files, ways;
  std::string save, theme, fault;
  bool uses_host = false, first_failure = false;
  bool reduces = true, prints = false, samples = false, times = false, one_by_one = false;
  std::chrono::seconds limit{30};
};

using Clock = std::chrono::steady_clock;

double minutes_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count() / 60;
}

class Run {
public:
  explicit Run(const Options& options) : options_(options), comparison_(options.limit) {
    if (options.census) census_.emplace();
    if (options.uses_host && !options.prints) host_ = std::make_unique<HostFolder>();
    if (!host_ || host_->is_ready()) return;
    std::cout << "there is no g++ that compiles kernels as C++; this is left out\n";
    host_.reset();
  }

  int all();

private:
  /// Cases that are under way at the same time, so that no way waits for the slowest.
  static constexpr std::size_t most_open = 4;

  struct Open {
    std::string name;
    Case kernel;
  };

  std::vector<Way> ways(std::uint64_t seed) const;
  void use(const std::vector<Way>& ways);
  std::vector<std::size_t> numbers(std::uint64_t seed) const;
  void run_file(const std::string& file);
  std::string theme_of(std::uint64_t seed) const;
  void run_seeds();
  void finish_one();
  void finish_all();
  void report(const std::string& name, const std::string& source, const Verdict& verdict);
  void report(const Open& failing, const Verdict& verdict);
  void print_times() const;
  bool has_enough_il() const;

  const Options& options_;
  std::optional<Census> census_; ///< exists before the first process is started, for its environment
  std::unique_ptr<HostFolder> host_;
  Comparison comparison_;
  const Clock::time_point start_ = Clock::now();
  std::vector<Way> ways_;
  std::deque<Open> open_;
  std::vector<std::pair<Open, Verdict>> failing_; ///< not reported yet
  std::uint64_t kernels_ = 0, failures_ = 0;
};

std::vector<Way> Run::ways(std::uint64_t seed) const {
  std::vector<Way> result;
  for (const std::string& settings : options_.ways)
    result.push_back(way_of(settings));
  if (!options_.fault.empty()) result = {way_of("width=1"), faulty_way("width=1", options_.fault)};
  if (result.empty()) result = ways_for(seed);
  for (Way& way : result)
    way.one_by_one |= options_.one_by_one;
  for (const std::string& driver : options_.against)
    result.push_back(other_driver(driver));
  if (host_) result.push_back(host_way(host_->path()));
  return result;
}

void Run::use(const std::vector<Way>& ways) {
  if (ways == ways_) return;
  finish_all();
  comparison_.use(ways_ = ways);
}

/// The ways in which a kernel runs: all; with --sample the first way, one of the others, and all other drivers. That one way
/// is chosen by a hash of the seed: the seed modulo a number chooses the theme, so a theme would meet a few ways only.
std::vector<std::size_t> Run::numbers(std::uint64_t seed) const {
  std::vector<std::size_t> result;
  const std::size_t ours = ways_.size() - options_.against.size() - (host_ ? 1 : 0);
  const std::size_t chosen = ours < 2 ? 0 : 1 + std::mt19937_64(seed)() % (ours - 1);
  for (std::size_t i = 0; i < ways_.size(); ++i)
    if (!options_.samples || i == 0 || i >= ours || i == chosen) result.push_back(i);
  return result;
}

void Run::report(const std::string& name, const std::string& source, const Verdict& verdict) {
  ++failures_;
  std::ostringstream text;
  text << "// " << verdict.first.name << ": " << describe(verdict.first_answer) << "\n// "
       << verdict.second.name << ": " << describe(verdict.second_answer) << '\n';
  if (const std::string where = first_difference(source, verdict, options_.limit); !where.empty())
    text << "// " << where << '\n';
  for (const std::string& heuristic : heuristics_at_fault(source, verdict, options_.limit))
    text << "// right without " << heuristic << '\n';
  std::cout << "\n==== " << name << ": " << verdict.first.name << " and " << verdict.second.name
            << " disagree\n"
            << source << text.str() << std::flush;
  if (!options_.save.empty()) std::ofstream(options_.save + "/" + name + ".cl") << source << text.str();
}

void Run::report(const Open& failing, const Verdict& verdict) {
  const std::string& name = failing.name;
  std::string source = failing.kernel.text();
  if (options_.reduces) {
    std::cout << name << ": " << verdict.second.name << " disagrees; reducing it" << std::endl;
    source = reduce(failing.kernel, [&](const Case& candidate) {
               return fails_like(candidate.text(), verdict, options_.limit);
             }).text();
  }
  report(name, source, verdict);
}

void Run::finish_one() {
  std::optional<Verdict> verdict = comparison_.judge();
  if (verdict) failing_.emplace_back(std::move(open_.front()), std::move(*verdict));
  open_.pop_front();
  if (++kernels_ % 500 == 0)
    std::cout << kernels_ << " kernels, " << failures_ + failing_.size() << " failures, "
              << static_cast<unsigned>(static_cast<double>(kernels_) / minutes_since(start_))
              << " kernels per minute" << std::endl;
}

void Run::finish_all() {
  while (!open_.empty())
    finish_one();
  for (const auto& [failing, verdict] : std::exchange(failing_, {}))
    report(failing, verdict);
}

std::string Run::theme_of(std::uint64_t seed) const {
  if (options_.theme != "all" && options_.theme != "every") return options_.theme;
  std::vector<std::string> names = Generator::theme_names();
  if (options_.theme == "every") names.emplace_back();
  return names[seed % names.size()];
}

void Run::run_seeds() {
  for (std::uint64_t i = 0; i < options_.seeds && minutes_since(start_) < options_.minutes; ++i) {
    const std::uint64_t seed = options_.first_seed + i;
    const std::string theme = theme_of(seed);
    Case kernel = Generator(seed, theme).make();
    if (options_.prints) {
      std::cout << "// seed " << seed << (theme.empty() ? "" : " of " + theme) << "\n" << kernel.text();
      continue;
    }
    use(ways(seed));
    comparison_.ask(kernel.text(), numbers(seed), census_ ? census_->name_next(theme) : "");
    open_.push_back({(theme.empty() ? "seed_" : theme + "_") + std::to_string(seed), std::move(kernel)});
    if (open_.size() == most_open) finish_one();
    if (!failing_.empty()) finish_all();
    if (options_.first_failure && failures_ > 0) break;
  }
  finish_all();
}

void Run::run_file(const std::string& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  use(ways(kernels_));
  std::vector<std::size_t> numbers(ways_.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = i;
  comparison_.ask(text.str(), numbers);
  ++kernels_;
  if (std::optional<Verdict> verdict = comparison_.judge())
    report(file.substr(file.rfind('/') + 1), text.str(), *verdict);
}

void Run::print_times() const {
  for (const auto& [way, spent] : comparison_.spent())
    std::printf("%10s: %6.1f s, %.0f ms a kernel, of which %.0f ms build the program\n", way.c_str(),
                spent.build + spent.run,
                (spent.build + spent.run) / static_cast<double>(spent.kernels) * 1000,
                spent.build / static_cast<double>(spent.kernels) * 1000);
}

/// A way through SPIR-V says little where clang translates less than half of the kernels.
bool Run::has_enough_il() const {
  const auto found = comparison_.spent().find("il");
  if (found == comparison_.spent().end()) return true;
  const auto& [kernels, unsupported, build, run] = found->second;
  std::cout << "skipped through SPIR-V, which clang cannot make of them: " << unsupported << " of " << kernels
            << " kernels\n";
  return unsupported * 2 <= kernels;
}

int Run::all() {
  for (const std::string& file : options_.files)
    run_file(file);
  run_seeds();
  if (options_.prints) return 0;
  if (comparison_.given_up() > 0)
    std::cout << "other drivers gave up " << comparison_.given_up() << " times\n";
  if (options_.times) print_times();
  std::cout << kernels_ << " kernels (seeds from " << options_.first_seed << "), " << failures_
            << " failures, " << static_cast<unsigned>(static_cast<double>(kernels_) / minutes_since(start_))
            << " kernels per minute\n";
  const bool enough_il = has_enough_il();
  const unsigned rare = census_ && options_.census ? census_->report(*options_.census) : 0;
  return failures_ == 0 && rare == 0 && enough_il ? 0 : 1;
}

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    auto value = [&](const std::string& name) {
      return argument.starts_with(name) ? std::optional(argument.substr(name.size())) : std::nullopt;
    };
    if (auto seeds = value("--seeds=")) {
      char* rest = nullptr;
      options.first_seed = std::strtoull(seeds->c_str(), &rest, 10);
      if (*rest != ',') return std::nullopt;
      options.seeds = std::strtoull(rest + 1, nullptr, 10);
    } else if (auto minutes = value("--minutes="))
      options.minutes = std::strtod(minutes->c_str(), nullptr);
    else if (auto theme = value("--theme="))
      options.theme = *theme;
    else if (argument == "--host")
      options.uses_host = true;
    else if (auto driver = value("--against="))
      options.against.push_back(*driver);
    else if (auto settings = value("--way="))
      options.ways.push_back(*settings);
    else if (auto save = value("--save="))
      options.save = *save;
    else if (auto limit = value("--limit="))
      options.limit = std::chrono::seconds(std::max(1l, std::strtol(limit->c_str(), nullptr, 10)));
    else if (argument == "--no-reduction")
      options.reduces = false;
    else if (auto fault = value("--fault="))
      options.fault = *fault;
    else if (argument == "--first-failure")
      options.first_failure = true;
    else if (argument == "--one-by-one")
      options.one_by_one = true;
    else if (argument == "--sample")
      options.samples = true;
    else if (argument == "--print")
      options.prints = true;
    else if (argument == "--census")
      options.census = 0;
    else if (auto census = value("--census="))
      options.census = std::strtoull(census->c_str(), nullptr, 10);
    else if (argument == "--times")
      options.times = true;
    else if (argument.starts_with("-"))
      return std::nullopt;
    else
      options.files.push_back(argument);
  }
  return options;
}

} // namespace

} // namespace differential

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--worker") return differential::serve(argv[2]);
  std::signal(SIGPIPE, SIG_IGN); // a worker that has died shows when its answer is read
  std::optional<differential::Options> options = differential::parse(argc, argv);
  if (!options || (options->seeds == 0 && options->files.empty())) {
    std::cerr << differential::usage;
    return 2;
  }
  return differential::Run(*options).all();
}
