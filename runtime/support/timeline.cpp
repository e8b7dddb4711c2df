// The file is valid JSON at every moment, so that it is complete however the process ends: it consists of
// chunks that are blank at first, and white space is allowed between events. Each thread fills a chunk of its
// own, which is mapped into memory; `]}` stands after the last chunk and moves when the file grows.

#include "runtime/support/timeline.hpp"

#include "compiler/isolation/write_signals.hpp"
#include "runtime/support/cancellation.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/json.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/thread_end.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hostcl::runtime::timeline {

// ---- Text

Text& Text::operator<<(std::string_view raw) {
  std::size_t bytes = std::min(raw.size(), room());
  std::memcpy(text_ + length_, raw.data(), bytes);
  length_ += bytes;
  return *this;
}

Text& Text::operator<<(std::uint64_t number) {
  length_ = static_cast<std::size_t>(std::to_chars(text_ + length_, std::end(text_), number).ptr - text_);
  return *this;
}

Text& Text::operator<<(std::int64_t number) {
  length_ = static_cast<std::size_t>(std::to_chars(text_ + length_, std::end(text_), number).ptr - text_);
  return *this;
}

Text& Text::quoted(std::string_view string) {
  put_json_string(string, [this](std::string_view part) { *this << part; });
  return *this;
}

Text& Text::microseconds(std::uint64_t ns) {
  char fraction[] = {'.', static_cast<char>('0' + ns / 100 % 10), static_cast<char>('0' + ns / 10 % 10),
                     static_cast<char>('0' + ns % 10)};
  return *this << ns / 1000 << std::string_view(fraction, sizeof(fraction));
}

namespace {

// ---- The file

constexpr std::size_t chunk_bytes = 64 << 10;
constexpr std::string_view ending = "\n]}\n";

/// A mapped piece of the file that one thread writes.
struct Chunk {
  char* first = nullptr; ///< of the mapping
  std::size_t used = 0;
};

class File {
public:
  /// @returns why there is no file, or nothing.
  std::optional<std::string> open(std::string name);

  /// A blank chunk, or one that a thread left; an empty one if the disk is full.
  Chunk take();
  void give_back(Chunk chunk);

  std::uint64_t origin() const { return origin_; }
  pid_t process() const { return process_; }

private:
  Chunk grow(std::string_view head);

