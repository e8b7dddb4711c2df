#include "runtime/guest/guest.hpp"

#include "compiler/abi/align.hpp"
#include "compiler/code/host_functions.hpp"
#include "runtime/guest/host_calls.hpp"
#include "runtime/support/clock.hpp"
#include "runtime/support/log.hpp"
#include "runtime/support/options.hpp"
#include "runtime/support/pages.hpp"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

namespace hostcl::runtime::guest {

namespace {

/// Bytes of the memory for code. Machine code reaches its constants, variables and host functions by signed 32-bit
/// distances. Guests may write the second half, which has the variables.
constexpr std::size_t code_bytes = std::size_t{1} << 30;
constexpr std::uint64_t watch_ns = 10'000'000; ///< how often a waiting thread checks limits and the guest

constexpr const char* time_limit = "its time limit (HOSTCL_KERNEL_SECONDS)";

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

compiler::CodeEnd end_by(const Fault fault) {
  const char* name = sigabbrev_np(fault.signal);
  const bool has_address = fault.signal == SIGSEGV || fault.signal == SIGBUS;
  return {text("SIG", name ? name : "?"), fault.signal, fault.code, fault.instruction,
          has_address ? fault.address : 0};
}

} // namespace

std::shared_ptr<Guest> Guest::create(unsigned threads, std::uint64_t memory_bytes) {
  const unsigned lanes = 2 * threads + 8;
  constexpr std::size_t granule = std::size_t{1} << 30;
  auto code = SharedMemory::create(code_bytes);
  auto data = SharedMemory::create(abi::aligned(2 * memory_bytes + lanes * sizeof(Lane), granule));
  if (!code || !data) return nullptr;
  std::shared_ptr<Guest> guest(new Guest(std::move(code), std::move(data), lanes));
  return guest->functions_ ? guest : nullptr;
}

class Guest::Process final : public compiler::DriverProcess {};

namespace {

/// Whether a process has ended, or will end because the application has closed the driver's descriptors.
bool is_gone(const compiler::DriverProcess& process) {
  return !process.is_own() || process.has_ended();
}

} // namespace

Guest::Guest(std::unique_ptr<SharedMemory> code, std::unique_ptr<SharedMemory> data, unsigned lanes)
    : code_(std::move(code)), data_(std::move(data)), scratch_(lanes) {
  lanes_ = reinterpret_cast<Lane*>(data_->allocate(lanes * sizeof(Lane), page_bytes()));
  std::byte* stubs = allocate_code(page_bytes(), /*is_writable=*/false);
  std::byte* table = allocate_code(page_bytes(), /*is_writable=*/false);
  if (!lanes_ || !stubs || !table) return; // create() fails
  functions_ = reinterpret_cast<void**>(table);
  const std::size_t functions = compiler::host_functions().size();
  for (std::size_t i = 0; i < functions; ++i)
    write_stub(stubs + i * stub_bytes, functions_ + i);
  for (unsigned i = lanes; i-- > 0;)
    free_lanes_.push_back(i);
}

std::byte* Guest::allocate_code(std::size_t bytes, bool is_writable) {
  const std::size_t half = code_->bytes() / 2, from = is_writable ? half : 0;
  return code_->allocate(bytes, page_bytes(), from, from + half);
}

void* Guest::host_function(std::string_view name) const {
  const auto functions = compiler::host_functions();
  const auto found = std::ranges::find(
      functions, name, [](const compiler::HostFunction& f) { return std::string_view(f.name); });
  if (found == functions.end()) return nullptr;
  return code_->begin() + static_cast<std::size_t>(found - functions.begin()) * stub_bytes;
}

/// The half of the memory for code that has variables, or the half that no guest can write: code and its constants.
std::span<std::byte> Guest::half_of_code(bool is_writable) const {
  const std::size_t half = code_->bytes() / 2;
  return {code_->begin() + (is_writable ? half : 0), half};
}

/// Starts the process. The caller holds mutex_, and no lane is borrowed.
bool Guest::start(std::string& why) {
  for (std::size_t i = 0; i < scratch_.size(); ++i) {
    lanes_[i].turn.reset();
    data_->free(std::exchange(scratch_[i], {}).memory);
  }
  auto process = std::make_unique<Process>();
  const auto address = [](const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); };
  const compiler::DriverProcess::Role role{"guest",
                                           {&code_->file(), &data_->file()},
                                           {address(code_->begin()), code_->bytes(), address(functions_),
                                            address(data_->begin()), data_->bytes(), address(lanes_),
                                            scratch_.size()}};
  if (!process->start(role, why)) {
    if (process->was_killed()) why = "it was ended by SIGKILL; the system may be short of memory";
    return false;
  }
  process_ = std::move(process);
  return true;
}

