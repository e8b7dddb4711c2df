#include "compiler/tools/fill_cache.hpp"

#include "compiler/compiler.hpp"
#include "compiler/isolation/isolate.hpp"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <memory>
#include <span>
#include <utility>

namespace hostcl::compiler {

namespace {

constexpr std::uint64_t unbounded = ~std::uint64_t{0};

int fail(const std::string& message) {
  llvm::errs() << "hostclc: " << message << '\n';
  return 1;
}

/// Compiles the code for the kernel's first launch, and the tier 1 code.
int compile_kernels(const Command& command, Executable& program) {
  int status = 0;
  for (std::size_t kernel = 0; kernel < program.kernels().size(); ++kernel) {
    const std::string& name = program.kernels()[kernel].name;
    if (!command.kernel.empty() && command.kernel != name) continue;
    program.compile_ahead(kernel);
    for (const auto& made :
         {program.code(kernel, command.launch), program.tier1_code(kernel, command.launch)})
      if (made.status != Status::success) status = fail("kernel '" + name + "': " + made.log);
  }
  return status;
}

int compile_file(const Command& command, const SettingsPtr& settings, const std::string& file) {
  const auto input = llvm::MemoryBuffer::getFileOrSTDIN(file);
  if (!input) return fail(file + ": " + input.getError().message());
  const llvm::StringRef text = (*input)->getBuffer();
  const bool is_il = llvm::StringRef(file).ends_with(".spv");
  auto built = is_il ? build_il(settings, std::as_bytes(std::span(text)), {}, command.build_options)
                     : build(settings, {text.data(), text.size()}, command.build_options);
  if (built.status != Status::success) return fail(file + ": " + built.log);
  return compile_kernels(command, *built.value.executable);
}

/// Compiles all files for one CPU.
int fill_for_cpu(const Command& command, const std::string& name) {
  Outcome<HostCpu> cpu = cpu_named(name, /*must_run=*/false);
  if (!cpu) return fail("--cpu=" + name + " " + cpu.log);
  Settings settings = *command.settings;
  settings.cpu = std::move(cpu.value);
  const auto shared = std::make_shared<const Settings>(std::move(settings));
  int status = 0;
  for (const std::string& file : command.files)
    status |= compile_file(command, shared, file);
  return status;
}

} // namespace

int fill_cache(const Command& command) {
  if (const Outcome<> set = set_cache(command.cache, unbounded); !set)
    return fail("--cache=" + command.cache + " is not used: " + set.log);
  int status = 0;
  for (const std::string& cpu : command.cpus)
    status |= fill_for_cpu(command, cpu);
  close_cache(std::chrono::steady_clock::time_point::max());
  return status;
}

} // namespace hostcl::compiler
