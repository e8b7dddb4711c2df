#include "process/pager.hpp"

#include "process/world.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace test {

void Pager::note_fault(bool is_foreign) {
  ++faults_;
  if (is_foreign) ++foreign_faults_;
}

namespace {

void make_page(std::uint32_t* target, std::size_t page) {
  const std::size_t words = Pager::page_size / sizeof(std::uint32_t);
  for (std::size_t i = 0; i < words; ++i)
    target[i] = Pager::initial(page * words + i);
}

// ---- Handlers, which find the pager of an address

class HandledPager : public Pager {
public:
  explicit HandledPager(std::size_t bytes) : Pager(bytes) {}
  ~HandledPager() override {
    for (std::atomic<HandledPager*>& pager : all)
      if (pager == this) pager = nullptr;
  }
  /// @param has_stack the handler runs on the stack that the thread has for signals
  void handle(int signal, bool has_stack);

private:
  virtual void supply(std::size_t page) = 0;
  static void on_signal(int signal, siginfo_t* info, void*);

  static inline std::array<std::atomic<HandledPager*>, 8> all;
  static inline pid_t application = 0; ///< its thread
};

void HandledPager::handle(int signal, bool has_stack) {
  application = gettid();
  for (std::atomic<HandledPager*>& pager : all)
    if (HandledPager* none = nullptr; pager.compare_exchange_strong(none, this)) break;
  if (has_stack) {
    static std::vector<char> memory(64 << 10);
    const stack_t stack{.ss_sp = memory.data(), .ss_flags = 0, .ss_size = memory.size()};
    sigaltstack(&stack, nullptr);
  }
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | (has_stack ? SA_ONSTACK : 0);
  sigaction(signal, &action, nullptr);
}

void HandledPager::on_signal(int signal, siginfo_t* info, void*) {
  const int error = errno;
  const auto* address = static_cast<char*>(info->si_addr);
  for (const std::atomic<HandledPager*>& entry : all) {
    HandledPager* pager = entry;
    if (!pager || address < pager->memory_ || address >= pager->memory_ + pager->bytes_) continue;
    pager->note_fault(gettid() != application);
    pager->supply(static_cast<std::size_t>(address - pager->memory_) / page_size);
    errno = error;
    return;
  }
  ::signal(signal, SIG_DFL); // the fault happens again
}

/// A file that is mapped twice: pages are filled in one mapping before they are opened in the other.
class ProtectedPages : public HandledPager {
public:
  explicit ProtectedPages(std::size_t bytes) : HandledPager(bytes), states_(bytes / page_size) {
    const int file = memfd_create("pages", MFD_CLOEXEC);
    require(file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0, "memfd_create()");
    memory_ = static_cast<char*>(mmap(nullptr, bytes, PROT_NONE, MAP_SHARED, file, 0));
    contents_ = static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0));
    close(file);
    require(memory_ != MAP_FAILED && contents_ != MAP_FAILED, "mmap()");
  }
  ~ProtectedPages() override {
    munmap(memory_, bytes_);
    munmap(contents_, bytes_);
  }
  void evict() override {
    mprotect(memory_, bytes_, PROT_NONE);
    for (std::atomic<State>& state : states_)
      state = absent;
  }

private:
  enum State { absent, being_made, present };
  void supply(std::size_t page) override {
    const std::size_t offset = page * page_size;
    if (State expected = absent; states_[page].compare_exchange_strong(expected, being_made)) {
      make_page(reinterpret_cast<std::uint32_t*>(contents_ + offset), page);
      mprotect(memory_ + offset, page_size, PROT_READ | PROT_WRITE);
      states_[page] = present;
    }
    while (states_[page] != present)
      sched_yield();
  }

  char* contents_ = nullptr;
  std::vector<std::atomic<State>> states_;
};

// ---- userfaultfd()

int open_userfaultfd() {
  constexpr int flags = O_CLOEXEC | O_NONBLOCK;
  if (const int device = open("/dev/userfaultfd", O_RDWR | O_CLOEXEC); device >= 0) {
    const int descriptor = ioctl(device, USERFAULTFD_IOC_NEW, flags);
    close(device);
    if (descriptor >= 0) return descriptor;
  }
  return static_cast<int>(syscall(SYS_userfaultfd, flags | UFFD_USER_MODE_ONLY));
}

