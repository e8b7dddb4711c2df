// Implements compiler/perf_files.hpp. The map is a text file with a line for each kernel
// (tools/perf/Documentation/jit-interface.txt in Linux's source). The dump is a binary file with code, names and lines
// (jitdump-specification.txt in the same folder); perf learns of the dump when the process maps the dump's first page
// as code.

#include "compiler/perf_files.hpp"

#include "compiler/compiler.hpp"
#include "compiler/isolation/file_descriptor.hpp"
#include "compiler/isolation/write_signals.hpp"

#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cstring>
#include <ctime>
#include <mutex>
#include <vector>

#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace hostcl::compiler {

namespace {

struct DumpHeader {
  std::uint32_t magic = 0x4A695444, version = 1, total_size = sizeof(DumpHeader);
#if defined(__aarch64__)
  std::uint32_t machine = EM_AARCH64;
#else
  std::uint32_t machine = EM_X86_64;
#endif
  std::uint32_t padding = 0, process = 0;
  std::uint64_t timestamp = 0, flags = 0;
};

struct RecordHeader {
  enum Kind : std::uint32_t { load = 0, lines = 2 };
  std::uint32_t kind, total_size;
  std::uint64_t timestamp;
};

struct LoadRecord {
  std::uint32_t process, thread;
  std::uint64_t address, code_address, code_bytes, index;
};

struct LinesRecord {
  std::uint64_t code_address, entries;
};

struct LineEntry {
  std::uint64_t address;
  std::uint32_t line, discriminator;
};

/// perf record -k mono has the same clock.
std::uint64_t timestamp() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(time.tv_nsec);
}

class Output {
public:
  Output(PerfFile kind, FileDescriptor file, std::string name, void (*report)(std::string_view message))
      : kind_(kind), file_(std::move(file)), name_(std::move(name)), report_(report) {}
  void add(const KernelCode& code, std::string_view kernel);

private:
  void add_line_of_map(const KernelCode& code, std::string_view kernel);
  void add_records(const KernelCode& code, std::string_view kernel);
  void write_all(std::string_view bytes);

  std::mutex mutex_; ///< held while something is written; guards index_ and file_
  const PerfFile kind_;
  FileDescriptor file_; ///< empty once the application has closed the descriptor
  const std::string name_;
  void (*const report_)(std::string_view message);
  const pid_t process_ = getpid();
  std::uint64_t index_ = 0;
};

std::atomic<Output*> output = nullptr; // never destroyed: kernels are compiled while the process ends

template <class T>
void append(std::string& bytes, const T& value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void Output::write_all(std::string_view bytes) {
  WriteSignalsBlocked no_signals;
  const int file = file_.get();
  if (file < 0) {
    file_ = {};
    report_(name_ + " ends here: the application has closed its descriptor");
    return;
  }
  while (!bytes.empty()) {
    const ssize_t count = write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return; // the disk is full: perf ignores a record that is not whole
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void Output::add_line_of_map(const KernelCode& code, std::string_view kernel) {
  char numbers[48];
  const int length = std::snprintf(numbers, sizeof(numbers), "%" PRIxPTR " %" PRIx64 " ",
                                   reinterpret_cast<std::uintptr_t>(code.first_byte), code.code_bytes);
  write_all(std::string(numbers, static_cast<std::size_t>(length)).append(kernel).append("\n"));
}

void Output::add_records(const KernelCode& code, std::string_view kernel) {
  const auto first = reinterpret_cast<std::uint64_t>(code.first_byte);
  const std::string_view file_name = "program.cl";
  std::string body, all;
  // perf wants the lines before the code.
  LinesRecord lines{first, 0};
  for (const CodeLine& line : code.lines) {
    if (line.line == 0) continue;
    append(body, LineEntry{first + line.offset, line.line, 0});
    body.append(file_name).push_back('\0');
    ++lines.entries;
  }
  const auto size_of = [&](std::size_t bytes) {
    return static_cast<std::uint32_t>(sizeof(RecordHeader) + bytes);
  };
  if (lines.entries) {
    append(all, RecordHeader{RecordHeader::lines, size_of(sizeof(lines) + body.size()), timestamp()});
    append(all, lines);
    all += body;
  }
  append(all, RecordHeader{RecordHeader::load,
                           size_of(sizeof(LoadRecord) + kernel.size() + 1 + code.code_bytes), timestamp()});
  append(all, LoadRecord{static_cast<std::uint32_t>(process_), static_cast<std::uint32_t>(gettid()), first,
                         first, code.code_bytes, ++index_});
  all.append(kernel).push_back('\0');
  all.append(reinterpret_cast<const char*>(code.first_byte), code.code_bytes);
  write_all(all);
}

void Output::add(const KernelCode& code, std::string_view kernel) {
  // This test must come first, because another thread may have held the lock when this child of fork() was made.
  if (getpid() != process_) return;
  const std::scoped_lock guard(mutex_);
  if (!file_) return;
  if (kind_ == PerfFile::map)
    add_line_of_map(code, kernel);
  else
    add_records(code, kernel);
}

/// Creates a new file. An older file of the same user with this name is replaced.
FileDescriptor create(const std::string& name) {
  unlink(name.c_str());
  return FileDescriptor(open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644));
}

bool begin_dump(int file) {
  DumpHeader header;
  header.process = static_cast<std::uint32_t>(getpid());
  header.timestamp = timestamp();
  if (write(file, &header, sizeof(header)) != sizeof(header)) return false;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return mmap(nullptr, page, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0) != MAP_FAILED;
}

} // namespace

Outcome<> write_perf_file(PerfFile kind, const std::string& folder,
                          void (*report)(std::string_view message)) {
  const std::string process = std::to_string(getpid());
  const std::string name =
      kind == PerfFile::map ? "/tmp/perf-" + process + ".map" : folder + "/jit-" + process + ".dump";
  FileDescriptor file = create(name);
  if (!file || (kind == PerfFile::jitdump && !begin_dump(file.get())))
    return Failed{Status::failure, name + " cannot be written: " + std::strerror(errno)};
  output.store(new Output(kind, std::move(file), name, report), std::memory_order_release);
  return {Status::success};
}

void tell_profilers(const KernelCode& code, std::string_view kernel) {
  if (Output* to = output.load(std::memory_order_acquire)) to->add(code, kernel);
}

} // namespace hostcl::compiler
