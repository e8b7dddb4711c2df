// hostclc: hostcl's compiler without a device. Prints diagnostics, IR after any step, or assembly; fills caches; runs
// passes on IR for the tests of tests/passes.

#include "compiler/code/kernel_module.hpp"
#include "compiler/code/machine_code.hpp"
#include "compiler/code/pipeline/pass_environment.hpp"
#include "compiler/code/pipeline/pipeline.hpp"
#include "compiler/code/pipeline/pipeline_steps.hpp"
#include "compiler/code/pipeline/progress.hpp"
#include "compiler/compiler.hpp"
#include "compiler/front/spirv/module.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/passes/printers.hpp"
#include "compiler/tools/command_line.hpp"
#include "compiler/tools/entry.hpp"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <optional>

using namespace hostcl::compiler;

namespace {

int fail(const std::string& message) {
  llvm::errs() << message;
  return 1;
}

int run_passes(const Command& command) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module = llvm::parseIRFile(command.files.front(), diagnostic, context);
  if (!module) {
    diagnostic.print("hostclc", llvm::errs());
    return 1;
  }
  auto machine = host_target_machine(command.settings->cpu);
  if (!machine) return fail(llvm::toString(machine.takeError()) + "\n");
  PassEnvironment environment(machine->get(), *command.settings);
  if (llvm::Error error = environment.run(*module, command.passes))
    return fail("hostclc: " + llvm::toString(std::move(error)) + "\n");
  module->print(llvm::outs(), nullptr);
  return llvm::verifyModule(*module, &llvm::errs()) ? 1 : 0;
}

/// Processor time, which other work on the machine does not lengthen.
void print_time(std::clock_t time, llvm::StringRef step) {
  llvm::errs() << llvm::formatv("{0,10:f2} us  {1}\n", 1e6 * static_cast<double>(time) / CLOCKS_PER_SEC,
                                step);
}

/// Prints the IR or text that the command line selects after each step of a kernel's pipeline.
class StepPrinter {
public:
  explicit StepPrinter(const Command& command) : command_(command), last_(std::clock()) {}

  void operator()(llvm::StringRef step, llvm::StringRef passes, llvm::Module& module) {
    const std::string number = number_of(step);
    if (command_.time) print_time(std::clock() - last_, step);
    if (command_.print == "list") llvm::outs() << llvm::formatv("{0,3}  {1,-20} {2}\n", number, step, passes);
    if (command_.print == step || command_.print == "all" || (!number.empty() && command_.print == number)) {
      printed_ = true;
      llvm::outs() << "; after " << step << '\n';
      module.print(llvm::outs(), nullptr);
    }
    if (command_.print_values && row_of(step) < row_of("vectorise") && row_of(step)->part == Step::of_variant)
      note_values(module);
    if (llvm::verifyModule(module, &llvm::errs())) {
      llvm::errs() << "hostclc: invalid IR after step " << step << '\n';
      llvm::outs().flush();
      std::exit(1);
    }
    last_ = std::clock();
  }

  /// What --print-values prints: noted after the last step before the vectoriser.
  llvm::StringRef values() const { return values_; }
  bool knew_step() const { return printed_ || command_.print.empty() || command_.print == "list"; }

private:
  /// The step's row in the pipeline's table; the table's end if it has no such step.
  static const Step* row_of(llvm::StringRef step) {
    return llvm::find_if(pipeline_steps(), [&](const Step& row) { return row.name == step; });
  }
  static std::string number_of(llvm::StringRef step) {
    const auto steps = pipeline_steps();
    const Step* found = row_of(step);
    return found == steps.end() ? "" : std::to_string(found - steps.begin() + 1);
  }

  void note_values(llvm::Module& module) {
    values_.clear();
    llvm::raw_string_ostream stream(values_);
    for (llvm::Function& function : module)
      if (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL) print_values(stream, function);
  }

  const Command& command_;
  bool printed_ = false;
  std::string values_;
  std::clock_t last_;
};

