#include "compiler/order_table.hpp"

#include <map>
#include <mutex>

namespace hostcl::compiler {

namespace {

struct Table {
  std::mutex mutex; ///< guards what follows
  std::map<abi::Entry, const abi::OrderFacts*> facts;
};

Table& table() {
  static auto* table = new Table; // threads of the application may use it until the process ends
  return *table;
}

} // namespace

void set_order_facts(abi::Entry entry, const abi::OrderFacts& facts) {
  Table& all = table();
  const std::scoped_lock guard(all.mutex);
  all.facts.insert_or_assign(entry, &facts);
}

const abi::OrderFacts* order_facts(abi::Entry entry) {
  Table& all = table();
  const std::scoped_lock guard(all.mutex);
  const auto found = all.facts.find(entry);
  return found == all.facts.end() ? nullptr : found->second;
}

} // namespace hostcl::compiler
