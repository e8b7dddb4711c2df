// What a module says of itself, and that its serialised form says the same.

#include "compiler/compiler.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <vector>

using namespace hostcl::compiler;

namespace {

ModulePtr compiled(const char* source) {
  Outcome<ModulePtr> outcome = compile(default_settings(), source, "");
  INFO(outcome.log);
  REQUIRE(outcome.status == Status::success);
  return outcome.value;
}

ModulePtr library_of(std::initializer_list<ModulePtr> objects) {
  Outcome<ModulePtr> outcome =
      link(default_settings(), std::span(objects.begin(), objects.size()), "-create-library");
  INFO(outcome.log);
  REQUIRE(outcome.status == Status::success);
  return outcome.value;
}

constexpr const char* whole = "int twice(int x) { return 2 * x; }\n"
                              "kernel void k(global int* p) { *p = twice(*p); }\n";
constexpr const char* part = "int twice(int x);\n"
                             "kernel void k(global int* p) { *p = twice(*p); }\n";

} // namespace

TEST_CASE("Module: an object is complete if it defines what it calls", "[module]") {
  CHECK(compiled(whole)->properties().is_complete);
  CHECK(compiled("kernel void k(global float* p) { *p = sin(*p); }")->properties().is_complete);
  CHECK_FALSE(compiled(part)->properties().is_complete);
}

TEST_CASE("Module: a library of one object is as complete as the object", "[module]") {
  CHECK(library_of({compiled(whole)})->properties().is_complete);
  CHECK_FALSE(library_of({compiled(part)})->properties().is_complete);
}

TEST_CASE("Module: functions of several objects may call themselves in a circle", "[module]") {
  const ModulePtr even = compiled("bool odd(int x); bool even(int x) { return x == 0 || odd(x - 1); }");
  const ModulePtr odd = compiled("bool even(int x); bool odd(int x) { return x != 0 && even(x - 1); }");
  CHECK_FALSE(library_of({even, odd})->properties().is_complete);
  CHECK(
      library_of({compiled("kernel void a() {}"), compiled("kernel void b() {}")})->properties().is_complete);
}

TEST_CASE("Module: serialised and read again it has the same properties and bitcode", "[module]") {
  for (const ModulePtr& module : {compiled(whole), compiled(part), library_of({compiled(whole)})}) {
    const Outcome<ModulePtr> read = deserialise(default_settings(), serialise(*module));
    REQUIRE(read.status == Status::success);
    CHECK(read.value->kind() == module->kind());
    // Nothing that a binary says of itself is taken for granted, and what a library lacks is found by linking it.
    const bool may_be_complete = module->kind() != ModuleKind::library;
    CHECK(read.value->properties().is_complete == (may_be_complete && module->properties().is_complete));
    CHECK(std::ranges::equal(read.value->bitcode(), module->bitcode()));
  }
}

TEST_CASE("Module: what the header says is part of the checksum", "[module]") {
  const std::vector<std::byte> bytes = serialise(*compiled(part));
  for (std::size_t i = 0; i < 32; ++i) {
    std::vector<std::byte> damaged = bytes;
    damaged[i] ^= std::byte{1};
    CAPTURE(i);
    CHECK(deserialise(default_settings(), damaged).status == Status::invalid_binary);
  }
}
