#include "compiler/tools/command_line.hpp"

#include "compiler/code/pipeline/pipeline_steps.hpp"
#include "compiler/code/variant.hpp"
#include "compiler/settings/sub_group_sizes.hpp"
#include "compiler/tools/completions.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Pass.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace hostcl::compiler {

using namespace llvm::opt;

namespace {

#define HOSTCL_OPTIONS "hostclc_options.inc"
#include "compiler/tools/option_table.inc"

constexpr const char* usage = R"(hostclc [options] FILE.cl|FILE.spv   compile, print diagnostics
       hostclc --check FILE.spv...          read SPIR-V
       hostclc --passes=LIST FILE.ll        run passes on IR
       hostclc --cache=FOLDER FILE...       fill a cache of compiled programs
All arguments that do not begin with -- are build options of OpenCL (-cl-std=CL3.0, -D NAME=VALUE, -I DIR, ...).)";

[[noreturn]] void refuse(llvm::StringRef argument, llvm::StringRef rule) {
  llvm::errs() << "hostclc: " << argument << ": " << rule << '\n';
  std::exit(1);
}

[[noreturn]] void answer(llvm::StringRef text) {
  llvm::outs() << text;
  llvm::outs().flush();
  std::exit(0);
}

void print_help(llvm::raw_ostream& stream) {
  Table().printHelp(stream, usage, "hostcl's compiler without a device");
}

/// An option's value, if it was given.
class Value {
public:
  Value(const InputArgList& arguments, unsigned option) : argument_(arguments.getLastArg(option)) {
    if (argument_) text_ = argument_->getValue();
  }
  explicit operator bool() const { return argument_ != nullptr; }
  llvm::StringRef text() const { return text_; }
  [[noreturn]] void refuse(llvm::StringRef rule) const {
    compiler::refuse((argument_->getSpelling() + text_).str(), rule);
  }
  /// Reads a setting, which may be refused, if the option was given.
  template <class T>
  void read(T& setting, Outcome<T> (*named)(std::string_view)) const {
    if (!argument_) return;
    Outcome<T> read = named(text_);
    if (!read) refuse(read.log);
    setting = std::move(read.value);
  }

private:
  const Arg* argument_;
  llvm::StringRef text_;
};

/// Reads "X", "X,Y" or "X,Y,Z"; missing sizes are 1.
void read_sizes(const Value& value, std::uint64_t (&sizes)[3]) {
  if (!value) return;
  llvm::SmallVector<llvm::StringRef, 3> words;
  value.text().split(words, ',');
  if (words.size() > 3) value.refuse("there are more than three sizes");
  std::fill_n(sizes, 3, 1);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].getAsInteger(10, sizes[i]) || sizes[i] == 0)
      value.refuse("each size must be a positive number");
}

unsigned width_of(const Value& value) {
  unsigned width = 0;
  if (!value) return width;
  if (value.text().getAsInteger(10, width) || !may_require_sub_groups_of(width))
    value.refuse("the width must be a power of two up to 64");
  return width;
}

bool has_same_bits(const Value& value) {
  if (!value || value.text() == "cpu") return false;
  if (value.text() != "same") value.refuse("it must be cpu or same");
  return true;
}

FallbackLevel level_of(const Value& value) {
  if (!value) return FallbackLevel::full;
  for (const FallbackLevel level : {FallbackLevel::plain, FallbackLevel::scalar, FallbackLevel::bare})
    if (value.text() == text_of(level)) return level;
  value.refuse("it must be plain, scalar or bare");
}

ImageProperties images_of(const Value& value) {
  if (!value) return {};
  auto properties = parse_image_properties(value.text().str());
  if (!properties)
    value.refuse("each argument must be ARGUMENT=ORDER.TYPE, ARGUMENT=ORDER.TYPEs or ARGUMENT=SAMPLER, in "
                 "hexadecimal digits");
  return std::move(*properties);
}

bool names_input(llvm::StringRef word) {
  return word == "-" || word.ends_with(".cl") || word.ends_with(".ll") || word.ends_with(".spv");
}

/// Reads "1.2" as CL_MAKE_VERSION packs it.
std::uint32_t version_of(const Value& value) {
  if (!value) return 0;
  const auto [major, minor] = value.text().split('.');
  std::uint32_t first = 0, second = 0;
  if (major.getAsInteger(10, first) || minor.getAsInteger(10, second) || first > 9 || second > 9)
    value.refuse("the version must be two numbers, such as 1.2");
  return first << 22 | second << 12;
}

std::vector<std::string> missing_parts_of(const Value& value) {
  std::vector<std::string> names;
  for (const llvm::StringRef name : llvm::split(value.text(), ',')) {
    const auto is_known = [&](std::span<const NamedVersion> rows) {
      return llvm::any_of(rows, [&](const NamedVersion& row) { return row.name == name; });
    };
    if (name.empty()) continue;
    if (!is_known(language_extensions()) && !is_known(language_features()))
      value.refuse(("the compiler has no extension or feature '" + name + "'").str());
    names.push_back(name.str());
  }
  std::ranges::sort(names);
  return names;
}

