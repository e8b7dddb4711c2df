#include "runtime/guest/guest.hpp"

#include "compiler/abi/align.hpp"
#include "compiler/cache/build_id.hpp"
#include "compiler/code/host_functions.hpp"
#include "runtime/launch/running_kernel.hpp"
#include "runtime/launch/traps.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"
#include "runtime/support/pages.hpp"

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <utility>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hostcl::runtime::guest {

namespace {

constexpr std::size_t stack_bytes = 16 << 20;
constexpr std::size_t code_bytes = std::size_t{1}
                                   << 30;      ///< code reaches its constants and host functions by 32 bits
constexpr std::uint64_t watch_ns = 10'000'000; ///< how often a waiting thread looks whether the guest lives

/// The stub of a host function: a jump to the address in the table.
#if defined(__x86_64__)
constexpr std::size_t stub_bytes = 8;
void write_stub(std::byte* stub, void** slot) {
  const auto distance = static_cast<std::int32_t>(reinterpret_cast<std::byte*>(slot) - (stub + 6));
  stub[0] = std::byte{0xff}; // jmp *distance(%rip)
  stub[1] = std::byte{0x25};
  std::memcpy(stub + 2, &distance, sizeof distance);
}
#else
constexpr std::size_t stub_bytes = 8;
void write_stub(std::byte* stub, void** slot) {
  const auto words = static_cast<std::uint32_t>((reinterpret_cast<std::byte*>(slot) - stub) / 4);
  const std::uint32_t code[] = {0x58000010u | words << 5, 0xd61f0200u}; // ldr x16, slot; br x16
  std::memcpy(stub, code, sizeof code);
}
#endif

} // namespace

std::shared_ptr<Guest> Guest::create(unsigned threads, std::uint64_t memory_bytes) {
  const unsigned lanes = 2 * threads + 8;
  const std::uint64_t own = lanes * (stack_bytes + (std::size_t{1} << 20));
  auto code = SharedMemory::create(code_bytes);
  auto data = SharedMemory::create(abi::aligned(2 * memory_bytes + own, std::size_t{1} << 30));
  if (!code || !data) return nullptr;
  return std::shared_ptr<Guest>(new Guest(std::move(code), std::move(data), lanes));
}

Guest::Guest(std::unique_ptr<SharedMemory> code, std::unique_ptr<SharedMemory> data, unsigned lanes)
    : code_(std::move(code)), data_(std::move(data)), lane_count_(lanes), scratch_(lanes) {
  void* first = data_->allocate(sizeof(Start), page_bytes());
  auto* lane = reinterpret_cast<Lane*>(data_->allocate(lanes * sizeof(Lane), page_bytes()));
  for (unsigned i = 0; i < lanes; ++i)
    new (lane + i) Lane{};
  std::byte* stubs = code_->allocate(page_bytes(), page_bytes());
  auto** table = reinterpret_cast<void**>(code_->allocate(page_bytes(), page_bytes()));
  const std::size_t functions = compiler::host_functions().size();
  for (std::size_t i = 0; i < functions; ++i)
    write_stub(stubs + i * stub_bytes, table + i);
  start_ = new (first) Start{.lane_count = lanes,
                             .stack_bytes = stack_bytes,
                             .lanes = lane,
                             .stacks = data_->allocate(lanes * stack_bytes, page_bytes()),
                             .functions = table,
                             .is_ready = 0};
  for (std::size_t i = lanes; i-- > 0;)
    free_lanes_.push_back(i);
}

Guest::~Guest() {
  stop();
}

void* Guest::host_function(std::string_view name) const {
  const auto functions = compiler::host_functions();
  const auto found = std::ranges::find(
      functions, name, [](const compiler::HostFunction& f) { return std::string_view(f.name); });
  if (found == functions.end()) return nullptr;
  return code_->begin() + static_cast<std::size_t>(found - functions.begin()) * stub_bytes;
}

/// Starts the process and waits until its lanes are ready. The caller holds mutex_.
bool Guest::start(std::string& why) {
  Dl_info loader{}, driver{};
  if (!dladdr(&_r_debug, &loader) || !dladdr(reinterpret_cast<void*>(&Guest::create), &driver)) {
    why = "the driver's file is unknown";
    return false;
  }
  start_->is_ready.store(0);
  for (std::size_t i = 0; i < lane_count_; ++i)
    new (&start_->lanes[i]) Lane{};
  const int code_file = fcntl(code_->file().get(), F_DUPFD, 3),
            data_file = fcntl(data_->file().get(), F_DUPFD, 3);
  std::vector<std::string> texts = {loader.dli_fname, driver.dli_fname, "guest"};
  for (const std::uint64_t number :
       {static_cast<std::uint64_t>(code_file), reinterpret_cast<std::uint64_t>(code_->begin()),
        std::uint64_t{code_->bytes()}, static_cast<std::uint64_t>(data_file),
        reinterpret_cast<std::uint64_t>(data_->begin()), std::uint64_t{data_->bytes()}})
    texts.push_back(std::to_string(number));
  std::vector<char*> arguments;
  for (std::string& text : texts)
    arguments.push_back(text.data());
  arguments.push_back(nullptr);
  const int error = posix_spawn(&process_, arguments[0], nullptr, nullptr, arguments.data(), environ);
  close(code_file);
  close(data_file);
  if (error != 0) {
    process_ = -1;
    why = std::strerror(error); // NOLINT(concurrency-mt-unsafe): its text is constant
    return false;
  }
  handle_ = static_cast<int>(syscall(SYS_pidfd_open, process_, 0));
  while (start_->is_ready.load() == 0) {
    pollfd event{handle_, POLLIN, 0};
    if (poll(&event, 1, 0) != 0) {
      int status = 0;
      waitpid(process_, &status, 0);
      why = "it ended with status " + std::to_string(status);
      close(handle_);
      process_ = -1;
      return false;
    }
    usleep(50);
  }
  return true;
}

bool Guest::has_ended() const {
  pollfd event{handle_, POLLIN, 0};
  return process_ < 0 || poll(&event, 1, 0) != 0;
}

void Guest::stop() {
  const std::scoped_lock guard(mutex_);
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  close(handle_);
  process_ = handle_ = -1;
  generation_.fetch_add(1);
  for (std::size_t i = 0; i < lane_count_; ++i)
    start_->lanes[i].turn.wake();
}

/// Whether a pointer from the guest may be dereferenced.
bool Guest::is_allowed(const void* pointer, std::size_t bytes) const {
  return data_->contains(pointer, bytes) || code_->contains(pointer, bytes);
}

/// A lane that the calling thread has borrowed, with memory for a launch.
class Guest::Loan {
public:
  /// Waits for a free lane. @param bytes of memory()
  Loan(Guest& guest, std::size_t bytes) : guest_(guest) {
    std::unique_lock lock(guest_.mutex_);
    guest_.lane_is_free_.wait(lock, [&] { return !guest_.free_lanes_.empty(); });
    number_ = guest_.free_lanes_.back();
    guest_.free_lanes_.pop_back();
    lock.unlock();
    Scratch& scratch = guest_.scratch_[number_];
    if (scratch.bytes >= bytes) return;
    guest_.data_->free(scratch.memory);
    scratch.bytes = abi::aligned(bytes + bytes / 4, page_bytes());
    scratch.memory = guest_.data_->allocate(scratch.bytes, page_bytes());
    if (!scratch.memory) scratch.bytes = 0;
  }
  ~Loan() {
    const std::scoped_lock guard(guest_.mutex_);
    guest_.free_lanes_.push_back(number_);
    guest_.lane_is_free_.notify_one();
  }
  Loan(const Loan&) = delete;

  /// Memory of the guest; null if there is none left.
  std::byte* memory() const { return guest_.scratch_[number_].memory; }
  Lane& lane() const { return guest_.start_->lanes[number_]; }
  std::optional<std::string> run(const abi::Launch& launch);

private:
  std::optional<std::string> answer(const abi::Launch& launch);

  Guest& guest_;
  std::size_t number_;
};

/// Answers a host callback. If a work-item traps, the callback leaves this function by longjmp(), and the kernel is
/// left as well.
std::optional<std::string> Guest::Loan::answer(const abi::Launch& launch) {
  CallbackCall call = lane().call; // a copy, which the guest cannot change any more
  bool is_valid = false;
  TrapExit* exit = running_kernel() ? running_kernel()->trap_exit : nullptr;
  if (exit && setjmp(exit->place) != 0) {
    lane().turn.pass(Turn::abandoned);
    return std::nullopt;
  }
  Callbacks::for_each([&]<std::size_t index, auto member> {
    if (call.function == index)
      is_valid = Callback<member>::serve(
          *launch.host_callbacks, launch, call,
          [&](const void* pointer, std::size_t bytes) { return guest_.is_allowed(pointer, bytes); });
  });
  if (!is_valid) return "a host callback with an invalid pointer";
  lane().call.result = call.result;
  lane().turn.pass(Turn::answered);
  return std::nullopt;
}

std::optional<std::string> Guest::Loan::run(const abi::Launch& launch) {
  const std::uint64_t generation = guest_.generation_.load();
  lane().turn.pass(Turn::run);
  for (;;) {
    switch (const Turn turn = lane().turn.get()) {
    case Turn::run:
    case Turn::answered:
    case Turn::abandoned:
      if (lane().turn.wait_while(turn, watch_ns)) break;
      if (guest_.generation_.load() == generation && !guest_.has_ended()) break;
      return "the end of its process";
    case Turn::done:
      return std::nullopt;
    case Turn::call:
      if (auto why = answer(launch)) return why;
      break;
    case Turn::fault: {
      const Fault fault = lane().fault;
      const char* name = sigabbrev_np(fault.signal);
      return text("SIG", name ? name : "?", " at address 0x", std::hex, fault.address);
    }
    default:
      return "an invalid state of its process";
    }
  }
}

std::optional<std::string> Guest::run(const compiler::CodeCall& call, std::uint64_t first,
                                      std::uint64_t last) {
  {
    const std::scoped_lock guard(mutex_);
    std::string why;
    if (process_ < 0 && !start(why)) return "a failure to start its process: " + why;
  }
  const std::size_t argument_bytes = abi::aligned(call.arguments.size(), abi::scratch_alignment);
  const std::size_t local_bytes = abi::aligned(call.local_bytes, abi::scratch_alignment);
  Loan loan(*this, argument_bytes + local_bytes + call.context_bytes);
  std::byte* memory = loan.memory();
  if (!memory) return "a lack of memory";
  std::memcpy(memory, call.arguments.data(), call.arguments.size());
  Lane& lane = loan.lane();
  lane.entry = call.entry;
  lane.launch = call.launch;
  lane.arguments = memory;
  lane.local = memory + argument_bytes;
  lane.context = lane.local + local_bytes;
  lane.first_group = first;
  lane.last_group = last;
  auto why = loan.run(call.launch);
  if (why) stop();
  return why;
}

} // namespace hostcl::runtime::guest
