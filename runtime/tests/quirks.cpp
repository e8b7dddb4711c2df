// The object "quirks" of a device description: the values that are read, and the sentences of errors.

#include "runtime/description/quirks.hpp"
#include "support/catch.hpp"

#include <string>

#include <llvm/Support/JSON.h>

using namespace hostcl::runtime;

namespace {

Result<Quirks> read(const char* text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  REQUIRE(!!value);
  REQUIRE(value->getAsObject());
  return parse_quirks(*value->getAsObject());
}

/// The sentence of the error; empty if the quirks are valid.
std::string error(const char* text) {
  const Result<Quirks> result = read(text);
  if (!result.ok()) CHECK(result.error().code() == CL_INVALID_VALUE);
  return std::string(result.error().sentence());
}

} // namespace

TEST_CASE("Quirks: an empty object changes nothing", "[quirks]") {
  CHECK(read("{}").value() == Quirks{});
}

TEST_CASE("Quirks: each key sets its member", "[quirks]") {
  Quirks quirks;
  quirks.group_order = GroupOrder::random;
  quirks.seed = 18446744073709551615U;
  quirks.flush_denormals = quirks.contract = quirks.printf_buffer = true;
  quirks.fill_memory = std::byte{165};
  quirks.callback_delay_us = 200;
  quirks.registers = {.per_group = 65536, .least = 16, .most = 255};
  CHECK(read(R"({"group_order": "random", "seed": 18446744073709551615, "flush_denormals": true,
                 "contract": true, "printf_buffer": true, "fill_memory": 165, "callback_delay_us": 200,
                 "registers": {"per_group": 65536, "least": 16, "most": 255}})")
            .value() == quirks);
  CHECK(read(R"({"group_order": "reverse"})").value().group_order == GroupOrder::reverse);
  CHECK(read(R"({"fill_memory": 0})").value().fill_memory == std::byte{0});
}

TEST_CASE("Quirks: an error names the key, the value and the rule", "[quirks]") {
  CHECK(error(R"({"group_order": "backward"})") ==
        R"(quirks: "group_order" is "backward"; it must be "forward", "reverse" or "random")");
  CHECK(error(R"({"group_order": 1})") ==
        R"(quirks: "group_order" is 1; it must be "forward", "reverse" or "random")");
  CHECK(error(R"({"flush_denormals": 1})") == R"(quirks: "flush_denormals" is 1; it must be true or false)");
  CHECK(error(R"({"fill_memory": 256})") ==
        R"(quirks: "fill_memory" is 256; it must be a byte, from 0 to 255)");
  CHECK(error(R"({"callback_delay_us": -1})") ==
        R"(quirks: "callback_delay_us" is -1; it must be an integer from 0 to 4294967295)");
  CHECK(error(R"({"callback_delay_us": 4294967296})") ==
        R"(quirks: "callback_delay_us" is 4294967296; it must be an integer from 0 to 4294967295)");
  CHECK(error(R"({"seed": 0.5})") ==
        R"(quirks: "seed" is 0.5; it must be an integer from 0 to 18446744073709551615)");
  CHECK(error(R"({"registers": {"per_item": 4}})") ==
        R"(quirks: "registers" is {"per_item":4}; it must be an object with "per_group", "least" and )"
        R"("most", integers from 0 to 4294967295)");
  CHECK(error(R"({"order": "reverse"})") ==
        R"(quirks: the key "order" is unknown; known keys are group_order, seed, flush_denormals, contract, )"
        "fill_memory, printf_buffer, callback_delay_us, registers");
}

TEST_CASE("Quirks: private variables and the register file limit the work-items of a group", "[quirks]") {
  CHECK(Quirks::Registers{}.max_group_items(1'000'000) == ~std::uint64_t{0});
  const Quirks::Registers registers{.per_group = 65536, .least = 16, .most = 255};
  CHECK(registers.max_group_items(0) == 4096);
  CHECK(registers.max_group_items(64 * 4) == 1024);
  CHECK(registers.max_group_items(64 * 4 + 1) == 1008);
  CHECK(registers.max_group_items(1'000'000) == 257);
  CHECK(Quirks::Registers{.per_group = 4}.max_group_items(100) == 1);
}
