// Random kernels in IR that is valid and odd: each pass alone, and all the way to machine code. No pass crashes, runs
// without an end, or leaves IR that is invalid.
// usage: random_ir [--count=N] [--first=SEED] [--pass=NAME] [--print] [--go-on]

#include "random_kernel.hpp"

#include "compiler/code/machine_code.hpp"
#include "compiler/code/pipeline/pass_environment.hpp"
#include "compiler/code/pipeline/pipeline.hpp"
#include "compiler/isolation/isolate.hpp"
#include "compiler/settings/checks.hpp"

#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>

namespace {

using namespace hostcl::compiler;
using random_ir::RandomKernel;

constexpr const char* passes[] = {
#define MODULE_PASS(name, pass) name,
#define SWITCHED_MODULE_PASS(name, pass) name,
#define FUNCTION_PASS(name, pass) name,
#define SWITCHED_FUNCTION_PASS(name, pass) name,
#define HEURISTIC_PASS(name, heuristic, pass) name,
#define PARAMETRISED_PASS(name, parse, pass)
#define PRINTER(name, print)
#include "compiler/passes/passes.def"
    "speculation<off>",
    "speculation<on>",
    "vectorise<width=4>",
    "vectorise<width=16;cpu=avx512>",
};

struct Options {
  std::uint64_t count = 100, first = 0;
  llvm::StringRef pass;
  bool print = false, go_on = false;
};

bool read_option(std::string_view text, Options& options) {
  auto number = [&](std::string_view name, std::uint64_t& into) {
    return text.starts_with(name) &&
           std::from_chars(text.data() + name.size(), text.data() + text.size(), into).ec == std::errc();
  };
  if (text == "--print") return options.print = true;
  if (text == "--go-on") return options.go_on = true;
  if (constexpr std::string_view prefix = "--pass="; text.starts_with(prefix)) {
    options.pass = text.substr(prefix.size());
    return true;
  }
  return number("--count=", options.count) || number("--first=", options.first);
}

llvm::Error verified(const llvm::Module& module) {
  std::string message;
  llvm::raw_string_ostream stream(message);
  if (!llvm::verifyModule(module, &stream)) return llvm::Error::success();
  return llvm::createStringError("invalid IR: " + message);
}

llvm::Error run_pass(const llvm::Module& module, llvm::TargetMachine& machine, llvm::StringRef pass) {
  const std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  PassEnvironment environment(&machine, {});
  if (llvm::Error error = environment.run(*copy, pass)) return error;
  return verified(*copy);
}

/// As kernels that launches need.
llvm::Error run_all(const llvm::Module& module, std::uint64_t seed, const Options& options) {
  random_ir::Random random(seed);
  constexpr const char* checks[] = {"", "", "", "bounds", "uninitialised", "races", "divergence", "all"};
  Settings settings = *default_settings();
  const auto named = checks_named(random.one_of(checks));
  if (!named) return llvm::createStringError(named.log);
  settings.checks = named.value;
  KernelModule kernel{llvm::CloneModule(module), nullptr};
  kernel.kernel = kernel.module->getFunction("k");
  constexpr FallbackLevel levels[] = {FallbackLevel::full, FallbackLevel::full, FallbackLevel::plain,
                                      FallbackLevel::scalar, FallbackLevel::bare};
  const FallbackLevel level = random.one_of(levels);
  auto machine = host_target_machine(settings.cpu, level == FallbackLevel::bare);
  if (!machine) return machine.takeError();
  std::string step_of_invalid;
  auto observe = [&](llvm::StringRef step, llvm::StringRef, llvm::Module& now) {
    if (options.print) llvm::outs() << "; after " << step << '\n' << now;
    if (step_of_invalid.empty() && llvm::verifyModule(now)) step_of_invalid = step;
  };
  const PipelineOptions how{**machine, settings, level};
  auto prepared = prepare_kernel(kernel, how, false, observe);
  if (!prepared) return prepared.takeError();
  constexpr std::uint64_t sizes[] = {1, 3, 16, 64};
  const std::uint64_t x = random.one_of(sizes), y = random.one_of(sizes);
  const hostcl::abi::NDRange launch{{x * 32, y * 8, 1}, {0, 0, 0}, {x, y, 1}, {32, 8, 1}, 2, 0};
  const KernelProperties properties = properties_of(*kernel.kernel, how);
  Variant variant = variant_for(launch, groups_for(launch, properties), settings);
  variant.buffers_disjoint = random.one_in(2);
  auto result = run_pipeline(kernel, how, canonical(variant, properties), observe);
  if (!result) return result.takeError();
  if (!step_of_invalid.empty()) return llvm::createStringError("invalid IR after " + step_of_invalid);
  llvm::SmallVector<char, 0> code;
  llvm::raw_svector_ostream stream(code);
  return emit_code(*kernel.module, **machine, llvm::CodeGenFileType::ObjectFile, stream);
}

/// @returns how many ways failed
unsigned run(std::uint64_t seed, const Options& options) {
  unsigned failures = 0;
  auto attempt = [&](llvm::StringRef what, auto way) {
    if (!options.pass.empty() && what != options.pass) return;
    if (failures > 0 && !options.go_on) return;
    llvm::Error error = isolate([&] { return way(); });
    if (!error) return;
    ++failures;
    llvm::errs() << "random_ir: seed " << seed << ", --pass=" << what << ": "
                 << llvm::toString(std::move(error)) << '\n';
  };
  llvm::LLVMContext context;
  RandomKernel random(context, seed);
  const std::unique_ptr<llvm::Module> module = random.take_module();
  if (options.print) module->print(llvm::outs(), nullptr);
  attempt("none", [&] { return verified(*module); });
  if (failures > 0) return failures;
  auto machine = host_target_machine(host_cpu());
  if (!machine) llvm::report_fatal_error(machine.takeError());
  for (const char* pass : passes)
    attempt(pass, [&] { return run_pass(*module, **machine, pass); });
  attempt("all", [&] { return run_all(*module, seed, options); });
  return failures;
}

} // namespace

int main(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i)
    if (!read_option(arguments[i], options)) {
      std::fprintf(stderr, "random_ir: %s: no such option\n", arguments[i]);
      return 2;
    }
  set_compile_limits(20, std::uint64_t{4} << 30);
  unsigned failures = 0;
  for (std::uint64_t seed = options.first; seed < options.first + options.count; ++seed) {
    failures += run(seed, options);
    if (failures > 0 && !options.go_on) return 1;
  }
  return failures > 0;
}
