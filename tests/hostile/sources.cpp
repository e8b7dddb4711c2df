#include "sources.hpp"

#include "corpus.hpp"

namespace test {

std::vector<HostileSource> hostile_sources(const std::string& folder) {
  Corpus corpus;
  add_pragmas(corpus);
  add_lines(corpus);
  add_encodings(corpus);
  add_depth(corpus);
  add_macros(corpus);
  add_files(corpus, folder);
  add_attributes(corpus);
  add_statements(corpus);
  add_constructors(corpus);
  add_templates(corpus);
  add_cxx(corpus);
  add_large_data(corpus);
  add_large_functions(corpus);
  add_long_texts(corpus);
  return corpus.take();
}

} // namespace test
