// The timeline's file is valid JSON at every moment, even if the process is killed: each write replaces the end of the
// JSON text by whole events and a new end. Events are collected in a buffer, which is written about once a millisecond,
// because one write (fstat, pwrite, and blocking of signals) takes longer than a small launch. The file is written and
// not mapped, because others may truncate it, as log rotation does; the timeline then begins again.

#include "runtime/support/timeline.hpp"

#include "compiler/isolation/file_descriptor.hpp"
#include "compiler/isolation/write_signals.hpp"
#include "runtime/support/cancellation.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/json.hpp"
#include "runtime/support/log.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include <fcntl.h>
#include <pthread.h>
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

constexpr std::string_view ending = "\n]}\n", separator = ",\n";
constexpr std::size_t buffer_bytes = 64 << 10;
/// If the last write is longer ago than this, the next event is written at once, with all events in the buffer.
constexpr std::uint64_t write_period_ns = 1'000'000;

class File {
public:
  /// @returns the reason why the file cannot be created, or nothing
  std::optional<std::string> open(std::string name);
  /// Adds an event. If there is no space for it on the file system, the timeline ends.
  void append(std::string_view event);
  /// Writes the events of the buffer. From now on, each event is written at once.
  void end_buffering();

  std::uint64_t origin() const { return origin_; }
  pid_t process() const { return process_; }

private:
  bool write();
  void write_or_end();

  std::mutex mutex_; ///< guards the members below, except origin_ and process_, which never change
  FileDescriptor file_;
  std::size_t bytes_ = 0; ///< length of the file without `ending`
  std::string buffer_;    ///< events that have not been written; never larger than its first allocation
  std::string head_;      ///< beginning of the file
  std::uint64_t written_ns_ = 0;
  bool is_buffered_ = true;
  std::uint64_t origin_ = now_ns();
  pid_t process_ = getpid();
};

File* file = nullptr; // never destroyed: threads may outlive static objects

/// Creates the file in place of an older one, to which another process may still be writing. Only ordinary files are
/// replaced.
std::optional<std::string> File::open(std::string name) {
  if (auto percent = name.find("%p"); percent != name.npos)
    name.replace(percent, 2, std::to_string(process_));
  struct stat status;
  if (lstat(name.c_str(), &status) == 0) {
    if (!S_ISREG(status.st_mode)) return "it exists and is not an ordinary file";
    if (access(name.c_str(), W_OK) != 0 || unlink(name.c_str()) != 0) return std::strerror(errno);
  }
  file_ = FileDescriptor(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file_) return std::strerror(errno);
  Text head;
  head << R"({"displayTimeUnit":"ns","traceEvents":[)"
       << "\n"
       << R"({"ph":"M","name":"process_name","pid":)" << std::int64_t{process_} << R"(,"args":{"name":)";
  head.quoted(program_invocation_short_name) << "}}";
  head_ = head.view();
  buffer_.reserve(head_.size() + buffer_bytes + separator.size() + sizeof(Text) + ending.size());
  if (write()) return {};
  const int error = errno;
  unlink(name.c_str());
  return std::strerror(error);
}

/// @returns the number of bytes that could be written; if not all, errno has the reason
std::size_t write_at(int file, std::string_view text, std::size_t offset) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count =
        pwrite(file, text.data() + written, text.size() - written, static_cast<off_t>(offset + written));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  return written;
}

/// Writes the buffer and empties it.
/// @returns whether there was space for all of it; otherwise the file has the whole events for which there was space,
/// and errno has the reason
bool File::write() {
  const WriteSignalsBlocked no_signals;
  const int number = file_.get();
  struct stat status;
  const bool is_truncated = fstat(number, &status) == 0 && static_cast<std::size_t>(status.st_size) < bytes_;
  if (is_truncated && ftruncate(number, 0) == 0) bytes_ = 0;
  if (bytes_ == 0) buffer_.insert(0, head_);
  buffer_ += ending;
  const std::size_t written = write_at(number, buffer_, bytes_);
  const int error = errno;
  const bool has_room = written == buffer_.size();
  const std::size_t room = written - std::min(written, ending.size());
  const std::size_t whole = has_room ? room : buffer_.rfind(separator, room);
  if (whole != buffer_.npos) bytes_ += whole;
  buffer_.clear();
  written_ns_ = now_ns();
  if (!has_room && ftruncate(number, static_cast<off_t>(bytes_)) == 0 && bytes_)
    write_at(number, ending, bytes_);
  errno = error;
  return has_room;
}

void File::write_or_end() {
  if (!write() && recording.exchange(false))
    log(LogLevel::warn, "the timeline of HOSTCL_TRACE ends here: ",
        errno == EBADF ? "the application has closed its descriptor" : std::strerror(errno));
}

void File::append(std::string_view event) {
  const std::scoped_lock guard(mutex_);
  if (!is_on()) return;
  buffer_ += separator;
  buffer_ += event;
  if (!is_buffered_ || buffer_.size() >= buffer_bytes || now_ns() - written_ns_ >= write_period_ns)
    write_or_end();
}

void File::end_buffering() {
  const std::scoped_lock guard(mutex_);
  is_buffered_ = false;
  if (is_on() && !buffer_.empty()) write_or_end();
}

// ---- Threads

std::atomic<unsigned> writers{0};   ///< threads that are in Thread::write()
std::atomic<bool> is_closed{false}; ///< only the thread that runs exit() may add further events

class Thread {
public:
  void write_to_the_end() { writes_to_the_end_ = true; }

  std::int64_t id() const { return id_; }

  /// Writes a name for the thread, which depends on the category of its first event. Called when that event begins.
  void introduce(Category first) {
    if (id_) return;
    id_ = gettid();
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
    if (writes_to_the_end_ || !is_closed) file->append(event);
    --writers;
  }

private:
  std::int64_t id_ = 0;
  bool writes_to_the_end_ = false;
};
constinit thread_local Thread thread;

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

/// exit() may end other threads in the middle of their work, so they add no further events. Waits for events that are
/// just being added. @returns false if this takes too long, for example because a signal handler has interrupted the
/// adding of an event and calls exit()
bool close_to_other_threads() {
  constexpr auto patience = std::chrono::milliseconds(200);
  const auto deadline = std::chrono::steady_clock::now() + patience;
  thread.write_to_the_end();
  is_closed = true;
  while (writers > 0 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  return writers == 0;
}

void at_exit(int, void*) {
  // A child process that did not run the handlers of fork(), such as a child of _Fork(), has a copy of the parent's
  // buffer, which it must not write.
  if (!is_on() || getpid() != file->process()) return;
  const CancellationDelay uncancelled;
  if (close_to_other_threads())
    file->end_buffering();
  else
    recording = false;
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
  on_exit(at_exit, nullptr); // not std::atexit(), see icd/static_objects.cpp
  recording = true;
}

// Runs before main(), or when the ICD loader opens the driver, so before any call of the API.
[[gnu::constructor]] void start_when_loaded() noexcept {
  try {
    start();
  } catch (const std::exception&) {
    recording = false; // no memory, so there is no timeline
  }
}

} // namespace

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

/// Begins an argument if there is space for its value and for the text that end() adds.
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
