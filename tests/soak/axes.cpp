#include "soak/axes.hpp"

namespace soak {

namespace {

struct Name {
  std::string_view text;
  bool Axes::* axis;
};
constexpr Name names[] = {{"faults", &Axes::faults},
                          {"forks", &Axes::forks},
                          {"stacks", &Axes::stacks},
                          {"limits", &Axes::limits},
                          {"cancels", &Axes::cancels}};

std::string number(const Counts::Count& count) {
  return std::to_string(count.load());
}

} // namespace

std::optional<Axes> parse_axes(std::string_view text) {
  Axes result;
  while (!text.empty()) {
    const std::string_view first = text.substr(0, text.find(','));
    text.remove_prefix(first.size() < text.size() ? first.size() + 1 : first.size());
    bool is_known = false;
    for (const Name& name : names)
      if (first == name.text || first == "all") result.*name.axis = is_known = true;
    if (!is_known) return {};
  }
  return result;
}

std::string report() {
  std::string text = number(counts.commands) + " commands, " + number(counts.comparisons) + " comparisons\n";
  if (axes.faults)
    text += "  faults: " + number(counts.protections) + " protections, " + number(counts.faults) +
            " faults handled on the application's threads, " + number(counts.driver_faults) + " on others\n";
  if (axes.forks)
    text += "  forks: " + number(counts.new_forks) + " children with new objects, " +
            number(counts.idle_forks) + " with their parent's, " + number(counts.forks_without_compiler) +
            " without a compiler\n";
  if (axes.stacks)
    text += "  stacks: " + number(counts.threads) + " threads, the smallest stack has " +
            std::to_string(counts.smallest_stack / 1024) + " KB\n";
  if (axes.limits)
    text += "  limits: lowered " + number(counts.lowered) + " times, " + number(counts.shortages) +
            " calls or commands failed, " + number(counts.renewed) + " memories renewed\n";
  if (axes.cancels) text += "  cancels: " + number(counts.cancels) + " threads cancelled\n";
  return text + "  again: " + repetition + "\n";
}

} // namespace soak
