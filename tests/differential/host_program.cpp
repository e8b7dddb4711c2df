#include "differential/host_program.hpp"

#include "differential/arguments.hpp"
#include "differential/fibres.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>

#include <dlfcn.h>
#include <unistd.h>

namespace differential {

namespace {

constexpr const char* compiler = "g++ -std=gnu++20 -O1 -fPIC -w -fpermissive -ffp-contract=off "
                                 "-fno-strict-aliasing -fno-semantic-interposition ";

} // namespace

std::string output_of(const std::string& command, int& status) {
  std::string output;
  // NOLINTNEXTLINE(bugprone-command-processor): no part of the command comes from others
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  if (!pipe) throw std::runtime_error("cannot run " + command);
  char part[4096];
  for (std::size_t size; (size = std::fread(part, 1, sizeof part, pipe)) > 0;)
    output.append(part, size);
  status = pclose(pipe);
  return output;
}

HostFolder::HostFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "differential-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a folder " + name);
  path_ = name;
  int status = 0;
  output_of(std::string(compiler) + "-x c++-header " HOSTCL_DIFFERENTIAL_HOST "/opencl.hpp -o " + path_ +
                "/opencl.hpp.gch",
            status);
  ready_ = status == 0;
}

HostFolder::~HostFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

bool is_for_host(const std::string& source) {
  static const std::regex others(
      "sub_group|image2d|pipe|enqueue_kernel|may_alias, aligned|cl_khr_fp16|printf");
  return !std::regex_search(source, others);
}

std::string as_cpp(const std::string& source) {
  static const std::pair<std::regex, const char*> changes[] = {
      // (int4)(a, b) is a comma's value in C++
      {std::regex("\\(((?:u?(?:char|short|int|long)|float|double)(?:16|[2348]))\\)\\("), "$1("},
      {std::regex("(^|\n)( *(?:volatile )?)local ([a-z0-9_ ]+\\[[^\n]*\\];)"), "$1$2static $3"},
      {std::regex("__attribute__\\(\\(opencl_unroll_hint(?:\\([0-9]*\\))?\\)\\)"), ""},
      {std::regex("(^|\n) *__attribute__\\(\\([^\n]*\\)\\)(?=\n)"), "$1"},
  };
  std::string text = source;
  for (const auto& [what, by] : changes)
    text = std::regex_replace(text, what, by);
  return "#include \"opencl.hpp\"\n" + text +
         "\nextern \"C\" void hostcl_run_item(void** arguments) { hostcl_call(test, arguments); }\n";
}

void HostProgram::Close::operator()(void* library) const {
  dlclose(library);
}

HostProgram::HostProgram(const std::string& source, const std::string& folder) {
  const std::string file = folder + "/kernel_" + std::to_string(getpid());
  std::ofstream(file + ".cpp") << as_cpp(source);
  int status = 0;
  const std::string messages =
      output_of(std::string(compiler) + "-shared -I " + folder + " -I " HOSTCL_DIFFERENTIAL_HOST " " + file +
                    ".cpp -o " + file + ".so",
                status);
  if (status != 0) throw std::runtime_error("does not compile as C++: " + messages.substr(0, 2000));
  library_.reset(dlopen((file + ".so").c_str(), RTLD_NOW | RTLD_LOCAL));
  std::filesystem::remove(file + ".so");
  if (!library_) throw std::runtime_error(std::string("cannot load the kernel: ") + dlerror());
}

std::vector<Results> HostProgram::run(const std::string& source, const Launches& launches) {
  const auto kernel = reinterpret_cast<HostKernel>(dlsym(library_.get(), "hostcl_run_item"));
  const auto item = static_cast<const WorkItem**>(dlsym(library_.get(), "hostcl_item"));
  if (!kernel || !item) throw std::runtime_error("the kernel lacks its entry");
  const bool waits = std::regex_search(source, std::regex("barrier|work_group_|wait_group_events"));
  std::vector<Results> results;
  for (const Range& range : launches.ranges) {
    HostArguments arguments(parameters_of(source), range);
    run_range(range, kernel, arguments.pointers(), item, waits);
    results.push_back(arguments.results());
    normalise(results.back());
  }
  return results;
}

} // namespace differential
