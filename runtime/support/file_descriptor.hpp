#pragma once

#include <utility>

#include <unistd.h>

namespace hostcl::runtime {

/// Owns a file descriptor.
class FileDescriptor {
public:
  FileDescriptor() = default;
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(other.detach()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() {
    if (number_ >= 0) ::close(number_);
  }

  /// -1 if it owns none.
  int get() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }
  /// Gives the descriptor up without closing it.
  int detach() { return std::exchange(number_, -1); }

private:
  int number_ = -1;
};

} // namespace hostcl::runtime
