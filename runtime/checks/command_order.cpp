#include "runtime/checks/command_order.hpp"

#include <algorithm>
#include <utility>

namespace hostcl::runtime::checks {

/// A command, a user event, or the host freeing memory.
struct CommandOrder::Node {
  std::uint64_t number = 0;
  std::size_t slot = 0;
  const void* queue = nullptr;
  const char* call = "";
  bool is_command = false, tells_host = false, hears_host = false;
  bool reads_by_host_pointer = false, writes_by_host_pointer = false;
  bool has_ended = false;
  std::vector<std::uint64_t> after; ///< numbers of the commands that it waits for, until it begins
  Slots before = {};                ///< slots of all commands before it, once it has begun
  std::uint64_t epoch = 0;          ///< it comes after all commands whose end the host knew of in this epoch
  std::uint64_t known_in = never;   ///< first epoch in which the host knew of its end
  std::uint64_t last_before = 0;    ///< number of the last command that had been enqueued by then
  std::unique_ptr<abi::CommandAccesses> collecting = {};
  AccessSet accesses = {};

  bool is_known() const { return known_in != never; }
  std::size_t range_count() const {
    std::size_t count = 0;
    for (const Accesses& some : accesses)
      count += some.ranges.size();
    return count;
  }
};

CommandOrder::CommandOrder() = default;
CommandOrder::~CommandOrder() = default;

void CommandOrder::clear() {
  slots_.clear();
  free_slots_.clear();
  ended_slots_.clear();
  unknown_slots_.clear();
  left_.clear();
  ended_.clear();
  known_.clear();
  slot_of_.clear();
  queues_.clear();
  mappings_.clear();
  ranges_ = 0;
}

// ---- Nodes

CommandOrder::Node& CommandOrder::add(std::uint64_t number) {
  if (free_slots_.empty()) {
    free_slots_.push_back(slots_.size());
    slots_.emplace_back();
  }
  const std::size_t slot = free_slots_.back();
  auto node = std::make_unique<Node>();
  node->number = number;
  node->slot = slot;
  node->epoch = epoch_;
  slot_of_[number] = slot;
  set(unknown_slots_, slot);
  free_slots_.pop_back();
  return *(slots_[slot] = std::move(node));
}

CommandOrder::Node* CommandOrder::find(std::uint64_t number) {
  const auto found = slot_of_.find(number);
  return found == slot_of_.end() ? nullptr : slots_[found->second].get();
}

const CommandOrder::Node* CommandOrder::find(std::uint64_t number) const {
  return const_cast<CommandOrder*>(this)->find(number);
}

std::uint64_t CommandOrder::enqueue(const NewCommand& command) {
  Node& node = add(++last_number_);
  node.queue = command.queue;
  node.call = command.call;
  node.is_command = true;
  left_.insert(node.number);
  node.tells_host = command.tells_host;
  node.hears_host = command.hears_host;
  node.reads_by_host_pointer = command.reads_by_host_pointer;
  node.writes_by_host_pointer = command.writes_by_host_pointer;
  node.collecting = std::make_unique<abi::CommandAccesses>();
  QueueState& queue = queues_[command.queue];
  if (command.is_in_order)
    node.after.push_back(queue.last);
  else
    enqueue_out_of_order(queue, node, command);
  queue.last = node.number;
  return node.number;
}

void CommandOrder::enqueue_out_of_order(QueueState& queue, Node& node, const NewCommand& command) {
  node.after.push_back(queue.barrier);
  if (command.comes_after_all) node.after.insert(node.after.end(), queue.open.begin(), queue.open.end());
  if (command.comes_after_all) queue.open.clear();
  queue.open.push_back(node.number);
  if (command.is_barrier) queue.barrier = node.number;
  if (queue.open.size() < queue.look_at) return;
  std::erase_if(queue.open, [&](std::uint64_t number) { return !slot_of_.contains(number); });
  queue.look_at = 64 + 2 * queue.open.size();
}

void CommandOrder::wait(std::uint64_t number, std::uint64_t awaited) {
  if (Node* node = find(number)) node->after.push_back(awaited);
}

std::uint64_t CommandOrder::make_user_event() {
  return add(++last_number_).number;
}

void CommandOrder::set_user_event(std::uint64_t number) {
  Node* node = find(number);
  if (!node) return;
  node->epoch = epoch_;
  finish(*node, {});
  retire(*node, epoch_);
}

void CommandOrder::forget_queue(const void* queue) {
  queues_.erase(queue);
}

// ---- Order

abi::CommandAccesses* CommandOrder::begin(std::uint64_t number) {
  Node* node = find(number);
  if (!node) return nullptr;
  std::vector<std::uint64_t> awaited = std::exchange(node->after, {});
  for (std::size_t i = 0; i < awaited.size(); ++i) {
    const Node* other = find(awaited[i]);
    if (!other) continue; // dropped: the host knows of its end, or no later command can race with it
    // If two threads enqueue in an in-order queue, the last recorded command may be the first in the queue.
    awaited.insert(awaited.end(), other->after.begin(), other->after.end());
    join(node->before, other->before);
    set(node->before, other->slot);
    node->epoch = std::max(node->epoch, other->epoch);
  }
  if (node->tells_host) retire_all_before(*node, ++epoch_);
  return node->collecting.get();
}

CommandFindings CommandOrder::end(std::uint64_t number, AccessSet accesses, bool meets_host) {
  CommandFindings findings;
  Node* node = find(number);
  if (!node) return findings;
  node->collecting.reset();
  if (node->hears_host || meets_host) node->epoch = epoch_;
  for (Accesses& some : accesses)
    if (!some.place && (some.writes() ? node->writes_by_host_pointer : node->reads_by_host_pointer))
      some.how |= command_by_host_pointer;
  finish(*node, std::move(accesses));
  compare_with_ended(*node, findings);
  if (node->tells_host || meets_host) host_knows(number, true);
  drop_what_is_over();
  while (ended_.size() > most || (ranges_ > most_ranges && ended_.size() > 1))
    drop_oldest();
  return findings;
}

void CommandOrder::finish(Node& node, AccessSet accesses) {
  node.accesses = std::move(accesses);
  node.has_ended = true;
  left_.erase(node.number);
  ended_.emplace(node.number, node.slot);
  set(ended_slots_, node.slot);
  ranges_ += node.range_count();
}

/// The host comes after all commands that it knows of, and before all commands that it will enqueue.
CommandFindings CommandOrder::free(Range range, const char* call) {
  CommandFindings findings;
  Node& node = add(++last_number_);
  node.call = call;
  Ranges ranges;
  ranges.add(range);
  AccessSet accesses;
  accesses.push_back({std::nullopt, abi::command_writes, std::move(ranges)});
  finish(node, std::move(accesses));
  compare_with_ended(node, findings);
  retire(node, ++epoch_);
  drop_what_is_over();
  return findings;
}

bool CommandOrder::is_before(const Node& earlier, const Node& later) const {
  return has(later.before, earlier.slot) || earlier.known_in <= later.epoch;
}

// ---- What the host knows

void CommandOrder::retire(Node& node, std::uint64_t epoch) {
  if (node.is_known()) return;
  node.known_in = epoch;
  node.last_before = last_number_;
  known_.push_back(node.number);
  reset(unknown_slots_, node.slot);
}

void CommandOrder::retire_all_before(const Node& node, std::uint64_t epoch) {
  for_each_common(node.before, unknown_slots_, [&](std::size_t slot) { retire(*slots_[slot], epoch); });
}

void CommandOrder::host_knows(std::uint64_t number, bool has_ended) {
  Node* node = find(number);
  if (!node || node->is_known()) return;
  ++epoch_;
  // CL_RUNNING is reported before the command begins. A command buffer for several queues reports it even
  // before its last command may run: then some commands that it waits for have not ended.
  for (const std::uint64_t awaited : node->after)
    if (Node* other = find(awaited); other && other->has_ended) {
      retire_all_before(*other, epoch_);
      retire(*other, epoch_);
    }
  retire_all_before(*node, epoch_);
  if (has_ended) retire(*node, epoch_);
  drop_what_is_over();
}

void CommandOrder::host_knows_ends_of(const void* queue) {
  ++epoch_;
  for_each_common(ended_slots_, unknown_slots_, [&](std::size_t slot) {
    Node& node = *slots_[slot];
    if (node.queue != queue || node.is_known()) return;
    retire_all_before(node, epoch_);
    retire(node, epoch_);
  });
  drop_what_is_over();
}

void CommandOrder::host_knows_all_ends() {
  ++epoch_;
  for_each_common(ended_slots_, unknown_slots_, [&](std::size_t slot) { retire(*slots_[slot], epoch_); });
  drop_what_is_over();
}

// ---- What is over

/// Drops each command of whose end the host already knew when the unfinished commands were enqueued.
void CommandOrder::drop_what_is_over() {
  const std::uint64_t first_left = left_.empty() ? never : *left_.begin();
  Slots dropped;
  for (; !known_.empty(); known_.pop_front()) {
    const Node* node = find(known_.front());
    if (!node) continue; // dropped by drop_oldest()
    if (!node->has_ended || node->last_before >= first_left) break;
    set(dropped, node->slot);
  }
  if (!dropped.empty()) drop(dropped);
}

/// Commands before a dropped command are older and dropped as well, so the order of the others is kept.
void CommandOrder::drop_oldest() {
  constexpr std::size_t at_once = 1024;
  Slots dropped;
  std::unordered_map<std::uint64_t, std::uint64_t> epochs;
  for (auto oldest = ended_.begin(); epochs.size() < std::min(at_once, ended_.size() - 1); ++oldest) {
    set(dropped, oldest->second);
    epochs[oldest->first] = slots_[oldest->second]->epoch;
  }
  for (const std::uint64_t number : left_) {
    Node& left = *find(number);
    for (const std::uint64_t awaited : left.after)
      if (const auto found = epochs.find(awaited); found != epochs.end())
        left.epoch = std::max(left.epoch, found->second);
  }
  has_forgotten_ = true;
  drop(dropped);
}

void CommandOrder::drop(const Slots& dropped) {
  for_each_common(dropped, ended_slots_, [&](std::size_t slot) {
    const Node& node = *slots_[slot];
    std::erase_if(mappings_, [&](const Mapping& mapping) { return mapping.unmap == node.number; });
    ranges_ -= node.range_count();
    slot_of_.erase(node.number);
    ended_.erase(node.number);
    slots_[slot].reset();
    free_slots_.push_back(slot);
  });
  take_away(ended_slots_, dropped);
  take_away(unknown_slots_, dropped);
  for (const auto& node : slots_)
    if (node) take_away(node->before, dropped);
}

void CommandOrder::forget(Range range) {
  for (const auto& node : slots_) {
    if (!node) continue;
    ranges_ -= node->range_count();
    for (Accesses& some : node->accesses)
      some.ranges.remove(range);
    ranges_ += node->range_count();
  }
  std::erase_if(mappings_, [&](const Mapping& mapping) {
    return mapping.address >= range.first && mapping.address < range.end;
  });
}

void CommandOrder::forget_variables() {
  for (const auto& node : slots_) {
    if (!node) continue;
    ranges_ -= node->range_count();
    std::erase_if(node->accesses,
                  [](const Accesses& some) { return some.place && some.place->argument < 0; });
    ranges_ += node->range_count();
  }
}

// ---- Comparison

void CommandOrder::compare_with_ended(const Node& node, CommandFindings& findings) const {
  if (node.accesses.empty() && mappings_.empty()) return;
  Slots others = ended_slots_;
  reset(others, node.slot);
  Slots unordered = others;
  take_away(unordered, node.before);
  for_each_common(unordered, unordered, [&](std::size_t slot) {
    if (!are_ordered(*slots_[slot], node)) compare(*slots_[slot], node, findings);
  });
  for (const Mapping& mapping : mappings_)
    if (mapping.map != node.number)
      compare(mapping, node, findings);
    else
      for_each_common(others, others, [&](std::size_t slot) { compare(mapping, *slots_[slot], findings); });
}

namespace {

/// Whether atomic operations of both commands on the same object may have ordered the commands.
bool may_synchronise(const AccessSet& a, const AccessSet& b) {
  for (const Accesses& of_a : a)
    for (const Accesses& of_b : b)
      if ((of_a.how & of_b.how & abi::command_orders) && of_a.ranges.meet(of_b.ranges)) return true;
  return false;
}

} // namespace

/// A command may race with thousands of commands at the same place. This is reported once.
void CommandOrder::compare(const Node& a, const Node& b, CommandFindings& findings) const {
  if (may_synchronise(a.accesses, b.accesses)) return;
  for (const Accesses& of_a : a.accesses)
    for (const Accesses& of_b : b.accesses) {
      if (!of_a.conflicts_with(of_b)) continue;
      const auto range = of_a.ranges.meet(of_b.ranges);
      const auto is_told = [&](const CommandFinding& found) {
        return found.first.call == a.call && found.first.writes == of_a.writes() &&
               found.second.writes == of_b.writes() && found.first.place == of_a.place &&
               found.second.place == of_b.place &&
               (of_a.place || of_b.place || found.range.first == range->first);
      };
      if (range && findings.size() < most_findings && std::ranges::none_of(findings, is_told))
        findings.push_back({{a.call, a.number, of_a.writes(), of_a.place},
                            {b.call, b.number, of_b.writes(), of_b.place},
                            *range});
    }
}

/// Whether the command may run while the region is mapped.
bool CommandOrder::is_mapped_for(const Mapping& mapping, const Node& node) const {
  if (!node.is_command || node.number == mapping.map || node.number == mapping.unmap) return false;
  // If the mapping command has been dropped, it came before all commands that are left.
  if (const Node* map = find(mapping.map); map && is_before(node, *map)) return false;
  if (!mapping.unmap) return true;
  const Node* unmap = find(mapping.unmap);
  return unmap && !is_before(*unmap, node);
}

void CommandOrder::compare(const Mapping& mapping, const Node& node, CommandFindings& findings) const {
  if (!is_mapped_for(mapping, node)) return;
  for (const Accesses& some : node.accesses) {
    if ((some.how & command_by_host_pointer) || !(mapping.writes || some.writes())) continue;
    if (const auto range = mapping.ranges.meet(some.ranges))
      findings.push_back({{mapping.call, mapping.map, mapping.writes, {}},
                          {node.call, node.number, some.writes(), some.place},
                          *range,
                          /*is_mapped=*/true});
  }
}

void CommandOrder::map(std::uint64_t command, Ranges ranges, std::uint64_t address, bool writes) {
  ranges.sort();
  const Node* node = find(command);
  mappings_.push_back({address, command, 0, node ? node->call : "", writes, std::move(ranges)});
}

void CommandOrder::unmap(std::uint64_t command, std::uint64_t address) {
  const auto is_it = [&](const Mapping& mapping) { return mapping.address == address && !mapping.unmap; };
  const auto found = std::find_if(mappings_.rbegin(), mappings_.rend(), is_it);
  if (found != mappings_.rend()) found->unmap = command;
}

} // namespace hostcl::runtime::checks
