#include "compiler/serving.hpp"

#include "compiler/build.hpp"
#include "compiler/code/program_parts.hpp"
#include "compiler/code/served_kernel.hpp"
#include "compiler/front/clang/frontend.hpp"
#include "compiler/modules/module_message.hpp"
#include "compiler/server/serve.hpp"
#include "compiler/server/server.hpp"
#include "compiler/settings/assembly.hpp"
#include "compiler/settings/checks.hpp"
#include "compiler/settings/heuristics.hpp"
#include "compiler/settings/statistics.hpp"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <unistd.h>

namespace hostcl::compiler {

template <class Archive>
void fields(Archive& archive, HostCpu& cpu) {
  archive(cpu.name, cpu.features, cpu.capabilities);
}

namespace {

using Bytes = std::vector<std::byte>;

/// The settings on which machine code and modules depend. Settings that a launch may change come with each
/// request.
struct Settings {
  HostCpu cpu;
  std::string without, stop_after, checks;
  bool reads_files = true, assembly = false, described = false;
};
template <class Archive>
void fields(Archive& archive, Settings& settings) {
  archive(settings.cpu, settings.without, settings.stop_after, settings.checks, settings.reads_files,
          settings.assembly, settings.described);
}

Bytes packed(auto&& value) {
  Packer pack;
  pack(value);
  return {pack.bytes().begin(), pack.bytes().end()};
}

Bytes packed_settings() {
  return packed(Settings{host_cpu(), heuristics_off(), steps_left_out(), checks_on(), may_read_files(),
                         is_assembly_allowed(), are_kernels_described()});
}

/// Removes the comma after the last name: the lists of names have a comma after each name.
std::string without_last_comma(std::string list) {
  if (list.ends_with(',')) list.pop_back();
  return list;
}

/// Applies the application's settings to this server. The server has no limits for time and memory of its
/// own, because the application kills a server that exceeds them.
void apply(Settings settings) {
  constexpr auto unbounded = std::numeric_limits<std::uint64_t>::max();
  set_compile_limits(unbounded, unbounded);
  set_cpu(std::move(settings.cpu));
  turn_off(without_last_comma(settings.without));
  set_last_step(settings.stop_after);
  set_checks(without_last_comma(settings.checks));
  set_reads_files(settings.reads_files);
  allow_assembly(settings.assembly);
  describe_kernels(settings.described);
}

/// The object that was compiled last, with its IR, because the application usually loads this object next;
/// null if there is none.
std::unique_ptr<Compiled>& last_compiled() {
  static std::unique_ptr<Compiled>& last = *new std::unique_ptr<Compiled>;
  return last;
}

Bytes replied(Compiled compiled) {
  ModuleOutcome outcome = ModuleOutcome::of(compiled.object);
  outcome.reproducible = compiled.reproducible;
  last_compiled() = std::make_unique<Compiled>(std::move(compiled));
  return packed(outcome);
}

/// Calls `use`, which changes the IR, with the IR of the object that was compiled last, if `module` is that
/// object. @returns whether `use` was called (see parts_of())
bool with_last_compiled(const Module& module, llvm::function_ref<void(llvm::Module&)> use) {
  const std::unique_ptr<Compiled> last = std::move(last_compiled());
  if (!last || !last->live || !std::ranges::equal(last->object.value->bitcode(), module.bitcode()))
    return false;
  use(*last->live);
  return true;
}

Bytes serve_compile(Unpacker unpack) {
  std::string folder, source, options;
  std::vector<Header> headers;
  unpack(folder, source, options, headers);
  if (chdir(folder.c_str()) != 0 && chdir("/") != 0) return {};
  return replied(compile_source(source, options, headers));
}

Bytes serve_compile_il(Unpacker unpack) {
  Bytes il;
  std::vector<Specialisation> values;
  std::string options;
  unpack(il, values, options);
  return replied(compile_words(il, values, options));
}

Bytes serve_link(Unpacker unpack) {
  std::vector<ModuleMessage> messages;
  std::string options;
  unpack(messages, options);
  std::vector<ModulePtr> modules;
  for (ModuleMessage& message : messages)
    modules.push_back(std::move(message).module());
  return packed(ModuleOutcome::of(link(modules, options)));
}

Bytes serve_check(Unpacker unpack) {
  Bytes container;
  unpack(container);
  return packed(ModuleOutcome::of(deserialise(container)));
}

Bytes serve_settings(Unpacker unpack) {
  Settings settings;
  unpack(settings);
  apply(std::move(settings));
  return {};
}

Bytes do_task(Task task, std::span<const std::byte> request) {
  switch (task) {
  case Task::settings:
    return serve_settings(Unpacker(request));
  case Task::compile:
    return serve_compile(Unpacker(request));
  case Task::compile_il:
    return serve_compile_il(Unpacker(request));
  case Task::link:
    return serve_link(Unpacker(request));
  case Task::check:
    return serve_check(Unpacker(request));
  case Task::load:
    return serve_parts(request, with_last_compiled);
  case Task::kernel:
    return serve_kernel(request);
  case Task::inspect: // serve() has answered this request
    break;
  }
  return {};
}

} // namespace

void use_compiler_processes(void (*report)(std::string_view message)) {
  use_servers(packed_settings, report);
}

int run_server(int count, char** arguments) {
  return serve(count, arguments, do_task);
}

} // namespace hostcl::compiler
