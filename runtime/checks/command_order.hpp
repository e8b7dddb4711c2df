#pragma once

// The order of commands (happens-before, as in race detectors for threads, with commands in place of
// threads), and the accesses of all commands that a later command may still race with.
//
// When a command begins, all commands that it waits for have ended, so its place in the order is known then.
// What the host has waited for is recorded by epochs. The epoch increases whenever the host learns that a
// command has ended. A command comes after another command if the host knew of the other command's end in an
// epoch not later than the command's own. A command's own epoch is the one in which it was enqueued, or in
// which a user event was set that it waits for.

#include "runtime/checks/access_set.hpp"
#include "runtime/checks/commands.hpp"
#include "runtime/checks/slots.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace hostcl::runtime::checks {

/// An access of one of two commands that race.
struct CommandAccess {
  const char* call = ""; ///< function of the API
  std::uint64_t number = 0;
  bool writes = false;
  std::optional<AccessPlace> place; ///< if the access is in a kernel
};

/// Two accesses that race.
struct CommandFinding {
  CommandAccess first, second;
  Range range;
  bool is_mapped = false; ///< whether the first command maps the memory for reading or writing
};
using CommandFindings = std::vector<CommandFinding>;

/// All commands that are not complete, or that a later command may race with. Each of them has a slot, which is its
/// index in `slots_` and is used again once the command has been forgotten; a set of commands is a set of slots
/// (slots.hpp). The caller synchronises.
class CommandOrder {
public:
  /// The most findings for one command.
  static constexpr std::size_t most_findings = 64;
  /// Commands that have ended and are kept. If there are more, the oldest are forgotten, so that races with
  /// them are missed.
  static constexpr std::size_t most = 4096;
  /// Ranges of addresses that all these commands may have.
  static constexpr std::size_t most_ranges = std::size_t{1} << 23;

  CommandOrder();
  ~CommandOrder();
  /// Forgets all commands. New numbers follow the old ones.
  void clear();

  std::uint64_t enqueue(const NewCommand& command);
  void wait(std::uint64_t number, std::uint64_t awaited);
  std::uint64_t make_user_event();
  void set_user_event(std::uint64_t number);
  void forget_queue(const void* queue);

  /// Called when a command begins. @returns the object that collects its accesses
  abi::CommandAccesses* begin(std::uint64_t number);
  /// Called when a command has ended.
  /// @param meets_host whether the host and the command may have synchronised by atomic operations, in both
  /// directions
  /// @returns races with commands that have ended
  CommandFindings end(std::uint64_t number, AccessSet accesses, bool meets_host);
  CommandFindings free(Range range, const char* call);

  void host_knows(std::uint64_t number, bool has_ended);
  void host_knows_ends_of(const void* queue);
  void host_knows_all_ends();

  void map(std::uint64_t command, Ranges ranges, std::uint64_t address, bool writes);
  void unmap(std::uint64_t command, std::uint64_t address);
  void forget(Range range);
  void forget_variables();

  /// Whether commands had to be forgotten since the last call of this function.
  bool has_forgotten() { return std::exchange(has_forgotten_, false); }

private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  struct Node;
  struct QueueState {
    std::uint64_t last = 0, barrier = 0; ///< numbers of commands
    /// For an out-of-order queue: the commands that a command which waits for all commands has to wait for.
    /// Commands that come before another one in this list are left out.
    std::vector<std::uint64_t> open = {};
    std::size_t look_at = 64; ///< size of `open` at which commands that have been dropped are removed from it
  };
  struct Mapping {
    /// Numbers of the commands that map and unmap; `unmap` is 0 while the region is mapped.
    std::uint64_t address, map, unmap;
    const char* call;
    bool writes;
    Ranges ranges;
  };

  Node& add(std::uint64_t number);
  void enqueue_out_of_order(QueueState& queue, Node& node, const NewCommand& command);
  Node* find(std::uint64_t number);
  const Node* find(std::uint64_t number) const;
  bool is_before(const Node& earlier, const Node& later) const;
  bool are_ordered(const Node& a, const Node& b) const { return is_before(a, b) || is_before(b, a); }
  bool is_mapped_for(const Mapping& mapping, const Node& node) const;
  void compare(const Node& a, const Node& b, CommandFindings& findings) const;
  void compare(const Mapping& mapping, const Node& node, CommandFindings& findings) const;
  void compare_with_ended(const Node& node, CommandFindings& findings) const;
  void retire(Node& node, std::uint64_t epoch);
  void retire_all_before(const Node& node, std::uint64_t epoch);
  void finish(Node& node, AccessSet accesses);
  void drop_what_is_over();
  void drop_oldest();
  void drop(const Slots& dropped);

  std::uint64_t last_number_ = 0, epoch_ = 1;
  std::vector<std::unique_ptr<Node>> slots_; ///< commands by slot; null if the slot is free
  std::vector<std::size_t> free_slots_;
  /// Slots of commands that have ended, and of those whose end the host does not know of.
  Slots ended_slots_, unknown_slots_;
  std::set<std::uint64_t> left_;               ///< numbers of commands that have not ended
  std::map<std::uint64_t, std::size_t> ended_; ///< slots of commands that have ended, by number
  /// Numbers of commands whose end the host knows of, in the order in which the host learnt of them.
  std::deque<std::uint64_t> known_;
  std::unordered_map<std::uint64_t, std::size_t> slot_of_;
  std::unordered_map<const void*, QueueState> queues_;
  std::vector<Mapping> mappings_;
  std::size_t ranges_ = 0; ///< of all commands that have ended
  bool has_forgotten_ = false;
};

} // namespace hostcl::runtime::checks
