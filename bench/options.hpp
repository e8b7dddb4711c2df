#pragma once

// Command lines of the programs in this folder.

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace bench {

/// `--NAME`, or `--NAME VALUE` where the variable that it sets has another type than bool. A vector gets one element each
/// time that the option is given.
struct Option {
  std::string_view name;
  std::variant<bool*, double*, std::string*, std::vector<std::string>*> variable;
};

/// Sets the options' variables. @returns the words that belong to none of them
/// @throws std::invalid_argument with the usage if an option is unknown or lacks its value
inline std::vector<std::string> parse_options(int argc, char** argv, std::initializer_list<Option> options,
                                              const char* usage) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!word.starts_with("-")) {
      words.emplace_back(word);
      continue;
    }
    const Option* found = nullptr;
    for (const Option& option : options)
      if (option.name == word) found = &option;
    if (!found) throw std::invalid_argument(usage);
    if (const auto* flag = std::get_if<bool*>(&found->variable)) {
      **flag = true;
      continue;
    }
    if (++i == argc) throw std::invalid_argument(usage);
    if (const auto* number = std::get_if<double*>(&found->variable))
      **number = std::stod(argv[i]);
    else if (const auto* list = std::get_if<std::vector<std::string>*>(&found->variable))
      (*list)->emplace_back(argv[i]);
    else
      *std::get<std::string*>(found->variable) = argv[i];
  }
  return words;
}

} // namespace bench
