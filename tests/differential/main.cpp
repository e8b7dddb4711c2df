// Runs random kernels, and kernels from files, in several ways whose results have to be the same bit for bit:
// at widths 1, 4, 8 and 16, with work-items in reverse order, and on other OpenCL drivers. A kernel of which
// two ways disagree is made small and printed.

#include "differential/generator.hpp"
#include "differential/reduce.hpp"
#include "differential/worker.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>

namespace differential {

namespace {

constexpr const char* hostcl_platform = "hostcl";

constexpr const char* usage = R"(usage: differential [options] [FILE.cl...]

  --seeds=FIRST,COUNT  random kernels of these seeds
  --against=DRIVER     another OpenCL driver that has to give the same results (may be repeated)
  --only=NAME,NAME...  of hostcl's ways to run a kernel (width1, width4, width8, width16, chosen,
                       reverse1, reverse16) only these
  --sample             each random kernel only at width 1 and in one other way, in turn
  --save=DIR           write small forms of failing kernels there
  --no-reduction       leave failing kernels as they are
  --print              print the kernels and do not run them
  --limit=SECONDS      for one kernel; more is a hang (30)
A file is OpenCL C with a kernel `test` and begins with its range, as cases printed by this program do.
The environment selects hostcl, as for any application (OCL_ICD_VENDORS or OCL_ICD_FILENAMES).
)";

struct Options {
  std::uint64_t first_seed = 0, seeds = 0;
  std::vector<std::string> against, files;
  std::string only, save;
  bool reduces = true, prints = false, samples = false;
  std::chrono::seconds limit{30};
};

/// A disagreement: two ways (or two builds of one way) and what they answered.
struct Verdict {
  std::string first, second;
  Answer first_answer, second_answer;

  /// Whether the other one is the same fault.
  bool is_like(const Verdict& other) const {
    return first == other.first && second == other.second && first_answer.kind == other.first_answer.kind &&
           second_answer.kind == other.second_answer.kind;
  }
};

std::string describe(const Answer& answer) {
  switch (answer.kind) {
  case Answer::Kind::results: {
    std::uint64_t hash = 14695981039346656037u;
    for (unsigned char byte : answer.text)
      hash = (hash ^ byte) * 1099511628211u;
    std::ostringstream text;
    text << "results " << std::hex << hash;
    return text.str();
  }
  case Answer::Kind::unsupported:
    return "does not support this kernel";
  case Answer::Kind::failed:
    return answer.text;
  case Answer::Kind::crashed:
    return "crashed: " + answer.text;
  default:
    return "hung: " + answer.text;
  }
}

class Comparison {
public:
  explicit Comparison(const Options& options) : options_(options) {
    auto add = [&](const char* name, const char* width, const char* reverse) {
      if (options.only.empty() ||
          ("," + options.only + ",").find("," + std::string(name) + ",") != std::string::npos)
        workers_.push_back(std::make_unique<Worker>(Configuration{
            name, "hostcl", {{"HOSTCL_WIDTH", width}, {"HOSTCL_REVERSE", reverse}, {"HOSTCL_CACHE", "0"}}}));
    };
    add("width1", "1", "0");
    add("width4", "4", "0");
    add("width8", "8", "0");
    add("width16", "16", "0");
    add("chosen", "0", "0"); // by the compiler, as in any application
    add("reverse1", "1", "1");
    add("reverse16", "16", "1");
    for (const std::string& driver : options.against)
      workers_.push_back(std::make_unique<Worker>(
          Configuration{driver.substr(driver.rfind('/') + 1),
                        "",
                        {{"OCL_ICD_VENDORS", driver},
                         {"OCL_ICD_FILENAMES", driver.ends_with(".icd") ? "" : driver},
                         {"POCL_KERNEL_CACHE", "0"}}}));
  }

  /// The first disagreement, if any.
  std::optional<Verdict> judge(const std::string& source, const std::vector<Worker*>& workers) {
    return emulates_sub_groups(source) ? judge_each(source, workers) : judge_across(source, workers);
  }

  std::vector<Worker*> all() const {
    std::vector<Worker*> result;
    for (const auto& worker : workers_)
      result.push_back(worker.get());
    return result;
  }

  /// The first way and one of the others, and all other drivers.
  std::vector<Worker*> sample(std::uint64_t number) const {
    std::vector<Worker*> result{workers_[0].get()};
    const std::size_t ways = workers_.size() - options_.against.size();
    if (ways > 1) result.push_back(workers_[1 + number % (ways - 1)].get());
    for (std::size_t i = ways; i < workers_.size(); ++i)
      result.push_back(workers_[i].get());
    return result;
  }

  /// Kernels that other drivers could not build or run.
  std::uint64_t given_up() const { return given_up_; }

  bool fails_like(const Case& candidate, const Verdict& verdict) {
    std::string source = candidate.text();
    std::vector<Worker*> concerned;
    for (const auto& worker : workers_)
      if (const std::string& name = worker->configuration().name;
          name == verdict.first || name == verdict.second)
        concerned.push_back(worker.get());
    std::optional<Verdict> found = judge(source, concerned);
    return found && found->is_like(verdict);
  }

private:
  static bool emulates_sub_groups(const std::string& source) {
    return source.find("EMULATE") != std::string::npos;
  }

