#pragma once

// The folder of the disk cache. Only files are used that no other user can have written. Folders and files
// are opened without following symbolic links, and owner, kind and permissions are checked on the open
// descriptor, so that nobody can exchange a file between the check and its use.

#include "llvm/Support/Error.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <dirent.h>
#include <sys/stat.h>

namespace hostcl::compiler {

/// Owns a descriptor of a file or folder.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(other.number_) { other.number_ = -1; }
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  explicit operator bool() const { return number_ >= 0; }
  int number() const { return number_; }
  bool read(void* to, std::size_t size) const;
  bool write(const void* from, std::size_t size) const;

private:
  int number_ = -1;
};

/// Makes a folder, and its parent folders, that only the user can access, whatever the umask is.
void make_folder(const std::string& path);

/// Opens the folder. @returns nothing unless it belongs to the user and no other user can write to it
Descriptor open_folder(const std::string& path);
/// Why an existing folder would not be opened.
llvm::Error check_folder(const std::string& path);
/// Opens a folder inside of `parent`, like open_folder() above.
/// @param make whether to create the folder if it does not exist
Descriptor open_folder(const Descriptor& parent, const std::string& name, bool make);

/// Opens a regular file for reading if only the user can have written it. Does not block.
Descriptor open_file(const Descriptor& folder, const std::string& name, struct stat& status);

/// While a file is being written, its name ends with this text and further characters.
inline constexpr const char* temporary_mark = ".tmp.";

/// Writes a new file, which only the user can access, under a temporary name. @returns the name, or an empty
/// string
std::string write_beside(const Descriptor& folder, const std::string& name,
                         std::span<const std::span<const std::byte>> parts);

/// Calls `visit` with the name of each entry of the folder.
void for_each_name(const Descriptor& folder, const std::function<void(const std::string&)>& visit);

using Secret = std::array<std::byte, 32>;

/// Random bytes that are stored in the folder and authenticate its entries. Made if the folder has none.
std::optional<Secret> secret_of(const Descriptor& folder);

} // namespace hostcl::compiler