  std::mutex mutex_; ///< guards the members below
  int file_ = -1;
  std::size_t bytes_ = 0; ///< of all chunks
  std::vector<Chunk> left_;
  std::uint64_t origin_ = now_ns();
  pid_t process_ = getpid();
};

File* file = nullptr; // never destroyed: threads may outlive static objects

/// The file takes the place of an older one, which another process may still be writing; only ordinary files
/// are replaced.
std::optional<std::string> File::open(std::string name) {
  if (auto percent = name.find("%p"); percent != name.npos)
    name.replace(percent, 2, std::to_string(process_));
  struct stat status;
  if (lstat(name.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return "it exists and is not an ordinary file";
    if (access(name.c_str(), W_OK) != 0 || unlink(name.c_str()) != 0) return std::strerror(errno);
  }
  file_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file_ < 0) return std::strerror(errno);
  Text head;
  head << R"({"displayTimeUnit":"ns","traceEvents":[)"
       << "\n"
       << R"({"ph":"M","name":"process_name","pid":)" << std::int64_t{process_} << R"(,"args":{"name":)";
  head.quoted(program_invocation_short_name) << "}}";
  Chunk chunk = grow(head.view());
  if (!chunk.first) {
    const int error = errno;
    unlink(name.c_str());
    return std::strerror(error);
  }
  left_.push_back(chunk);
  return {};
}

Chunk File::take() {
  std::scoped_lock guard(mutex_);
  if (left_.empty()) {
    Chunk chunk = grow({});
    if (!chunk.first && recording.exchange(false))
      log(LogLevel::warn, "the timeline of HOSTCL_TRACE ends here: ", std::strerror(errno));
    return chunk;
  }
  Chunk chunk = left_.back();
  left_.pop_back();
  return chunk;
}

void File::give_back(Chunk chunk) {
  std::scoped_lock guard(mutex_);
  left_.push_back(chunk);
}

/// @returns whether all could be written; errno says why not
bool write_at(int file, std::string_view text, std::size_t offset) {
  WriteSignalsBlocked no_signals;
  while (!text.empty()) {
    ssize_t count = pwrite(file, text.data(), text.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::size_t>(count);
  }
  return true;
}

Chunk File::grow(std::string_view head) {
  std::string blank(chunk_bytes, ' ');
  blank.replace(0, head.size(), head);
  blank += ending;
  if (!write_at(file_, blank, bytes_)) {
    const int error = errno;
    // The file gets its earlier end back, with which it is valid.
    if (ftruncate(file_, static_cast<off_t>(bytes_)) == 0 && bytes_) write_at(file_, ending, bytes_);
    errno = error;
    return {};
  }
  void* mapping =
      mmap(nullptr, chunk_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(bytes_));
  bytes_ += chunk_bytes;
  if (mapping == MAP_FAILED) return {};
  return {static_cast<char*>(mapping), head.size()};
}

// ---- Threads

void end_thread();

std::atomic<unsigned> writers{0};   ///< threads
std::atomic<bool> is_closed{false}; ///< the file is closed to all threads but one

class Thread {
public:
  void end() {
    ended_ = true;
    if (chunk_.first && is_on()) file->give_back(chunk_);
  }
  void write_to_the_end() { writes_to_the_end_ = true; }

  std::int64_t id() const { return id_; }

  /// Names the thread by the category of its first event. Called where that event begins.
  void introduce(Category first) {
    if (id_) return;
    id_ = gettid();
    (void)at_thread_end<end_thread>(); // otherwise the rest of the thread's chunk stays blank
    char own[32] = {};
    pthread_getname_np(pthread_self(), own, sizeof(own));
    Text event;
    event << R"({"ph":"M","name":"thread_name","pid":)" << std::int64_t{file->process()} << R"(,"tid":)"
          << id_ << R"(,"args":{"name":)";
    event.quoted(first == Category::command  ? "hostcl queue"
                 : first == Category::groups ? "hostcl worker"
                 : first == Category::build  ? "hostcl build"
                                             : own)
        << "}}";
    write(event.view());
  }

  void write(std::string_view event) {
    const CancellationDelay uncancelled;
    // Sequentially consistent: either close_to_other_threads() waits, or this thread sees that the file is
    // closed.
    ++writers;
    if (!ended_ && (writes_to_the_end_ || !is_closed)) append(event);
    --writers;
  }

private:
  void append(std::string_view event) {
    constexpr std::string_view separator = ",\n";
    std::size_t bytes = separator.size() + event.size();
    while (!chunk_.first || chunk_bytes - chunk_.used < bytes) {
      if (chunk_.first) munmap(chunk_.first, chunk_bytes);
      chunk_ = file->take(); // perhaps one that another thread left nearly full
      if (!chunk_.first) return;
    }
    char* to = chunk_.first + chunk_.used;
    std::memcpy(to, separator.data(), separator.size());
    std::memcpy(to + separator.size(), event.data(), event.size());
    chunk_.used += bytes;
  }

  Chunk chunk_;
  std::int64_t id_ = 0;
  bool ended_ = false;
  bool writes_to_the_end_ = false;
};
constinit thread_local Thread thread;

void end_thread() {
  thread.end();
}

constexpr std::string_view name_of(Category category) {
  switch (category) {
  case Category::api:
    return "api";
  case Category::build:
    return "build";
  case Category::command:
    return "command";
  case Category::groups:
    return "groups";
  }
  return "";
}

void start() {
  const std::string& name = options().trace;
  if (name.empty()) return;
  auto candidate = std::make_unique<File>();
  if (auto problem = candidate->open(name)) {
    log(LogLevel::warn, "HOSTCL_TRACE=", name, " cannot be written: ", *problem);
    return;
  }
  file = candidate.release();
  pthread_atfork(nullptr, nullptr, [] { recording = false; });
  recording = true;
}

// Before main(), or when the loader opens the driver: no call comes earlier.
[[gnu::constructor]] void start_when_loaded() noexcept {
  try {
    start();
  } catch (const std::exception&) {
    recording = false; // no memory: no timeline
  }
}

} // namespace

void close_to_other_threads(std::chrono::steady_clock::time_point deadline) {
  if (!is_on()) return;
  thread.write_to_the_end();
  is_closed = true;
  while (writers > 0 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
}

// ---- Spans

void Span::begin(Category category, std::string_view name) {
  thread.introduce(category);
  text_ << R"({"ph":"X","cat":")" << name_of(category) << R"(","name":)";
  text_.quoted(name.substr(0, 200)) << R"(,"args":{)";
  began_ = now_ns();
}

void Span::end() {
  std::uint64_t now = now_ns();
  if (!is_on()) return;
  text_ << R"(},"ts":)";
  text_.microseconds(began_ - file->origin()) << R"(,"dur":)";
  text_.microseconds(now - began_) << R"(,"pid":)" << std::int64_t{file->process()} << R"(,"tid":)"
                                   << thread.id() << "}";
  thread.write(text_.view());
}

/// Begins an argument if its value has room beside the text that end() adds.
bool Span::begin_argument(std::string_view key, std::size_t bytes) {
  constexpr std::size_t end_bytes = 160, quotes = 8;
  if (!began_ || text_.room() < key.size() + bytes + quotes + end_bytes) return false;
  if (std::exchange(has_arguments_, true)) text_ << ",";
  text_.quoted(key) << ":";
  return true;
}

template <class Number>
void Span::number(std::string_view key, Number value) {
  if (begin_argument(key, 24)) text_ << value;
}
template void Span::number(std::string_view, std::uint64_t);
template void Span::number(std::string_view, std::int64_t);

void Span::argument(std::string_view key, std::string_view value) {
  if (begin_argument(key, 2 * value.size())) text_.quoted(value);
}

void Span::argument(std::string_view key, std::span<const std::uint64_t> values) {
  if (!begin_argument(key, 24 * values.size())) return;
  text_ << "[";
  for (std::size_t i = 0; i < values.size(); ++i)
    text_ << (i ? "," : "") << values[i];
  text_ << "]";
}

} // namespace hostcl::runtime::timeline
