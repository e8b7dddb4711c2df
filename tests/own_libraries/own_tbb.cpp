// check_own_tbb COPY ORIGINAL: what cmake/own_tbb.sed assumes of the system's oneTBB, proved on the copy that it made:
// the file is the same but for names of the same length and the versions of what the driver has in the place of the C
// library's functions, the dynamic linker finds each renamed symbol by the hash table of the original, nothing that
// another oneTBB looks for or offers is left, and no destructor is registered.

#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <dlfcn.h>
#include <string>
#include <vector>

using namespace llvm;
using namespace llvm::object;

namespace {

using Shdr = ELF64LE::Shdr;
using Sym = ELF64LE::Sym;

int failures = 0;

void expect(bool holds, const Twine& fact) {
  if (holds) return;
  ++failures;
  errs() << "not so: " << fact << '\n';
}

/// An ELF file with its dynamic symbols.
struct Library {
  explicit Library(StringRef path)
      : buffer(cantFail(errorOrToExpected(MemoryBuffer::getFile(path)))),
        elf(cantFail(ELF64LEFile::create(bytes()))) {
    for (const Shdr& section : cantFail(elf.sections())) {
      if (section.sh_type == ELF::SHT_DYNSYM)
        symbols = cantFail(elf.symbols(&section)), names = cantFail(elf.getStringTableForSymtab(section));
      if (section.sh_type == ELF::SHT_GNU_HASH)
        hash_table = reinterpret_cast<const ELF64LE::GnuHash*>(elf.base() + section.sh_offset);
    }
  }

  StringRef bytes() const { return buffer->getBuffer(); }
  StringRef name(const Sym& symbol) const { return cantFail(symbol.getName(names)); }

  /// Whether the dynamic linker comes to the symbol of this index when it looks for the name.
  bool is_found(StringRef wanted, std::size_t index) const {
    const std::uint32_t hash = hashGnu(wanted);
    const std::size_t first = hash_table->symndx;
    std::size_t at = hash_table->buckets()[hash % hash_table->nbuckets];
    if (at < first) return false;
    const auto chain = hash_table->values(unsigned(symbols.size()));
    for (;; ++at) {
      if ((chain[at - first] | 1U) == (hash | 1U) && name(symbols[at]) == wanted) return at == index;
      if (chain[at - first] & 1U) return false;
    }
  }

