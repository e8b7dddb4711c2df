#include "compiler/code/kernel_object.hpp"

#include "compiler/checks.hpp"
#include "compiler/code/machine_code.hpp"
#include "compiler/code/object_store.hpp"
#include "compiler/guard.hpp"
#include "compiler/ir_module.hpp"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

#include <cstring>

namespace hostcl::compiler {

using namespace llvm;

namespace {

std::string_view text_of(const compiler::Module& module) {
  std::span<const std::byte> bitcode = module.bitcode();
  return {reinterpret_cast<const char*>(bitcode.data()), bitcode.size()};
}

/// A cache file has the facts, followed by the object.
std::optional<KernelObject> unpack(std::span<const std::byte> bytes) {
  KernelObject result;
  if (bytes.size() < sizeof result.facts) return std::nullopt;
  std::memcpy(&result.facts, bytes.data(), sizeof result.facts);
  bytes = bytes.subspan(sizeof result.facts);
  result.object = MemoryBuffer::getMemBufferCopy({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  return result;
}

std::vector<std::byte> pack(const KernelObject& kernel) {
  std::vector<std::byte> bytes(sizeof kernel.facts + kernel.object->getBufferSize());
  std::memcpy(bytes.data(), &kernel.facts, sizeof kernel.facts);
  std::memcpy(bytes.data() + sizeof kernel.facts, kernel.object->getBufferStart(),
              kernel.object->getBufferSize());
  return bytes;
}

KernelObject copy_of(const KernelObject& kernel) {
  return {kernel.facts, MemoryBuffer::getMemBufferCopy(kernel.object->getBuffer())};
}

/// Drops metadata that machine code does not depend on, but that differs between kernels that are otherwise
/// the same.
void drop_argument_info(Function& kernel) {
  for (StringRef name : {"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type",
                         "kernel_arg_base_type", "kernel_arg_type_qual", "kernel_arg_name"})
    kernel.setMetadata(name, nullptr);
}

void ignore_step(StringRef, llvm::Module&) {}

} // namespace

KernelCompiler::KernelCompiler(ModulePtr program, std::string name, ImageFacts images)
    : program_(std::move(program)), name_(std::move(name)), images_(std::move(images)) {}

CacheKey KernelCompiler::key_of(const Variant& variant) const {
  return CacheKey("object", {text_of(*program_), name_, text_of(images_), variant.text()});
}

CacheKey KernelCompiler::traits_key() const {
  return CacheKey("traits", {text_of(*program_), name_, text_of(images_)});
}

/// The key that the object is kept under in this process; nothing while the kernel has not been prepared.
std::optional<CacheKey> KernelCompiler::prepared_key_of(const Variant& variant) {
  std::scoped_lock lock(mutex_);
  if (!prepared_) return std::nullopt;
  return CacheKey("object", {text_of(*prepared_), name_, variant.text()});
}

Expected<KernelTraits> KernelCompiler::traits() {
  {
    std::scoped_lock lock(mutex_);
    if (traits_) return *traits_;
    if (cache_is_on())
      if (auto bytes = cache_load(traits_key()))
        if (bytes->size() == sizeof(KernelTraits)) {
          std::memcpy(&traits_.emplace(), bytes->data(), sizeof(KernelTraits));
          return *traits_;
        }
  }
  LLVMContext context;
  context.setDiscardValueNames(!has_checks()); // findings name variables
  auto writer = ObjectWriter::borrow();
  if (!writer) return writer.takeError();
  auto kernel = prepare(context, (*writer)->machine());
  if (!kernel) return kernel.takeError();
  std::scoped_lock lock(mutex_);
  return traits_.value_or(KernelTraits()); // which prepare() has found
}

std::optional<KernelObject> KernelCompiler::find(const Variant& variant) {
  if (cache_is_on())
    if (auto bytes = cache_load(key_of(variant)))
      if (auto kernel = unpack(*bytes)) return kernel;
  if (auto key = prepared_key_of(variant))
    if (auto known = find_object(*key)) return copy_of(*known);
  return std::nullopt;
}

Expected<KernelObject> KernelCompiler::make(const Variant& variant) {
  if (auto known = find(variant)) return std::move(*known);
  auto kernel = compile(variant);
  if (kernel && cache_is_on()) cache_store(key_of(variant), pack(*kernel));
  return kernel;
}

/// Makes the kernel's prepared form. @returns its module if this call has made it, otherwise only `prepared_`
/// is set
Expected<KernelModule> KernelCompiler::prepare(LLVMContext& context, TargetMachine& machine) {
  const HeldLock lock(mutex_);
  if (prepared_) return KernelModule();
  auto kernel = extract_kernel(context, *program_, name_, images_);
  if (!kernel) return kernel.takeError();
  drop_argument_info(*kernel->kernel);
  if (Error error = prepare_kernel(*kernel, machine, ignore_step)) return std::move(error);
  const KernelTraits traits = traits_of(*kernel->kernel, machine);
  if (cache_is_on() && !traits_) cache_store(traits_key(), std::as_bytes(std::span(&traits, 1)));
  traits_ = traits;
  prepared_ = std::make_shared<compiler::Module>(ModuleFacts(), write_bitcode(*kernel->module));
  return kernel;
}

Expected<KernelObject> KernelCompiler::compile(const Variant& variant) {
  LLVMContext context;
  context.setDiscardValueNames(!has_checks()); // findings name variables
  auto writer = ObjectWriter::borrow();
  if (!writer) return writer.takeError();
  TargetMachine& machine = (*writer)->machine();
  auto kernel = prepare(context, machine);
  if (!kernel) return kernel.takeError();
  const auto key = prepared_key_of(variant);
  if (!key) return createStringError("kernel '" + name_ + "' has not been prepared");
  if (auto known = find_object(*key)) return copy_of(*known); // another program's, the same once prepared

  if (!kernel->module) {
    auto module = read_bitcode(context, *prepared_);
    if (!module) return module.takeError();
    *kernel = {std::move(*module), nullptr};
    kernel->kernel = kernel->module->getFunction(name_);
  }
  auto result = run_pipeline(*kernel, machine, variant, ignore_step);
  if (!result) return result.takeError();
  KernelObject object{result->facts, (*writer)->write(*kernel->module)};
  keep_object(*key, std::make_shared<const KernelObject>(copy_of(object)));
  return object;
}

} // namespace hostcl::compiler
