#include "differential/fibres.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <vector>

#include <sys/mman.h>
#include <ucontext.h>

namespace differential {

namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10;

/// The work-items of a group. Each has a stack of its own, from one group to the next.
class Fibres {
public:
  Fibres(std::size_t count, HostKernel kernel, void** arguments, const WorkItem** current)
      : kernel_(kernel), arguments_(arguments), current_(current), fibres_(count) {
    memory_ = mmap(nullptr, count * stack_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::runtime_error("no memory for the stacks of work-items");
    active_ = this;
  }
  Fibres(const Fibres&) = delete;
  ~Fibres() {
    munmap(memory_, fibres_.size() * stack_bytes);
    active_ = nullptr;
  }

  void run(const std::vector<WorkItem>& items) {
    for (std::size_t i = 0; i < items.size(); ++i) {
      ucontext_t& context = fibres_[i].context;
      getcontext(&context);
      context.uc_stack.ss_sp = static_cast<char*>(memory_) + i * stack_bytes;
      context.uc_stack.ss_size = stack_bytes;
      context.uc_link = &scheduler_;
      makecontext(&context, begin, 0);
      fibres_[i].has_ended = false;
    }
    for (std::size_t left = items.size(); left > 0;)
      for (running_ = 0; running_ < items.size(); ++running_) {
        if (fibres_[running_].has_ended) continue;
        *current_ = &items[running_];
        swapcontext(&scheduler_, &fibres_[running_].context);
        if (fibres_[running_].has_ended) --left;
      }
  }

  /// A barrier: the others go on first.
  static void wait() { swapcontext(&active_->fibres_[active_->running_].context, &active_->scheduler_); }

private:
  struct Fibre {
    ucontext_t context;
    bool has_ended = false;
  };

  static void begin() {
    active_->kernel_(active_->arguments_);
    active_->fibres_[active_->running_].has_ended = true;
  }

  static inline Fibres* active_ = nullptr;
  HostKernel kernel_;
  void** arguments_;
  const WorkItem** current_;
  std::vector<Fibre> fibres_;
  ucontext_t scheduler_{};
  std::size_t running_ = 0;
  void* memory_ = nullptr;
};

void no_barrier() {
  std::abort();
}

/// The work-items of the group with these numbers, in the order of their linear ids.
std::vector<WorkItem> items_of(const Range& range, const WorkItem& group) {
  std::vector<WorkItem> items;
  WorkItem item = group;
  for (unsigned d = 0; d < 3; ++d)
    item.local_size[d] = std::min(range.local[d], range.global[d] - group.group_id[d] * range.local[d]);
  for (item.local_id[2] = 0; item.local_id[2] < item.local_size[2]; ++item.local_id[2])
    for (item.local_id[1] = 0; item.local_id[1] < item.local_size[1]; ++item.local_id[1])
      for (item.local_id[0] = 0; item.local_id[0] < item.local_size[0]; ++item.local_id[0]) {
        for (unsigned d = 0; d < 3; ++d)
          item.global_id[d] = range.offset[d] + item.group_id[d] * range.local[d] + item.local_id[d];
        items.push_back(item);
      }
  return items;
}

} // namespace

void run_range(const Range& range, HostKernel kernel, void** arguments, const WorkItem** item, bool waits) {
  Range whole = range;
  if (!range.has_local) whole.local = {1, 1, 1};
  const std::unique_ptr<Fibres> fibres =
      waits ? std::make_unique<Fibres>(whole.group_items(), kernel, arguments, item) : nullptr;
  const auto shared = std::make_unique<unsigned char[][64]>(whole.group_items());
  WorkItem group{};
  group.dimensions = range.dimensions;
  group.wait = waits ? Fibres::wait : no_barrier;
  group.shared = shared.get();
  for (unsigned d = 0; d < 3; ++d) {
    group.offset[d] = range.offset[d];
    group.global_size[d] = range.global[d];
    group.enqueued_local_size[d] = whole.local[d];
    group.num_groups[d] = (range.global[d] + whole.local[d] - 1) / whole.local[d];
  }
  for (group.group_id[2] = 0; group.group_id[2] < group.num_groups[2]; ++group.group_id[2])
    for (group.group_id[1] = 0; group.group_id[1] < group.num_groups[1]; ++group.group_id[1])
      for (group.group_id[0] = 0; group.group_id[0] < group.num_groups[0]; ++group.group_id[0]) {
        const std::vector<WorkItem> items = items_of(whole, group);
        if (fibres) {
          fibres->run(items);
          continue;
        }
        for (const WorkItem& each : items) {
          *item = &each;
          kernel(arguments);
        }
      }
}

} // namespace differential
