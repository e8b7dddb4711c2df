#include "runtime/threads/topology.hpp"

#include "runtime/support/lock.hpp"
#include "runtime/threads/machine.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <new>

#include <hwloc.h>
#include <unistd.h>

namespace hostcl::runtime {

namespace {

/// Held while hwloc examines the machine.
Lock& loading() {
  static constinit Lock lock;
  return lock;
}
const bool is_held_over_fork = held_over_fork<loading>();

/// @param asks_processors whether hwloc also executes CPUID on each processor, for which it binds the thread
/// to one processor after the other
hwloc_topology_t load_topology(bool asks_processors) {
  hwloc_topology_t t = nullptr;
  if (hwloc_topology_init(&t) != 0) throw std::bad_alloc();
  if (!asks_processors) hwloc_topology_set_components(t, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  hwloc_topology_set_flags(t, HWLOC_TOPOLOGY_FLAG_NO_DISTANCES | HWLOC_TOPOLOGY_FLAG_NO_MEMATTRS |
                                  HWLOC_TOPOLOGY_FLAG_NO_CPUKINDS);
  hwloc_topology_set_all_types_filter(t, HWLOC_TYPE_FILTER_KEEP_NONE);
  hwloc_topology_set_cache_types_filter(t, HWLOC_TYPE_FILTER_KEEP_ALL);
  // NUMA nodes know their processors through the objects that they are attached to, so these are kept.
  hwloc_topology_set_type_filter(t, HWLOC_OBJ_PACKAGE, HWLOC_TYPE_FILTER_KEEP_ALL);
  hwloc_topology_set_type_filter(t, HWLOC_OBJ_GROUP, HWLOC_TYPE_FILTER_KEEP_STRUCTURE);
  if (hwloc_topology_load(t) == 0) return t;
  hwloc_topology_destroy(t);
  throw std::bad_alloc();
}

/// The topology, loaded by the first call: hwloc reads about fifty files for each processor.
hwloc_topology_t topology() {
  static constinit std::atomic<hwloc_topology_t> instance = nullptr;
  if (hwloc_topology_t loaded = instance.load(std::memory_order_acquire)) return loaded;
  std::scoped_lock guard(loading());
  if (hwloc_topology_t loaded = instance.load(std::memory_order_relaxed)) return loaded;
  hwloc_topology_t made = load_topology(false);
  if (!hwloc_get_obj_by_type(made, HWLOC_OBJ_L1CACHE, 0)) {
    // Some virtual machines hide the caches from Linux. CPUID may report them nevertheless.
    hwloc_topology_destroy(made);
    made = load_topology(true);
  }
  instance.store(made, std::memory_order_release);
  return made;
}

hwloc_obj_t processor(unsigned logical) {
  return hwloc_get_obj_by_type(topology(), HWLOC_OBJ_PU, logical);
}

hwloc_obj_type_t level_of(cl_device_affinity_domain domain) {
  switch (domain) {
  case CL_DEVICE_AFFINITY_DOMAIN_NUMA:
    return HWLOC_OBJ_NUMANODE;
  case CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE:
    return HWLOC_OBJ_L4CACHE;
  case CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE:
    return HWLOC_OBJ_L3CACHE;
  case CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE:
    return HWLOC_OBJ_L2CACHE;
  default:
    return HWLOC_OBJ_L1CACHE;
  }
}

} // namespace

namespace {

/// Cache sizes from the C library, which reads no files for them on most processors.
Caches caches_of_library() {
  const auto bytes = [](int name) { return static_cast<std::uint64_t>(std::max(0L, sysconf(name))); };
  const std::uint64_t third = bytes(_SC_LEVEL3_CACHE_SIZE), fourth = bytes(_SC_LEVEL4_CACHE_SIZE);
  Caches c{bytes(_SC_LEVEL1_DCACHE_LINESIZE), bytes(_SC_LEVEL1_DCACHE_SIZE), bytes(_SC_LEVEL2_CACHE_SIZE), 0};
  c.last_level = std::max({c.first_level, c.second_level, third, fourth});
  return c;
}

Caches caches_of_topology() {
  Caches c{64, 0, 0, 0};
  for (hwloc_obj_type_t type : {HWLOC_OBJ_L1CACHE, HWLOC_OBJ_L2CACHE, HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L4CACHE}) {
    hwloc_obj_t cache = hwloc_get_obj_by_type(topology(), type, 0);
    if (!cache) continue;
    if (type == HWLOC_OBJ_L1CACHE) {
      c.first_level = cache->attr->cache.size;
      if (cache->attr->cache.linesize) c.line_bytes = cache->attr->cache.linesize;
    }
    if (type == HWLOC_OBJ_L2CACHE) c.second_level = cache->attr->cache.size;
    c.last_level = std::max<std::uint64_t>(c.last_level, cache->attr->cache.size);
  }
  return c;
}

} // namespace

const Caches& caches() {
  static const Caches instance = [] {
    const Caches c = caches_of_library();
    return c.line_bytes && c.first_level && c.second_level ? c : caches_of_topology();
  }();
  return instance;
}

const Processors& usable_processors() {
  // topology() is called before the static object is initialised: a child of fork() would wait for ever for
  // an initialisation that another thread of the parent had begun.
  hwloc_topology_t loaded = topology();
  static const auto* instance = [&] {
    auto* usable = new Processors;
    // A topology of another machine ($HWLOC_XMLFILE) does not say where this process may run.
    bool is_this_machine = hwloc_topology_is_thissystem(loaded);
    const auto& affinity = machine().affinity;
    for (unsigned i = 0; hwloc_obj_t pu = processor(i); ++i)
      if (!is_this_machine || std::ranges::find(affinity, pu->os_index) != affinity.end())
        usable->push_back(i);
    return usable;
  }();
  return *instance;
}

std::vector<Processors> groups_that_share(cl_device_affinity_domain domain, const Processors& processors) {
  std::vector<Processors> groups;
  Processors left = processors;
  hwloc_obj_type_t type = level_of(domain);
  for (hwloc_obj_t object = nullptr; (object = hwloc_get_next_obj_by_type(topology(), type, object));) {
    auto shares = [&](unsigned p) { return hwloc_bitmap_isset(object->cpuset, processor(p)->os_index); };
    Processors group;
    std::ranges::copy_if(left, std::back_inserter(group), shares);
    std::erase_if(left, shares);
    if (!group.empty()) groups.push_back(std::move(group));
  }
  if (!left.empty()) groups.clear();
  return groups;
}

struct ThreadBinding::Set {
  hwloc_bitmap_t bits = hwloc_bitmap_alloc();
  ~Set() { hwloc_bitmap_free(bits); }
};

ThreadBinding::ThreadBinding(std::span<const unsigned> processors) : before_(std::make_unique<Set>()) {
  Set wanted;
  for (unsigned p : processors)
    hwloc_bitmap_set(wanted.bits, processor(p)->os_index);
  if (hwloc_get_cpubind(topology(), before_->bits, HWLOC_CPUBIND_THREAD) != 0 ||
      hwloc_set_cpubind(topology(), wanted.bits, HWLOC_CPUBIND_THREAD) != 0)
    before_.reset();
}

ThreadBinding::~ThreadBinding() {
  if (before_) hwloc_set_cpubind(topology(), before_->bits, HWLOC_CPUBIND_THREAD);
}

} // namespace hostcl::runtime
