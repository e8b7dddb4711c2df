// hostclc: hostcl's compiler without a device. Prints diagnostics, IR after any step, or assembly; runs
// passes on IR for the tests of tests/passes.

#include "compiler/code/kernel_module.hpp"
#include "compiler/code/machine_code.hpp"
#include "compiler/code/pass_environment.hpp"
#include "compiler/code/pipeline.hpp"
#include "compiler/code/progress.hpp"
#include "compiler/compiler.hpp"
#include "compiler/front/spirv/module.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/settings/checks.hpp"
#include "compiler/settings/heuristics.hpp"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Pass.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <optional>

using namespace hostcl::compiler;

namespace {

constexpr const char* usage = R"(usage: hostclc [options] FILE.cl|FILE.spv compile, print diagnostics
       hostclc --check FILE.spv...      read SPIR-V and report which files are refused, and why
       hostclc --passes=LIST FILE.ll    run passes on IR, print the result

  --kernel=NAME    only this kernel (default: all)
  --print=STEP     print the IR after a step of the pipeline; --print=list names the steps
  --print=read     print what is read of SPIR-V
  --assembly       print machine code as assembly
  --local=X[,Y,Z]  compile for launches with this local size (default: 64)
  --global=X[,Y,Z] and this global size (default: 1048576)
  --images=FACTS   compile for these image and sampler arguments, such as 0=10b5.10d2s,1=14
  --universal      compile what runs launches of every size
  --width=N        work-items at a time, as HOSTCL_WIDTH asks for (default: what suits the kernel)
  --form=NAME      compile as after failures: plain (without heuristics), scalar, bare (without optimisations)
  --without=NAME   turn heuristics off, NAME[,NAME...]; --without=help lists them
  --checks=NAME    compile with checks, NAME[,NAME...] or all, as HOSTCL_CHECK asks for
  --cpu=NAME       compile for this CPU, as LLVM names it (default: this machine's)
  --time           print the time of each step
  --time-passes    print the time of each of LLVM's and hostcl's passes
  --version        print the versions of hostcl and LLVM
  --help           print this
Everything else is a build option of OpenCL (-cl-std=CL3.0, -D NAME=VALUE, -I DIR, ...).
)";

struct Command {
  std::string file;
  std::string build_options;
  std::string passes;
  std::string kernel;
  std::string print;
  ImageFacts images;
  std::vector<std::string> checked; ///< the files of --check
  Effort effort = Effort::full;
  bool check = false;
  bool universal = false; ///< the code that runs every launch
  bool assembly = false;
  bool time = false;
  hostcl::abi::NDRange launch{{1 << 20, 1, 1}, {0, 0, 0}, {64, 1, 1}, {}, 1, 0};
};

std::optional<std::string> value_of(std::string_view argument, std::string_view name) {
  if (!argument.starts_with(name)) return std::nullopt;
  return std::string(argument.substr(name.size()));
}

[[noreturn]] void refuse(std::string_view option, std::string_view value, std::string_view rule) {
  llvm::errs() << "hostclc: " << option << value << ": " << rule << '\n';
  std::exit(1);
}

[[noreturn]] void answer(llvm::StringRef text) {
  llvm::outs() << text;
  std::exit(0);
}

/// Reads "X", "X,Y" or "X,Y,Z"; missing sizes are 1.
void parse_sizes(std::string_view option, llvm::StringRef text, std::uint64_t (&sizes)[3]) {
  llvm::SmallVector<llvm::StringRef, 3> words;
  text.split(words, ',');
  if (words.size() > 3) refuse(option, text, "more than three sizes");
  std::fill_n(sizes, 3, 1);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i].getAsInteger(10, sizes[i]) || sizes[i] == 0)
      refuse(option, text, "sizes are positive numbers");
}

void parse_width(std::string_view option, llvm::StringRef text) {
  unsigned width = 0;
  if (text.getAsInteger(10, width) || !std::has_single_bit(width) || width > largest_width)
    refuse(option, text, "widths are powers of two up to 64");
  set_width(width);
}

Effort parse_form(std::string_view option, std::string_view name) {
  for (const Effort effort : {Effort::plain, Effort::scalar, Effort::bare})
    if (name == text_of(effort)) return effort;
  refuse(option, name, "forms are plain, scalar and bare");
}

void parse_cpu(std::string_view option, const std::string& name) {
  if (auto set = set_cpu(name, /*must_run=*/false); !set) refuse(option, name, set.log);
}

void parse_heuristics(std::string_view option, const std::string& names) {
  if (names == "help") answer(heuristics_help());
  if (auto set = turn_off(names); !set) refuse(option, names, set.log);
}

void parse_checks(std::string_view option, const std::string& names) {
  if (auto set = set_checks(names); !set) refuse(option, names, set.log);
}

