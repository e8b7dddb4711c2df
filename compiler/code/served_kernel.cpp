#include "compiler/code/served_kernel.hpp"

#include "compiler/code/kernel_object.hpp"
#include "compiler/code/machine_code.hpp"
#include "compiler/code/pipeline/progress.hpp"
#include "compiler/isolation/resource_budget.hpp"
#include "compiler/modules/module_message.hpp"
#include "compiler/server/error_message.hpp"
#include "compiler/server/kernel_notes.hpp"
#include "compiler/server/serve.hpp"
#include "compiler/server/server.hpp"

#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <memory>
#include <string_view>
#include <utility>

namespace hostcl::compiler {

namespace {

using llvm::Error;
using llvm::Expected;

struct KernelRequest {
  ModuleMessage program;
  std::string name;
  ImageProperties images;
  std::optional<Variant> variant; ///< nothing if the kernel properties are requested
  FallbackLevel level = FallbackLevel::full;
  unsigned width = 0; ///< see Trial::width
};
template <class Archive>
void fields(Archive& archive, KernelRequest& request) {
  archive(request.program, request.name, request.images, request.variant, request.level, request.width);
}

struct KernelReply {
  std::optional<ErrorMessage> error;
  StepRecord step; ///< last step that has begun
  KernelProperties properties;
  CodeProperties code_properties;
  std::vector<std::byte> notes, object;
};
template <class Archive>
void fields(Archive& archive, KernelReply& reply) {
  archive(reply.error, reply.step, reply.properties, reply.code_properties, reply.notes, reply.object);
}

std::optional<Expected<KernelReply>> ask_for_kernel(const ServedKernel& kernel,
                                                    const std::optional<Variant>& variant) {
  auto pack = [&](Packer& request) {
    request(ModuleMessage::of(*kernel.program), kernel.name, kernel.images, variant, kernel.level,
            Trying::width_to_keep());
  };
  const auto own_time = kernel.level == FallbackLevel::bare ? std::chrono::nanoseconds(0) : time_of_level();
  StepRecord step;
  auto reply = ask_for<KernelReply>(Task::kernel, pack, own_time, &step);
  if (!reply) return std::nullopt;
  if (!*reply) {
    Trying::note_step(step);
    return reply->takeError();
  }
  Trying::note_step((*reply)->step);
  if (auto& error = (*reply)->error) return std::move(*error).error();
  return reply;
}

StepRecord step_of(const Trial& trial) {
  StepRecord record;
  std::strncpy(record.name.data(), trial.step, record.name.size() - 1);
  record.width = trial.width;
  record.prepares = trial.variant ? 0 : 1;
  record.is_taken = 1;
  return record;
}

/// The last step that the compiling thread has begun. A server handles one request at a time.
constinit StepRecord last_step_here{};

/// The compilers of the kernels that were requested last. They keep the prepared IR.
KernelCompiler& compiler_of(KernelRequest& request) {
  struct Known {
    ModulePtr program;
    std::string name, images;
    std::unique_ptr<KernelCompiler> compiler;
  };
  constexpr std::size_t most = 16;
  static std::deque<Known>& all = *new std::deque<Known>;
  std::string images = text_of(request.images);
  const auto found = std::ranges::find_if(all, [&](const Known& known) {
    return known.name == request.name && known.images == images &&
           std::ranges::equal(known.program->bitcode(), request.program.bitcode);
  });
  if (found != all.end()) return *found->compiler;
  ModulePtr program = std::move(request.program).module();
  auto compiler = std::make_unique<KernelCompiler>(program, request.name, std::move(request.images));
  if (all.size() == most) all.pop_front();
  all.push_back({std::move(program), std::move(request.name), std::move(images), std::move(compiler)});
  return *all.back().compiler;
}

Error make(const KernelRequest& request, KernelCompiler& compiler, KernelReply& reply) {
  if (!request.variant) return compiler.make_properties(request.level).moveInto(reply.properties);
  auto object = compiler.compile(*request.variant, request.level);
  if (!object) return object.takeError();
  reply.code_properties = object->code_properties;
  reply.notes = packed(object->notes);
  const auto* first = reinterpret_cast<const std::byte*>(object->object->getBufferStart());
  reply.object.assign(first, first + object->object->getBufferSize());
  return Error::success();
}

} // namespace

std::optional<Expected<KernelProperties>> served_properties(const ServedKernel& kernel) {
  auto reply = ask_for_kernel(kernel, std::nullopt);
  if (!reply) return std::nullopt;
  if (!*reply) return reply->takeError();
  return (*reply)->properties;
}

std::optional<Expected<KernelObject>> served_object(const ServedKernel& kernel, const Variant& variant) {
  auto reply = ask_for_kernel(kernel, variant);
  if (!reply) return std::nullopt;
  if (!*reply) return reply->takeError();
  const std::vector<std::byte>& bytes = (*reply)->object;
  return KernelObject{(*reply)->code_properties, unpacked_notes((*reply)->notes),
                      copied({reinterpret_cast<const char*>(bytes.data()), bytes.size()})};
}

std::vector<std::byte> serve_kernel(std::span<const std::byte> bytes) {
  KernelRequest request;
  Unpacker unpack(bytes);
  unpack(request);
  KernelReply reply;
  last_step_here = StepRecord();
  Progress progress([](const Trial& trial) {
    last_step_here = step_of(trial);
    note_step(last_step_here);
  });
  Error error = isolate([&]() -> Error {
    const Progress::Here here(progress);
    const Trying trying(request.variant, request.level, request.width);
    return make(request, compiler_of(request), reply);
  });
  if (error) reply.error = ErrorMessage::of(std::move(error));
  reply.step = last_step_here;
  Packer packed;
  packed(reply);
  return {packed.bytes().begin(), packed.bytes().end()};
}

} // namespace hostcl::compiler
