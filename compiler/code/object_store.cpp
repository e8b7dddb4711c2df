#include "compiler/code/object_store.hpp"

#include <deque>
#include <map>
#include <mutex>

namespace hostcl::compiler {

namespace {

/// The limit of all objects together. An object of a small kernel has 2 to 10 KB.
constexpr std::size_t max_bytes = 16u << 20;

struct ObjectStore {
  std::mutex mutex; ///< guards the members below
  std::map<CacheKey, std::shared_ptr<const KernelObject>> objects;
  std::deque<CacheKey> order;
  std::size_t bytes = 0;
};

/// Never destroyed, because kernels may be compiled while static objects are destroyed.
ObjectStore& store() {
  static ObjectStore& store = *new ObjectStore;
  return store;
}

} // namespace

std::shared_ptr<const KernelObject> find_object(const CacheKey& key) {
  std::scoped_lock lock(store().mutex);
  auto found = store().objects.find(key);
  return found == store().objects.end() ? nullptr : found->second;
}

void keep_object(const CacheKey& key, std::shared_ptr<const KernelObject> object) {
  const std::size_t size = object->object.size();
  if (size > max_bytes / 4) return;
  auto& [mutex, objects, order, bytes] = store();
  std::scoped_lock lock(mutex);
  if (!objects.emplace(key, std::move(object)).second) return;
  order.push_back(key);
  for (bytes += size; bytes > max_bytes; order.pop_front()) {
    auto oldest = objects.find(order.front());
    bytes -= oldest->second->object.size();
    objects.erase(oldest);
  }
}

} // namespace hostcl::compiler