ImageFacts parse_images(std::string_view option, const std::string& text) {
  const auto facts = parse_image_facts(text);
  if (!facts)
    refuse(option, text,
           "ARGUMENT=ORDER.TYPE, ARGUMENT=ORDER.TYPEs or ARGUMENT=SAMPLER, in hexadecimal digits");
  return *facts;
}

bool names_input(llvm::StringRef argument) {
  return argument == "-" ||
         (!argument.starts_with("-") &&
          (argument.ends_with(".cl") || argument.ends_with(".ll") || argument.ends_with(".spv")));
}

std::optional<Command> parse(int argc, char** argv) {
  Command command;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    if (auto list = value_of(argument, "--passes="))
      command.passes = *list;
    else if (auto name = value_of(argument, "--kernel="))
      command.kernel = *name;
    else if (auto step = value_of(argument, "--print="))
      command.print = *step;
    else if (auto sizes = value_of(argument, "--local="))
      parse_sizes("--local=", *sizes, command.launch.local_size);
    else if (auto sizes = value_of(argument, "--global="))
      parse_sizes("--global=", *sizes, command.launch.global_size);
    else if (auto width = value_of(argument, "--width="))
      parse_width("--width=", *width);
    else if (auto cpu = value_of(argument, "--cpu="))
      parse_cpu("--cpu=", *cpu);
    else if (auto name = value_of(argument, "--form="))
      command.effort = parse_form("--form=", *name);
    else if (auto facts = value_of(argument, "--images="))
      command.images = parse_images("--images=", *facts);
    else if (argument == "--universal")
      command.universal = true;
    else if (auto names = value_of(argument, "--without="))
      parse_heuristics("--without=", *names);
    else if (auto names = value_of(argument, "--checks="))
      parse_checks("--checks=", *names);
    else if (argument == "--check")
      command.check = true;
    else if (command.check && names_input(argument))
      command.checked.emplace_back(argument);
    else if (argument == "--assembly")
      command.assembly = true;
    else if (argument == "--time")
      command.time = true;
    else if (argument == "--time-passes")
      llvm::TimePassesIsEnabled = true;
    else if (argument == "--help")
      answer(usage);
    else if (argument == "--version")
      answer("hostclc " HOSTCL_VERSION ", LLVM " LLVM_VERSION_STRING "\n");
    else if (argument.starts_with("--"))
      refuse(argument, "", "unknown option, see --help");
    else if (names_input(argument) && command.file.empty())
      command.file = argument;
    else // an option of OpenCL, or the argument of -D or -I
      command.build_options += std::string(argument) + " ";
  }
  if (command.file.empty() && command.checked.empty()) return std::nullopt;
  return command;
}

int fail(const std::string& message) {
  llvm::errs() << message;
  return 1;
}

int run_passes(const Command& command) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(command.file, diagnostic, context);
  if (!module) {
    diagnostic.print("hostclc", llvm::errs());
    return 1;
  }
  auto machine = host_target_machine();
  if (!machine) return fail(llvm::toString(machine.takeError()) + "\n");
  PassEnvironment environment(machine->get());
  if (llvm::Error error = environment.run(*module, command.passes))
    return fail("hostclc: " + llvm::toString(std::move(error)) + "\n");
  module->print(llvm::outs(), nullptr);
  return llvm::verifyModule(*module, &llvm::errs()) ? 1 : 0;
}

/// Prints the IR or text that the command line selects after each step of a kernel's pipeline.
class StepPrinter {
public:
  explicit StepPrinter(const Command& command) : command_(command), last_(std::chrono::steady_clock::now()) {}

  void operator()(llvm::StringRef step, llvm::Module& module) {
    auto now = std::chrono::steady_clock::now();
    if (command_.time)
      llvm::errs() << llvm::formatv("{0,10:f2} us  {1}\n",
                                    std::chrono::duration<double, std::micro>(now - last_).count(), step);
    if (command_.print == "list") llvm::outs() << step << '\n';
    if (command_.print == step || command_.print == "all") {
      printed_ = true;
      llvm::outs() << "; after " << step << '\n';
      module.print(llvm::outs(), nullptr);
    }
    if (llvm::verifyModule(module, &llvm::errs())) {
      llvm::errs() << "hostclc: invalid IR after step " << step << '\n';
      std::exit(1);
    }
    last_ = std::chrono::steady_clock::now();
  }

  bool knew_step() const { return printed_ || command_.print.empty() || command_.print == "list"; }

private:
  const Command& command_;
  bool printed_ = false;
  std::chrono::steady_clock::time_point last_;
};

Variant variant_of(const Command& command, const KernelTraits& traits) {
  const Variant launch = variant_for(command.launch);
  if (command.universal)
    if (const auto variant = universal(traits, /*uniform_groups=*/false, launch.small_ids)) return *variant;
  return canonical(launch, traits);
}

