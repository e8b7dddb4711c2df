// An LD_PRELOAD library that finds writes into freed memory, also by code that no sanitizer instruments, such as
// LLVM's. What is freed is filled with a pattern and held for a while. A block whose pattern has changed when it is
// given back, or when the process ends, was written to. So is a block that is freed a second time reported. Reading
// freed memory gives the pattern, which is not an address.
//
// Each finding is a line on standard error, and in the file that QUARANTINE_REPORT names. A process that ends
// normally and has findings ends with the status 86. With QUARANTINE_FRAMES=1 the line is followed by the
// functions that freed the block.

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include <execinfo.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <unistd.h>

extern "C" {
void __libc_free(void*);                  // NOLINT(bugprone-reserved-identifier): glibc's own names
void* __libc_realloc(void*, std::size_t); // NOLINT(bugprone-reserved-identifier)
}

namespace {

constexpr unsigned char pattern = 0xA5;
constexpr std::size_t largest_block = 64 * 1024;
constexpr std::size_t held_bytes_at_most = 16 * 1024 * 1024;
constexpr std::size_t held_blocks_at_most = 1u << 18;
constexpr int most_frames = 16;
constexpr int status_of_findings = 86;

struct Block {
  unsigned char* bytes;
  std::size_t size;
};

using Frames = void* [most_frames];

// A ring. `oldest` and `next` count all blocks that ever came.
Block held[held_blocks_at_most];
Frames* freed_by = nullptr;
std::size_t oldest = 0;
std::size_t next = 0;
std::size_t held_bytes = 0;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
std::atomic<int> findings = 0;
std::atomic<bool> ended = false;
// Set while this thread's blocks are not to be held: in this library, and in what it calls.
thread_local __attribute__((tls_model("initial-exec"))) bool inside = false;

void write_to(int file, const char* text) {
  [[maybe_unused]] const ssize_t written = write(file, text, std::strlen(text));
}

void report(const char* what, const Block& block, std::size_t byte, std::size_t index) {
  if (findings.fetch_add(1) >= 10) return;
  char line[300];
  std::snprintf(line, sizeof line,
                "quarantine: %s (process %d): a block of %zu bytes was %s: byte %zu is 0x%02x\n",
                program_invocation_short_name, getpid(), block.size, what, byte, block.bytes[byte]);
  write_to(STDERR_FILENO, line);
  if (freed_by) backtrace_symbols_fd(freed_by[index], most_frames, STDERR_FILENO);
  if (const char* name = std::getenv("QUARANTINE_REPORT")) {
    const int file = open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0) return;
    write_to(file, line);
    close(file);
  }
}

/// The first byte that is not as it was left, or the block's size.
std::size_t changed_byte(const Block& block) {
  const std::span bytes(block.bytes, block.size);
  return std::ranges::find_if(bytes, [](unsigned char byte) { return byte != pattern; }) - bytes.begin();
}

void check(std::size_t index) {
  const Block& block = held[index];
  if (const std::size_t byte = changed_byte(block); byte < block.size)
    report("written to after it was freed", block, byte, index);
}

void give_back_oldest() {
  const std::size_t index = oldest++ % held_blocks_at_most;
  check(index);
  held_bytes -= held[index].size;
  std::memset(held[index].bytes, 0, held[index].size); // what takes it next does not look like a held block
  __libc_free(held[index].bytes);
}

/// Whether the block, which looks as held ones do, is one of them.
bool is_held(const Block& block) {
  if (changed_byte(block) < block.size) return false;
  for (std::size_t i = oldest; i < next; ++i)
    if (held[i % held_blocks_at_most].bytes == block.bytes) {
      report("freed twice", block, 0, i % held_blocks_at_most);
      return true;
    }
  return false;
}

void hold(const Block& block) {
  pthread_mutex_lock(&lock);
  if (!is_held(block)) {
    while (next - oldest == held_blocks_at_most || held_bytes > held_bytes_at_most)
      give_back_oldest();
    const std::size_t index = next++ % held_blocks_at_most;
    held[index] = block;
    held_bytes += block.size;
    std::memset(block.bytes, pattern, block.size);
    if (freed_by) {
      std::memset(freed_by[index], 0, sizeof(Frames));
      backtrace(freed_by[index], most_frames);
    }
  }
  pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) void begin() {
  if (std::getenv("QUARANTINE_FRAMES"))
    freed_by = static_cast<Frames*>(std::calloc(held_blocks_at_most, sizeof(Frames)));
  pthread_atfork([] { pthread_mutex_lock(&lock); }, [] { pthread_mutex_unlock(&lock); },
                 [] { pthread_mutex_unlock(&lock); });
}

// It comes after the destructors of the program's objects. Threads may go on, and free without it.
__attribute__((destructor)) void end() {
  ended = true;
  inside = true;
  pthread_mutex_lock(&lock);
  for (std::size_t i = oldest; i < next; ++i)
    check(i % held_blocks_at_most);
  pthread_mutex_unlock(&lock);
  if (findings) _exit(status_of_findings);
}

} // namespace

extern "C" {

__attribute__((visibility("default"))) void free(void* pointer) {
  if (!pointer) return;
  const int saved = errno;
  const Block block{static_cast<unsigned char*>(pointer), malloc_usable_size(pointer)};
  if (inside || ended || block.size > largest_block) {
    __libc_free(pointer);
  } else {
    inside = true;
    hold(block);
    inside = false;
  }
  errno = saved;
}

// Always moves small blocks, so that addresses which were kept show.
__attribute__((visibility("default"))) void* realloc(void* pointer, std::size_t size) {
  const std::size_t old = pointer ? malloc_usable_size(pointer) : 0;
  if (inside || ended || old == 0 || old > largest_block || size == 0) return __libc_realloc(pointer, size);
  void* moved = std::malloc(size);
  if (!moved) return nullptr;
  std::memcpy(moved, pointer, std::min(old, size));
  free(pointer);
  return moved;
}
}
