// Runs the faulty and the mended form of each program on each of the program's devices and on the host, each run in a
// process of its own. `portability NAME` runs only the programs whose names contain NAME, and prints the driver's
// messages.

#include "portability/program.hpp"
#include "process/own_process.hpp"
#include "support/choice.hpp"
#include "support/status.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace portability;

namespace {

/// How a form of a program has ended.
struct Ending {
  cl_int code = CL_SUCCESS;
  std::string messages;
};

/// The value of HOSTCL_DEVICE for a device of a program. The text of a description becomes a file.
std::string setting_of(const std::string& device, const std::string& folder) {
  if (!device.starts_with('{')) return device;
  const std::string file = folder + "/device.json";
  std::ofstream(file) << device;
  return file;
}

/// Runs one form of a program in a process of its own.
/// @param device the value of HOSTCL_DEVICE, or the text of a description; empty: the host
/// @param folder for temporary files
Ending run(const Program& program, const std::string& device, bool mended, const std::string& folder) {
  const std::string report = folder + "/report";
  const int status = test::in_child([&] {
    if (!device.empty()) setenv("HOSTCL_DEVICE", setting_of(device, folder).c_str(), 1);
    Ending ending;
    try {
      Bench bench(mended);
      try {
        program.run(bench);
      } catch (const Failure& failure) {
        ending.code = failure.code;
      }
      clFinish(bench.queue);
      ending.messages = bench.messages;
    } catch (const Failure& failure) {
      ending = {failure.code, "no device, context or queue"};
    }
    std::ofstream(report) << ending.code << '\n' << ending.messages;
    return 0;
  });
  Ending ending;
  std::ifstream file(report);
  std::stringstream messages;
  if (!(file >> ending.code)) return {-1000, "the process has ended with status " + std::to_string(status)};
  messages << file.rdbuf();
  ending.messages = messages.str();
  std::remove(report.c_str());
  if (status != 0) ending = {-1000, "the process has ended with status " + std::to_string(status)};
  return ending;
}

std::string name_of(cl_int code) {
  if (code == wrong_result) return "wrong results";
  if (code == null_pointer) return "a null pointer";
  return test::status_name(code);
}

class Report {
public:
  void compare(const Program& program, const std::string& device, const char* form, const Ending& ending,
               cl_int code, const char* message) {
    const bool is_right = ending.code == code && ending.messages.find(message) != std::string::npos;
    ++(is_right ? right_ : wrong_);
    if (is_right) return;
    std::printf("WRONG: %s, %s form, on %s\n  expected %s '%s'\n  got %s: %s\n", program.name, form,
                device.empty() ? "the host" : device.c_str(), name_of(code).c_str(), message,
                name_of(ending.code).c_str(), ending.messages.c_str());
  }
  int summary() const {
    std::printf("%u right, %u wrong\n", right_, wrong_);
    return wrong_ != 0 || right_ == 0;
  }

private:
  unsigned right_ = 0, wrong_ = 0;
};

std::vector<Program> all_programs() {
  std::vector<Program> all;
  for (const auto& part : {launch_programs(), language_programs(), feature_programs(), memory_programs(),
                           image_programs(), behaviour_programs()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

} // namespace

int main(int count, char** arguments) {
  char folder[] = "/tmp/hostcl-portability-XXXXXX";
  if (!mkdtemp(folder)) return 1;
  Report report;
  for (const Program& program : all_programs()) {
    if (count > 1 && !std::strstr(program.name, arguments[1])) continue;
    for (const std::string device : program.devices) {
      const Ending faulty = run(program, device, false, folder);
      if (count > 1)
        std::printf("%s on %s: %s %s\n", program.name, device.c_str(), name_of(faulty.code).c_str(),
                    faulty.messages.c_str());
      report.compare(program, device, "faulty", faulty, program.code, program.message);
      report.compare(program, device, "mended", run(program, device, true, folder), CL_SUCCESS, "");
    }
    report.compare(program, "", "mended", run(program, "", true, folder), CL_SUCCESS, "");
    if (program.passes_on_host)
      report.compare(program, "", "faulty", run(program, "", false, folder), CL_SUCCESS, "");
  }
  std::remove((std::string(folder) + "/device.json").c_str());
  rmdir(folder);
  return report.summary();
}