llvm::Error compile_kernel(const Command& command, const Module& program, llvm::StringRef name) {
  llvm::LLVMContext context;
  StepPrinter printer(command);
  auto kernel = extract_kernel(context, program, name, command.images);
  if (!kernel) return kernel.takeError();
  printer("extract", *kernel->module);
  const Trying trying(std::nullopt, command.effort);
  auto machine = host_target_machine(/*simple=*/command.effort == Effort::bare);
  if (!machine) return machine.takeError();
  if (llvm::Error error = prepare_kernel(*kernel, **machine, command.effort, printer)) return error;
  const Variant variant = variant_of(command, traits_of(*kernel->kernel, **machine));
  auto result = run_pipeline(*kernel, **machine, variant, command.effort, printer);
  if (!result) return result.takeError();
  llvm::SmallVector<char, 0> code;
  llvm::raw_svector_ostream stream(code);
  llvm::errs() << "kernel '" << name << "': " << result->facts.width
               << (result->facts.width == 1 ? " work-item" : " work-items") << " at a time"
               << (result->remark.empty() ? "" : ": " + result->remark) << '\n';
  auto form = command.assembly ? CodeForm::assembly : CodeForm::object;
  if (llvm::Error error = emit_code(*kernel->module, **machine, form, stream)) return error;
  llvm::reportAndResetTimings();
  printer("code", *kernel->module);
  if (command.assembly) llvm::outs() << stream.str();
  if (!printer.knew_step())
    return llvm::createStringError("--print=" + command.print + ": no such step; --print=list names them");
  return llvm::Error::success();
}

std::unique_ptr<llvm::MemoryBuffer> read_input(const std::string& file) {
  auto input = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (input) return std::move(*input);
  fail("hostclc: " + file + ": " + input.getError().message() + "\n");
  return nullptr;
}

bool is_il(const llvm::MemoryBuffer& input) {
  return input.getBufferIdentifier().ends_with(".spv");
}

/// Compiles SPIR-V or source.
Outcome<ModulePtr> compile_input(const llvm::MemoryBuffer& input, const std::string& options) {
  llvm::StringRef text = input.getBuffer();
  if (is_il(input)) return compile_il(std::as_bytes(std::span(text)), {}, options);
  return compile({text.data(), text.size()}, options);
}

/// Prints the IR that the reader of SPIR-V makes.
int print_read(const llvm::MemoryBuffer& input) {
  llvm::LLVMContext context;
  auto module = spirv::read_module(context, std::as_bytes(std::span(input.getBuffer())), {});
  if (!module) return fail("error: " + llvm::toString(module.takeError()) + "\n");
  (*module)->print(llvm::outs(), nullptr);
  return 0;
}

/// A line for each file: how long it took, and why it is refused.
int check_files(const Command& command) {
  int status = 0;
  for (const std::string& file : command.checked) {
    const auto input = read_input(file);
    if (!input) return 1;
    const auto start = std::chrono::steady_clock::now();
    const auto object = compile_input(*input, command.build_options);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    llvm::outs() << llvm::formatv("{0}: {1:f3} ms: {2}\n", file, time.count(),
                                  object.status == Status::success ? "ok"
                                                                   : llvm::StringRef(object.log).rtrim());
    if (object.status != Status::success) status = 1;
  }
  return status;
}

int compile_file(const Command& command) {
  const auto input = read_input(command.file);
  if (!input) return 1;
  if (is_il(*input) && command.print == "read") return print_read(*input);
  auto object = compile_input(*input, command.build_options);
  llvm::errs() << object.log;
  if (object.status != Status::success) return 1;
  auto program = link({&object.value, 1}, command.build_options);
  llvm::errs() << program.log;
  if (program.status != Status::success) return 1;
  auto loaded = load(program.value);
  if (loaded.status != Status::success) return fail(loaded.log);
  auto is_wanted = [&](const KernelSignature& kernel) {
    return command.kernel.empty() || command.kernel == kernel.name;
  };
  if (!command.kernel.empty() && llvm::none_of(loaded.value->kernels(), is_wanted))
    return fail("error: --kernel=" + command.kernel + ": " + command.file + " has no such kernel\n");
  int status = 0;
  for (const KernelSignature& kernel : loaded.value->kernels()) {
    if (!is_wanted(kernel)) continue;
    if (llvm::Error error = isolate([&] { return compile_kernel(command, *program.value, kernel.name); }))
      status = fail("error: kernel '" + kernel.name + "': " + llvm::toString(std::move(error)) + "\n");
  }
  return status;
}

} // namespace

int main(int argc, char** argv) {
  std::optional<Command> command = parse(argc, argv);
  if (!command) return fail(usage);
  if (command->check) return check_files(*command);
  return command->passes.empty() ? compile_file(*command) : run_passes(*command);
}
