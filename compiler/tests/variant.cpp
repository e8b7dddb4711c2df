// The launches that machine code runs: the result of covers() is compared with the properties that the code relies
// on, read from the launch itself.

#include "compiler/code/variant.hpp"
#include "compiler/compiler.hpp"
#include "support/catch.hpp"

#include <array>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

using namespace hostcl;
using namespace hostcl::compiler;

namespace {

using Sizes = std::array<std::uint64_t, 3>;

abi::NDRange launch_of(unsigned dimensions, const Sizes& global, const Sizes& offset, const Sizes& local) {
  abi::NDRange launch{};
  launch.work_dim = dimensions;
  for (unsigned d = 0; d < 3; ++d) {
    launch.global_size[d] = d < dimensions ? global[d] : 1;
    launch.global_offset[d] = d < dimensions ? offset[d] : 0;
    launch.local_size[d] = d < dimensions ? local[d] : 1;
    launch.group_count[d] = (launch.global_size[d] + launch.local_size[d] - 1) / launch.local_size[d];
  }
  return launch;
}

std::vector<abi::NDRange> random_launches(unsigned count) {
  std::mt19937 random(7);
  const auto any = [&](std::initializer_list<std::uint64_t> values) {
    return *(values.begin() + random() % values.size());
  };
  std::vector<abi::NDRange> launches;
  while (launches.size() < count) {
    Sizes global, offset, local;
    for (unsigned d = 0; d < 3; ++d) {
      local[d] = any({1, 1, 1, 2, 3, 4, 5, 8, 12, 16, 24, 32, 48, 64, 96, 128, 1000});
      global[d] =
          any({1, 2, 7, 16, 100, 1024, local[d], 3 * local[d], 64 * local[d], std::uint64_t{1} << 31});
      offset[d] = any({0, 0, 0, 1, 17, std::uint64_t{1} << 31});
    }
    launches.push_back(launch_of(1 + random() % 3, global, offset, local));
    launches.back().buffers_disjoint = random() % 2;
  }
  return launches;
}

/// The sizes that the groups of a launch have in a dimension: one or two.
std::array<std::uint64_t, 2> group_sizes(const abi::NDRange& launch, unsigned dimension) {
  const std::uint64_t global = launch.global_size[dimension], local = launch.local_size[dimension];
  if (global % local == 0) return {local, local};
  return {global < local ? global % local : local, global % local};
}

/// Whether some group has several rows and rows that are not a multiple of the vectors.
bool has_partial_sub_groups(const Variant& code, const abi::NDRange& launch) {
  const unsigned x = code.vector_dimension;
  const bool one_row =
      launch.local_size[0] * launch.local_size[1] * launch.local_size[2] == launch.local_size[x];
  return !one_row && (launch.local_size[x] % code.width_limit != 0 ||
                      launch.global_size[x] % launch.local_size[x] % code.width_limit != 0);
}

/// Whether everything holds that code for the canonical variant may rely on.
bool holds(const Variant& code, const abi::NDRange& launch) {
  for (unsigned d = 0; d < 3; ++d) {
    const std::uint64_t global = launch.global_size[d], local = launch.local_size[d],
                        offset = launch.global_offset[d];
    if (d >= code.dimensions && (global != 1 || local != 1 || offset != 0)) return false;
    if (code.uniform_groups && global % local != 0) return false;
    if (code.single_item && local != 1) return false;
    if (code.small_ids && offset + global > std::uint64_t{1} << 31) return false;
  }
  if (code.buffers_disjoint && !launch.buffers_disjoint) return false;
  if (code.linearised_sub_groups) { // every group has as many work-items, or nothing is known
    const std::uint64_t items = launch.local_size[0] * launch.local_size[1] * launch.local_size[2];
    return !code.one_vector && (code.multiple == 1 || (code.uniform_groups && items % code.multiple == 0));
  }
  for (const std::uint64_t size : group_sizes(launch, code.vector_dimension)) {
    if (size % code.multiple != 0) return false;
    if (code.one_vector && size != code.width_limit) return false;
  }
  return true;
}

constexpr KernelProperties all_properties[] = {
    {1, 0, 0},    {4, 0, 0},        {8, 1, 0},           {16, 0, 0},         {16, 1, 0},
    {32, 0, 0},   {64, 1, 0},       {16, 0, 1},          {8, 0, 1},          {16, 0, 1, 1},
    {4, 0, 1, 1}, {16, 0, 0, 0, 8}, {16, 0, 0, 0, 0, 1}, {8, 1, 0, 0, 8, 1}, {16, 0, 1, 0, 0, 1}};

const Settings settings;

} // namespace