/// Missing pages of anonymous memory.
class MissingPages {
public:
  /// @param features of the descriptor
  bool open(std::uint64_t features, std::size_t bytes) {
    descriptor_ = open_userfaultfd();
    uffdio_api api{.api = UFFD_API, .features = features, .ioctls = 0};
    if (descriptor_ < 0 || ioctl(descriptor_, UFFDIO_API, &api) != 0) return false;
    bytes_ = bytes;
    contents_.resize(bytes / sizeof(std::uint32_t));
    for (std::size_t i = 0; i < contents_.size(); ++i)
      contents_[i] = Pager::initial(i);
    memory_ = static_cast<char*>(
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    uffdio_register range{.range = {reinterpret_cast<std::uintptr_t>(memory_), bytes},
                          .mode = UFFDIO_REGISTER_MODE_MISSING,
                          .ioctls = 0};
    return memory_ != MAP_FAILED && ioctl(descriptor_, UFFDIO_REGISTER, &range) == 0;
  }
  ~MissingPages() {
    if (memory_) munmap(memory_, bytes_);
    if (descriptor_ >= 0) close(descriptor_);
  }
  char* memory() const { return memory_; }
  int descriptor() const { return descriptor_; }
  void evict() const { madvise(memory_, bytes_, MADV_DONTNEED); }
  /// Copies the page there, and wakes the threads that wait for it.
  void supply(std::size_t page) const {
    const std::size_t offset = page * Pager::page_size;
    uffdio_copy copy{.dst = reinterpret_cast<std::uintptr_t>(memory_) + offset,
                     .src = reinterpret_cast<std::uintptr_t>(contents_.data()) + offset,
                     .len = Pager::page_size,
                     .mode = 0,
                     .copy = 0};
    ioctl(descriptor_, UFFDIO_COPY, &copy); // another thread may have been first
  }

private:
  int descriptor_ = -1;
  char* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<std::uint32_t> contents_; ///< of all pages, because a signal handler may not allocate
};

class SignalledPages : public HandledPager {
public:
  explicit SignalledPages(std::size_t bytes) : HandledPager(bytes) {}
  bool open() {
    const bool is_open = pages_.open(UFFD_FEATURE_SIGBUS, bytes_);
    memory_ = pages_.memory();
    return is_open;
  }
  void evict() override { pages_.evict(); }

private:
  void supply(std::size_t page) override { pages_.supply(page); }

  MissingPages pages_;
};

class ThreadPages : public Pager {
public:
  explicit ThreadPages(std::size_t bytes) : Pager(bytes) {}
  bool open() {
    if (!pages_.open(UFFD_FEATURE_THREAD_ID, bytes_)) return false;
    memory_ = pages_.memory();
    end_ = eventfd(0, EFD_CLOEXEC);
    thread_ = std::thread([this, application = gettid()] { run(static_cast<std::uint32_t>(application)); });
    return true;
  }
  ~ThreadPages() override {
    if (!thread_.joinable()) return;
    eventfd_write(end_, 1);
    thread_.join();
    close(end_);
  }
  void evict() override { pages_.evict(); }

private:
  void run(std::uint32_t application) {
    for (;;) {
      pollfd events[] = {{pages_.descriptor(), POLLIN, 0}, {end_, POLLIN, 0}};
      poll(events, 2, -1);
      if (events[1].revents) return;
      uffd_msg message{};
      if (read(pages_.descriptor(), &message, sizeof message) != sizeof message ||
          message.event != UFFD_EVENT_PAGEFAULT)
        continue;
      note_fault(message.arg.pagefault.feat.ptid != application);
      pages_.supply((message.arg.pagefault.address - reinterpret_cast<std::uintptr_t>(memory_)) / page_size);
    }
  }

  MissingPages pages_;
  int end_ = -1;
  std::thread thread_;
};

} // namespace

std::unique_ptr<Pager> Pager::make(PagerWay way, std::size_t pages) {
  const std::size_t bytes = pages * page_size;
  if (way == PagerWay::thread) {
    auto pager = std::make_unique<ThreadPages>(bytes);
    return pager->open() ? std::move(pager) : nullptr;
  }
  if (way == PagerWay::sigbus) {
    auto pager = std::make_unique<SignalledPages>(bytes);
    if (!pager->open()) return nullptr;
    pager->handle(SIGBUS, false);
    return pager;
  }
  auto pager = std::make_unique<ProtectedPages>(bytes);
  pager->handle(SIGSEGV, way == PagerWay::sigsegv_on_stack);
  return pager;
}

} // namespace test
