#include "runtime/launch/other_orders.hpp"

#include "runtime/checks/findings.hpp"
#include "runtime/checks/shadow.hpp"
#include "runtime/memory/pages.hpp"
#include "runtime/program/nd_range.hpp"
#include "runtime/support/result.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace hostcl::runtime {

using compiler::ArgumentKind;

namespace {

/// Buffers are copied only if they have no more bytes than this together.
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30;

bool is_buffer(const compiler::KernelArgument& argument) {
  return argument.kind == ArgumentKind::global_pointer || argument.kind == ArgumentKind::constant_pointer;
}

bool is_plain(const compiler::KernelArgument& argument) {
  return is_buffer(argument) || argument.kind == ArgumentKind::value ||
         argument.kind == ArgumentKind::local_pointer || argument.kind == ArgumentKind::sampler;
}

std::uint64_t address_of(const RunnableLaunch& launch, const compiler::KernelArgument& argument) {
  std::uint64_t address;
  std::memcpy(&address, launch.arguments() + argument.offset, sizeof(address));
  return address;
}

const char* name_of(GroupOrder order) {
  return order == GroupOrder::reverse ? "reversed" : "shuffled";
}

} // namespace

/// A copy of a range of memory. Its address is as well aligned as the original's.
class OtherOrders::Copy {
public:
  explicit Copy(const Range& range)
      : range_(range),
        pages_(allocate_pages(range.bytes + abi::order_copy_alignment, abi::order_copy_alignment)) {
    if (!pages_) throw std::bad_alloc();
    std::memcpy(data(), original(), range.bytes);
    checks::note_copied(data(), original(), range.bytes);
  }
  ~Copy() {
    checks::note_written(data(), range_.bytes);
    free_pages(pages_);
  }
  Copy(const Copy&) = delete;

  std::byte* data() const { return pages_ + range_.first % abi::order_copy_alignment; }

private:
  const std::byte* original() const { return std::bit_cast<const std::byte*>(range_.first); }

  Range range_;
  std::byte* pages_;
};

/// The launch with pointers to copies in place of its buffers.
class OtherOrders::Copies final : public RunnableLaunch {
public:
  Copies(const RunnableLaunch& original, const std::vector<Range>& ranges, GroupOrder order)
      : RunnableLaunch(&original.kernel(), original.range()),
        order(order),
        block_(checks::block_bytes(signature().argument_bytes, signature().arguments.size())) {
    std::memcpy(block_.data(), original.arguments(),
                checks::block_bytes(signature().argument_bytes, signature().arguments.size()));
    arguments_ = block_.data();
    has_placed_arguments_ = original.has_placed_arguments();
    for (const Range& range : ranges)
      copies.push_back(std::make_unique<Copy>(range));
    for (const compiler::KernelArgument& argument : signature().arguments)
      if (is_buffer(argument)) redirect(argument, ranges);
  }

  const GroupOrder order;
  std::vector<std::unique_ptr<Copy>> copies; ///< a copy of each range

private:
  void redirect(const compiler::KernelArgument& argument, const std::vector<Range>& ranges) {
    const std::uint64_t address = address_of(*this, argument);
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      if (address - ranges[i].first >= ranges[i].bytes) continue;
      const std::byte* now = copies[i]->data() + (address - ranges[i].first);
      std::memcpy(block_.data() + argument.offset, &now, sizeof(now));
    }
  }

  ArgumentBlock block_;
};

OtherOrders::OtherOrders(const RunnableLaunch& record, const compiler::KernelCode& code, const Run& run)
    : record_(record), properties_(code.order) {
  const std::uint64_t groups = group_total(record.range());
  if (!properties_ || groups < 2) return;
  const char* reason = *properties_->reason ? properties_->reason : find_ranges();
  if (reason) {
    checks::Findings::instance().say_once(
        text("order: kernel '", record.signature().name, "' is not checked: ", reason));
    return;
  }
  try {
    for (const GroupOrder order : {GroupOrder::reverse, GroupOrder::random}) {
      if (order == GroupOrder::random && groups == 2) break;
      copies_.push_back(std::make_unique<Copies>(record, ranges_, order));
      run(*copies_.back(), order);
    }
  } catch (const std::bad_alloc&) {
    copies_.clear(); // no run is compared
  }
}

OtherOrders::~OtherOrders() = default;

/// Finds the memory that arguments point into. @returns why the launch cannot run on copies, or null
const char* OtherOrders::find_ranges() {
  const auto& arguments = record_.signature().arguments;
  std::vector<Range> found;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!is_plain(arguments[i])) return "it has an argument that is neither a buffer nor a value";
    if (!is_buffer(arguments[i])) continue;
    const abi::CheckedObject object = checks::object_in(record_.objects(), arguments.size(), i).object;
    if (object.size == 0) continue;
    if (object.size == checks::anywhere.size)
      return "it has an argument that points to memory of unknown size";
    found.push_back(
        {address_of(record_, arguments[i]) + static_cast<std::uint64_t>(object.low), object.size});
  }
  std::ranges::sort(found, {}, &Range::first);
  std::uint64_t total = 0;
  for (const Range& range : found) {
    const std::uint64_t end = range.first + range.bytes;
    total += range.bytes;
    if (!ranges_.empty() && range.first - ranges_.back().first <= ranges_.back().bytes)
      ranges_.back().bytes = std::max(ranges_.back().bytes, end - ranges_.back().first);
    else
      ranges_.push_back(range);
  }
  return total > most_bytes ? "its buffers have more than 1 GiB" : nullptr;
}

void OtherOrders::compare() const {
  for (const auto& copies : copies_)
    for (std::size_t i = 0; i < ranges_.size(); ++i)
      compare(*copies, ranges_[i], copies->copies[i]->data());
}

/// Reports the first differing byte of a range that belongs to an argument which the kernel writes.
void OtherOrders::compare(const Copies& copies, const Range& range, const std::byte* copy) const {
  const auto* original = std::bit_cast<const std::byte*>(range.first);
  for (std::uint64_t i = 0; i < range.bytes; ++i) {
    i += static_cast<std::uint64_t>(std::mismatch(original + i, original + range.bytes, copy + i).first -
                                    (original + i));
    if (i < range.bytes && report(range.first + i, copies.order)) return;
  }
}

/// Reports a differing byte. @returns whether the address belongs to an argument that the kernel writes
/// through
bool OtherOrders::report(std::uint64_t address, GroupOrder order) const {
  const auto& arguments = record_.signature().arguments;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const abi::CheckSite* place = properties_->places[i];
    if (!is_buffer(arguments[i]) || !place) continue;
    const checks::UsableObject object = checks::object_in(record_.objects(), arguments.size(), i);
    const std::uint64_t position =
        address - address_of(record_, arguments[i]) - static_cast<std::uint64_t>(object.object.low);
    if (position >= object.object.size) continue;
    checks::Finding finding{*place, position, {}, {}, {}, object};
    finding.order = name_of(order);
    checks::note(finding);
    return true;
  }
  return false;
}

} // namespace hostcl::runtime
