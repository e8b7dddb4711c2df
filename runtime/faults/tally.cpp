#include "runtime/faults/tally.hpp"

#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hostcl::runtime::faults {

namespace {

constinit Tally own_tally{};
constinit Tally* current = &own_tally;

/// A number as text. Allocates no memory.
class Digits {
public:
  explicit Digits(long number) : end_(std::to_chars(text_.data(), text_.data() + text_.size(), number).ptr) {}
  std::string_view view() const { return {text_.data(), static_cast<std::size_t>(end_ - text_.data())}; }

private:
  std::array<char, 24> text_{};
  char* end_;
};

/// Extends the file to the size of a Tally, if it is shorter. @returns false if the file cannot be extended
bool reserve(int file) {
  const off_t size = ::lseek(file, 0, SEEK_END);
  return size >= static_cast<off_t>(Tally::bytes) || ::ftruncate(file, Tally::bytes) == 0;
}

} // namespace

Tally& tally() {
  return *current;
}

bool has_report() {
  return current != &own_tally;
}

void open_report() {
  const std::string& name = options().fail_report;
  if (name.empty()) return;
  const int file = ::open(name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  void* mapped = MAP_FAILED;
  if (file >= 0 && reserve(file))
    mapped = ::mmap(nullptr, Tally::bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED)
    log(LogLevel::warn, "HOSTCL_FAIL_REPORT=", name, " cannot be written: ", std::strerror(errno));
  else
    current = static_cast<Tally*>(mapped);
  if (file >= 0) ::close(file);
}

void note(std::initializer_list<std::string_view> words) noexcept {
  const Digits thread(::gettid()), process(::getpid());
  std::array<char, 256> line;
  std::size_t size = 0;
  const auto append = [&](std::string_view word, char separator) {
    if (word.size() >= line.size() - size) return; // names of functions and errors are short enough
    std::memcpy(line.data() + size, word.data(), word.size());
    size += word.size();
    line[size++] = separator;
  };
  for (const std::string_view word : words)
    append(word, ' ');
  append("thread", ' ');
  append(thread.view(), ' ');
  append("process", ' ');
  append(process.view(), '\n');
  Tally& into = tally();
  const std::uint64_t place = into.note_bytes.fetch_add(size, std::memory_order_relaxed);
  if (place < into.notes.size() && size <= into.notes.size() - place)
    std::memcpy(into.notes.data() + place, line.data(), size);
}

} // namespace hostcl::runtime::faults
