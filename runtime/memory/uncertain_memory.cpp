// The longjmp() of _FORTIFY_SOURCE refuses to jump from the stack of a signal handler to a stack at a higher address.
#undef _FORTIFY_SOURCE
#include "runtime/memory/uncertain_memory.hpp"

#include "compiler/isolation/trap_handler.hpp"
#include "runtime/threads/parallel.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstring>

#include <sys/uio.h>
#include <unistd.h>

namespace hostcl::runtime {

namespace {

constexpr std::size_t piece_bytes = 256 << 10;

/// Where a thread continues if memory does not exist that the thread itself copies.
struct Absence {
  sigjmp_buf place;
  std::span<const iovec> to, from;

  bool concerns(const void* address) const {
    const auto has = [&](const iovec& piece) {
      const auto* first = static_cast<const std::byte*>(piece.iov_base);
      return address >= first && address < first + piece.iov_len;
    };
    return std::ranges::any_of(to, has) || std::ranges::any_of(from, has);
  }
};

/// Initial-exec: signal handlers read the variable, and the memory of other thread-local variables may have
/// to be allocated at the first access.
[[gnu::tls_model("initial-exec")]] constinit thread_local Absence* absence = nullptr;

bool take_absence(int signal, const siginfo_t& info) {
  if (signal != SIGBUS || info.si_code <= 0 || !absence || !absence->concerns(info.si_addr)) return false;
  siglongjmp(absence->place, 1);
}

/// While an object of this class exists, the calling thread does not block SIGBUS: a blocked SIGBUS would end
/// the process.
class TakesBusErrors {
public:
  TakesBusErrors() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGBUS);
    pthread_sigmask(SIG_UNBLOCK, &set, &before_);
  }
  ~TakesBusErrors() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  TakesBusErrors(const TakesBusErrors&) = delete;

private:
  sigset_t before_;
};

/// Pieces of memory that are copied together, by one system call.
class Pieces {
public:
  void add(std::byte* to, const std::byte* from, std::size_t bytes) {
    for (; bytes > 0 && is_there_; to += count(bytes), from += count(bytes), bytes -= count(bytes)) {
      to_[count_] = {to, count(bytes)};
      from_[count_] = {const_cast<std::byte*>(from), count(bytes)};
      if (++count_ == to_.size()) copy();
    }
  }

  /// Copies the remaining pieces. @returns whether all memory existed
  bool finish() {
    if (count_ > 0) copy();
    return is_there_;
  }

private:
  static std::size_t count(std::size_t bytes) { return std::min(bytes, piece_bytes); }

  void copy() {
    is_there_ = compiler::comes_first(SIGBUS) ? copy_here() : copy_by_system();
    count_ = 0;
  }

  bool copy_by_system() const {
    std::size_t wanted = 0;
    for (std::size_t i = 0; i < count_; ++i)
      wanted += to_[i].iov_len;
    const ssize_t copied = process_vm_readv(getpid(), to_.data(), count_, from_.data(), count_, 0);
    if (copied >= 0 || errno == EFAULT) return static_cast<std::size_t>(copied) == wanted;
    copy_directly(); // the process may not use this system call, for example because of seccomp
    return true;
  }

  /// Copies on this thread. Only if the driver's handler of SIGBUS is called before the application's.
  bool copy_here() const {
    compiler::offer_faults(take_absence);
    const TakesBusErrors takes;
    Absence here{.place = {}, .to = std::span(to_).first(count_), .from = std::span(from_).first(count_)};
    absence = &here;
    // Nothing that is used after the jump has changed since sigsetjmp(), so no variable need be volatile.
    const bool is_there = sigsetjmp(here.place, 0) == 0;
    if (is_there) copy_directly();
    absence = nullptr;
    return is_there;
  }

  void copy_directly() const {
    for (std::size_t i = 0; i < count_; ++i)
      std::memcpy(to_[i].iov_base, from_[i].iov_base, to_[i].iov_len);
  }

  std::array<iovec, 64> to_, from_;
  std::size_t count_ = 0;
  bool is_there_ = true;
};

/// Calls body(first, last, pieces) for parts of [0, count), on several threads if it is much memory.
template <class Body>
bool in_pieces(Workers& workers, std::uint64_t count, std::size_t bytes_each, Body body) {
  constexpr std::size_t parallel_bytes = 2 << 20, grain_bytes = 1 << 20;
  std::atomic<bool> is_there = true;
  auto range = [&](std::uint64_t first, std::uint64_t last) {
    Pieces pieces;
    body(first, last, pieces);
    if (!pieces.finish()) is_there = false;
  };
  if (count * bytes_each < parallel_bytes)
    range(0, count);
  else
    workers.for_ranges(0, count, grain_bytes / bytes_each + 1, range);
  return is_there;
}

std::byte* row_of(std::byte* memory, const Rect& rect, std::uint64_t row) {
  const std::size_t rows = rect.extent[1];
  return memory + rect.first + row / rows * rect.slice_pitch + row % rows * rect.row_pitch;
}

const std::byte* row_of(const std::byte* memory, const Rect& rect, std::uint64_t row) {
  return row_of(const_cast<std::byte*>(memory), rect, row);
}

} // namespace

bool copy_uncertain(Workers& workers, std::byte* to, const Rect& to_rect, const std::byte* from,
                    const Rect& from_rect) {
  if (to_rect.is_dense() && from_rect.is_dense()) {
    to += to_rect.first;
    from += from_rect.first;
    return in_pieces(workers, to_rect.bytes(), 1,
                     [&](std::uint64_t first, std::uint64_t last, Pieces& pieces) {
                       pieces.add(to + first, from + first, last - first);
                     });
  }
  const auto rows = [&](std::uint64_t first, std::uint64_t last, Pieces& pieces) {
    for (std::uint64_t i = first; i < last; ++i)
      pieces.add(row_of(to, to_rect, i), row_of(from, from_rect, i), to_rect.extent[0]);
  };
  return in_pieces(workers, to_rect.extent[1] * to_rect.extent[2], to_rect.extent[0], rows);
}

bool fill_uncertain(Workers& workers, std::byte* to, const Rect& rect, std::span<const std::byte> pattern) {
  std::array<std::byte, 16 << 10> repeated;
  const std::size_t most = std::min(repeated.size(), rect.extent[0]);
  const std::size_t whole = std::max<std::size_t>(1, most / pattern.size() * pattern.size());
  for (std::size_t i = 0; i < whole; i += pattern.size())
    std::ranges::copy(pattern, repeated.begin() + static_cast<std::ptrdiff_t>(i));
  const std::size_t bytes = rect.extent[0], parts = (bytes + whole - 1) / whole; // of a row
  const auto fill = [&](std::uint64_t first, std::uint64_t last, Pieces& pieces) {
    for (std::uint64_t i = first; i < last; ++i) {
      const std::size_t done = i % parts * whole;
      pieces.add(row_of(to, rect, i / parts) + done, repeated.data(), std::min(whole, bytes - done));
    }
  };
  return in_pieces(workers, parts * rect.extent[1] * rect.extent[2], std::min(whole, bytes), fill);
}

} // namespace hostcl::runtime