void Guest::stop(const std::string& reason) {
  stop(reason, generation_.load());
}

/// Ends the process of the given generation, unless it has ended.
void Guest::stop(const std::string& reason, std::uint64_t generation) {
  if (!data_->is_own()) return;
  const std::scoped_lock guard(mutex_);
  if (!process_ || generation_.load() != generation) return;
  ended_ns_ += static_cast<std::uint64_t>(process_->time().count());
  process_.reset();
  data_->trim();
  code_->trim();
  end_reason_ = reason;
  generation_.fetch_add(1);
  for (std::size_t i = 0; i < scratch_.size(); ++i)
    lanes_[i].turn.wake();
}

/// Waits for a free lane, and starts a process if none is running. @returns the reason if no lane can be borrowed
std::optional<compiler::CodeEnd> Guest::borrow(std::size_t& lane, std::uint64_t& generation) {
  if (!data_->is_own())
    return compiler::CodeEnd{"fork(): a child process cannot run kernels of the contexts of its parent"};
  std::unique_lock lock(mutex_);
  for (;;) {
    if (process_ && is_gone(*process_)) { // it was killed from outside
      const std::uint64_t ended = generation_.load();
      lock.unlock();
      stop("a signal from outside", ended);
      lock.lock();
    }
    std::string why;
    const bool all_are_free = free_lanes_.size() == scratch_.size();
    if (!process_ && all_are_free && !start(why))
      return compiler::CodeEnd{"a failure to start its guest process: " + why};
    if (process_ && !free_lanes_.empty()) break;
    changed_.wait(lock);
  }
  lane = free_lanes_.back();
  free_lanes_.pop_back();
  generation = generation_.load();
  return std::nullopt;
}

std::uint64_t Guest::cpu_ns() {
  if (!data_->is_own()) return 0; // another thread of the parent may have held the mutex
  const std::scoped_lock guard(mutex_);
  return ended_ns_ + (process_ ? static_cast<std::uint64_t>(process_->time().count()) : 0);
}

std::uint64_t Guest::wall_ns() {
  return wall_time_.at(now_ns());
}

bool Guest::is_over(const compiler::CodeLimit& limit) {
  const std::uint64_t now = wall_ns();
  return now >= limit.wall_ns && (now >= limit.last_ns || cpu_ns() >= limit.cpu_ns);
}

void Guest::give_back(std::size_t lane) {
  const std::scoped_lock guard(mutex_);
  free_lanes_.push_back(lane);
  changed_.notify_all();
}

/// Whether the process of the given generation has ended.
bool Guest::has_ended(std::uint64_t generation) {
  const std::scoped_lock guard(mutex_);
  return generation_.load() != generation || !process_ || is_gone(*process_);
}

std::string Guest::why_ended(std::uint64_t generation) {
  const std::scoped_lock guard(mutex_);
  if (generation_.load() == generation) return "the end of its guest process";
  return "the end of its guest process, which was ended by " + end_reason_;
}

/// A lane that the calling thread borrows until the object is destroyed, with memory for a launch.
class Guest::Loan {
public:
  /// Waits for a free lane. failure() is the reason if no lane could be borrowed.
  explicit Loan(Guest& guest) : guest_(guest), failure_(guest.borrow(number_, generation_)) {}
  /// Ends the process if it still runs code for this lane.
  ~Loan() {
    if (failure_) return;
    if (is_running_) guest_.stop(reason_, generation_);
    guest_.give_back(number_);
  }
  Loan(const Loan&) = delete;

  const std::optional<compiler::CodeEnd>& failure() const { return failure_; }
  Lane& lane() const { return guest_.lanes_[number_]; }
  /// Shared memory of this lane, valid until the next call of this function; null if there is no room.
  /// @param fill the value of each byte; no value: the memory is uninitialised
  std::byte* memory(std::size_t bytes, std::optional<std::byte> fill);
  std::optional<compiler::CodeEnd> run(const compiler::CodeCall& call);

private:
  std::optional<compiler::CodeEnd> wait_for_end(const compiler::CodeCall& call);

