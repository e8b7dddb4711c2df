#include "corpus.hpp"

namespace test {

namespace {

constexpr const char* attributes[] = {
#include "attributes.inc"
};
constexpr const char* declarations[] = {
#include "declarations.inc"
};
constexpr const char* statements[] = {
#include "statements.inc"
};
constexpr const char* builtins[] = {
#include "builtins.inc"
};

} // namespace

void add_attributes(Corpus& corpus) {
  for (const char* attribute : attributes) {
    corpus.whole(std::string("__attribute__((") + attribute +
                 ")) int f(int x) { return x; } int g(global int* p) { return f(p[0]); }");
    corpus.add(std::string("a kernel with ") + attribute,
               std::string("__attribute__((") + attribute + ")) " + kernel("p[0] = 1;"));
  }
  for (const char* declaration : declarations)
    corpus.whole(declaration);
}

void add_statements(Corpus& corpus) {
  for (const char* statement : statements)
    corpus.body(statement, "-cl-std=CL3.0");
  for (const char* builtin : builtins)
    corpus.body(std::string("p[0] = (int)__builtin_") + builtin + ";", "-cl-std=CL3.0");
}

} // namespace test