  /// Other drivers may fail, which is not ours to judge, but not give other results.
  bool is_excused(const Worker& worker, const Answer& answer) {
    if (answer.kind == Answer::Kind::unsupported) return true;
    if (worker.configuration().platform == hostcl_platform || answer.kind == Answer::Kind::results)
      return false;
    ++given_up_;
    return true;
  }

  /// All ways against the first that supports the kernel.
  std::optional<Verdict> judge_across(const std::string& source, const std::vector<Worker*>& workers) {
    std::vector<Answer> answers = ask(workers, source, "");
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < workers.size(); ++i) {
      if (is_excused(*workers[i], answers[i])) continue;
      if (!first) first = i;
      if (answers[i].kind != Answer::Kind::results || answers[i] != answers[*first])
        return Verdict{workers[*first]->configuration().name, workers[i]->configuration().name,
                       answers[*first], answers[i]};
    }
    return std::nullopt;
  }

  /// Each way's sub-groups, whose size is its own, against the same without operations of sub-groups.
  std::optional<Verdict> judge_each(const std::string& source, const std::vector<Worker*>& workers) {
    std::vector<Answer> native = ask(workers, source, ""), emulated = ask(workers, source, "-DEMULATE");
    for (std::size_t i = 0; i < workers.size(); ++i) {
      if (is_excused(*workers[i], native[i]) || is_excused(*workers[i], emulated[i])) continue;
      const std::string& name = workers[i]->configuration().name;
      if (native[i].kind != Answer::Kind::results || native[i] != emulated[i])
        return Verdict{name, name, emulated[i], native[i]};
    }
    return std::nullopt;
  }

  std::vector<Answer> ask(const std::vector<Worker*>& workers, const std::string& source,
                          const std::string& build_options) {
    for (Worker* worker : workers)
      worker->ask(source, build_options);
    std::vector<Answer> answers;
    for (Worker* worker : workers)
      answers.push_back(worker->answer(options_.limit));
    return answers;
  }

  const Options& options_;
  std::uint64_t given_up_ = 0;
  std::vector<std::unique_ptr<Worker>> workers_;
};

void report(const std::string& name, const std::string& source, const Verdict& verdict) {
  std::cout << "\n==== " << name << ": " << verdict.first << " and " << verdict.second << " disagree\n  "
            << verdict.first << ": " << describe(verdict.first_answer) << "\n  " << verdict.second << ": "
            << describe(verdict.second_answer) << "\n"
            << source << std::flush;
}

bool run_seed(Comparison& comparison, const Options& options, std::uint64_t seed) {
  Case kernel = Generator(seed).make();
  std::string source = kernel.text();
  const std::vector<Worker*> workers = options.samples ? comparison.sample(seed) : comparison.all();
  std::optional<Verdict> verdict = comparison.judge(source, workers);
  if (!verdict) return true;
  std::string name = "seed " + std::to_string(seed);
  if (options.reduces) {
    std::cout << name << " disagrees; reducing it" << std::endl;
    source = reduce(std::move(kernel), [&](const Case& candidate) {
               return comparison.fails_like(candidate, *verdict);
             }).text();
  }
  report(name, source, *verdict);
  if (!options.save.empty())
    std::ofstream(options.save + "/" + std::to_string(seed) + ".cl")
        << source << "// " << verdict->first << ": " << describe(verdict->first_answer) << "\n// "
        << verdict->second << ": " << describe(verdict->second_answer) << "\n";
  return false;
}

int run(const Options& options) {
  Comparison comparison(options);
  std::uint64_t failures = 0;
  for (const std::string& file : options.files) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    if (std::optional<Verdict> verdict = comparison.judge(text.str(), comparison.all())) {
      report(file, "", *verdict);
      ++failures;
    }
  }
  for (std::uint64_t i = 0; i < options.seeds; ++i) {
    if (options.prints)
      std::cout << "// seed " << options.first_seed + i << "\n"
                << Generator(options.first_seed + i).make().text();
    else if (!run_seed(comparison, options, options.first_seed + i))
      ++failures;
    if ((i + 1) % 500 == 0) std::cout << i + 1 << " kernels, " << failures << " failures" << std::endl;
  }
  if (options.prints) return 0;
  if (comparison.given_up() > 0) std::cout << "other drivers gave up " << comparison.given_up() << " times\n";
  std::cout << options.files.size() + options.seeds << " kernels (seeds from " << options.first_seed << "), "
            << failures << " failures\n";
  return failures == 0 ? 0 : 1;
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
    } else if (auto driver = value("--against="))
      options.against.push_back(*driver);
    else if (auto only = value("--only="))
      options.only = *only;
    else if (auto save = value("--save="))
      options.save = *save;
    else if (auto limit = value("--limit="))
      options.limit = std::chrono::seconds(std::max(1, std::atoi(limit->c_str())));
    else if (argument == "--no-reduction")
      options.reduces = false;
    else if (argument == "--sample")
      options.samples = true;
    else if (argument == "--print")
      options.prints = true;
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
  return differential::run(*options);
}