  Guest& guest_;
  std::size_t number_ = 0;
  std::uint64_t generation_ = 0;
  bool is_running_ = false;
  std::string reason_ = "an error of the driver"; ///< why the process is ended
  std::optional<compiler::CodeEnd> failure_;
};

std::byte* Guest::Loan::memory(std::size_t bytes, std::optional<std::byte> fill) {
  Scratch& scratch = guest_.scratch_[number_];
  if (scratch.bytes < bytes || !scratch.memory) {
    guest_.data_->free(scratch.memory);
    scratch.bytes = abi::aligned(bytes + bytes / 4, page_bytes());
    scratch.memory = guest_.data_->allocate(scratch.bytes, page_bytes());
    if (!scratch.memory) scratch.bytes = 0;
  }
  if (fill && scratch.memory) std::memset(scratch.memory, std::to_integer<int>(*fill), bytes);
  return scratch.memory;
}

std::optional<compiler::CodeEnd> Guest::Loan::run(const compiler::CodeCall& call) {
  is_running_ = true;
  lane().turn.pass(Turn::run);
  auto end = wait_for_end(call);
  is_running_ = end.has_value();
  if (end) reason_ = end->reason;
  return end;
}

std::optional<compiler::CodeEnd> Guest::Loan::wait_for_end(const compiler::CodeCall& call) {
  TurnWord& word = lane().turn;
  for (;;) {
    switch (const Turn turn = word.get()) {
    case Turn::run:
    case Turn::answered:
    case Turn::abandoned:
      if (word.wait_while(turn, watch_ns)) break;
      if (guest_.is_over(call.limit)) return compiler::CodeEnd{time_limit};
      if (guest_.has_ended(generation_)) {
        if (word.get() != turn) break; // it has told why
        return compiler::CodeEnd{guest_.why_ended(generation_)};
      }
      if (guest_.data_->holds_too_much() || guest_.code_->holds_too_much())
        return compiler::CodeEnd{"writes to more memory than the context has"};
      break;
    case Turn::done:
      return std::nullopt;
    case Turn::call: {
      if (guest_.is_over(call.limit)) return compiler::CodeEnd{time_limit};
      const Answer given =
          answer(lane().message, call.launch,
                 {*guest_.data_, guest_.half_of_code(/*is_writable=*/true), guest_.half_of_code(false)});
      if (given.reason) return compiler::CodeEnd{given.reason};
      word.pass(given.turn);
      break;
    }
    case Turn::fault:
      return end_by(lane().fault);
    default:
      return compiler::CodeEnd{"damage to the memory of its lane"};
    }
  }
}

void Guest::run(const compiler::CodeCall& call, std::uint64_t first, std::uint64_t last,
                const std::function<void(const compiler::CodeEnd&)>& ended) {
  const auto room = [](std::size_t bytes) { return abi::aligned(bytes, abi::scratch_alignment); };
  const std::size_t argument_bytes = room(call.arguments.size()),
                    object_bytes = room(call.objects.size_bytes()), local_bytes = room(call.local_bytes);
  Loan loan(*this);
  if (loan.failure()) return ended(*loan.failure());
  if (is_over(call.limit)) return ended({time_limit});
  std::byte* memory =
      loan.memory(argument_bytes + object_bytes + local_bytes + call.context_bytes, call.fill);
  if (!memory) return ended({"a lack of memory"});
  std::byte* objects = memory + argument_bytes;
  if (!call.arguments.empty()) std::memcpy(memory, call.arguments.data(), call.arguments.size());
  if (!call.objects.empty()) std::memcpy(objects, call.objects.data(), call.objects.size_bytes());
  Lane& lane = loan.lane();
  lane.entry = call.entry;
  lane.launch = call.launch;
  lane.launch.objects = call.objects.empty() ? nullptr : reinterpret_cast<const abi::CheckedObject*>(objects);
  lane.arguments = memory;
  lane.local = objects + object_bytes;
  lane.context = lane.local + local_bytes;
  lane.first_group = first;
  lane.last_group = last;
  if (const auto end = loan.run(call)) ended(*end);
}

} // namespace hostcl::runtime::guest
