#include "compiler/isolation/file_descriptor.hpp"

#include <atomic>
#include <csignal>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

namespace hostcl {

namespace {

/// Distinguishes files that share one inode, such as all eventfds, by the signal number of the open file.
/// Linux sends this signal only with O_ASYNC, and applications leave it at 0.
int mark_of(int number) noexcept {
  return fcntl(number, F_GETSIG);
}
void mark(int number) noexcept {
  static constinit std::atomic<unsigned> count = 0;
  if (mark_of(number) == 0) fcntl(number, F_SETSIG, 1 + static_cast<int>(count++ % (NSIG - 1)));
}

/// @returns whether the number is open and its inode is known
bool ask(int number, struct statx& status) noexcept {
  return number >= 0 && statx(number, "", AT_EMPTY_PATH, STATX_TYPE | STATX_INO | STATX_BTIME, &status) == 0;
}
bool shares_inode(const struct statx& status) noexcept {
  return (status.stx_mode & S_IFMT) == 0;
}

} // namespace

FileDescriptor::FileDescriptor(int number) noexcept : number_(number) {
  if (struct statx status; ask(number, status) && shares_inode(status)) mark(number);
  file_ = file_of(number);
}

FileDescriptor::~FileDescriptor() {
  if (const int own = get(); own >= 0) close(own);
}

FileDescriptor::File FileDescriptor::file_of(int number) noexcept {
  struct statx status;
  if (!ask(number, status)) return {};
  return {makedev(status.stx_dev_major, status.stx_dev_minor), status.stx_ino, status.stx_btime.tv_sec,
          status.stx_btime.tv_nsec, shares_inode(status) ? mark_of(number) : 0};
}

} // namespace hostcl
