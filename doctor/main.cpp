// hostcl-doctor: finds out why an application does not see hostcl's device, or which devices it sees. The program is
// not linked with the driver, because it has to run where the driver cannot be loaded. Of LLVM, it contains the support
// library only.

#include "compiler/tools/completions.hpp"
#include "doctor/cache.hpp"
#include "doctor/description/device_description.hpp"
#include "doctor/icd_files.hpp"
#include "doctor/icd_library.hpp"
#include "doctor/isolated.hpp"
#include "doctor/loader.hpp"
#include "doctor/platforms.hpp"
#include "doctor/process.hpp"
#include "doctor/report.hpp"
#include "doctor/settings.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/Process.h"

using namespace hostcl;

namespace {

using namespace llvm::opt;

#define HOSTCL_OPTIONS "doctor_options.inc"
#include "compiler/tools/option_table.inc"

constexpr const char* usage = R"(hostcl-doctor [options]

Each finding is a line: ok, note, or problem with its remedy. Exit status: 0 if all is well, 1 if there is a problem, 2 if the
arguments are wrong.)";

void examine(doctor::Report& report, const std::string& loader_name) {
  doctor::check_settings(report);
  ::unsetenv("HOSTCL_PLATFORM_NAME"); // the checks look for the platform "hostcl"
  const doctor::Loader loader = doctor::find_loader(report, loader_name);
  const std::vector<doctor::Candidate> candidates = doctor::find_candidates(report, loader);
  const std::vector<doctor::Driver> drivers = doctor::check_libraries(report, candidates);
  const bool is_listed = !loader.path.empty() && doctor::check_platforms(report, loader, drivers);
  // A loader of Python's or Conda's may know folders of its own.
  if (!is_listed) doctor::check_own_library(report, loader, candidates, drivers);
  doctor::check_process(report);
  doctor::check_cache(report);
  if (is_listed) doctor::check_kernel(report, loader);
}

/// --report. @returns the exit status
int describe_device(const llvm::opt::InputArgList& arguments, const std::string& loader_name,
                    const std::string& file) {
  std::optional<doctor::DeviceChoice> choice;
  if (const llvm::opt::Arg* device = arguments.getLastArg(OPT_device)) {
    choice = doctor::parsed_choice(device->getValue());
    if (!choice) {
      llvm::errs() << "hostcl-doctor: " << device->getAsString(arguments)
                   << ": it must be two numbers with a colon between them, such as 0:0\n";
      return 2;
    }
  }
  ::unsetenv("HOSTCL_PLATFORM_NAME"); // the description's platform is found by the name "hostcl"
  doctor::Report findings;
  const std::string failure =
      doctor::write_description(doctor::find_loader(findings, loader_name), choice, file);
  if (failure.empty()) return 0;
  llvm::errs() << "hostcl-doctor: " << failure << "\n";
  return 1;
}

} // namespace

int main(int argc, char** argv) {
  if (llvm::sys::Process::FixupStandardFileDescriptors())
    return 2; // otherwise, pipes could get the numbers of standard streams that are closed
  const Table table;
  unsigned missing_index, missing = 0;
  const llvm::opt::InputArgList arguments =
      table.ParseArgs(llvm::ArrayRef(argv + 1, argv + argc), missing_index, missing);
  if (arguments.hasArg(OPT_autocomplete)) {
    llvm::outs() << compiler::completions(table, arguments.getLastArgValue(OPT_autocomplete));
    return 0;
  }
  for (const llvm::opt::Arg* wrong : arguments.filtered(OPT_INPUT, OPT_UNKNOWN)) {
    llvm::errs() << "hostcl-doctor: " << wrong->getAsString(arguments) << ": unknown argument, see --help\n";
    return 2;
  }
  if (arguments.hasArg(OPT_help)) {
    table.printHelp(llvm::outs(), usage, "why applications do not see hostcl's device");
    return 0;
  }
  if (arguments.hasArg(OPT_version)) {
    llvm::outs() << "hostcl-doctor " HOSTCL_VERSION ", LLVM " LLVM_VERSION_STRING "\n";
    return 0;
  }
  if (const llvm::opt::Arg* seconds = arguments.getLastArg(OPT_patience))
    if (llvm::StringRef(seconds->getValue()).getAsInteger(10, doctor::patience)) {
      llvm::errs() << "hostcl-doctor: " << seconds->getAsString(arguments) << ": not a number of seconds\n";
      return 2;
    }
  const std::string loader = arguments.getLastArgValue(OPT_loader, "libOpenCL.so.1").str();
  if (const llvm::opt::Arg* wanted = arguments.getLastArg(OPT_report, OPT_report_EQ))
    return describe_device(arguments, loader, wanted->getNumValues() ? wanted->getValue() : "-");
  if (const llvm::opt::Arg* device = arguments.getLastArg(OPT_device)) {
    llvm::errs() << "hostcl-doctor: " << device->getAsString(arguments) << ": it needs --report\n";
    return 2;
  }
  doctor::Report report;
  examine(report, loader);
  if (arguments.hasArg(OPT_json))
    report.print_json(llvm::outs());
  else
    report.print_text(llvm::outs());
  return report.is_well() ? 0 : 1;
}