TEST_CASE("Variants: code runs no launch that it makes a wrong assumption about", "[variant]") {
  const std::vector<abi::NDRange> launches = random_launches(400);
  for (const KernelProperties& properties : all_properties) {
    unsigned wrong = 0, uncovered = 0, shared = 0;
    for (const abi::NDRange& first : launches) {
      const Variant code = canonical(variant_for(first, settings), properties);
      uncovered += !covers(code, variant_for(first, settings), properties) || !holds(code, first);
      for (const abi::NDRange& other : launches) {
        if (!covers(code, variant_for(other, settings), properties)) continue;
        wrong += !holds(code, other);
        ++shared;
      }
    }
    CAPTURE(properties.width, properties.columns, properties.sees_vectors);
    CHECK(wrong == 0);
    CHECK(uncovered == 0);
    CHECK(shared > launches.size()); // launches other than those that the code was made for
  }
}

TEST_CASE("Variants: one runs all launches of as many dimensions, unless the kernel sees its vectors",
          "[variant]") {
  const std::vector<abi::NDRange> launches = random_launches(2000);
  Variant any_launch, small_launch;
  small_launch.small_ids = true;
  for (const KernelProperties& properties : all_properties) {
    const auto any = tier0_variant(properties, /*uniform_groups=*/false, any_launch);
    const auto regular = tier0_variant(properties, true, any_launch),
               small = tier0_variant(properties, false, small_launch);
    CAPTURE(properties.width, properties.columns, properties.sees_vectors);
    REQUIRE(any.has_value() == !properties.sees_vectors);
    unsigned refused = 0;
    for (const abi::NDRange& launch : launches) {
      const Variant variant = variant_for(launch, settings);
      refused += any && (!covers(*any, variant, properties) || !holds(*any, launch));
      refused += regular && covers(*regular, variant, properties) != variant.uniform_groups;
      refused += small && covers(*small, variant, properties) != variant.small_ids;
      const auto alike = tier0_variant(properties, false, variant);
      refused += alike && (!covers(*alike, variant, properties) || !holds(*alike, launch));
    }
    CHECK(refused == 0);
  }
}

TEST_CASE("Variants: code for launches of one dimension runs none of several", "[variant]") {
  Variant line;
  line.dimensions = 1;
  const KernelProperties properties{16, 0, 0};
  const auto code = tier0_variant(properties, false, line);
  REQUIRE(code);
  for (const abi::NDRange& launch : random_launches(400))
    CHECK(covers(*code, variant_for(launch, settings), properties) ==
          (variant_for(launch, settings).dimensions == 1));
}

TEST_CASE("Variants: sub-groups of a launch have one size, whichever code runs it", "[variant]") {
  const std::vector<abi::NDRange> launches = random_launches(400);
  for (const KernelProperties& properties : {KernelProperties{16, 0, 1}, KernelProperties{8, 0, 1}})
    for (const abi::NDRange& first : launches) {
      const Variant code = canonical(variant_for(first, settings), properties);
      for (const abi::NDRange& other : launches)
        if (covers(code, variant_for(other, settings), properties))
          REQUIRE(canonical(variant_for(other, settings), properties).width_limit == code.width_limit);
      REQUIRE(code.partial_sub_groups == has_partial_sub_groups(code, first));
    }
}

