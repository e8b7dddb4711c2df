// Everyday kernels, as people write them: measures each and prints one JSON object per kernel. The results of each are
// compared with those of the same driver with HOSTCL_WIDTH=1, which runs one work-item at a time.
// bench/ablation runs this program with each heuristic of the compiler off and on.

#include "bench/device.hpp"
#include "bench/json.hpp"
#include "bench/options.hpp"
#include "bench/survey/data.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench::survey {
namespace {

constexpr const char* usage = R"(usage: bench_survey [OPTION...] [KERNEL...]
  --platform NAME   the platform whose name contains NAME (default: the first one)
  --seconds S       time for the rounds of each kernel, of which the shortest counts (default: 0.05)
  --first-launches S  instead, the seconds from each kernel's source to the end of its 1st to 100th launch, or of as many
                    launches as begin within S seconds
  --unchecked       without comparing results
  --list            names and titles of the kernels
KERNEL is the name of a kernel, as in indices/copy, or of a folder of them. Output: one JSON object per line.
)";

struct Options {
  std::string platform;
  double seconds = 0.05;
  bool unchecked = false;
  bool list = false;
  std::string write; ///< file that gets the results of all kernels, one after the other, instead of measuring
  std::vector<std::string> names;
};

Options parse(int argc, char** argv) {
  Options options;
  options.names = parse_options(argc, argv,
                                {{"--platform", &options.platform},
                                 {"--seconds", &options.seconds},
                                 {"--first-launches", &first_launch_seconds},
                                 {"--write", &options.write},
                                 {"--unchecked", &options.unchecked},
                                 {"--list", &options.list}},
                                usage);
  return options;
}

std::vector<Kernel> selected_kernels(const Options& options) {
  auto all = read_kernels(data_folder("survey"));
  if (options.names.empty()) return all;
  std::erase_if(all, [&](const Kernel& kernel) {
    return std::ranges::none_of(options.names, [&](const std::string& name) {
      return kernel.name == name || kernel.name.starts_with(name + '/');
    });
  });
  if (all.empty()) throw std::invalid_argument("no kernel has one of these names; --list shows all");
  return all;
}

cl::NDRange range_of(const std::vector<std::size_t>& sizes) {
  if (sizes.size() == 1) return {sizes[0]};
  if (sizes.size() == 2) return {sizes[0], sizes[1]};
  return {sizes[0], sizes[1], sizes[2]};
}

/// A kernel that has been compiled and launched once. With --first-launches, its launches have been measured before that
/// one, for which all buffers were filled again.
class Launched {
public:
  Launched(const Device& device, const Kernel& kernel) : device_(device), kernel_(kernel) {
    for (const Argument& argument : kernel.arguments) {
      if (argument.buffer) contents_.push_back(contents(argument));
      buffers_.push_back(argument.buffer ? device.buffer(contents_.back()) : cl::Buffer());
    }
    const auto start = Clock::now();
    std::vector<cl::Kernel> kernels;
    device.build_source(kernel.source, "-cl-std=CL3.0").createKernels(&kernels);
    compiled_ = kernels.at(0);
    for (cl_uint i = 0; i < kernel.arguments.size(); ++i)
      if (kernel.arguments[i].buffer)
        compiled_.setArg(i, buffers_[i]);
      else
        compiled_.setArg(i, cl_int(kernel.arguments[i].value));
    if (first_launch_seconds > 0) {
      launches_ = first_launches(seconds_since(start), [&] { launch(); }, [&] { reset(false); }).launches;
      reset(true);
    }
    launch();
    compile_seconds_ = seconds_since(start);
  }

  /// The time of the program's build and the first launch, which waits for the machine code.
  double compile_seconds() const { return compile_seconds_; }

  const std::vector<double>& launches() const { return launches_; }

  /// The buffers that hold results; call it before measure().
  std::vector<Bytes> results() const {
    std::vector<Bytes> results;
    for (std::size_t i = 0; i < buffers_.size(); ++i)
      if (kernel_.arguments[i].is_result())
        results.push_back(device_.read<std::byte>(buffers_[i], buffers_[i].getInfo<CL_MEM_SIZE>()));
    return results;
  }

  /// Rounds for so long, three at least.
  Measurement measure(double seconds) const {
    Measurement measured;
    const auto begin = Clock::now();
    do {
      reset(false);
      const auto start = Clock::now();
      launch();
      const double round = seconds_since(start);
      if (measured.rounds++ == 0 || round < measured.best) measured.best = round;
    } while (measured.rounds < 3 || seconds_since(begin) < seconds);
    return measured;
  }

private:
  void launch() const {
    device_.launch(compiled_, range_of(kernel_.global), range_of(kernel_.local));
    device_.queue().finish();
  }

