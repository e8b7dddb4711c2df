#include "compiler/cache/build_id.hpp"

#include "compiler/abi/align.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <link.h>
#include <span>

namespace hostcl::compiler {

namespace {

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

/// Sets the id if this function is a part of the object.
int find_id(dl_phdr_info* object, std::size_t, void* id) {
  const std::span headers(object->dlpi_phdr, object->dlpi_phnum);
  const std::uintptr_t here = reinterpret_cast<std::uintptr_t>(&find_id) - object->dlpi_addr;
  if (std::ranges::none_of(headers, [&](const ElfW(Phdr) & header) {
        return header.p_type == PT_LOAD && here - header.p_vaddr < header.p_memsz;
      }))
    return 0;
  auto& found = *static_cast<std::string*>(id);
  for (const ElfW(Phdr) & header : headers)
    if (header.p_type == PT_NOTE && found.empty())
      found =
          build_id_note(reinterpret_cast<const char*>(object->dlpi_addr + header.p_vaddr), header.p_memsz);
  return 1;
}

} // namespace

const std::string& build_id() {
  static const std::string id = [] {
    std::string found;
    dl_iterate_phdr(find_id, &found);
    return found;
  }();
  return id;
}

} // namespace hostcl::compiler
