#pragma once

// Litmus tests of the memory model as data: what each role does to three shared locations, and which outcomes
// the model forbids. The OpenCL C of a role and what the host does in its place follow from the same list.

#include <functional>
#include <string>
#include <vector>

namespace conformance {

enum class Order { relaxed, acquire, release, acq_rel, seq_cst };
const char* name_of(Order order);

struct Step {
  enum Kind {
    store,       ///< locations[location] = value
    load,        ///< registers[reg] = locations[location]
    add,         ///< registers[reg] = locations[location]++, atomically
    plain_store, ///< not atomic
    plain_load,
    fence,
  };
  Kind kind;
  int location = 0;
  int value = 0; ///< or register
  Order order = Order::relaxed;
};

inline constexpr int max_registers = 4;
inline constexpr int max_locations = 3;

/// What one instance ended with. Registers start as 0, locations too.
struct Outcome {
  int registers[max_registers];
  int locations[max_locations];
};

struct Litmus {
  std::string name;
  std::vector<std::vector<Step>> roles;
  std::function<bool(const Outcome&)> forbidden;
  /// An outcome that shows the roles really ran at the same time; counted, not required.
  std::function<bool(const Outcome&)> interleaved;
};

std::vector<Litmus> all_litmus_tests();

} // namespace conformance