TEST_CASE("Variants: the local size alone decides about sub-groups", "[variant]") {
  for (const KernelProperties& properties : {KernelProperties{16, 0, 1}, KernelProperties{8, 0, 1}})
    for (const abi::NDRange& launch : random_launches(1000)) {
      const Variant variant = variant_for(launch, settings);
      const Sizes local = std::to_array(launch.local_size);
      const abi::NDRange one_group = launch_of(3, local, {}, local);
      CAPTURE(variant.text());
      REQUIRE(canonical(variant, properties).width_limit ==
              canonical(variant_for(one_group, settings), properties).width_limit);
    }
}

TEST_CASE("Variants: each has a text of its own", "[variant]") {
  std::map<std::string, Variant> texts;
  for (const abi::NDRange& launch : random_launches(5000))
    for (const KernelProperties& properties : all_properties)
      for (const Variant& variant :
           {variant_for(launch, settings), canonical(variant_for(launch, settings), properties)}) {
        const auto [known, is_new] = texts.emplace(variant.text(), variant);
        CAPTURE(known->first);
        REQUIRE(known->second == variant);
      }
}

TEST_CASE("Variants: sub-groups have the required size in all launches", "[variant]") {
  Settings wide;
  wide.width = 8; // which is for kernels that require nothing
  for (const KernelProperties& properties :
       {KernelProperties{16, 0, 1, 1}, KernelProperties{4, 0, 1, 1}, KernelProperties{1, 0, 1, 1}})
    for (const abi::NDRange& launch : random_launches(1000)) {
      const Variant code = canonical(variant_for(launch, wide), properties);
      CAPTURE(code.text());
      REQUIRE(code.width_limit == properties.width);
      REQUIRE_FALSE(code.partial_sub_groups);
      Variant rows = code; // as the vectors would lie if rows were not joined
      rows.vector_dimension = variant_for(launch, wide).vector_dimension;
      REQUIRE(code.linearised_sub_groups == has_partial_sub_groups(rows, launch));
    }
}

TEST_CASE("Variants: what a launch knows of its buffers doubles them at most", "[variant]") {
  const std::vector<abi::NDRange> launches = random_launches(20'000);
  const auto versions = [&](const KernelProperties& properties, bool disjoint) {
    std::set<Variant> all;
    for (abi::NDRange launch : launches) {
      launch.buffers_disjoint &= disjoint;
      all.insert(canonical(variant_for(launch, settings), properties));
    }
    return all.size();
  };
  for (const KernelProperties& properties : all_properties) {
    KernelProperties gains = properties, gains_not = properties;
    gains.gains_if_disjoint = 1;
    gains_not.gains_if_disjoint = 0;
    CAPTURE(properties.width, properties.columns, properties.sees_vectors, properties.required,
            properties.group_rows);
    CHECK(versions(gains_not, true) ==
          versions(gains_not, false)); // kernels that gain nothing have none more
    CHECK(versions(gains, false) == versions(gains_not, false));
    CHECK(versions(gains, true) <= 2 * versions(gains, false));
    CHECK((versions(gains, true) > versions(gains, false)) == !properties.sees_vectors);
  }
}

TEST_CASE("Variants: code that relies on buffers that are disjoint runs no other launch", "[variant]") {
  constexpr KernelProperties properties{.width = 16, .gains_if_disjoint = 1};
  for (const abi::NDRange& launch : random_launches(1000)) {
    abi::NDRange disjoint = launch, overlapping = launch;
    disjoint.buffers_disjoint = 1;
    overlapping.buffers_disjoint = 0;
    const Variant code = canonical(variant_for(disjoint, settings), properties);
    REQUIRE(code.buffers_disjoint);
    REQUIRE_FALSE(covers(code, variant_for(overlapping, settings), properties));
    const Variant plain = canonical(variant_for(overlapping, settings), properties);
    REQUIRE_FALSE(plain.buffers_disjoint);
    REQUIRE(covers(plain, variant_for(disjoint, settings), properties));
    REQUIRE(assumptions_in(code) > assumptions_in(plain)); // so that launches that are disjoint take it
  }
}
