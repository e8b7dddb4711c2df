#include "compiler/passes/2_vector/options.hpp"
#include "compiler/passes/switch_parameters.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr Capabilities avx512{
    .vector_bits = 512, .byte_masks = true, .compresses = true, .long_conversions = true};

struct Number {
  StringLiteral name;
  unsigned& (*in)(VectoriseOptions& options);
};

constexpr Number numbers[] = {
    {"width", [](VectoriseOptions& options) -> unsigned& { return options.width; }},
    {"vector-bits", [](VectoriseOptions& options) -> unsigned& { return options.cpu.vector_bits; }},
    {"integer-latency", [](VectoriseOptions& options) -> unsigned& { return options.cpu.integer_latency; }},
    {"dimension", [](VectoriseOptions& options) -> unsigned& { return options.dimension; }},
    {"most-accesses", [](VectoriseOptions& options) -> unsigned& { return options.most_accesses; }},
};

/// A flag of the textual form; `no-` before the name turns the flag off.
struct Flag {
  StringLiteral name;
  bool& (*in)(VectoriseOptions& options);
};

constexpr Flag flags[] = {
    {"gathers", [](VectoriseOptions& options) -> bool& { return options.cpu.gathers; }},
    {"permutes", [](VectoriseOptions& options) -> bool& { return options.cpu.permutes; }},
    {"byte-masks", [](VectoriseOptions& options) -> bool& { return options.cpu.byte_masks; }},
    {"compresses", [](VectoriseOptions& options) -> bool& { return options.cpu.compresses; }},
    {"long-conversions", [](VectoriseOptions& options) -> bool& { return options.cpu.long_conversions; }},
    {"fetches-overwritten",
     [](VectoriseOptions& options) -> bool& { return options.cpu.fetches_overwritten; }},
    {"slow-scattered-access",
     [](VectoriseOptions& options) -> bool& { return options.cpu.slow_scattered_access; }},
    {"split-rows", [](VectoriseOptions& options) -> bool& { return options.partial_sub_groups; }},
    {"small-ids", [](VectoriseOptions& options) -> bool& { return options.ids_fit_31_bits; }},
    {"print-plan", [](VectoriseOptions& options) -> bool& { return options.print_plan; }},
    {"only-if-faster", [](VectoriseOptions& options) -> bool& { return options.only_if_faster; }},
};

} // namespace

std::string text_of(const VectoriseOptions& options) {
  VectoriseOptions ours = options, usual;
  std::string text;
  auto add = [&](const Twine& word) { text += (text.empty() ? word : ";" + word).str(); };
  for (const Number& number : numbers)
    if (const unsigned value = number.in(ours); value != number.in(usual))
      add(number.name + "=" + Twine(value));
  for (const Flag& flag : flags)
    if (const bool value = flag.in(ours); value != flag.in(usual)) add((value ? "" : "no-") + flag.name);
  if (const std::string switches = text_of(options.switches); !switches.empty()) add(switches);
  return text;
}

Expected<VectoriseOptions> parse_vectorise_options(StringRef text) {
  VectoriseOptions options;
  for (StringRef word : split(text, ';')) {
    if (word.empty()) continue;
    auto [name, value] = word.split('=');
    if (word == "cpu=avx512") {
      options.cpu = avx512;
    } else if (const auto* number = find_if(numbers, [&](const Number& row) { return row.name == name; });
               number != std::end(numbers)) {
      if (value.getAsInteger(10, number->in(options)))
        return createStringError("vectorise: '" + word + "' has no number");
    } else {
      const bool is_on = !name.consume_front("no-");
      const auto* flag = find_if(flags, [&](const Flag& row) { return row.name == name; });
      if (flag != std::end(flags) && !word.contains('='))
        flag->in(options) = is_on;
      else if (!take_switch(word, options.switches))
        return createStringError("vectorise: the parameter '" + word + "' is unknown");
    }
  }
  return options;
}

} // namespace hostcl::compiler
