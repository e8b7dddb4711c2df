#include "compiler/code/program_parts.hpp"

#include "compiler/isolation/isolate.hpp"
#include "compiler/modules/ir_module.hpp"
#include "compiler/modules/module_message.hpp"
#include "compiler/server/error_message.hpp"
#include "compiler/server/server.hpp"
#include "compiler/signature.hpp"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <optional>
#include <utility>

namespace hostcl::compiler {

template <class Archive>
void fields(Archive& archive, KernelArgument& argument) {
  archive(argument.kind, argument.offset, argument.size, argument.alignment, argument.name,
          argument.type_name, argument.address_qualifier, argument.access_qualifier, argument.type_qualifier,
          argument.image_type, argument.is_depth_image);
}

template <class Archive>
void fields(Archive& archive, KernelSignature& signature) {
  archive(signature.name, signature.arguments, signature.has_argument_info, signature.attributes,
          signature.required_local_size, signature.local_size_hint, signature.required_sub_group_size,
          signature.argument_bytes, signature.static_local_bytes, signature.private_bytes,
          signature.instructions, signature.uniform_groups, signature.enqueues,
          signature.names_enqueue_errors);
}

template <class Archive>
void fields(Archive& archive, HostVariable& variable) {
  archive(variable.name, variable.symbol, variable.bytes, variable.access);
}

namespace {

/// ProgramParts as a message. `program` is left out if the program has not changed.
struct PartsMessage {
  std::optional<ErrorMessage> error;
  ProgramParts parts;
  std::optional<ModuleMessage> program;
};
template <class Archive>
void fields(Archive& archive, PartsMessage& message) {
  ProgramVariables& variables = message.parts.variables;
  archive(message.error, message.parts.signatures, message.parts.api_kernels, variables.bytes,
          variables.initialisers, variables.finalisers, variables.named, variables.object, message.program);
}

llvm::Expected<ProgramParts> parts_here(const ModulePtr& program) {
  llvm::LLVMContext context;
  auto module = read_bitcode(context, *program);
  if (!module) return module.takeError();
  return parts_of(program, **module);
}

} // namespace

llvm::Expected<ProgramParts> parts_of(const ModulePtr& program, llvm::Module& module) {
  ProgramParts parts;
  for (const llvm::Function& function : module)
    if (is_api_kernel(function)) parts.signatures.push_back(read_signature(function));
  parts.api_kernels = parts.signatures.size();
  for (const llvm::Function& function : module)
    if (is_block_kernel(function)) parts.signatures.push_back(read_signature(function));
  auto variables = separate_variables(program, module);
  if (!variables) return variables.takeError();
  parts.variables = std::move(*variables);
  return parts;
}

llvm::Expected<ProgramParts> parts_of(const ModulePtr& program) {
  auto reply =
      ask_for<PartsMessage>(Task::load, [&](Packer& request) { request(ModuleMessage::of(*program)); });
  if (!reply) return parts_here(program);
  if (!*reply) return reply->takeError();
  PartsMessage& message = **reply;
  if (message.error) return std::move(*message.error).error();
  ModulePtr& loaded = message.parts.variables.program;
  loaded = program;
  if (message.program) loaded = std::move(*message.program).module();
  return std::move(message.parts);
}

std::vector<std::byte>
serve_parts(std::span<const std::byte> request,
            llvm::function_ref<bool(const Module&, llvm::function_ref<void(llvm::Module&)>)> in_memory) {
  ModuleMessage asked;
  Unpacker unpack(request);
  unpack(asked);
  const ModulePtr program = std::move(asked).module();
  PartsMessage reply;
  llvm::Error error = isolate([&]() -> llvm::Error {
    llvm::Error failure = llvm::Error::success();
    auto take = [&](llvm::Expected<ProgramParts> parts) { failure = std::move(parts).moveInto(reply.parts); };
    if (!in_memory(*program, [&](llvm::Module& module) { take(parts_of(program, module)); }))
      take(parts_here(program));
    return failure;
  });
  if (error) reply.error = ErrorMessage::of(std::move(error));
  const ModulePtr& changed = reply.parts.variables.program;
  if (changed && changed != program) reply.program = ModuleMessage::of(*changed);
  Packer packed;
  packed(reply);
  return {packed.bytes().begin(), packed.bytes().end()};
}

} // namespace hostcl::compiler