  /// Fills the buffers that begin each round anew, or all.
  void reset(bool all) const {
    std::size_t next = 0;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (!kernel_.arguments[i].buffer) continue;
      const Bytes& bytes = contents_[next++];
      if (all || kernel_.arguments[i].reset)
        device_.queue().enqueueWriteBuffer(buffers_[i], CL_TRUE, 0, bytes.size(), bytes.data());
    }
  }

  const Device& device_;
  const Kernel& kernel_;
  std::vector<Bytes> contents_; ///< one for each argument that is a buffer
  std::vector<cl::Buffer> buffers_;
  cl::Kernel compiled_;
  double compile_seconds_ = 0;
  std::vector<double> launches_;
};

/// A name for a file that is deleted again.
class TemporaryFile {
public:
  TemporaryFile() {
    const int file = mkstemp(path_.data());
    if (file < 0) throw std::runtime_error("cannot make a file for results in /tmp");
    close(file);
  }
  ~TemporaryFile() { unlink(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

private:
  std::string path_ = "/tmp/bench_survey.XXXXXX";
};

/// Has this program run all kernels at one work-item at a time.
void write_expected_results(const Options& options, const std::string& path) {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  std::vector<std::string> words = {program, "--platform", options.platform, "--write", path};
  words.insert(words.end(), options.names.begin(), options.names.end());
  std::vector<char*> arguments;
  for (std::string& word : words)
    arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::vector<char*> environment;
  for (char** variable = environ; *variable; ++variable)
    if (!std::string_view(*variable).starts_with("HOSTCL_WIDTH=")) environment.push_back(*variable);
  std::string width = "HOSTCL_WIDTH=1";
  environment.insert(environment.end(), {width.data(), nullptr});
  pid_t child;
  int status = 0;
  if (posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments.data(), environment.data()) != 0 ||
      waitpid(child, &status, 0) != child || status != 0)
    throw std::runtime_error("the run with one work-item at a time failed");
}

void write_results(const Device& device, const std::vector<Kernel>& kernels, const std::string& path) {
  std::ofstream file(path, std::ios::binary);
  for (const Kernel& kernel : kernels)
    for (const Bytes& bytes : Launched(device, kernel).results())
      file.write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

void check_results(const Kernel& kernel, const std::vector<Bytes>& results, std::istream& expected) {
  std::string differs;
  std::size_t next = 0;
  for (const Argument& argument : kernel.arguments) {
    if (!argument.is_result()) continue;
    const Bytes& actual = results[next++];
    Bytes wanted(actual.size());
    expected.read(reinterpret_cast<char*>(wanted.data()), std::streamsize(wanted.size()));
    if (differs.empty()) differs = difference(argument, actual, wanted);
  }
  check(differs.empty(), differs);
}

std::string rounds_fields(const Launched& launched, double seconds) {
  const Measurement measured = launched.measure(seconds);
  char fields[120];
  std::snprintf(fields, sizeof fields, R"("best": %.6g, "compile": %.6g, "rounds": %d)", measured.best,
                launched.compile_seconds(), measured.rounds);
  return fields;
}

/// Returns false where the kernel failed.
bool run_kernel(const Device& device, const Kernel& kernel, const Options& options, std::istream* expected) {
  std::string second_half;
  bool right = true;
  try {
    const Launched launched(device, kernel);
    if (expected) check_results(kernel, launched.results(), *expected);
    second_half = (first_launch_seconds > 0 ? numbers_field("launches", launched.launches())
                                            : rounds_fields(launched, options.seconds)) +
                  R"(, "verified": )" + (expected ? "true" : "false");
  } catch (const cl::Error& error) {
    right = false;
    second_half = text_field("error", std::string(error.what()) + " returned " + std::to_string(error.err()));
  } catch (const std::exception& error) {
    right = false;
    second_half = text_field("error", error.what());
  }
  std::printf("{%s, %s}\n", text_field("case", kernel.name).c_str(), second_half.c_str());
  std::fflush(stdout);
  return right;
}

int run(const Options& options) {
  const auto kernels = selected_kernels(options);
  if (options.list) {
    for (const Kernel& kernel : kernels)
      std::printf("%-32s %s\n", kernel.name.c_str(), kernel.title.c_str());
    return EXIT_SUCCESS;
  }
  // The code that is made for the launch itself, from the first launch on.
  if (!(first_launch_seconds > 0)) setenv("HOSTCL_CODE", "tier1", 0);
  const Device device(find_device(options.platform));
  if (!options.write.empty()) {
    write_results(device, kernels, options.write);
    return EXIT_SUCCESS;
  }
  const TemporaryFile file;
  std::ifstream expected;
  if (!options.unchecked) {
    write_expected_results(options, file.path());
    expected.open(file.path(), std::ios::binary);
  }
  bool all_right = true;
  for (const Kernel& kernel : kernels)
    all_right &= run_kernel(device, kernel, options, options.unchecked ? nullptr : &expected);
  return all_right ? EXIT_SUCCESS : EXIT_FAILURE;
}

} // namespace
} // namespace bench::survey

int main(int argc, char** argv) {
  try {
    return bench::survey::run(bench::survey::parse(argc, argv));
  } catch (const cl::Error& error) {
    std::fprintf(stderr, "bench_survey: %s returned %d\n", error.what(), error.err());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_survey: %s\n", error.what());
  }
  return 2;
}
