#include "doctor/elf.hpp"

#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VersionTuple.h"

namespace hostcl::doctor {

std::string needed_glibc(const std::string& library) {
  using namespace llvm::object;
  auto buffer = llvm::MemoryBuffer::getFile(library);
  if (!buffer) return {};
  auto file = ELFFile<ELF64LE>::create((*buffer)->getBuffer());
  auto sections = file ? file->sections() : file.takeError();
  if (!sections) {
    llvm::consumeError(sections.takeError());
    return {};
  }
  llvm::VersionTuple newest;
  for (const auto& section : *sections) {
    if (section.sh_type != llvm::ELF::SHT_GNU_verneed) continue;
    auto needs = llvm::expectedToOptional(file->getVersionDependencies(section));
    if (!needs) continue;
    for (const VerNeed& need : *needs)
      for (const VernAux& version : need.AuxV) {
        llvm::StringRef name = version.Name.c_str(); // Name goes on after its null character
        if (llvm::VersionTuple number; name.consume_front("GLIBC_") && !number.tryParse(name))
          newest = std::max(newest, number);
      }
  }
  return newest.empty() ? "" : newest.getAsString();
}

} // namespace hostcl::doctor
