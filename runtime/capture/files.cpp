#include "runtime/capture/files.hpp"

#include "runtime/support/result.hpp"

#include "compiler/isolation/write_signals.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

namespace hostcl::runtime::capture {

namespace {

[[noreturn]] void fail_to_write(const std::string& file, int error) {
  throw Unwritable(text(file, " cannot be written: ", std::strerror(error)));
}

/// A file that takes its final name when it is complete.
class NewFile {
public:
  explicit NewFile(const std::string& name)
      : name_(name),
        new_name_(name + ".new"),
        file_(open(new_name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666)) {
    if (file_ < 0) fail_to_write(name_, errno);
  }
  ~NewFile() {
    if (file_ < 0) return;
    close(file_);
    unlink(new_name_.c_str());
  }
  NewFile(const NewFile&) = delete;

  void write(std::string_view bytes) {
    const WriteSignalsBlocked no_signals;
    while (!bytes.empty()) {
      const ssize_t count = ::write(file_, bytes.data(), bytes.size());
      if (count < 0 && errno != EINTR) fail_to_write(name_, errno);
      if (count > 0) bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }

  void finish() {
    const int file = std::exchange(file_, -1);
    if (close(file) != 0 || rename(new_name_.c_str(), name_.c_str()) != 0) {
      const int error = errno;
      unlink(new_name_.c_str());
      fail_to_write(name_, error);
    }
  }

private:
  std::string name_, new_name_;
  int file_;
};

} // namespace

std::string make_folder(const std::string& folder, const std::string& name) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) fail_to_write(folder, error.value());
  std::string path = folder + "/" + name;
  for (unsigned number = 2; mkdir(path.c_str(), 0777) != 0; ++number) {
    if (errno != EEXIST) fail_to_write(path, errno);
    path = text(folder, "/", name, ".", number);
  }
  return path;
}

void write_file(const std::string& file, std::string_view contents) {
  NewFile to(file);
  to.write(contents);
  to.finish();
}

void write_compressed(const std::string& file, std::span<const std::byte> contents) {
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  const std::unique_ptr<ZSTD_CCtx, Free> context(ZSTD_createCCtx());
  if (!context) throw std::bad_alloc();
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setPledgedSrcSize(context.get(), contents.size());
  std::vector<char> buffer(ZSTD_CStreamOutSize());
  ZSTD_inBuffer in{contents.data(), contents.size(), 0};
  NewFile to(file);
  for (std::size_t left = 1; left != 0;) {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    left = ZSTD_compressStream2(context.get(), &out, &in, ZSTD_e_end);
    if (ZSTD_isError(left)) throw Unwritable(text(file, " cannot be written: ", ZSTD_getErrorName(left)));
    to.write({buffer.data(), out.pos});
  }
  to.finish();
}

} // namespace hostcl::runtime::capture
