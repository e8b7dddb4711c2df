#include "runtime/queue/launch.hpp"

#include "runtime/queue/background.hpp"
#include "runtime/queue/counter_cells.hpp"
#include "runtime/queue/group_ranges.hpp"
#include "runtime/support/log.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>

namespace hostcl::runtime {

using compiler::ArgumentKind;

namespace {

/// Below this many nanoseconds a launch is over before another thread has woken up.
constexpr double serial_ns = 30'000;
/// Ranges that threads take from a launch last about this long.
constexpr double grain_ns = 10'000;
/// A launch of unknown cost runs on one thread until it has been measured for this long.
constexpr std::uint64_t probe_ns = 5'000;

/// Work-items of a first launch from which on the best code probably pays.
constexpr std::uint64_t many_items = 1 << 16;

/// First launches of kernels, enqueued and without machine code yet.
std::atomic<unsigned> new_launches = 0;

std::uint64_t group_total(const abi::NDRange& launch) {
  return launch.group_count[0] * launch.group_count[1] * launch.group_count[2];
}
std::uint64_t items_per_group(const abi::NDRange& launch) {
  return launch.local_size[0] * launch.local_size[1] * launch.local_size[2];
}

std::uint64_t item_total(const abi::NDRange& launch) {
  return launch.global_size[0] * launch.global_size[1] * launch.global_size[2];
}

std::uint64_t aligned(std::uint64_t bytes, std::uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace

KernelWork::KernelWork(Kernel& kernel, const Kernel::Code& code, const abi::NDRange& launch)
    : launch_(launch), loaded_(code.program), code_(*code.kernel), signature_(code.kernel->signature()) {
  copy_arguments(kernel);
  if (code_.claim_first_launch()) note_first_launch();
}

KernelWork::~KernelWork() {
  forget_first_launch();
  Memory** references = more_references_ ? more_references_.get() : references_;
  for (std::uint32_t i = 0; i < reference_count_; ++i)
    references[i]->release();
  if (large_block_) ::operator delete(large_block_, std::align_val_t(Command::work_alignment));
}

/// The thread that runs the first of several new kernels compiles it; others begin with the rest.
void KernelWork::note_first_launch() {
  is_first_ = true;
  if (code_.is_compiled_ahead()) Background::instance().forget_ahead();
  if (new_launches.fetch_add(1, std::memory_order_relaxed) > 0 && group_total(launch_) > 0)
    Background::instance().compile(Background::Wish::launched, code_, launch_);
}

void KernelWork::forget_first_launch() {
  if (is_first_) new_launches.fetch_sub(1, std::memory_order_relaxed);
  is_first_ = false;
}

void KernelWork::copy_arguments(Kernel& kernel) {
  std::scoped_lock guard(kernel.lock());
  auto [source, arguments, reached] = kernel.arguments();
  if (const std::size_t most = arguments.size() + reached.size(); most > inline_references)
    more_references_ = std::make_unique<Memory*[]>(most);
  if (source.size() > inline_bytes)
    large_block_ =
        static_cast<std::byte*>(::operator new(source.size(), std::align_val_t(Command::work_alignment)));
  if (!source.empty()) std::memcpy(block(), source.data(), source.size());
  Memory** references = more_references_ ? more_references_.get() : references_;
  // Takes a reference to the buffer. @returns whether it is still alive. The object in its slot is held in
  // any case, and released with the others: that must not happen under a lock.
  auto hold = [&](const WeakMemory& buffer) {
    Memory* held = buffer.hold_slot();
    if (!held) return false;
    references[reference_count_++] = held;
    return buffer.is_live();
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const compiler::KernelArgument& argument = signature_.arguments[i];
    if (arguments[i].memory && !hold(arguments[i].memory) && !arguments[i].may_be_gone)
      released_argument_ = static_cast<std::uint32_t>(i);
    if (argument.kind == ArgumentKind::local_pointer) {
      // The size for now; place_local_arguments() makes an offset of it.
      std::uint64_t bytes = arguments[i].local_bytes;
      std::memcpy(block() + argument.offset, &bytes, sizeof(bytes));
      has_local_arguments_ = true;
    }
    has_counters_ |= argument.kind == ArgumentKind::counter32 || argument.kind == ArgumentKind::counter64;
  }
  for (const WeakMemory& buffer : reached)
    hold(buffer);
}

std::uint64_t KernelWork::estimate(const LoadedKernel& kernel, const abi::NDRange& launch) {
  double ns = kernel.group_ns(items_per_group(launch));
  if (ns == 0) return Queue::unknown;
  double total = ns * static_cast<double>(group_total(launch));
  return total > 1e18 ? Queue::unknown : static_cast<std::uint64_t>(total);
}

/// Replaces the buffers of counters by their cells.
void KernelWork::begin_counters() {
  counters_ = std::make_unique<std::byte*[]>(signature_.arguments.size());
  try {
    for (const compiler::KernelArgument& argument : signature_.arguments) {
      bool wide = argument.kind == ArgumentKind::counter64;
      if (!wide && argument.kind != ArgumentKind::counter32) continue;
      std::byte* home;
      std::memcpy(&home, block() + argument.offset, sizeof(home));
      std::uint64_t* cell = counter_cells().enter(home, wide ? 8 : 4);
      counters_[counter_count_++] = home;
      std::memcpy(block() + argument.offset, &cell, sizeof(cell));
    }
  } catch (...) {
    end_counters();
    throw;
  }
}

void KernelWork::end_counters() {
  for (; counter_count_; --counter_count_)
    counter_cells().leave(counters_[counter_count_ - 1]);
}

/// Lays the local arguments out after the kernel's own local memory. @returns the bytes of a group in all.
std::uint64_t KernelWork::place_local_arguments(std::uint64_t used) {
  if (!has_local_arguments_) return used;
  for (const compiler::KernelArgument& argument : signature_.arguments) {
    if (argument.kind != ArgumentKind::local_pointer) continue;
    std::uint64_t bytes;
    std::memcpy(&bytes, block() + argument.offset, sizeof(bytes));
    used = aligned(used, abi::scratch_alignment);
    std::memcpy(block() + argument.offset, &used, sizeof(used));
    used += bytes;
    // The kernel moves an argument with a larger alignment up to it.
    if (argument.alignment > abi::scratch_alignment) used += argument.alignment - abi::scratch_alignment;
  }
  return used;
}

cl_int KernelWork::prepare(Queue& queue) {
  if (group_total(launch_) == 0) return CL_SUCCESS;
  if (is_first_ && item_total(launch_) >= many_items) code_.want_best_code(launch_);
  std::string log_text;
  choice_ = code_.code(launch_, &log_text);
  forget_first_launch();
  if (choice_.code) return CL_SUCCESS;
  log(LogLevel::error, "kernel '", signature_.name, "' has no machine code: ", log_text);
  queue.context().notify("kernel '", signature_.name, "' has no machine code: ", log_text);
  return CL_OUT_OF_RESOURCES;
}

cl_int KernelWork::run(Queue& queue) {
  if (group_total(launch_) == 0) return CL_COMPLETE;
  if (has_counters_) begin_counters();
  try {
    run_groups(queue.workers(), queue.context().services());
  } catch (...) {
    end_counters();
    throw;
  }
  end_counters();
  return CL_COMPLETE;
}

void KernelWork::describe(timeline::Span& span) const {
  span.argument("global_size", launch_.global_size);
  span.argument("global_offset", launch_.global_offset);
  span.argument("local_size", launch_.local_size);
}

void KernelWork::run_groups(Workers& workers, const abi::Services& services) {
  GroupRanges groups(code_, launch_, choice_, services, workers.threads(), block(),
                     place_local_arguments(choice_.code->static_local_bytes));
  const std::uint64_t done = run_serially(workers, groups);
  const std::uint64_t left = groups.total() - done;
  if (left == 0) return;
  const double group_ns = code_.group_ns(groups.items_per_group());
  auto grain = static_cast<std::uint64_t>(grain_ns / std::max(group_ns, 0.01)) + 1;
  grain = std::clamp<std::uint64_t>(
      grain, 1, std::max<std::uint64_t>(1, left / (std::uint64_t{4} * workers.threads())));
  const std::uint64_t begin = now_ns();
  workers.for_ranges(done, groups.total(), grain, groups);
  // Upper bound: all threads were busy all the time.
  const double threads = static_cast<double>(std::min<std::uint64_t>(workers.threads(), left));
  code_.note_group_ns(static_cast<double>(now_ns() - begin) * threads / static_cast<double>(left),
                      groups.items_per_group());
}

/// Runs groups on this thread: all of them if they are estimated to be short; if the estimate was wrong or
/// there is none, only as many as it takes to measure. @returns their number
std::uint64_t KernelWork::run_serially(Workers& workers, GroupRanges& groups) {
  const std::uint64_t total = groups.total(), items = groups.items_per_group();
  const double group_ns = code_.group_ns(items);
  const bool only_thread = workers.threads() == 1;
  if (group_ns != 0 && group_ns * static_cast<double>(total) >= serial_ns && !only_thread) return 0;
  std::uint64_t limit = group_ns == 0 ? probe_ns : static_cast<std::uint64_t>(4 * serial_ns);
  if (only_thread) limit = ~std::uint64_t{0};
  // The groups run in parts where better code may become available.
  std::uint64_t step = group_ns == 0 || !groups.has_best_code() ? 1 : total;
  const std::uint64_t begin = now_ns();
  std::uint64_t done = 0, elapsed = 0;
  while (done < total && elapsed < limit) {
    const std::uint64_t last = done + std::min(step, total - done);
    groups.run(done, last);
    done = last;
    const std::uint64_t before = std::exchange(elapsed, now_ns() - begin);
    groups.note_ns(elapsed - before);
    if (static_cast<double>(elapsed) < grain_ns * 100 || groups.has_best_code()) step *= 2;
  }
  code_.note_group_ns(static_cast<double>(elapsed) / static_cast<double>(done), items);
  return done;
}

} // namespace hostcl::runtime
