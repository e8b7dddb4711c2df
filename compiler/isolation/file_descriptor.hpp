#pragma once

#include <cstdint>
#include <utility>

namespace hostcl {

/// Owns a file descriptor for longer than one call of the application. Daemons and supervisors close all descriptors that
/// they have not opened themselves, the driver's included, and the next files that the application opens get the numbers of
/// the driver's descriptors. So each use asks the operating system whether the number still refers to the driver's file. If
/// the number refers to another file, the driver neither uses nor closes the descriptor any more.
class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) noexcept;
  FileDescriptor(FileDescriptor&& other) noexcept { *this = std::move(other); }
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    std::swap(file_, other.file_);
    return *this;
  }
  ~FileDescriptor();

  /// The number; -1 if there is no descriptor, or if the number refers to another file now. Makes a system call each time.
  int get() const noexcept { return number_ >= 0 && file_of(number_) == file_ ? number_ : -1; }
  /// Whether the object was given a descriptor, which may be lost by now.
  explicit operator bool() const { return number_ >= 0; }
  /// Returns the number, and closes nothing.
  int detach() { return std::exchange(number_, -1); }

private:
  /// Identifies a file, even if a later file gets the same inode number.
  struct File {
    std::uint64_t device = 0, inode = 0;
    std::int64_t birth_s = 0, birth_ns = 0;
    int mark = 0; ///< for files without an inode of their own, such as an eventfd
    bool operator==(const File&) const = default;
  };
  static File file_of(int number) noexcept;

  int number_ = -1;
  File file_;
};

} // namespace hostcl