Variant variant_of(const Command& command, const KernelProperties& properties) {
  const Variant launch =
      variant_for(command.launch, groups_for(command.launch, properties), *command.settings);
  if (command.tier0)
    if (const auto variant = tier0_variant(properties, /*uniform_groups=*/false, launch)) return *variant;
  return canonical(launch, properties);
}

/// @param text of the assembly, if that is asked for
llvm::Error write_code(const Command& command, ObjectWriter& writer, llvm::Module& module,
                       llvm::SmallVectorImpl<char>& text) {
  if (!command.assembly) return writer.write(module).takeError();
  llvm::raw_svector_ostream stream(text);
  return emit_code(module, writer.machine(), llvm::CodeGenFileType::AssemblyFile, stream);
}

llvm::Error compile_kernel(const Command& command, const Module& program, llvm::StringRef name) {
  const Settings& settings = *command.settings;
  llvm::LLVMContext context;
  StepPrinter printer(command);
  auto kernel = extract_kernel(context, program, name, command.images, settings);
  if (!kernel) return kernel.takeError();
  printer("extract", "", *kernel->module);
  const Trying trying(std::nullopt, command.level);
  auto writer = ObjectWriter::borrow(settings.cpu, /*unoptimised=*/command.level == FallbackLevel::bare);
  if (!writer) return writer.takeError();
  PipelineOptions options((*writer)->machine(), settings, command.level);
  auto made = prepare_kernel(*kernel, options, /*is_tier0=*/command.tier0, printer);
  if (!made) return made.takeError();
  if (made->level != command.level) writer = ObjectWriter::borrow(settings.cpu, /*unoptimised=*/true);
  if (!writer) return writer.takeError();
  const Variant variant = variant_of(command, properties_of(*kernel->kernel, options));
  PipelineOptions of_code((*writer)->machine(), settings, command.level);
  of_code.level = made->level;
  of_code.print_plan = command.print_plan;
  auto result = run_pipeline(*kernel, of_code, variant, printer);
  if (!result) return result.takeError();
  llvm::errs() << "kernel '" << name << "': " << result->code_properties.width
               << (result->code_properties.width == 1 ? " work-item" : " work-items") << " at a time"
               << (result->remark.empty() ? "" : ": " + result->remark) << '\n';
  if (result->has_unoptimised_codegen) writer = ObjectWriter::borrow(settings.cpu, /*unoptimised=*/true);
  if (!writer) return writer.takeError();
  llvm::SmallString<0> text;
  if (llvm::Error error = write_code(command, **writer, *kernel->module, text)) return error;
  llvm::reportAndResetTimings();
  printer("code", "", *kernel->module);
  llvm::outs() << printer.values() << text;
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
Outcome<ModulePtr> compile_input(const llvm::MemoryBuffer& input, const Command& command) {
  llvm::StringRef text = input.getBuffer();
  if (is_il(input))
    return compile_il(command.settings, std::as_bytes(std::span(text)), {}, command.build_options);
  return compile(command.settings, {text.data(), text.size()}, command.build_options);
}

/// Prints the IR that the reader of SPIR-V makes.
int print_read(const llvm::MemoryBuffer& input, const Command& command) {
  llvm::LLVMContext context;
  const auto words = std::as_bytes(std::span(input.getBuffer()));
  const CompileIlRequest request{command.settings, {words.begin(), words.end()}, {}, {}};
  auto module = spirv::read_module(context, request, /*with_lines=*/false);
  if (!module) return fail("error: " + llvm::toString(module.takeError()) + "\n");
  (*module)->print(llvm::outs(), nullptr);
  return 0;
}

/// A line for each file: how long it took, and why it is refused.
int check_files(const Command& command) {
  int status = 0;
  for (const std::string& file : command.files) {
    const auto input = read_input(file);
    if (!input) return 1;
    const auto start = std::chrono::steady_clock::now();
    const auto object = compile_input(*input, command);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    llvm::outs() << llvm::formatv("{0}: {1:f3} ms: {2}\n", file, time.count(),
                                  object.status == Status::success ? "ok"
                                                                   : llvm::StringRef(object.log).rtrim());
    if (object.status != Status::success) status = 1;
  }
  return status;
}

int compile_file(const Command& command) {
  const std::string& file = command.files.front();
  const auto input = read_input(file);
  if (!input) return 1;
  if (is_il(*input) && command.print == "read") return print_read(*input, command);
  const std::clock_t start = std::clock();
  auto object = compile_input(*input, command);
  llvm::errs() << object.log;
  if (object.status != Status::success) return 1;
  auto program = link(command.settings, {&object.value, 1}, command.build_options);
  llvm::errs() << program.log;
  if (program.status != Status::success) return 1;
  auto loaded = load(command.settings, program.value);
  if (loaded.status != Status::success) return fail(loaded.log);
  if (command.time) print_time(std::clock() - start, "build");
  auto is_wanted = [&](const KernelSignature& kernel) {
    return command.kernel.empty() || command.kernel == kernel.name;
  };
  if (!command.kernel.empty() && llvm::none_of(loaded.value->kernels(), is_wanted))
    return fail("error: --kernel=" + command.kernel + ": " + file + " has no such kernel\n");
  int status = 0;
  for (const KernelSignature& kernel : loaded.value->kernels()) {
    if (!is_wanted(kernel)) continue;
    if (llvm::Error error = isolate([&] { return compile_kernel(command, *program.value, kernel.name); }))
      status = fail("error: kernel '" + kernel.name + "': " + llvm::toString(std::move(error)) + "\n");
  }
  return status;
}

/// Compiles the code for the kernel's first launch, and the tier 1 code.
int cache_kernels(const Command& command, Executable& program) {
  int status = 0;
  for (std::size_t kernel = 0; kernel < program.kernels().size(); ++kernel) {
    const std::string& name = program.kernels()[kernel].name;
    if (!command.kernel.empty() && command.kernel != name) continue;
    program.kernel(kernel).compile_ahead();
    for (const auto& made :
         {program.kernel(kernel).code(command.launch), program.kernel(kernel).tier1_code(command.launch)})
      if (!made) status = fail("hostclc: kernel '" + name + "': " + made.log + "\n");
  }
  return status;
}

int cache_file(const Command& command, const SettingsPtr& settings, const std::string& file) {
  const auto input = read_input(file);
  if (!input) return 1;
  const llvm::StringRef text = input->getBuffer();
  auto built = is_il(*input) ? build_il(settings, std::as_bytes(std::span(text)), {}, command.build_options)
                             : build(settings, {text.data(), text.size()}, command.build_options);
  if (!built) return fail("hostclc: " + file + ": " + built.log + "\n");
  return cache_kernels(command, *built.value.executable);
}

/// Fills the cache in the folder `command.cache` with the entries that the driver needs when an application builds
/// programs from the command's files and launches their kernels with the command's sizes: for each CPU in
/// `command.cpus`.
int fill_cache(const Command& command) {
  constexpr std::uint64_t unbounded = ~std::uint64_t{0};
  if (const Outcome<> set = set_cache(command.cache, unbounded); !set)
    return fail("hostclc: --cache=" + command.cache + " is not used: " + set.log + "\n");
  int status = 0;
  for (const std::string& name : command.cpus) {
    Outcome<HostCpu> cpu = cpu_named(name, /*must_run=*/false);
    if (!cpu) {
      status = fail("hostclc: --cpu=" + name + " " + cpu.log + "\n");
      continue;
    }
    Settings settings = *command.settings;
    settings.cpu = std::move(cpu.value);
    const auto shared = std::make_shared<const Settings>(std::move(settings));
    for (const std::string& file : command.files)
      status |= cache_file(command, shared, file);
  }
  close_cache(std::chrono::steady_clock::time_point::max());
  return status;
}

int run(const Command& command) {
  if (!command.cache.empty()) return fill_cache(command);
  if (command.check) return check_files(command);
  return command.passes.empty() ? compile_file(command) : run_passes(command);
}

} // namespace

int hcl_compile(int count, char** arguments) {
  const int status = run(parse_command_line(count, arguments));
  llvm::outs().flush(); // the driver destroys no static object (icd/static_objects.cpp)
  return status;
}
