#include "bench/survey/kernel.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <stdexcept>

namespace bench::survey {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path);
  if (!stream) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::vector<std::size_t> numbers(std::istream& words) {
  return {std::istream_iterator<std::size_t>(words), std::istream_iterator<std::size_t>()};
}

void read_contents(Argument& argument, std::istream& words) {
  static const std::map<std::string, Fill> fills = {{"random", Fill::random},
                                                    {"zero", Fill::zero},
                                                    {"permutation", Fill::permutation},
                                                    {"ascending", Fill::ascending}};
  for (std::string word; words >> word;) {
    if (word == "unchecked" || word == "reset") {
      (word == "reset" ? argument.reset : argument.unchecked) = true;
    } else {
      const auto fill = fills.find(word);
      if (fill == fills.end()) throw std::runtime_error("unknown contents: " + word);
      argument.fill = fill->second;
    }
    argument.buffer = true;
  }
}

Argument read_argument(const std::string& name, std::istream& words) {
  Argument argument;
  argument.name = name;
  if (!(words >> argument.type >> argument.value))
    throw std::runtime_error("argument " + name + " has no type and number");
  read_contents(argument, words);
  return argument;
}

Kernel read_kernel(const std::filesystem::path& path) {
  Kernel kernel;
  kernel.name = path.parent_path().filename() / path.stem();
  kernel.source = read_file(path);
  std::istringstream lines(kernel.source);
  for (std::string line; std::getline(lines, line) && line.starts_with("// ");) {
    if (kernel.title.empty()) {
      kernel.title = line.substr(3);
      continue;
    }
    std::istringstream words(line.substr(3));
    std::string key;
    std::getline(words, key, ':');
    if (key == "global")
      kernel.global = numbers(words);
    else if (key == "local")
      kernel.local = numbers(words);
    else
      kernel.arguments.push_back(read_argument(key, words));
  }
  if (kernel.global.empty() || kernel.global.size() > 3 || kernel.local.size() != kernel.global.size())
    throw std::runtime_error(path.string() + ": there are no sizes of one to three dimensions");
  return kernel;
}

} // namespace

std::vector<Kernel> read_kernels(const std::filesystem::path& folder) {
  std::vector<Kernel> kernels;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".cl") kernels.push_back(read_kernel(entry.path()));
  std::ranges::sort(kernels, {}, &Kernel::name);
  return kernels;
}

} // namespace bench::survey
