#include "compiler/kernel_object.hpp"

#include "compiler/disk_cache.hpp"
#include "compiler/machine_code.hpp"

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
  std::uint32_t width, preferred_width, entry_name_size;
};

CacheKey key_of(const compiler::Module& program, const std::string& name, const Variant& variant) {
  std::span<const std::byte> bitcode = program.bitcode();
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
                           .entry_name_size = static_cast<std::uint32_t>(facts.entry_name.size())};
  std::vector<std::byte> bytes(sizeof cached + facts.entry_name.size() + kernel.object->getBufferSize());
  std::byte* to = bytes.data();
  std::memcpy(to, &cached, sizeof cached);
  std::memcpy(to += sizeof cached, facts.entry_name.data(), facts.entry_name.size());
  std::memcpy(to + facts.entry_name.size(), kernel.object->getBufferStart(), kernel.object->getBufferSize());
  return bytes;
}

Expected<KernelObject> compile_kernel(const compiler::Module& program, const std::string& name,
                                      const Variant& variant) {
  LLVMContext context;
  auto kernel = extract_kernel(context, program, name);
  if (!kernel) return kernel.takeError();
  auto writer = ObjectWriter::borrow();
  if (!writer) return writer.takeError();
  auto facts = run_pipeline(*kernel, (*writer)->machine(), variant, [](StringRef, llvm::Module&) {});
  if (!facts) return facts.takeError();
  return KernelObject{std::move(*facts), (*writer)->write(*kernel->module)};
}

} // namespace

Expected<KernelObject> make_kernel_object(const compiler::Module& program, const std::string& name,
                                          const Variant& variant) {
  if (!cache_is_on()) return compile_kernel(program, name, variant);
  CacheKey key = key_of(program, name, variant);
  if (auto bytes = cache_load(key))
    if (auto kernel = unpack(*bytes)) return std::move(*kernel);
  auto kernel = compile_kernel(program, name, variant);
  if (kernel) cache_store(key, pack(*kernel));
  return kernel;
}

} // namespace hostcl::compiler
