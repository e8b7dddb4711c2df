// main() for fuzzers in builds without libFuzzer: each file of a corpus as it is, and then changed at random, the same
// each time.
// usage: FUZZER [--count=N] [--seed=N] [--keep=FILE] FILE...
//   --keep writes the input that is tried next, so that it can be had after a crash

#include "target.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <unistd.h>

namespace {

using Input = std::vector<std::uint8_t>;
using Random = std::mt19937_64;

/// What the handler of signals prints.
std::array<char, 512> current;

void on_crash(int signal) {
  (void)!write(STDERR_FILENO, current.data(), std::strlen(current.data()));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

Input read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::size_t place_in(const Input& input, Random& random) {
  return input.empty() ? 0 : random() % input.size();
}

/// Changes bits, numbers, or the order of pieces; `other` is where pieces may come from.
void mutate(Input& input, const Input& other, Random& random) {
  const std::size_t place = place_in(input, random),
                    length = std::min<std::size_t>(1 + random() % 16, input.size() - place);
  const auto at = input.begin() + static_cast<std::ptrdiff_t>(place);
  const auto end = at + static_cast<std::ptrdiff_t>(length);
  switch (random() % 7) {
  case 0:
    input.erase(at, end);
    break;
  case 1:
    input.insert(at, random() % 4, static_cast<std::uint8_t>(random()));
    break;
  case 2: {
    const Input piece(at, end);
    input.insert(input.begin() + static_cast<std::ptrdiff_t>(place_in(input, random)), piece.begin(),
                 piece.end());
    break;
  }
  case 3: {
    const std::size_t from = place_in(other, random);
    const std::size_t bytes = std::min<std::size_t>(random() % 32, other.size() - from);
    input.insert(at, other.begin() + static_cast<std::ptrdiff_t>(from),
                 other.begin() + static_cast<std::ptrdiff_t>(from + bytes));
    break;
  }
  case 4: {
    constexpr std::array<std::uint8_t, 6> special = {0, 1, 0x7f, 0x80, 0xfe, 0xff};
    if (!input.empty()) input[place] = special[random() % special.size()];
    break;
  }
  default:
    if (!input.empty()) input[place] ^= static_cast<std::uint8_t>(1u << random() % 8);
  }
}

struct Settings {
  std::uint64_t count = 1000, seed = 0;
  std::string keep;
  std::vector<std::string> names;
  std::vector<Input> corpus;

  void add(const std::filesystem::path& path) {
    if (std::filesystem::is_directory(path)) {
      std::vector<std::filesystem::path> files(std::filesystem::directory_iterator(path), {});
      std::ranges::sort(files);
      for (const auto& file : files)
        add(file);
      return;
    }
    names.push_back(path.string());
    corpus.push_back(read_file(path));
  }
};

void try_input(const Settings& settings, const Input& input) {
  constexpr unsigned most_seconds = 60;
  if (!settings.keep.empty())
    std::ofstream(settings.keep, std::ios::binary)
        .write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
  alarm(most_seconds);
  LLVMFuzzerTestOneInput(input.data(), input.size());
  alarm(0);
}

} // namespace

int main(int count, char** arguments) {
  Settings settings;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (argument.starts_with("--count="))
      settings.count = std::strtoull(argument.c_str() + 8, nullptr, 10);
    else if (argument.starts_with("--seed="))
      settings.seed = std::strtoull(argument.c_str() + 7, nullptr, 10);
    else if (argument.starts_with("--keep="))
      settings.keep = argument.substr(7);
    else
      settings.add(argument);
  }
  if (settings.corpus.empty()) {
    std::fprintf(stderr, "usage: FUZZER [--count=N] [--seed=N] [--keep=FILE] FILE...\n");
    return 2;
  }
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM})
    std::signal(signal, on_crash);
  for (std::size_t i = 0; i < settings.corpus.size(); ++i) {
    std::snprintf(current.data(), current.size(), "failed: %s\n", settings.names[i].c_str());
    try_input(settings, settings.corpus[i]);
  }
  for (std::uint64_t i = 0; i < settings.count; ++i) {
    Random random(settings.seed + i);
    const std::size_t chosen = random() % settings.corpus.size();
    Input input = settings.corpus[chosen];
    for (std::uint64_t changes = random() % 2 ? 1 : 1 + random() % 6; changes > 0; --changes)
      mutate(input, settings.corpus[random() % settings.corpus.size()], random);
    std::snprintf(current.data(), current.size(), "failed: --seed=%" PRIu64 " --count=1, of %s\n",
                  settings.seed + i, settings.names[chosen].c_str());
    try_input(settings, input);
  }
  std::printf("%zu inputs as they are, %" PRIu64 " changed\n", settings.corpus.size(), settings.count);
  return 0;
}
