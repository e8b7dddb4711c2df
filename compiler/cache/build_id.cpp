#include "compiler/cache/build_id.hpp"

#include "compiler/abi/align.hpp"

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <link.h>

namespace hostcl::compiler {

namespace {

struct Search {
  std::uintptr_t address; ///< an address in the object to find
  std::string id;
};

bool contains(const dl_phdr_info& object, std::uintptr_t address) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr) & header = object.dlpi_phdr[i];
    std::uintptr_t first = object.dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && address >= first && address - first < header.p_memsz) return true;
  }
  return false;
}

/// The contents of the GNU build-id note among these notes; empty if there is none.
std::string build_id_note(const char* notes, std::size_t size) {
  auto aligned = [](std::size_t n) { return abi::aligned(n, 4); };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes, sizeof note);
    std::size_t length = sizeof note + aligned(note.n_namesz) + aligned(note.n_descsz);
    if (length > size) break;
    if (note.n_type == NT_GNU_BUILD_ID) return {notes + sizeof note + aligned(note.n_namesz), note.n_descsz};
    notes += length;
    size -= length;
  }
  return {};
}

int visit(dl_phdr_info* object, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (!contains(*object, search.address)) return 0;
  for (int i = 0; i < object->dlpi_phnum && search.id.empty(); ++i) {
    const ElfW(Phdr) & header = object->dlpi_phdr[i];
    if (header.p_type == PT_NOTE)
      search.id =
          build_id_note(reinterpret_cast<const char*>(object->dlpi_addr + header.p_vaddr), header.p_memsz);
  }
  return 1;
}

} // namespace

const std::string& build_id() {
  static const std::string id = [] {
    Search search{reinterpret_cast<std::uintptr_t>(&build_id), {}};
    dl_iterate_phdr(visit, &search);
    return search.id;
  }();
  return id;
}

} // namespace hostcl::compiler
