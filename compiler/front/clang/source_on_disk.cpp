#include "compiler/front/clang/source_on_disk.hpp"

#include "compiler/cache/cache_folder.hpp"
#include "compiler/front/clang/frontend.hpp"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <cstdio>
#include <span>

#include <sys/auxv.h>
#include <unistd.h>

namespace hostcl::compiler {

std::string source_on_disk(std::string_view source) {
  llvm::SmallString<128> root("/tmp");
  if (::getauxval(AT_SECURE) == 0) llvm::sys::path::system_temp_directory(/*ErasedOnReboot=*/true, root);
  llvm::sys::path::append(root, "hostcl-sources-" + std::to_string(::geteuid()));
  make_folder(root.str().str());
  // Only this user writes to the folder, so that what has the name of a source is one.
  const Descriptor parent = open_folder(root.str().str());
  if (!parent) return {};
  const std::string name =
      llvm::utohexstr(llvm::xxh3_64bits(llvm::StringRef(source)), /*LowerCase=*/true, 16);
  const Descriptor folder = open_folder(parent, name, /*make=*/true);
  if (!folder) return {};
  const std::string path = (root + "/" + name).str();
  struct stat status;
  const Descriptor known = open_file(folder, source_name, status);
  if (known && status.st_size == static_cast<off_t>(source.size())) return path;
  const std::span<const std::byte> bytes = std::as_bytes(std::span(source));
  const std::string temporary = write_beside(folder, source_name, std::span(&bytes, 1));
  if (temporary.empty() || ::renameat(folder.number(), temporary.c_str(), folder.number(), source_name) != 0)
    return {};
  return path;
}

} // namespace hostcl::compiler
