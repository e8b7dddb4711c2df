#include "differential/arguments.hpp"

#include <algorithm>

namespace differential {

namespace {

constexpr std::size_t pairs_bytes =
    512 * sizeof(cl_uint); ///< two numbers for each work-item of the largest group

} // namespace

PlainArguments::PlainArguments(const Range& range)
    : n_(static_cast<cl_int>(range.items())),
      m_(static_cast<cl_uint>(range.items() % 4)),
      per_(static_cast<cl_int>(3 + range.items() % 6)),
      exchange_bytes_(range.group_items() * sizeof(cl_uint)) {
  for (unsigned i = 0; i < shared_arguments; ++i)
    at_[i] = static_cast<cl_int>(first_place - sharing_of(range).places[i].offset);
}

bool PlainArguments::has(const std::string& parameter) {
  static constexpr const char* names[] = {"n",     "m",      "per", "unit", "exchange", "pairs",
                                          "given", "given4", "at0", "at1",  "at2",      "at3"};
  return std::find(std::begin(names), std::end(names), parameter) != std::end(names);
}

PlainArgument PlainArguments::of(const std::string& parameter) const {
  if (parameter == "n") return {sizeof n_, &n_};
  if (parameter == "m") return {sizeof m_, &m_};
  if (parameter == "per") return {sizeof per_, &per_};
  if (parameter == "unit") return {sizeof unit_, &unit_};
  if (parameter == "pairs") return {pairs_bytes, nullptr};
  if (parameter == "given") return {sizeof given_, &given_};
  if (parameter == "given4") return {sizeof given4_, &given4_};
  if (parameter.starts_with("at"))
    return {sizeof at_[0], &at_.at(static_cast<std::size_t>(parameter[2] - '0'))};
  return {exchange_bytes_, nullptr};
}

HostArguments::HostArguments(std::vector<std::string> parameters, const Range& range)
    : parameters_(std::move(parameters)),
      range_(range),
      plain_(range),
      memory_(parameters_.size()),
      addresses_(parameters_.size()) {
  const bool has_shared =
      std::ranges::any_of(parameters_, [](const std::string& p) { return !!shared_argument(p); });
  for (unsigned i = 0; has_shared && i < shared_arguments; ++i)
    shared_.push_back(shared_contents(range, i));
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    const std::optional<unsigned> shared = shared_argument(parameters_[i]);
    if (shared) {
      addresses_[i] =
          shared_[sharing_of(range).places.at(*shared).allocation].data() + extent_of(range, *shared).offset;
      pointers_.push_back(&addresses_[i]);
      continue;
    }
    const bool is_plain = PlainArguments::has(parameters_[i]);
    const PlainArgument plain = is_plain ? plain_.of(parameters_[i]) : PlainArgument();
    if (is_plain && plain.value) {
      pointers_.push_back(const_cast<void*>(plain.value));
      continue;
    }
    if (is_plain)
      memory_[i].resize(plain.bytes);
    else
      memory_[i] = contents(plan_of(parameters_[i], range), parameters_[i]);
    addresses_[i] = memory_[i].data();
    pointers_.push_back(&addresses_[i]);
  }
}

Results HostArguments::results() const {
  Results results;
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (const std::optional<unsigned> shared = shared_argument(parameters_[i])) {
      const auto* first = static_cast<const unsigned char*>(addresses_[i]);
      results[parameters_[i]].assign(first, first + extent_of(range_, *shared).size);
    } else if (!PlainArguments::has(parameters_[i]) && plan_of(parameters_[i], range_).is_result)
      results[parameters_[i]] = memory_[i];
  }
  return results;
}

} // namespace differential
