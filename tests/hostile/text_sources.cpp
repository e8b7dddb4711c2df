#include "corpus.hpp"

#include <random>

namespace test {

void add_pragmas(Corpus& corpus) {
  for (const char* what : {"crash", "parser_crash", "llvm_fatal_error", "overflow_stack", "llvm_unreachable",
                           "assert", "handle_crash", "dump k", "diag_mapping \"-W\"", "captured", "macro M",
                           "sleep", "llvm_report_fatal", "sloc_usage", "module_map", "module_lookup m"})
    corpus.whole(std::string("#pragma clang __debug ") + what);
  corpus.add("_Pragma crash", kernel("_Pragma(\"clang __debug crash\") p[0] = 1;"));
  corpus.add("pragma crash from a macro",
             "#define P _Pragma(\"clang __debug parser_crash\")\n" + kernel("P p[0] = 1;"));
  corpus.add("pragma crash with comments", "#pragma /**/ clang /**/ __debug /**/ crash\n" + kernel(""));
  corpus.add("pragma crash with line ends", "#pragma cl\\\nang __deb\\\nug cra\\\nsh\n" + kernel(""));
  for (const char* what : {"clang module build m",
                           "clang module import m",
                           "clang module begin m",
                           "clang attribute push(__attribute__((naked)), apply_to = function)",
                           "clang section bss=\"x\"",
                           "clang optimize off",
                           "clang max_tokens_total 1",
                           "clang max_tokens_here 1",
                           "pack(push, 1)",
                           "pack(99999999999999999999)",
                           "ms_struct on",
                           "weak k",
                           "weak a = k",
                           "redefine_extname k q",
                           "unused k",
                           "align 1073741824(p)",
                           "GCC dependency \"/dev/zero\"",
                           "push_macro(\"k\")",
                           "include_alias(\"a\", \"/dev/zero\")",
                           "comment(lib, \"x\")",
                           "omp parallel for",
                           "clang loop vectorize_width(4294967295)",
                           "unroll 4294967295",
                           "STDC FENV_ACCESS ON",
                           "OPENCL EXTENSION all : enable",
                           "OPENCL EXTENSION k : begin",
                           "init_seg(\"x\")",
                           "detect_mismatch(\"a\", \"b\")"})
    corpus.whole(std::string("#pragma ") + what);
  corpus.add("unroll by 2^32",
             kernel("_Pragma(\"unroll 4294967295\") for (int i = 0; i < p[1]; ++i) p[i & 7] += i;"));
  corpus.add("unroll a long loop in full",
             kernel("_Pragma(\"unroll\") for (int i = 0; i < 100000; ++i) p[i & 7] += i;"));
}

void add_lines(Corpus& corpus) {
  for (const char* number :
       {"4294967295", "4294967296", "2147483647", "2147483648", "0", "99999999999999999999"})
    corpus.add(std::string("#line ") + number + " with an error",
               std::string("#line ") + number + "\nx y z;\n");
  corpus.add("#line with a folder", "#line 1 \"/dev/zero\"\nx y z;\n" + kernel(""));
  corpus.add("#line with a FIFO", "#line 1 \"/proc/self/fd/0\"\nx y z;\n");
  corpus.add("line markers", "# 4294967295 \"/dev/zero\" 1 3\n" + kernel("x"));
  corpus.add("one line of 10 MB", "/*" + std::string(10 << 20, 'x') + "*/ x y z;\n");
  corpus.add("an error in column 10,000,000", kernel(std::string(10 << 20, ' ') + "x"));
  corpus.add("a string of 4 MB",
             "constant char s[] = \"" + std::string(4 << 20, 'x') + "\";\n" + kernel("p[0] = s[p[1]];"));
  corpus.add("an identifier of 4 MB", kernel("int " + std::string(4 << 20, 'x') + " = 1; p[0] = 2;"));
  corpus.add("an unclosed comment", kernel("") + "/*");
  corpus.add("an unclosed string", kernel("") + "\"");
  corpus.add("an unclosed character", kernel("") + "'");
  corpus.add("an unclosed condition", "#if 1\n" + kernel(""));
  corpus.add("100,000 conditions", repeat("#if 1\n", 100000) + kernel(""));
  corpus.add("a number of 1 MB", kernel("p[0] = 1" + std::string(1 << 20, '0') + ";"));
  corpus.add("a float of 1 MB", kernel("p[0] = 1." + std::string(1 << 20, '3') + "f;"));
  corpus.add("a float with a huge exponent", kernel("p[0] = 1e999999999999999999f + 0x1p-99999999999999f;"));
  corpus.add("an empty program", "");
  corpus.add("a backslash", "\\");
  corpus.add("a hash", "#");
}

void add_encodings(Corpus& corpus) {
  corpus.add("malformed UTF-8 in a name", kernel("int a\xff\xfe\x80 = 1; p[0] = 1;"));
  corpus.add("malformed UTF-8 in a string", kernel("printf(\"\xc3\x28\xf0\x28\x8c\xbc\\n\");"));
  corpus.add("malformed UTF-8 in an error", "#error \xed\xa0\x80\xf8\x88\x80\x80\x80\n");
  corpus.add("a byte order mark", "\xef\xbb\xbf" + kernel("p[0] = 1;"));
  corpus.add("UTF-16", std::string("\xff\xfe"
                                   "k\0e\0r\0n\0e\0l\0",
                                   14));
  corpus.add("null characters", kernel(std::string("p[0] \0 = \0 1;", 13)));
  corpus.add("nothing but null characters", std::string(1 << 16, '\0'));
  corpus.add("a null character in a directive",
             std::string("#define A \0 1\n#include \"a\0b\"\n", 28) + kernel("p[0] = A;"));
  corpus.add("universal names", kernel("int \\u00e4\\U0010ffff\\ud800 = 1; p[0] = 1;"));
  corpus.add("right-to-left marks", kernel("int a = 1; /* \xe2\x80\xae */ p[0] = a;"));
  corpus.add("trigraphs", "?\?=define A 1\n" + kernel("p[0] = A;"));
  std::string bytes;
  std::mt19937 random(1);
  for (int i = 0; i < 1 << 16; ++i)
    bytes += static_cast<char>(random());
  corpus.add("random bytes", bytes);
  corpus.add("random bytes in a kernel", kernel(bytes));
}

void add_depth(Corpus& corpus) {
  constexpr std::size_t many = 200'000;
  for (const char* operator_ :
       {"- ", "~", "!", "+ ", "*", "&", "(int)", "sizeof ", "++", "__extension__ ", "__real ", "__imag "})
    corpus.add(std::string("200,000 of ") + operator_,
               kernel("int x = 1; p[0] = " + repeat(operator_, many) + "x;"));
  for (auto [before, after] : {std::pair("(", ")"),
                               {"{", "}"},
                               {"[", "]"},
                               {"p[", "]"},
                               {"f(", ")"},
                               {"({", ";})"},
                               {"(int2)(", ", 1)"},
                               {"^{", "}"},
                               {"1 ? ", " : 2"},
                               {"abs(", ")"}})
    corpus.add(std::string("200,000 of ") + before,
               kernel(std::string("p[0] = ") + nest(before, "1", after, many) + ";"));
  for (auto [before, after] : {std::pair("if (p[1]) ", ""),
                               {"for (;;) ", ""},
                               {"while (p[1]) ", ""},
                               {"{ ", "}"},
                               {"do ", " while (p[1]);"},
                               {"switch (p[1]) ", ""},
                               {"else ", ""},
                               {"a: ", ""},
                               {"case 1: ", ""}})
    corpus.add(std::string("200,000 statements ") + before, kernel(nest(before, "p[0] = 1;", after, many)));
  corpus.add("200,000 else if",
             kernel("if (p[1] == 1) p[0] = 1; " + repeat("else if (p[1] == 2) p[0] = 2; ", many)));
  for (const char* between : {" + 1", " + p[1]", " * p[1]", ", 1", " && p[1]", " || p[1]", " = 1", " ? 1 : 2",
                              ".x", "->x", "[0]", "()", " << 1", " == 1"})
    corpus.add(std::string("100,000 of") + between, kernel("p[0] = p[1]" + repeat(between, 100'000) + ";"));
  for (const char* before : {"*", "* const ", "global *", "(*"})
    corpus.add(std::string("100,000 declarators ") + before, kernel("int " + repeat(before, 100'000) + "x;"));
  corpus.add("100,000 dimensions", kernel("int x" + repeat("[1]", 100'000) + "; p[0] = 1;"));
  corpus.add("10,000 nested structures", nest("struct { ", "int x;", " } s;", 10'000) + kernel("p[0] = 1;"));
  corpus.add(
      "255 nested structures, by value", "struct S0 { int x; };\n" + [] {
        std::string text;
        for (int i = 1; i < 255; ++i)
          text += "struct S" + std::to_string(i) + " { struct S" + std::to_string(i - 1) + " a; };\n";
        return text;
      }() + kernel("struct S254 s; struct S254 t = s; p[0] = sizeof t;"));
  corpus.add(
      "structures that double", "struct S0 { int x; };\n" + [] {
        std::string text;
        for (int i = 1; i < 70; ++i) {
          const std::string before = std::to_string(i - 1);
          text += "struct S" + std::to_string(i) + " { struct S" + before + " a, b; };\n";
        }
        return text;
      }() + kernel("struct S40 s; p[0] = sizeof s;"));
  corpus.add("10,000 nested blocks", "int f(void) { return " + nest("^{ return ", "1", "; }()", 200) +
                                         "; }\n" + kernel("p[0] = f();"));
  corpus.add("200,000 nested attributes",
             "__attribute__((" + repeat("(", many) + ")) int f(void);\n" + kernel(""));
}

void add_macros(Corpus& corpus) {
  corpus.add("2^20 terms", doubling("p[1]", "+", 20) + kernel("p[0] = M20;"));
  corpus.add("2^20 constants", doubling("1", "+", 20) + kernel("p[0] = M20;"));
  corpus.add("2^20 statements", doubling("p[0] += 1;", "", 20) + kernel("M20"));
  corpus.add("2^16 statements with calls",
             doubling("p[0] = f(p[0]);", "", 16) + "int f(int x) { return x * 3 + 1; }\n" + kernel("M16"));
  corpus.add("2^16 loops", doubling("for (int i = 0; i < p[1]; ++i) p[i] += i;", "", 14) + kernel("M14"));
  corpus.add("2^16 variables", doubling("{ int x = p[1]; p[0] += x; }", "", 16) + kernel("M16"));
  corpus.add("2^20 brackets", doubling("(", "", 20) + kernel("p[0] = M20 1;"));
  corpus.add("2^40 tokens", doubling("1", "+", 40) + kernel("p[0] = M40;"));
  corpus.add("2^40 tokens in #if", doubling("1", "+", 40) + "#if M40\n#endif\n" + kernel("p[0] = 1;"));
  corpus.add("2^30 bytes as a string", doubling("abcdefghijklmnop", "", 26) +
                                           "#define S(x) #x\n#define T(x) S(x)\n" +
                                           kernel("constant char* s = T(M26); p[0] = s[p[1]];"));
  corpus.add("macro arguments that double", "#define D(x) x x\n" + kernel(nest("D(", "p[0] += 1;", ")", 40)));
  corpus.add("pasted names", "#define P(x) x##x\n#define Q(x) P(x)\n" +
                                 kernel("int " + nest("Q(", "a", ")", 30) + " = 1; p[0] = 1;"));
  corpus.add("a macro of itself", "#define A A A\n" + kernel("p[0] = A;"));
  corpus.add("100,000 macros", [] {
    std::string text;
    for (int i = 0; i < 100'000; ++i)
      text += "#define N" + std::to_string(i) + " N" + std::to_string(i + 1) + "\n";
    return text;
  }() + kernel("int N100000 = 1; p[0] = N0;"));
  corpus.add("__COUNTER__", doubling("int P(a, __COUNTER__) = 1;", "", 14) +
                                "#define P(a, b) Q(a, b)\n#define Q(a, b) a##b\n" + kernel("M14 p[0] = 1;"));
  corpus.add("_Pragma by the thousand",
             doubling("_Pragma(\"unroll 2\") for (int i = 0; i < p[1]; ++i) p[i] = i;", "", 10) +
                 kernel("M10"));
}

void add_files(Corpus& corpus, const std::string& folder) {
  for (const std::string& file :
       {std::string("/dev/zero"), std::string("/dev/stdin"), std::string("/dev/tty"), folder + "/endless",
        std::string("/proc/self/mem"), std::string("/"), std::string("/dev/full"), std::string("/dev/random"),
        std::string("/proc/kmsg"), folder + "/self.h"}) {
    corpus.add("#include " + file, "#include \"" + file + "\"\n" + kernel("p[0] = 1;"));
    corpus.add("__has_include " + file,
               "#if __has_include(\"" + file + "\")\n#endif\n" + kernel("p[0] = 1;"));
  }
  corpus.add("#embed /dev/zero",
             "constant uchar x[] = {\n#embed \"/dev/zero\"\n};\n" + kernel("p[0] = x[p[1]];"));
  corpus.add("#embed a FIFO", "constant uchar x[] = {\n#embed \"" + folder + "/endless\" limit(4)\n};\n" +
                                  kernel("p[0] = x[p[1]];"));
  corpus.add("#include of a name of 1 MB", "#include \"" + std::string(1 << 20, 'x') + "\"\n" + kernel(""));
  corpus.add("#include_next", "#include_next <opencl-c-base.h>\n" + kernel("p[0] = 1;"));
  corpus.add("#include of the library by itself",
             repeat("#include \"/hostcl/library/hostcl.h\"\n", 100) + kernel("p[0] = 1;"));
  corpus.add("#import", "#import \"/dev/zero\"\n" + kernel(""));
  corpus.add("-I /dev", "#include <zero>\n" + kernel(""), "-I /dev");
}

} // namespace test
