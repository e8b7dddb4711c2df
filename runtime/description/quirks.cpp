#include "runtime/description/quirks.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>

namespace hostcl::runtime {

namespace {

using llvm::json::Object;
using llvm::json::Value;

/// A key of the object that describes a `T`.
template <class T>
struct Key {
  std::string_view name;
  std::string_view rule;          ///< the values that the key may have
  bool (*read)(T&, const Value&); ///< @returns whether the value is allowed
};

/// Reads a flag, or an integer that the member can represent.
template <class T, auto member>
bool read_member(T& object, const Value& value) {
  using Member = std::remove_cvref_t<decltype(object.*member)>;
  if constexpr (std::is_same_v<Member, bool>) {
    const auto flag = value.getAsBoolean();
    object.*member = flag.value_or(false);
    return flag.has_value();
  } else {
    const auto number = value.getAsUINT64();
    object.*member = static_cast<Member>(number.value_or(0));
    return number && *number <= std::numeric_limits<Member>::max();
  }
}

/// Reads all keys of an object. @param name of the object, for errors
template <class T>
Status read_object(T& target, const Object& object, std::span<const Key<T>> keys, std::string_view name) {
  for (const auto& [written, value] : object) {
    const auto key = std::ranges::find(keys, std::string_view(written.str()), &Key<T>::name);
    if (key == keys.end()) {
      std::string known;
      for (const Key<T>& other : keys)
        known.append(known.empty() ? "" : ", ").append(other.name);
      return fail(CL_INVALID_VALUE, name, ": the key \"", std::string_view(written.str()),
                  "\" is unknown; known keys are ", known);
    }
    if (!key->read(target, value))
      return fail(CL_INVALID_VALUE, name, ": \"", key->name, "\" is ", llvm::formatv("{0}", value).str(),
                  "; it must be ", key->rule);
  }
  return {};
}

bool read_group_order(Quirks& quirks, const Value& value) {
  constexpr std::string_view names[] = {"forward", "reverse", "random"}; // in the order of GroupOrder
  const auto text = value.getAsString();
  const auto* const name = text ? std::ranges::find(names, std::string_view(*text)) : std::end(names);
  if (name == std::end(names)) return false;
  quirks.group_order = static_cast<GroupOrder>(name - names);
  return true;
}

bool read_fill_memory(Quirks& quirks, const Value& value) {
  const auto byte = value.getAsUINT64();
  if (!byte || *byte > 0xff) return false;
  quirks.fill_memory = static_cast<std::byte>(*byte);
  return true;
}

constexpr std::string_view a_flag = "true or false", an_integer = "an integer from 0 to 4294967295";

bool read_registers(Quirks& quirks, const Value& value) {
  using Registers = Quirks::Registers;
  static constexpr Key<Registers> keys[] = {
      {"per_group", an_integer, read_member<Registers, &Registers::per_group>},
      {"least", an_integer, read_member<Registers, &Registers::least>},
      {"most", an_integer, read_member<Registers, &Registers::most>},
  };
  const Object* object = value.getAsObject();
  return object && read_object<Registers>(quirks.registers, *object, keys, "registers").ok();
}

constexpr Key<Quirks> keys[] = {
    {"group_order", "\"forward\", \"reverse\" or \"random\"", read_group_order},
    {"seed", "an integer from 0 to 18446744073709551615", read_member<Quirks, &Quirks::seed>},
    {"flush_denormals", a_flag, read_member<Quirks, &Quirks::flush_denormals>},
    {"contract", a_flag, read_member<Quirks, &Quirks::contract>},
    {"fill_memory", "a byte, from 0 to 255", read_fill_memory},
    {"printf_buffer", a_flag, read_member<Quirks, &Quirks::printf_buffer>},
    {"callback_delay_us", an_integer, read_member<Quirks, &Quirks::callback_delay_us>},
    {"registers", "an object with \"per_group\", \"least\" and \"most\", integers from 0 to 4294967295",
     read_registers},
};

} // namespace

std::uint64_t Quirks::Registers::max_group_items(std::uint64_t private_bytes) const {
  if (per_group == 0) return ~std::uint64_t{0};
  constexpr std::uint64_t bytes = 4; // of a register
  const std::uint64_t values = private_bytes / bytes + (private_bytes % bytes != 0);
  const std::uint64_t each = std::max<std::uint64_t>({std::min<std::uint64_t>(values, most), least, 1});
  return std::max<std::uint64_t>(per_group / each, 1);
}

Result<Quirks> parse_quirks(const Object& object) {
  Quirks quirks;
  TRY(read_object<Quirks>(quirks, object, keys, "quirks"));
  return quirks;
}

void apply(const Quirks& quirks, compiler::Settings& settings) {
  settings.flush_denormals = quirks.flush_denormals;
  settings.contract = quirks.contract;
  // These heuristics run several of the application's work-groups as one, and so in ascending order.
  using enum compiler::Heuristic;
  if (quirks.group_order != GroupOrder::forward)
    settings.off |= compiler::Heuristics(group_size_agnostic, merged_groups);
}

} // namespace hostcl::runtime
