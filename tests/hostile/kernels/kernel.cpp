#include "hostile/kernels/kernel.hpp"

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace test {

namespace {

std::vector<Family> families(const std::string& wanted) {
  std::vector<Family> chosen;
  for (const auto& list : {memory_families(), endless_families(), call_families()})
    for (const Family& family : list)
      if (std::string(family.name).find(wanted) != std::string::npos) chosen.push_back(family);
  if (!chosen.empty()) return chosen;
  std::fprintf(stderr, "failed: no family of hostile kernels is called %s\n", wanted.c_str());
  std::_Exit(2);
}

std::string extra_parameters(Extra extra) {
  switch (extra) {
  case Extra::images:
    return ", read_only image2d_t in, write_only image2d_t out, read_write image2d_t both";
  case Extra::pipe:
    return ", write_only pipe uint p";
  case Extra::counter:
    return ", counter32_t n";
  default:
    return "";
  }
}

} // namespace

HostileKernel make_kernel(std::uint64_t seed, std::uint64_t number, const std::string& wanted) {
  const std::vector<Family> all = families(wanted);
  Random random(seed * 1'000'003 + number);
  const Family& family = all[number % all.size()];
  HostileKernel kernel{number, family.name, "hostile_" + std::to_string(number), {}, family.make(random)};
  const Hostility& made = kernel.hostility;
  kernel.source = made.declarations + "\nkernel void " + kernel.name +
                  "(global uint* o, ulong a, ulong b, ulong c, local uint* l" + extra_parameters(made.extra) +
                  ") {\n  const size_t id = get_global_id(0);\n  " + made.body + "\n}\n";
  return kernel;
}

} // namespace test
