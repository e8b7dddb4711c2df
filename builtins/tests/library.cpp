#include "builtins/library.hpp"
#include "support/catch.hpp"

#include <cstring>

using namespace hostcl::builtins;

TEST_CASE("find: a mangled name leads to the unit that defines it") {
  const Unit* unit = find("_Z13get_global_idj");
  REQUIRE(unit);
  CHECK(unit->name == "work_item/ids.0");
  CHECK(find("_Z12convert_int4Dv4_f")->name.starts_with("convert/int."));
}

TEST_CASE("find: null for what nobody defines, and for what is local to a unit") {
  CHECK(find("") == nullptr);
  CHECK(find("_Z13get_global_idi") == nullptr);
  CHECK(find("~") == nullptr);
}

TEST_CASE("units: each is bitcode with a name of its own") {
  REQUIRE_FALSE(units().empty());
  for (const Unit& unit : units()) {
    REQUIRE(unit.bitcode.size() > 4);
    CHECK(std::memcmp(unit.bitcode.data(), "BC\xC0\xDE", 4) == 0);
    CHECK_FALSE(unit.name.empty());
  }
}

TEST_CASE("headers_for: only what the source mentions, each once") {
  CHECK(headers_for("kernel void f() {}").empty());
  auto counters = headers_for("void f(counter32_t a, counter64_t b)");
  REQUIRE(counters.size() == 1);
  CHECK(counters[0] == "hostcl/counters.h");
  CHECK(headers_for("atomic_half* x; work_group_reduce_mul(1)").size() == 2);
}

TEST_CASE("embedded_headers: every header that a program may get is there") {
  auto has = [](std::string_view name) {
    for (const EmbeddedHeader& header : embedded_headers())
      if (header.name == name) return !header.text.empty();
    return false;
  };
  CHECK(has("sycl/atomic_ref.hpp"));
  CHECK(has("hostcl/declare.h"));
  for (std::string_view name : headers_for(
           "counter32_t atomic_half async_work_group_copy_2D2D work_group_scan_ intel_sub_group_shuffle "
           "intel_sub_group_2d_block_ intel_sub_group_i8_i8_matrix_mad_k32 intel_convert_tfloat32_as_float"))
    CHECK(has(name));
  CHECK_FALSE(header().empty());
}
