#include "runtime/checks/access_set.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <mutex>
#include <new>
#include <utility>

namespace hostcl::runtime::checks {

bool Ranges::add(Range range) {
  if (!list_.empty()) {
    Range& last = list_.back();
    if (range.first <= last.end && last.first <= range.end) {
      last = {std::min(last.first, range.first), std::max(last.end, range.end)};
      return true;
    }
    if (list_.size() >= sort_at_) {
      sort();
      // A full list is not sorted again, since there may be millions of further ranges.
      is_full_ = list_.size() >= most;
      sort_at_ = is_full_ ? ~std::size_t{0} : std::max(sort_at_, 2 * list_.size());
    }
    if (is_full_) return false;
  }
  list_.push_back(range);
  return true;
}

void Ranges::add(const std::byte* memory, const Rect& rect) {
  const std::uint64_t start = std::bit_cast<std::uint64_t>(memory) + rect.first;
  for (std::size_t slice = 0; slice < rect.extent[2]; ++slice)
    for (std::size_t row = 0; row < rect.extent[1]; ++row) {
      const std::uint64_t first = start + slice * rect.slice_pitch + row * rect.row_pitch;
      add({first, first + rect.extent[0]});
    }
}

void Ranges::add_all(const Ranges& others) {
  list_.insert(list_.end(), others.list_.begin(), others.list_.end());
}

void Ranges::sort() {
  std::ranges::sort(list_, {}, &Range::first);
  std::size_t count = 0;
  for (const Range& range : list_)
    if (count > 0 && range.first <= list_[count - 1].end)
      list_[count - 1].end = std::max(list_[count - 1].end, range.end);
    else
      list_[count++] = range;
  list_.resize(count);
}

std::optional<Range> Ranges::meet(const Ranges& other) const {
  if (list_.empty() || other.list_.empty()) return std::nullopt;
  // Walks through the list with fewer ranges, and looks its ranges up in the other list.
  if (list_.size() > other.list_.size()) return other.meet(*this);
  auto theirs = other.list_.begin();
  for (const Range& own : list_) {
    theirs = std::lower_bound(theirs, other.list_.end(), own.first,
                              [](const Range& range, std::uint64_t first) { return range.end <= first; });
    if (theirs == other.list_.end()) return std::nullopt;
    if (theirs->first < own.end)
      return Range{std::max(own.first, theirs->first), std::min(own.end, theirs->end)};
  }
  return std::nullopt;
}

void Ranges::remove(Range range) {
  const auto met =
      std::ranges::partition_point(list_, [&](const Range& own) { return own.end <= range.first; });
  if (met == list_.end() || met->first >= range.end) return;
  std::vector<Range> left;
  for (const Range& own : list_) {
    if (own.first < std::min(own.end, range.first))
      left.push_back({own.first, std::min(own.end, range.first)});
    if (std::max(own.first, range.end) < own.end) left.push_back({std::max(own.first, range.end), own.end});
  }
  list_ = std::move(left);
}

namespace {

std::optional<AccessPlace> place_of(const abi::CheckSite* site) {
  if (!site) return std::nullopt;
  return AccessPlace{site->kernel, site->file,   site->source,   site->object,
                     site->line,   site->column, site->argument, site->access};
}

} // namespace

} // namespace hostcl::runtime::checks

namespace hostcl::abi {

using namespace runtime::checks;

/// The accesses that one thread has collected.
class CommandAccesses::Part {
public:
  using Key = std::pair<const CheckSite*, std::uint32_t>; ///< place, and how it is accessed

  Ranges& ranges(Key key) {
    Recent& recent =
        recent_[(std::bit_cast<std::uintptr_t>(key.first) / sizeof(CheckSite) + key.second) % recent_.size()];
    if (!recent.ranges || recent.key != key) recent = {key, &by_place_[key]};
    return *recent.ranges;
  }
  std::map<Key, Ranges>& by_place() { return by_place_; }

private:
  struct Recent {
    Key key;
    Ranges* ranges = nullptr;
  };
  std::map<Key, Ranges> by_place_;
  std::array<Recent, 16> recent_;
};

namespace {

std::atomic<std::uint64_t> last_number = 0;

} // namespace

CommandAccesses::CommandAccesses() : number_(++last_number) {}

CommandAccesses::~CommandAccesses() = default;

/// The part of the calling thread.
CommandAccesses::Part& CommandAccesses::part() {
  static constinit thread_local std::pair<std::uint64_t, Part*> own;
  if (!own.second || own.first != number_) {
    auto made = std::make_unique<Part>();
    std::scoped_lock guard(lock_);
    parts_.push_back(std::move(made));
    own = {number_, parts_.back().get()};
  }
  return *own.second;
}

void CommandAccesses::add(const CheckSite* site, std::uint32_t how, Range range) noexcept {
  try {
    if (range.first < range.end && !part().ranges({site, how}).add(range)) is_incomplete_ = true;
  } catch (const std::bad_alloc&) {
    is_incomplete_ = true;
  }
}

void CommandAccesses::add(std::uint32_t how, const std::byte* memory, const runtime::Rect& rect) noexcept {
  try {
    part().ranges({nullptr, how}).add(memory, rect);
  } catch (const std::bad_alloc&) {
    is_incomplete_ = true;
  }
}

AccessSet CommandAccesses::take() {
  std::map<Part::Key, Ranges> all;
  for (const auto& part : parts_)
    for (auto& [key, ranges] : part->by_place())
      all[key].add_all(ranges);
  parts_.clear();
  AccessSet set;
  for (auto& [key, ranges] : all) {
    ranges.sort();
    set.push_back({place_of(key.first), key.second, std::move(ranges)});
  }
  return set;
}

} // namespace hostcl::abi