  std::unique_ptr<MemoryBuffer> buffer;
  ELF64LEFile elf;
  ArrayRef<Sym> symbols;
  StringRef names;
  const ELF64LE::GnuHash* hash_table = nullptr;
};

/// Sections in which names stand; code and tables may not differ.
bool holds_names(StringRef section) {
  return section == ".dynstr" || section == ".rodata" || section.starts_with(".data") ||
         section == ".symtab" || section == ".strtab" || section.starts_with(".debug");
}

void check_bytes(const Library& copy, const Library& original) {
  expect(copy.bytes().size() == original.bytes().size(), "the copy has the original's size");
  for (const Shdr& section : cantFail(original.elf.sections())) {
    if (section.sh_type == ELF::SHT_NOBITS || section.sh_type == ELF::SHT_NULL) continue;
    const StringRef name = cantFail(original.elf.getSectionName(section));
    const bool is_same = copy.bytes().substr(section.sh_offset, section.sh_size) ==
                         original.bytes().substr(section.sh_offset, section.sh_size);
    expect(is_same || holds_names(name) || section.sh_type == ELF::SHT_GNU_versym,
           "section " + name + " is unchanged");
  }
}

void check_symbols(const Library& copy, const Library& original) {
  expect(copy.symbols.size() == original.symbols.size() && copy.hash_table,
         "the symbols are as many, in a GNU hash table");
  std::size_t renamed = 0;
  for (std::size_t i = 1; i < copy.symbols.size(); ++i) {
    const StringRef name = copy.name(copy.symbols[i]), old_name = original.name(original.symbols[i]);
    const bool is_defined = copy.symbols[i].st_shndx != ELF::SHN_UNDEF;
    expect(name.size() == old_name.size(), old_name + " keeps its length as " + name);
    if (!is_defined) continue;
    renamed += name != old_name;
    expect(copy.is_found(name, i), name + " is found by its hash");
    expect(!old_name.contains("tbb") && !old_name.contains("TBB") ? name == old_name : name != old_name,
           old_name + " has a name of its own, " + name);
  }
  expect(renamed > 50, "more than 50 of oneTBB's symbols have other names");
}

/// Functions of the driver that the copy imports in the place of the C library's.
bool is_the_drivers(StringRef name) {
  return name == "hcl_new_thread" || name == "hcl_new_thread_key";
}

/// The version of each symbol.
ArrayRef<ELF64LE::Half> versions_of(const Library& library) {
  for (const Shdr& section : cantFail(library.elf.sections()))
    if (section.sh_type == ELF::SHT_GNU_versym)
      return cantFail(library.elf.getSectionContentsAsArray<ELF64LE::Half>(section));
  return {};
}

void check_versions(const Library& copy, const Library& original) {
  const ArrayRef<ELF64LE::Half> now = versions_of(copy), before = versions_of(original);
  expect(now.size() == copy.symbols.size() && before.size() == now.size(), "each symbol has a version");
  for (std::size_t i = 1; i < now.size(); ++i) {
    const StringRef name = copy.name(copy.symbols[i]);
    expect(now[i] == (is_the_drivers(name) ? ELF::VER_NDX_GLOBAL : before[i]), name + " has its version");
  }
}

/// Names of the original by which it would meet another oneTBB, or be met.
void check_nothing_is_left(const Library& copy, const Library& original) {
  for (const StringRef name :
       {"3tbb6detail", "TBB_runtime", "libtbb", "scalable_", "__TBB_", "__RML_", "libirml", "libiomp5"})
    expect(!copy.bytes().contains(name), "the copy does not have " + name);
  for (const StringRef name : {"3tbb6detail", "TBB_runtime", "libtbb", "scalable_", "__cxa_atexit"})
    expect(original.bytes().contains(name), "the original has " + name + ", which the edit renames");
}

/// The imports that the copy has and the original has not.
void check_imports(const Library& copy, const Library& original) {
  StringSet<> before;
  for (const Sym& symbol : original.symbols)
    before.insert(original.name(symbol));
  StringSet<> stand_ins = {"pthread_self", "hcl_new_thread", "hcl_new_thread_key"};
  for (const Sym& symbol : copy.symbols) {
    const StringRef name = copy.name(symbol);
    if (stand_ins.erase(name) || symbol.st_shndx != ELF::SHN_UNDEF) continue;
    if (!before.contains(name))
      expect(symbol.getBinding() == ELF::STB_WEAK, "the import " + name + ", which no library has, is weak");
    expect(name != "__cxa_atexit" && name != "pthread_create" && name != "pthread_key_create",
           "no destructor is registered, no thread started but by the driver");
  }
  for (const auto& missing : stand_ins)
    expect(false, missing.getKey() + " stands for a function of the C library");
  // Its version in the copy is that of __cxa_atexit.
  expect(dlvsym(RTLD_DEFAULT, "pthread_self", "GLIBC_2.2.5") != nullptr,
         "the C library has pthread_self@GLIBC_2.2.5");
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    errs() << "usage: check_own_tbb COPY ORIGINAL\n";
    return 2;
  }
  const Library copy(argv[1]), original(argv[2]);
  check_bytes(copy, original);
  check_symbols(copy, original);
  check_nothing_is_left(copy, original);
  check_versions(copy, original);
  check_imports(copy, original);
  if (failures == 0)
    outs() << copy.symbols.size() << " symbols of " << argv[1] << " are as the edit assumes\n";
  return failures == 0 ? 0 : 1;
}
