#include "compiler/code/object_store.hpp"

#include <deque>
#include <map>
#include <mutex>

namespace hostcl::compiler {

namespace {

/// The limit of all objects together. An object of a small kernel has 2 to 10 KB.
constexpr std::size_t max_bytes = 16u << 20;

class ObjectStore {
public:
  std::shared_ptr<const KernelObject> find(const CacheKey& key) {
    std::scoped_lock lock(mutex_);
    auto found = objects_.find(key);
    return found == objects_.end() ? nullptr : found->second;
  }

  void keep(const CacheKey& key, std::shared_ptr<const KernelObject> object) {
    std::size_t size = object->object.size();
    if (size > max_bytes / 4) return;
    std::scoped_lock lock(mutex_);
    if (!objects_.emplace(key, std::move(object)).second) return;
    order_.push_back(key);
    for (bytes_ += size; bytes_ > max_bytes; order_.pop_front()) {
      auto oldest = objects_.find(order_.front());
      bytes_ -= oldest->second->object.size();
      objects_.erase(oldest);
    }
  }

private:
  std::mutex mutex_; ///< guards all members
  std::map<CacheKey, std::shared_ptr<const KernelObject>> objects_;
  std::deque<CacheKey> order_;
  std::size_t bytes_ = 0;
};

/// Never destroyed, because kernels may be compiled while static objects are destroyed.
ObjectStore& store() {
  static ObjectStore& store = *new ObjectStore;
  return store;
}

} // namespace

std::shared_ptr<const KernelObject> find_object(const CacheKey& key) {
  return store().find(key);
}

void keep_object(const CacheKey& key, std::shared_ptr<const KernelObject> object) {
  store().keep(key, std::move(object));
}

} // namespace hostcl::compiler
