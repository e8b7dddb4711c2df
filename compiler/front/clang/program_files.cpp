#include "compiler/front/clang/program_files.hpp"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cerrno>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace vfs = llvm::vfs;

namespace {

constexpr std::size_t most_bytes = std::size_t{256} << 20;

enum class Refusal { not_regular = 1, too_large };

/// Texts for messages of clang: "cannot open file 'x': it is not a regular file".
class RefusalCategory final : public std::error_category {
public:
  const char* name() const noexcept override { return "hostcl"; }
  std::string message(int value) const override {
    return static_cast<Refusal>(value) == Refusal::not_regular ? "it is not a regular file"
                                                               : "it is larger than 256 MB";
  }
};

std::error_code error_of(Refusal refusal) {
  static const RefusalCategory category;
  return {static_cast<int>(refusal), category};
}

std::error_code last_error() {
  return {errno, std::generic_category()};
}

/// An open file. Its contents are read into memory: if they were mapped and the file became shorter, the
/// process would end.
class OpenedFile final : public vfs::File {
public:
  OpenedFile(int descriptor, vfs::Status status) : descriptor_(descriptor), status_(std::move(status)) {}
  ~OpenedFile() override { [[maybe_unused]] const std::error_code error = OpenedFile::close(); }

  llvm::ErrorOr<vfs::Status> status() override { return status_; }
  llvm::ErrorOr<std::string> getName() override { return status_.getName().str(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, std::int64_t,
                                                               bool needs_null, bool) override {
    return llvm::MemoryBuffer::getOpenFile(descriptor_, name, status_.getSize(), needs_null,
                                           /*IsVolatile=*/true);
  }
  std::error_code close() override {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = -1;
    return {};
  }

private:
  int descriptor_;
  vfs::Status status_;
};

std::error_code refusal_of(const struct stat& status) {
  if (!S_ISREG(status.st_mode)) return error_of(Refusal::not_regular);
  if (static_cast<std::uint64_t>(status.st_size) > most_bytes) return error_of(Refusal::too_large);
  return {};
}

/// LLVM's file system of the disk. A reference is kept here, because ThreadSanitizer does not see that LLVM
/// makes the object before any thread uses it.
llvm::IntrusiveRefCntPtr<vfs::FileSystem> disk() {
  static auto& real = *new llvm::IntrusiveRefCntPtr<vfs::FileSystem>(vfs::getRealFileSystem());
  return real;
}

} // namespace

ProgramFiles::ProgramFiles(bool is_on)
    : ProxyFileSystem(is_on ? disk() : llvm::makeIntrusiveRefCnt<vfs::InMemoryFileSystem>()), is_on_(is_on) {}

llvm::ErrorOr<std::unique_ptr<vfs::File>> ProgramFiles::openFileForRead(const llvm::Twine& path) {
  if (!is_on_) return std::make_error_code(std::errc::no_such_file_or_directory);
  // Opening a device may have effects, so the file is checked before it is opened. It is checked again when
  // it is open, because it may be another file by then. Without O_NONBLOCK, opening a FIFO would wait for a
  // writer.
  const std::string name = path.str();
  struct stat properties;
  if (::stat(name.c_str(), &properties) != 0) return last_error();
  if (S_ISDIR(properties.st_mode)) return std::make_error_code(std::errc::is_a_directory);
  if (const std::error_code refusal = refusal_of(properties)) {
    refusal_ = "'" + name + "' is not read: " + refusal.message();
    return refusal;
  }
  const int descriptor = ::open(name.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return last_error();
  llvm::sys::fs::file_status status;
  std::error_code error = ::fstat(descriptor, &properties) == 0 ? refusal_of(properties) : last_error();
  if (!error) error = llvm::sys::fs::status(descriptor, status);
  auto file = std::make_unique<OpenedFile>(descriptor, vfs::Status::copyWithNewName(status, path));
  if (error) return error;
  was_read_ = true;
  return file;
}

} // namespace hostcl::compiler
