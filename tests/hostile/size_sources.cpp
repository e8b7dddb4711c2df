#include "corpus.hpp"

namespace test {

void add_large_data(Corpus& corpus) {
  corpus.add("an initialiser of 500,000",
             "constant int x[] = {" + repeat("1,", 500'000) + "};\n" + kernel("p[0] = x[p[1]];"));
  corpus.add("a sparse initialiser of 4 GB",
             "constant char x[] = {[0xffffffff] = 1};\n" + kernel("p[0] = x[p[1]];"));
  corpus.add("a sparse initialiser of 2^40",
             "constant char x[1UL << 40] = {[1] = 1};\n" + kernel("p[0] = x[p[1]];"));
  corpus.add("a range of 2^28", "constant int x[] = {[0 ... (1 << 28)] = 1};\n" + kernel("p[0] = x[p[1]];"));
  corpus.add("a variable of 2^40", "global char x[1UL << 40];\n" + kernel("p[0] = x[p[1]];"));
  corpus.add("a variable of 2^62", "global char x[1UL << 62];\n" + kernel("p[0] = x[p[1]];"));
  corpus.add("many variables of 2^31", [] {
    std::string text;
    for (int i = 0; i < 20; ++i)
      text += "global char x" + std::to_string(i) + "[1UL << 31];\n";
    return text;
  }() + kernel("p[0] = x1[p[1]] + x19[p[2]];"));
  corpus.add("a structure of 2^40 as argument",
             "struct S { char x[1UL << 40]; };\nkernel void h(struct S s) { }\n" + kernel(""));
  corpus.add("a structure of 2^33 by value",
             "struct S { char x[1UL << 33]; }; struct S f(struct S s) { s.x[1] = 1; return s; }\n" +
                 kernel("struct S s; s = f(s); p[0] = s.x[p[1]];"));
  corpus.add(
      "a structure of 1 MB by value",
      "struct S { int x[1 << 18]; }; struct S f(struct S s) { s.x[1] += 1; return s; }\n" +
          kernel("struct S s; s.x[0] = p[1]; for (int i = 0; i < 9; ++i) s = f(s); p[0] = s.x[p[1]];"));
  corpus.add("a padded structure of 2^60",
             "struct S { char a; char b __attribute__((aligned(1 << 28))); char c[1UL << 60]; };\n" +
                 kernel("p[0] = sizeof(struct S);"));
}

void add_large_functions(Corpus& corpus) {
  corpus.add(
      "10,000 arguments", "kernel void h(" + [] {
        std::string text = "int a";
        for (int i = 0; i < 10'000; ++i)
          text += ", int a" + std::to_string(i);
        return text;
      }() + ") { }\n" + kernel(""));
  corpus.add("10,000 kernels", [] {
    std::string text;
    for (int i = 0; i < 10'000; ++i)
      text += "kernel void h" + std::to_string(i) + "(global int* p) { p[0] = 1; }\n";
    return text;
  }() + kernel(""));
  corpus.add("10,000 functions in a chain", [] {
    std::string text = "int f0(int x) { return x; }\n";
    for (int i = 1; i < 10'000; ++i)
      text += "int f" + std::to_string(i) + "(int x) { return f" + std::to_string(i - 1) + "(x) + 1; }\n";
    return text;
  }() + kernel("p[0] = f9999(p[1]);"));
  corpus.add("functions that double", [] {
    std::string text = "int f0(int x) { return x * 3; }\n";
    for (int i = 1; i < 40; ++i) {
      const std::string before = std::to_string(i - 1);
      text +=
          "int f" + std::to_string(i) + "(int x) { return f" + before + "(x) + f" + before + "(x + 1); }\n";
    }
    return text;
  }() + kernel("p[0] = f39(p[1]);"));
  corpus.add("functions with ids that double", [] {
    std::string text = "int f0(int x) { return x * get_local_id(0); }\n";
    for (int i = 1; i < 18; ++i) {
      const std::string before = std::to_string(i - 1);
      text +=
          "int f" + std::to_string(i) + "(int x) { return f" + before + "(x) + f" + before + "(x + 1); }\n";
    }
    return text;
  }() + kernel("p[0] = f17(p[1]);"));
  corpus.add(
      "2,000 barriers",
      kernel("local int l[4]; " +
             repeat("l[get_local_id(0) & 3] = p[1]; barrier(CLK_LOCAL_MEM_FENCE); p[0] += l[0]; ", 2000)));
  corpus.add("a switch of 50,000", kernel("switch (p[1]) { " + [] {
               std::string text;
               for (int i = 0; i < 50'000; ++i)
                 text += "case " + std::to_string(i * 7) + ": p[0] = " + std::to_string(i * i % 1000) +
                         "; break;\n";
               return text;
             }() + "}"));
  corpus.add("a web of gotos", kernel([] {
               std::string text;
               for (int i = 0; i < 500; ++i)
                 text += "l" + std::to_string(i) + ": if (p[" + std::to_string(i) + "]) goto l" +
                         std::to_string(i * 37 % 500) + "; p[0] += " + std::to_string(i) + ";\n";
               return text;
             }()));
  corpus.add("200 nested loops", kernel(nest("for (int i = 0; i < p[1]; ++i) { ", "p[0] += 1;", "}", 200)));
}

void add_long_texts(Corpus& corpus) {
  corpus.add("a basic block of 20,000",
             kernel("float x = p[1]; " + repeat("x = sin(x) + p[2]; ", 2'000) + " p[0] = x;"));
  corpus.add("50,000 errors", repeat("x y z;\n", 50'000));
  corpus.add("50,000 warnings", kernel(repeat("p == 1;\n", 50'000)));
  corpus.add("an error in 1,000 macros", doubling("x", "+", 10) + kernel("p[0] = M10;"));
  corpus.add("#error of 1 MB", "#error " + std::string(1 << 20, 'x') + "\n");
  corpus.add_long("100 MB of comments",
                  repeat("/* nothing */\n", 100 * 1'000'000 / 14) + kernel("p[0] = 1;"));
  corpus.add_long("100 MB of declarations",
                  repeat("extern int f(int a, int b);\n", 100 * 1'000'000 / 28) + kernel("p[0] = 1;"));
  corpus.add_long("100 MB of statements", kernel(repeat("p[1] += p[2] * p[3];", 100 * 1'000'000 / 20)));
  corpus.add_long("100 MB in one string", "constant char s[] = \"" + std::string(100 * 1'000'000, 'x') +
                                              "\";\n" + kernel("p[0] = s[p[1]];"));
}

} // namespace test
