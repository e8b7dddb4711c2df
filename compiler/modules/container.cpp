// serialise(), which compiler/compiler.hpp declares, and functions of ir_module.hpp: a header with the module's
// properties, the size of the bitcode that follows, and a hash of both.

#include "compiler/compiler.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/modules/ir_module.hpp"
#include "compiler/modules/module_checks.hpp"
#include "compiler/modules/recursion.hpp"
#include "compiler/modules/undefined_symbols.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

#include <cstddef>
#include <cstring>
#include <xxhash.h>

namespace hostcl::compiler {

namespace {

constexpr char magic[8] = {'H', 'O', 'S', 'T', 'C', 'L', 'B', '\n'};

/// The version of the format. Must be increased when the meaning of bitcode changes, because of intrinsics, module
/// flags, or LLVM's major version.
constexpr std::uint32_t format_version = 3;

struct ContainerHeader {
  char magic[8];
  std::uint32_t version;
  std::uint16_t kind;
  std::uint16_t is_complete;
  std::uint64_t size; ///< bytes of bitcode after the header
  std::uint64_t hash; ///< XXH3 of these bytes, with the hash of the members above as its seed
};

std::uint64_t hash_of(const ContainerHeader& header, std::span<const std::byte> bitcode) {
  std::uint64_t seed = XXH3_64bits(&header, offsetof(ContainerHeader, hash));
  return XXH3_64bits_withSeed(bitcode.data(), bitcode.size(), seed);
}

llvm::Error invalid(const llvm::Twine& why) {
  return llvm::createStringError("not a usable program binary: " + why);
}

} // namespace

std::vector<std::byte> serialise(const Module& module) {
  ContainerHeader header{};
  std::memcpy(header.magic, magic, sizeof magic);
  header.version = format_version;
  header.kind = static_cast<std::uint16_t>(module.kind());
  header.is_complete = module.properties().is_complete;
  header.size = module.bitcode().size();
  header.hash = hash_of(header, module.bitcode());
  std::vector<std::byte> bytes(sizeof header + module.bitcode().size());
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, module.bitcode().data(), module.bitcode().size());
  return bytes;
}

llvm::Expected<ModulePtr> deserialise_own(std::span<const std::byte> bytes) {
  ContainerHeader header;
  if (bytes.size() < sizeof header) return invalid("it is shorter than its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.magic, magic, sizeof magic) != 0)
    return invalid("it was not written by hostcl; build the program from its source");
  if (header.version != format_version)
    return invalid("it was written by another version of hostcl; build the program from its source again");
  if (header.kind > static_cast<std::uint16_t>(ModuleKind::executable)) return invalid("its kind is unknown");
  std::span<const std::byte> bitcode = bytes.subspan(sizeof header);
  if (header.size != bitcode.size()) return invalid("its length does not match its header");
  if (header.hash != hash_of(header, bitcode)) return invalid("its checksum does not match");
  const ModuleProperties properties{static_cast<ModuleKind>(header.kind), header.is_complete != 0};
  return std::make_shared<Module>(properties, std::vector(bitcode.begin(), bitcode.end()));
}

namespace {

/// Checks that a device has each extension and feature of the device that the module was compiled for.
llvm::Error check_language(const llvm::Module& module, const Language& language) {
  llvm::SmallVector<llvm::Module::ModuleFlagEntry> flags;
  module.getModuleFlagsMetadata(flags);
  Language compiled_for;
  for (const auto& flag : flags) {
    llvm::StringRef name = flag.Key->getString();
    const auto* value = llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(flag.Val);
    if (name.consume_front(metadata::lacks) && value && value->isOne())
      compiled_for.lacks.push_back(name.str());
  }
  for (const std::string& name : language.lacks)
    if (!is_missing(compiled_for, name))
      return invalid("it was built for a device that has " + name + ", which " + described_device(language) +
                     " lacks; build the program from its source");
  return llvm::Error::success();
}

} // namespace

llvm::Expected<ModulePtr> deserialise_foreign(std::span<const std::byte> bytes, const Settings& settings) {
  auto own = deserialise_own(bytes);
  if (!own) return own.takeError();
  const Module& module = **own;
  llvm::LLVMContext context;
  auto ir = read_bitcode(context, module);
  if (!ir) return invalid(llvm::toString(ir.takeError()));
  if (llvm::Error error = check_ir(**ir, settings.assembly)) return invalid(llvm::toString(std::move(error)));
  if (llvm::Error error = check_language(**ir, settings.language)) return error;
  ModuleProperties properties = module.properties();
  std::string ignored; // not needed: the linker will report it again
  properties.is_complete =
      properties.kind != ModuleKind::library && !leaves_undefined(**ir) && report_recursion(**ir, ignored);
  return std::make_shared<Module>(properties, std::vector(module.bitcode().begin(), module.bitcode().end()));
}

} // namespace hostcl::compiler
