// Changes words of SPIR-V modules at random and compiles what comes of it: each is compiled or refused, and nothing
// ends the process or takes long.
// usage: spirv_mutations [--count=N] [--seed=N] [--code] FILE.spv...
//   --code also makes machine code of the kernels of modules that were compiled

#include "compiler/compiler.hpp"

#include <cinttypes>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

using namespace hostcl;

struct Corpus {
  std::vector<std::string> names;
  std::vector<std::vector<std::uint32_t>> modules;
};

std::vector<std::uint32_t> read_module(const char* name) {
  std::ifstream file(name, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), words.size() * 4);
  return words;
}

/// What the handler of signals prints.
char current[512];

void on_crash(int signal) {
  (void)!write(STDERR_FILENO, current, std::strlen(current));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Words that mean something somewhere: small numbers, ids, sizes, and words of the module itself.
std::uint32_t other_word(std::mt19937_64& random, const std::vector<std::uint32_t>& words) {
  constexpr std::uint32_t special[] = {0,  1,  2,  3,  4,          8,          16,
                                       31, 32, 63, 64, 0x7fffffff, 0x80000000, 0xffffffff};
  switch (random() % 4) {
  case 0:
    return special[random() % std::size(special)];
  case 1:
    return static_cast<std::uint32_t>(random() % words[3]);
  case 2:
    return words[random() % words.size()];
  default:
    return static_cast<std::uint32_t>(random());
  }
}

/// Where instructions begin.
std::vector<std::size_t> starts(const std::vector<std::uint32_t>& words) {
  std::vector<std::size_t> places;
  for (std::size_t i = 5; i < words.size() && (words[i] >> 16) != 0; i += words[i] >> 16)
    places.push_back(i);
  return places;
}

/// Changes an operand, an opcode, or the order of instructions; rarely the length of one.
void mutate(std::vector<std::uint32_t>& words, std::mt19937_64& random) {
  const std::vector<std::size_t> places = starts(words);
  if (places.empty()) return;
  const std::size_t place = places[random() % places.size()], length = words[place] >> 16;
  if (place + length > words.size()) return;
  switch (random() % 16) {
  case 0:
    words[place] = (words[place] & 0xffff0000) | static_cast<std::uint32_t>(random() % 450);
    break;
  case 1: // away with it
    words.erase(words.begin() + place, words.begin() + place + length);
    break;
  case 2: { // once more, elsewhere
    const std::vector<std::uint32_t> copy(words.begin() + place, words.begin() + place + length);
    words.insert(words.begin() + places[random() % places.size()], copy.begin(), copy.end());
    break;
  }
  case 3:
    words[random() % words.size()] = other_word(random, words);
    break;
  default:
    if (length > 1) words[place + 1 + random() % (length - 1)] = other_word(random, words);
  }
}

/// Whether the module was compiled.
/// @param counts whether its lines are read, and instructions count how often they run (HOSTCL_COVERAGE)
bool compile(const std::vector<std::uint32_t>& words, bool makes_code, bool counts) {
  auto settings = std::make_shared<compiler::Settings>(*compiler::default_settings());
  settings->coverage = counts;
  if (!makes_code)
    return compiler::compile_il(settings, std::as_bytes(std::span(words)), {}, "").status ==
           compiler::Status::success;
  const auto program = compiler::build_il(settings, std::as_bytes(std::span(words)), {}, "");
  if (program.status != compiler::Status::success) return false;
  abi::NDRange launch{{1024, 1, 1}, {0, 0, 0}, {64, 1, 1}, {}, 1, 0};
  for (std::size_t kernel = 0; kernel < program.value.executable->kernels().size(); ++kernel)
    program.value.executable->kernel(kernel).tier1_code(launch);
  return true;
}

} // namespace

int main(int count, char** arguments) {
  std::uint64_t mutations = 1000, seed = 0;
  bool makes_code = false;
  Corpus corpus;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument.starts_with("--count="))
      mutations = std::strtoull(argument.c_str() + 8, nullptr, 10);
    else if (argument.starts_with("--seed="))
      seed = std::strtoull(argument.c_str() + 7, nullptr, 10);
    else if (argument == "--code")
      makes_code = true;
    else if (auto words = read_module(arguments[i]); words.size() > 5) {
      corpus.names.push_back(argument);
      corpus.modules.push_back(std::move(words));
    }
  }
  if (corpus.modules.empty()) {
    std::fprintf(stderr, "usage: spirv_mutations [--count=N] [--seed=N] [--code] FILE.spv...\n");
    return 2;
  }
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM})
    std::signal(signal, on_crash);
  std::uint64_t compiled = 0;
  for (std::uint64_t i = 0; i < mutations; ++i) {
    std::mt19937_64 random(seed + i);
    const std::size_t chosen = random() % corpus.modules.size();
    std::vector<std::uint32_t> words = corpus.modules[chosen];
    for (std::uint64_t changes = random() % 4 == 0 ? 1 + random() % 4 : 1; changes > 0; --changes)
      mutate(words, random);
    std::snprintf(current, sizeof current, "failed: --seed=%" PRIu64 " --count=1, of %s\n", seed + i,
                  corpus.names[chosen].c_str());
    alarm(30);
    compiled += compile(words, makes_code, random() % 2 == 0);
    alarm(0);
  }
  std::printf("%" PRIu64 " modules, %" PRIu64 " of them compiled\n", mutations, compiled);
  return 0;
}
