#include "compiler/order_table.hpp"

#include <map>
#include <mutex>

namespace hostcl::compiler {

namespace {

struct Table {
  std::mutex mutex; ///< guards what follows
  std::map<abi::Entry, const abi::OrderProperties*> properties;
};

Table& table() {
  static auto* table = new Table; // threads of the application may use it until the process ends
  return *table;
}

} // namespace

void set_order_properties(abi::Entry entry, const abi::OrderProperties& properties) {
  Table& all = table();
  const std::scoped_lock guard(all.mutex);
  all.properties.insert_or_assign(entry, &properties);
}

const abi::OrderProperties* order_properties(abi::Entry entry) {
  Table& all = table();
  const std::scoped_lock guard(all.mutex);
  const auto found = all.properties.find(entry);
  return found == all.properties.end() ? nullptr : found->second;
}

} // namespace hostcl::compiler
