#include "compiler/cache/cache_folder.hpp"

#include "compiler/isolation/write_signals.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace {

constexpr mode_t folder_mode = 0700, file_mode = 0600;
constexpr int folder_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

/// Fails if another user may have changed the file or folder.
llvm::Error check_owner(const struct stat& status) {
  if (status.st_uid != ::geteuid()) return llvm::createStringError("it belongs to another user");
  // If an access control list lets other users write, the group has write permission.
  if (status.st_mode & (S_IWGRP | S_IWOTH))
    return llvm::createStringError("other users may write to it (chmod go-w forbids that)");
  return llvm::Error::success();
}

/// @param number result of open()
/// @returns an empty descriptor for a folder that does not exist
llvm::Expected<Descriptor> checked_folder(int number) {
  Descriptor folder(number);
  struct stat status;
  if (!folder && errno == ENOENT) return folder;
  if (!folder && (errno == ELOOP || errno == ENOTDIR))
    return llvm::createStringError("it is a symbolic link or not a folder");
  if (!folder || ::fstat(folder.number(), &status) != 0) return llvm::createStringError(std::strerror(errno));
  if (llvm::Error error = check_owner(status)) return std::move(error);
  return folder;
}

Descriptor folder_of(int number) {
  return llvm::expectedToOptional(checked_folder(number)).value_or(Descriptor());
}

/// mkdirat() of a folder that only the user can access. The umask may even have removed the user's own
/// permissions.
void make_one(int parent, const char* path) {
  if (::mkdirat(parent, path, folder_mode) == 0)
    (void)::fchmodat(parent, path, folder_mode, AT_SYMLINK_NOFOLLOW);
}

std::optional<Secret> read_secret(const Descriptor& folder, const char* name) {
  struct stat status;
  const Descriptor file = open_file(folder, name, status);
  Secret secret;
  if (!file || status.st_size != sizeof secret || (status.st_mode & (S_IRGRP | S_IROTH)) ||
      !file.read(secret.data(), secret.size()))
    return std::nullopt;
  return secret;
}

/// Calls ::read or ::write until all bytes are read or written.
template <class Byte, class Call>
bool transfer(Call call, int number, Byte* bytes, std::size_t size) {
  while (size) {
    const ssize_t count = call(number, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes += count;
    size -= static_cast<std::size_t>(count);
  }
  return true;
}

bool random_bytes(void* to, std::size_t size) {
  return ::getrandom(to, size, 0) == static_cast<ssize_t>(size);
}

} // namespace

Descriptor::~Descriptor() {
  if (number_ >= 0) ::close(number_);
}

bool Descriptor::read(void* to, std::size_t size) const {
  return transfer(::read, number_, static_cast<char*>(to), size);
}

bool Descriptor::write(const void* from, std::size_t size) const {
  return transfer(::write, number_, static_cast<const char*>(from), size);
}

void make_folder(const std::string& path) {
  for (std::size_t end = path.find('/', 1); end != path.npos; end = path.find('/', end + 1))
    make_one(AT_FDCWD, path.substr(0, end).c_str());
  make_one(AT_FDCWD, path.c_str());
}

Descriptor open_folder(const std::string& path) {
  return folder_of(::open(path.c_str(), folder_flags));
}

llvm::Error check_folder(const std::string& path) {
  return checked_folder(::open(path.c_str(), folder_flags)).takeError();
}

Descriptor open_folder(const Descriptor& parent, const std::string& name, bool make) {
  int number = ::openat(parent.number(), name.c_str(), folder_flags);
  if (number < 0 && errno == ENOENT && make) {
    make_one(parent.number(), name.c_str());
    number = ::openat(parent.number(), name.c_str(), folder_flags);
  }
  return folder_of(number);
}

Descriptor open_file(const Descriptor& folder, const std::string& name, struct stat& status) {
  // Without O_NONBLOCK, opening a FIFO would wait for a writer.
  Descriptor file(
      ::openat(folder.number(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      llvm::errorToBool(check_owner(status)))
    return {};
  return file;
}

std::string write_beside(const Descriptor& folder, const std::string& name,
                         std::span<const std::span<const std::byte>> parts) {
  std::uint64_t number = 0;
  if (!random_bytes(&number, sizeof number)) return {};
  std::array<char, 17> digits;
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(number));
  std::string temporary = name + temporary_mark + digits.data();
  const Descriptor file(::openat(folder.number(), temporary.c_str(),
                                 O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, file_mode));
  if (!file) return {};
  WriteSignalsBlocked no_signals;
  bool is_written = ::fchmod(file.number(), file_mode) == 0;
  for (std::span<const std::byte> part : parts)
    is_written = is_written && file.write(part.data(), part.size());
  if (is_written) return temporary;
  ::unlinkat(folder.number(), temporary.c_str(), 0);
  return {};
}

void for_each_name(const Descriptor& folder, const std::function<void(const std::string&)>& visit) {
  const int copy = ::openat(folder.number(), ".", folder_flags); // closed by closedir()
  if (copy < 0) return;
  auto close = [](DIR* open) { ::closedir(open); };
  const std::unique_ptr<DIR, decltype(close)> entries(::fdopendir(copy), close);
  if (!entries) {
    ::close(copy);
    return;
  }
  while (const dirent* entry = ::readdir(entries.get()))
    visit(entry->d_name);
}

std::optional<Secret> secret_of(const Descriptor& folder) {
  constexpr const char* name = "secret";
  if (auto secret = read_secret(folder, name)) return secret;
  Secret fresh;
  if (!random_bytes(fresh.data(), fresh.size())) return std::nullopt;
  const std::span<const std::byte> bytes(fresh);
  const std::string temporary = write_beside(folder, name, std::span(&bytes, 1));
  if (temporary.empty()) return std::nullopt;
  // If several processes find no secret, the first link wins. A file with this name that contains no secret
  // is replaced.
  if (::linkat(folder.number(), temporary.c_str(), folder.number(), name, 0) != 0 && errno == EEXIST &&
      !read_secret(folder, name)) {
    if (::unlinkat(folder.number(), name, 0) != 0) ::unlinkat(folder.number(), name, AT_REMOVEDIR);
    (void)::linkat(folder.number(), temporary.c_str(), folder.number(), name, 0);
  }
  ::unlinkat(folder.number(), temporary.c_str(), 0);
  return read_secret(folder, name);
}

} // namespace hostcl::compiler
