#pragma once

// The collection that hostile sources are put into, and what their texts are made of.

#include "sources.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace test {

std::string repeat(std::string_view text, std::size_t count);

/// `before` n times, a middle, `after` n times.
std::string nest(std::string_view before, std::string_view middle, std::string_view after, std::size_t count);

/// A kernel `k` with this body.
std::string kernel(std::string_view body);

/// Macros that double what they stand for, n times.
std::string doubling(std::string_view term, std::string_view between, unsigned times);

class Corpus {
public:
  void add(std::string name, std::string text, std::string options = {}) {
    sources_.push_back({std::move(name), std::move(text), std::move(options)});
  }
  void add_long(std::string name, std::string text, std::string options = {}) {
    add(std::move(name), std::move(text), std::move(options));
    sources_.back().is_long = true;
  }
  /// The name is the text.
  void body(const std::string& text, std::string options = {}) {
    add(text, kernel(text), std::move(options));
  }
  void whole(const std::string& text, std::string options = {}) {
    add(text, text + "\n" + kernel("p[0] = 1;"), std::move(options));
  }
  std::vector<HostileSource> take() { return std::move(sources_); }

private:
  std::vector<HostileSource> sources_;
};

constexpr const char* cxx = "-cl-std=CLC++2021";

void add_pragmas(Corpus& corpus);
void add_lines(Corpus& corpus);
void add_encodings(Corpus& corpus);
void add_depth(Corpus& corpus);
void add_macros(Corpus& corpus);
void add_files(Corpus& corpus, const std::string& folder);
void add_attributes(Corpus& corpus);
void add_statements(Corpus& corpus);
void add_constructors(Corpus& corpus);
void add_templates(Corpus& corpus);
void add_cxx(Corpus& corpus);
void add_large_data(Corpus& corpus);
void add_large_functions(Corpus& corpus);
void add_long_texts(Corpus& corpus);

} // namespace test
