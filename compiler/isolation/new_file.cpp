#include "compiler/isolation/new_file.hpp"

#include "compiler/isolation/write_signals.hpp"

#include <cerrno>
#include <cstdio>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace hostcl {

NewFile::NewFile(const std::string& name)
    : name_(name),
      own_name_(name + ".tmp." + std::to_string(getpid())),
      file_(open(own_name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666)),
      error_(file_ < 0 ? errno : 0) {}

NewFile::~NewFile() {
  if (file_ < 0) return;
  close(file_);
  unlink(own_name_.c_str());
}

void NewFile::write(std::string_view bytes) {
  const WriteSignalsBlocked no_signals;
  while (!bytes.empty() && error_ == 0) {
    const ssize_t count = ::write(file_, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR) error_ = errno;
    if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

int NewFile::finish() {
  if (file_ < 0) return error_;
  if (close(std::exchange(file_, -1)) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0 && rename(own_name_.c_str(), name_.c_str()) != 0) error_ = errno;
  if (error_ != 0) unlink(own_name_.c_str());
  return error_;
}

int replace_file(const std::string& name, std::string_view content) {
  NewFile file(name);
  file.write(content);
  return file.finish();
}

} // namespace hostcl