/// Sub-group sizes (Language::sub_group_sizes).
std::vector<unsigned> sizes_of(const Value& value) {
  std::vector<unsigned> sizes;
  if (!value) return sizes;
  for (const llvm::StringRef word : llvm::split(value.text(), ','))
    if (word.getAsInteger(10, sizes.emplace_back()) || !may_require_sub_groups_of(sizes.back()))
      value.refuse("each sub-group size must be a power of two up to 64");
  return sizes;
}

Language language_of(const InputArgList& arguments) {
  return {.lacks = missing_parts_of({arguments, OPT_lacks}),
          .newest_c = version_of({arguments, OPT_newest_c}),
          .newest_spirv = version_of({arguments, OPT_newest_spirv}),
          .sub_group_sizes = sizes_of({arguments, OPT_sub_group_sizes})};
}

SettingsPtr settings_of(const InputArgList& arguments) {
  Settings settings = *default_settings();
  settings.width = width_of({arguments, OPT_width});
  settings.coverage = arguments.hasArg(OPT_coverage);
  settings.same_bits = has_same_bits({arguments, OPT_result_bits});
  settings.language = language_of(arguments);
  if (!arguments.hasArg(OPT_cache)) // it may be a list then
    Value(arguments, OPT_cpu).read<HostCpu>(settings.cpu, [](std::string_view name) {
      return cpu_named(std::string(name), /*must_run=*/false);
    });
  const Value without(arguments, OPT_without);
  if (without.text() == "help") answer(heuristics_help());
  without.read(settings.off, heuristics_named);
  const Value stop_after(arguments, OPT_stop_after);
  if (stop_after.text() == "help") answer(steps_help());
  stop_after.read(settings.last_step, step_named);
  Value(arguments, OPT_checks).read(settings.checks, checks_named);
  return std::make_shared<const Settings>(std::move(settings));
}

} // namespace

Command parse_command_line(int argc, char** argv) {
  unsigned missing_index, missing = 0;
  const InputArgList arguments =
      Table().ParseArgs(llvm::ArrayRef(argv + 1, argv + argc), missing_index, missing);
  if (arguments.hasArg(OPT_autocomplete))
    answer(completions(Table(), arguments.getLastArgValue(OPT_autocomplete)));
  if (missing) refuse(arguments.getArgString(missing_index), "its argument is missing");
  if (arguments.hasArg(OPT_help)) {
    print_help(llvm::outs());
    llvm::outs().flush();
    std::exit(0);
  }
  if (arguments.hasArg(OPT_version)) answer("hostclc " HOSTCL_VERSION ", LLVM " LLVM_VERSION_STRING "\n");
  if (arguments.hasArg(OPT_time_passes)) llvm::TimePassesIsEnabled = true;
  const auto cpus = llvm::split(arguments.getLastArgValue(OPT_cpu), ',');
  Command command{.settings = settings_of(arguments),
                  .cache = arguments.getLastArgValue(OPT_cache).str(),
                  .cpus = {cpus.begin(), cpus.end()},
                  .passes = arguments.getLastArgValue(OPT_passes).str(),
                  .kernel = arguments.getLastArgValue(OPT_kernel).str(),
                  .print = arguments.getLastArgValue(OPT_print).str(),
                  .print_values = arguments.hasArg(OPT_print_values),
                  .images = images_of({arguments, OPT_images}),
                  .level = level_of({arguments, OPT_fallback_level}),
                  .check = arguments.hasArg(OPT_check),
                  .print_plan = arguments.hasArg(OPT_print_plan),
                  .tier0 = arguments.hasArg(OPT_tier0),
                  .assembly = arguments.hasArg(OPT_assembly),
                  .time = arguments.hasArg(OPT_time)};
  command.launch.buffers_disjoint = arguments.hasArg(OPT_disjoint);
  read_sizes({arguments, OPT_local}, command.launch.local_size);
  read_sizes({arguments, OPT_global}, command.launch.global_size);
  const bool takes_several = command.check || !command.cache.empty();
  for (const Arg* each : arguments.filtered(OPT_INPUT, OPT_UNKNOWN, OPT_define, OPT_includes, OPT_undefine)) {
    const std::string text = each->getAsString(arguments);
    if (each->getOption().matches(OPT_INPUT) && names_input(text) && (takes_several || command.files.empty()))
      command.files.push_back(text);
    else if (llvm::StringRef(text).starts_with("--"))
      refuse(text, "unknown option, see --help");
    else
      command.build_options.append(command.build_options.empty() ? "" : " ").append(text);
  }
  if (command.files.empty()) {
    print_help(llvm::errs());
    std::exit(1);
  }
  return command;
}

} // namespace hostcl::compiler
