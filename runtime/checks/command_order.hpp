#pragma once

// Which commands come before which others, and what they have accessed, as far as that may still race: happens-before as
// race detectors for threads have it, with commands in place of threads.
//
// A command's place in the order is known when it begins, for all that it waits for has ended then. What the host has
// waited for is known by epochs: a command comes after another one whose end the host knew of in an epoch that is not
// later than its own, in which it was enqueued, or in which a user event was set that it waits for.

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

/// One of two commands that race.
struct CommandAccess {
  const char* call = ""; ///< the entry point
  std::uint64_t number = 0;
  bool writes = false;
  std::optional<AccessPlace> place; ///< in a kernel
};

struct CommandFinding {
  CommandAccess first, second;
  Range range;
  bool is_mapped = false; ///< the first one maps memory for reading or writing
};
using CommandFindings = std::vector<CommandFinding>;

/// Not synchronised.
class CommandOrder {
public:
  /// Races of one command.
  static constexpr std::size_t most_findings = 64;
  /// Commands that have ended and whose end the host does not know of. The oldest are forgotten.
  static constexpr std::size_t most = 4096;
  /// Ranges of addresses of all these.
  static constexpr std::size_t most_ranges = std::size_t{1} << 23;

  CommandOrder();
  ~CommandOrder();
  /// Forgets all commands. Numbers go on.
  void clear();

  std::uint64_t enqueue(const NewCommand& command);
  void wait(std::uint64_t number, std::uint64_t awaited);
  std::uint64_t make_user_event();
  void set_user_event(std::uint64_t number);
  void forget_queue(const void* queue);

  /// @returns what collects the command's accesses
  abi::CommandAccesses* begin(std::uint64_t number);
  /// @param meets_host the host may have learnt of its end, and it of what the host knows, by atomic operations
  /// @returns those races with commands that have ended which are found now
  CommandFindings end(std::uint64_t number, AccessSet accesses, bool meets_host);
  CommandFindings free(Range range, const char* call);

  void host_knows(std::uint64_t number, bool has_ended);
  void host_knows_ends_of(const void* queue);
  void host_knows_all_ends();

  void map(std::uint64_t command, Ranges ranges, std::uint64_t address, bool writes);
  void unmap(std::uint64_t command, std::uint64_t address);
  void forget(Range range);
  void forget_variables();

  /// Whether commands were forgotten that the host does not know the end of, since this was asked.
  bool has_forgotten() { return std::exchange(has_forgotten_, false); }

private:
  static constexpr std::uint64_t never = ~std::uint64_t{0};
  struct Node;
  struct QueueState {
    std::uint64_t last = 0, barrier = 0; ///< numbers of commands
    /// What a command waits for that waits for all: commands of a queue out of order, without those that come before another
    /// one of these in any case.
    std::vector<std::uint64_t> open = {};
    std::size_t look_at = 64; ///< so many of these are worth a look at what is over
  };
  struct Mapping {
    std::uint64_t address, map, unmap; ///< numbers of commands; 0 while it is mapped
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
  std::vector<std::unique_ptr<Node>> slots_; ///< null where one is free
  std::vector<std::size_t> free_slots_;
  Slots ended_slots_,
      unknown_slots_;            ///< of nodes that have ended, and of those whose end the host does not know
  std::set<std::uint64_t> left_; ///< numbers of commands that have not ended
  std::map<std::uint64_t, std::size_t> ended_; ///< slots of nodes that have ended, by number
  std::deque<std::uint64_t>
      known_; ///< numbers of nodes whose end the host knows, in the order in which it learnt it
  std::unordered_map<std::uint64_t, std::size_t> slot_of_;
  std::unordered_map<const void*, QueueState> queues_;
  std::vector<Mapping> mappings_;
  std::size_t ranges_ = 0; ///< of commands that have ended
  bool has_forgotten_ = false;
};

} // namespace hostcl::runtime::checks
