// The file is valid JSON at every moment, so that it is complete however the process ends: each event is written when it
// has ended, in place of the end of the file and with a new end after it. It is written, not mapped: others may truncate
// it, as log rotation does, and it then begins anew.

#include "runtime/support/timeline.hpp"

#include "compiler/isolation/file_descriptor.hpp"
#include "compiler/isolation/write_signals.hpp"
#include "runtime/support/cancellation.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/json.hpp"
#include "runtime/support/log.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
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

constexpr std::string_view ending = "\n]}\n";

class File {
public:
  /// @returns why there is no file, or nothing.
  std::optional<std::string> open(std::string name);
  /// Adds an event. Without room for it the timeline ends.
  void append(std::string_view event);

  std::uint64_t origin() const { return origin_; }
  pid_t process() const { return process_; }

private:
  bool begin();
  bool add(std::string_view separator, std::string_view event);

  std::mutex mutex_; ///< guards the members below
  FileDescriptor file_;
  std::size_t bytes_ = 0; ///< without the end
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
  file_ = FileDescriptor(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file_) return std::strerror(errno);
  if (begin()) return {};
  const int error = errno;
  unlink(name.c_str());
  return std::strerror(error);
}

bool File::begin() {
  Text head;
  head << R"({"displayTimeUnit":"ns","traceEvents":[)"
       << "\n"
       << R"({"ph":"M","name":"process_name","pid":)" << std::int64_t{process_} << R"(,"args":{"name":)";
  head.quoted(program_invocation_short_name) << "}}";
  bytes_ = 0;
  return add("", head.view());
}

/// @returns whether all could be written; errno says why not
bool write_at(int file, std::string_view text, std::size_t offset) {
  while (!text.empty()) {
    ssize_t count = pwrite(file, text.data(), text.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
    offset += static_cast<std::size_t>(count);
  }
  return true;
}

/// @returns whether there was room; otherwise the file has its earlier end, with which it is valid, and errno says why
bool File::add(std::string_view separator, std::string_view event) {
  const WriteSignalsBlocked no_signals;
  const int number = file_.get();
  std::array<char, sizeof(Text) + 16> text;
  char* to = text.data();
  for (const std::string_view part : {separator, event, ending})
    to = std::ranges::copy(part, to).out;
  if (write_at(number, {text.data(), to}, bytes_)) {
    bytes_ += separator.size() + event.size();
    return true;
  }
  const int error = errno;
  if (ftruncate(number, static_cast<off_t>(bytes_)) == 0 && bytes_) write_at(number, ending, bytes_);
  errno = error;
  return false;
}

void File::append(std::string_view event) {
  const std::scoped_lock guard(mutex_);
  if (!is_on()) return;
  const int number = file_.get();
  struct stat status;
  const bool is_truncated = fstat(number, &status) == 0 && static_cast<std::size_t>(status.st_size) < bytes_;
  if (is_truncated && ftruncate(number, 0) == 0) begin();
  if (!add(",\n", event) && recording.exchange(false))
    log(LogLevel::warn, "the timeline of HOSTCL_TRACE ends here: ",
        number < 0 ? "the application has closed its descriptor" : std::strerror(errno));
}

// ---- Threads

std::atomic<unsigned> writers{0};   ///< threads
std::atomic<bool> is_closed{false}; ///< the file is closed to all threads but one

class Thread {
public:
  void write_to_the_end() { writes_to_the_end_ = true; }

  std::int64_t id() const { return id_; }

  /// Names the thread by the category of its first event. Called where that event begins.
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
