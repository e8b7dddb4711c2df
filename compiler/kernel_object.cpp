#include "compiler/kernel_object.hpp"

#include "compiler/disk_cache.hpp"
#include "compiler/ir_module.hpp"
#include "compiler/machine_code.hpp"
#include "compiler/object_store.hpp"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <cstring>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// In front of the object in a cache file.
struct CachedFacts {
  std::uint64_t static_local_bytes, context_bytes_fixed, context_bytes_per_chunk;
  std::uint32_t width, preferred_width, groups_merge, prefers_columns, vector_dimension, entry_name_size;
};

CacheKey key_of(const compiler::Module& module, const std::string& name, const Variant& variant) {
  std::span<const std::byte> bitcode = module.bitcode();
  std::string_view bytes(reinterpret_cast<const char*>(bitcode.data()), bitcode.size());
  return CacheKey("object", {bytes, name, variant.text()});
}

std::optional<KernelObject> unpack(std::span<const std::byte> bytes) {
  CachedFacts cached;
  if (bytes.size() < sizeof cached) return std::nullopt;
  std::memcpy(&cached, bytes.data(), sizeof cached);
  bytes = bytes.subspan(sizeof cached);
  if (bytes.size() < cached.entry_name_size) return std::nullopt;
  KernelObject result;
  result.facts.entry_name.assign(reinterpret_cast<const char*>(bytes.data()), cached.entry_name_size);
  result.facts.width = cached.width;
  result.facts.preferred_width = cached.preferred_width;
  result.facts.groups_merge = cached.groups_merge != 0;
  result.facts.prefers_columns = cached.prefers_columns != 0;
  result.facts.vector_dimension = cached.vector_dimension;
  result.facts.static_local_bytes = cached.static_local_bytes;
  result.facts.context_bytes_fixed = cached.context_bytes_fixed;
  result.facts.context_bytes_per_chunk = cached.context_bytes_per_chunk;
  bytes = bytes.subspan(cached.entry_name_size);
  StringRef object(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  result.object = MemoryBuffer::getMemBufferCopy(object, result.facts.entry_name);
  return result;
}

std::vector<std::byte> pack(const KernelObject& kernel) {
  const PipelineResult& facts = kernel.facts;
  const CachedFacts cached{.static_local_bytes = facts.static_local_bytes,
                           .context_bytes_fixed = facts.context_bytes_fixed,
                           .context_bytes_per_chunk = facts.context_bytes_per_chunk,
                           .width = facts.width,
                           .preferred_width = facts.preferred_width,
                           .groups_merge = facts.groups_merge,
                           .prefers_columns = facts.prefers_columns,
                           .vector_dimension = facts.vector_dimension,
                           .entry_name_size = static_cast<std::uint32_t>(facts.entry_name.size())};
  std::vector<std::byte> bytes(sizeof cached + facts.entry_name.size() + kernel.object->getBufferSize());
  std::byte* to = bytes.data();
  std::memcpy(to, &cached, sizeof cached);
  std::memcpy(to += sizeof cached, facts.entry_name.data(), facts.entry_name.size());
  std::memcpy(to + facts.entry_name.size(), kernel.object->getBufferStart(), kernel.object->getBufferSize());
  return bytes;
}

KernelObject copy_of(const KernelObject& kernel) {
  return {kernel.facts, MemoryBuffer::getMemBufferCopy(kernel.object->getBuffer(), kernel.facts.entry_name)};
}

/// What machine code does not depend on, but differs between kernels that are otherwise the same.
void drop_argument_info(Function& kernel) {
  for (StringRef name : {"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type",
                         "kernel_arg_base_type", "kernel_arg_type_qual", "kernel_arg_name"})
    kernel.setMetadata(name, nullptr);
}

void ignore_step(StringRef, llvm::Module&) {}

} // namespace

KernelCompiler::KernelCompiler(ModulePtr program, std::string name)
    : program_(std::move(program)), name_(std::move(name)) {}

Expected<KernelObject> KernelCompiler::make(const Variant& variant) {
  if (!cache_is_on()) return compile(variant);
  CacheKey key = key_of(*program_, name_, variant);
  if (auto bytes = cache_load(key))
    if (auto kernel = unpack(*bytes)) return std::move(*kernel);
  auto kernel = compile(variant);
  if (kernel) cache_store(key, pack(*kernel));
  return kernel;
}

/// The kernel in its prepared form: its module if this call has made it, otherwise only `prepared_` is there.
Expected<KernelModule> KernelCompiler::prepare(LLVMContext& context, TargetMachine& machine) {
  std::scoped_lock lock(mutex_);
  if (prepared_) return KernelModule();
  auto kernel = extract_kernel(context, *program_, name_);
  if (!kernel) return kernel.takeError();
  drop_argument_info(*kernel->kernel);
  if (Error error = prepare_kernel(*kernel, machine, ignore_step)) return std::move(error);
  prepared_ = std::make_shared<compiler::Module>(ModuleKind::object, write_bitcode(*kernel->module));
  return kernel;
}

Expected<KernelObject> KernelCompiler::compile(const Variant& variant) {
  LLVMContext context;
  context.setDiscardValueNames(true);
  auto writer = ObjectWriter::borrow();
  if (!writer) return writer.takeError();
  TargetMachine& machine = (*writer)->machine();
  auto kernel = prepare(context, machine);
  if (!kernel) return kernel.takeError();
  CacheKey key = key_of(*prepared_, name_, variant);
  if (auto known = find_object(key)) return copy_of(*known);

  if (!kernel->module) {
    auto module = read_bitcode(context, *prepared_);
    if (!module) return module.takeError();
    *kernel = {std::move(*module), nullptr};
    kernel->kernel = kernel->module->getFunction(name_);
  }
  auto facts = run_pipeline(*kernel, machine, variant, ignore_step);
  if (!facts) return facts.takeError();
  KernelObject result{std::move(*facts), (*writer)->write(*kernel->module)};
  keep_object(key, std::make_shared<const KernelObject>(copy_of(result)));
  return result;
}

} // namespace hostcl::compiler
