#pragma once

// The folder of the disk cache, as files that no other user can have written: each folder and file is opened
// without following a symbolic link at its name, and its owner, kind and permissions are asked of the descriptor, so
// that nothing can be put in its place between the question and the use.

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

/// Makes a folder and those above it, for the user alone whatever the umask.
void make_folder(const std::string& path);

/// The folder, or nothing unless it belongs to the user and no other user may write to it.
Descriptor open_folder(const std::string& path);
/// Why a folder that exists would not be opened.
llvm::Error check_folder(const std::string& path);
/// The same for a folder in one.
Descriptor open_folder(const Descriptor& parent, const std::string& name, bool make);

/// A regular file that the user alone can have written, opened for reading; does not wait.
Descriptor open_file(const Descriptor& folder, const std::string& name, struct stat& status);

/// What a file's name ends with until it has been written, followed by anything.
inline constexpr const char* temporary_mark = ".tmp.";

/// Writes a new file for the user alone under a temporary name. @returns the name, or an empty string
std::string write_beside(const Descriptor& folder, const std::string& name,
                         std::span<const std::span<const std::byte>> parts);

/// Calls `visit` with the name of each entry.
void for_each_name(const Descriptor& folder, const std::function<void(const std::string&)>& visit);

using Secret = std::array<std::byte, 32>;

/// Random bytes that the folder keeps and that its entries are authenticated with, made when it has none.
std::optional<Secret> secret_of(const Descriptor& folder);

} // namespace hostcl::compiler
