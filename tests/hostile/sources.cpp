#include "sources.hpp"

#include <array>
#include <cctype>
#include <random>

namespace test {

namespace {

std::string repeat(std::string_view text, std::size_t count) {
  std::string result;
  result.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i)
    result += text;
  return result;
}

/// `before` n times, a middle, `after` n times.
std::string nest(std::string_view before, std::string_view middle, std::string_view after,
                 std::size_t count) {
  return repeat(before, count) + std::string(middle) + repeat(after, count);
}

std::string kernel(std::string_view body) {
  return "kernel void k(global int* p) { " + std::string(body) + " }\n";
}

/// Macros that double what they stand for, n times.
std::string doubling(std::string_view term, std::string_view between, unsigned times) {
  std::string text = "#define M0 " + std::string(term) + "\n";
  for (unsigned i = 1; i <= times; ++i) {
    const std::string before = "M" + std::to_string(i - 1);
    text += "#define M" + std::to_string(i) + " " + before + " " + std::string(between) + " " + before + "\n";
  }
  return text;
}

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

void add_attributes(Corpus& corpus) {
  for (const char* attribute : {"alias(\"k\")",
                                "naked",
                                "ifunc(\"k\")",
                                "weakref(\"k\")",
                                "weak",
                                "constructor",
                                "destructor",
                                "section(\"__DATA,x\")",
                                "section(\".text\")",
                                "section(\"\")",
                                "section(\".init_array\")",
                                "aligned(1 << 28)",
                                "aligned(0)",
                                "aligned(3)",
                                "aligned(4294967296)",
                                "target(\"avx512f\")",
                                "target(\"no-sse2\")",
                                "target(\"arch=k\")",
                                "target_clones(\"avx2\", \"default\")",
                                "cpu_dispatch(haswell)",
                                "cpu_specific(haswell)",
                                "optnone",
                                "noinline",
                                "always_inline",
                                "noreturn",
                                "const",
                                "pure",
                                "malloc",
                                "alloc_size(1)",
                                "returns_twice",
                                "used",
                                "retain",
                                "visibility(\"hidden\")",
                                "visibility(\"protected\")",
                                "interrupt",
                                "preserve_all",
                                "ms_abi",
                                "sysv_abi",
                                "vectorcall",
                                "regcall",
                                "swiftcall",
                                "swiftasync",
                                "regparm(3)",
                                "fastcall",
                                "stdcall",
                                "pcs(\"aapcs\")",
                                "aarch64_vector_pcs",
                                "no_split_stack",
                                "patchable_function_entry(1000000)",
                                "xray_always_instrument",
                                "no_instrument_function",
                                "nonnull",
                                "returns_nonnull",
                                "sentinel",
                                "format(printf, 1, 2)",
                                "no_sanitize(\"address\")",
                                "disable_tail_calls",
                                "minsize",
                                "flatten",
                                "hot",
                                "cold",
                                "error(\"x\")",
                                "warning(\"x\")",
                                "enable_if(1, \"\")",
                                "diagnose_if(1, \"x\", \"error\")",
                                "overloadable",
                                "annotate(\"x\")",
                                "btf_decl_tag(\"x\")",
                                "device_kernel",
                                "nvptx_kernel",
                                "sycl_kernel",
                                "amdgpu_kernel",
                                "amdgpu_num_vgpr(4294967295)",
                                "reqd_work_group_size(0, 0, 0)",
                                "reqd_work_group_size(4294967295, 4294967295, 4294967295)",
                                "work_group_size_hint(0, 0, 0)",
                                "vec_type_hint(void)",
                                "intel_reqd_sub_group_size(3)",
                                "intel_reqd_sub_group_size(4294967295)",
                                "intel_reqd_sub_group_size(0)",
                                "convergent",
                                "nothrow",
                                "leaf",
                                "gnu_inline",
                                "artificial",
                                "unused",
                                "deprecated",
                                "availability(macos, introduced = 1)",
                                "speculative_load_hardening",
                                "zero_call_used_regs(\"all\")",
                                "function_return(\"thunk-extern\")",
                                "nouwtable",
                                "cf_check",
                                "nocf_check",
                                "strict_gs_check",
                                "assume(\"x\")",
                                "no_builtin(\"memcpy\")",
                                "not_tail_called",
                                "kernel",
                                "noduplicate",
                                "stack_protector",
                                "strub",
                                "no_stack_protector"}) {
    corpus.whole(std::string("__attribute__((") + attribute +
                 ")) int f(int x) { return x; } int g(global int* p) { return f(p[0]); }");
    corpus.add(std::string("a kernel with ") + attribute,
               std::string("__attribute__((") + attribute + ")) " + kernel("p[0] = 1;"));
  }
  for (const char* declaration :
       // NOLINTNEXTLINE(bugprone-suspicious-missing-comma)
       {"extern int f(int) __attribute__((alias(\"g\"))); int g(int x) { return x + 1; } kernel void "
        "h(global int* p) { p[0] = f(p[1]); }",
        "static void* resolve(void) { return 0; } int f(int) __attribute__((ifunc(\"resolve\"))); kernel "
        "void h(global int* p) { p[0] = f(1); }",
        "__thread int x;",
        "_Thread_local int x;",
        "global int x __attribute__((tls_model(\"initial-exec\")));",
        "global int x __attribute__((section(\".init_array\"))) = 1;",
        "global int x __attribute__((aligned(1 << 28))) = 1; kernel void h(global int* p) { p[0] = x; }",
        "global int x __attribute__((aligned(1 << 29))) = 1; kernel void h(global int* p) { p[0] = x; }",
        "typedef int a __attribute__((aligned(1 << 28))); kernel void h(global int* p) { a x = p[1]; a y[2]; "
        "y[p[1]] = x; p[0] = y[p[0]]; }",
        "struct __attribute__((aligned(1 << 28))) S { int x; }; kernel void h(struct S s) { }",
        "struct __attribute__((packed, aligned(1 << 20))) S { int x; }; kernel void h(local struct S* s) { "
        "s->x = 1; }",
        "global int x __attribute__((weak)); global int y __attribute__((alias(\"x\"))); kernel void "
        "h(global int* p) { p[0] = y; }",
        "global int x __attribute__((common)); kernel void h(global int* p) { p[0] = x; }",
        "extern global int x; kernel void h(global int* p) { p[0] = x; }",
        "global int x __asm__(\"malloc\"); kernel void h(global int* p) { p[0] = x; }",
        "int f(int) __asm__(\"system\"); kernel void h(global int* p) { p[0] = f(1); }",
        "int f(int x) __asm__(\"memcpy\"); int f(int x) { return x; } kernel void h(global int* p) { p[0] = "
        "f(1); }",
        "int system(constant char*); kernel void h(global int* p) { p[0] = system(\"true\"); }",
        "void abort(void); kernel void h(global int* p) { abort(); }",
        "void exit(int); kernel void h(global int* p) { exit(1); }",
        "__asm__(\".globl k\");",
        "__asm__(\".incbin \\\"/dev/zero\\\"\");",
        "enum __attribute__((enum_extensibility(open))) E { A = 1UL << 63, B };",
        "typedef int v __attribute__((mode(TI)));",
        "kernel void h(global int* p) { extern int y; p[0] = y; }",
        "kernel void h(int x) { h(x); }",
        "kernel void h(void); kernel void h(int);",
        "kernel int h(void) { return 1; }",
        "int main(void) { return 0; }",
        "kernel void main(void) { }",
        "kernel kernel kernel void h(void) { }",
        "static kernel void h(void) { }",
        "inline kernel void h(void) { }",
        "kernel void h(kernel void (*f)(void)) { }",
        "int (*f)(void); kernel void h(void) { f(); }"})
    corpus.whole(declaration);
}

void add_statements(Corpus& corpus) {
  for (const char* text :
       {"__asm__(\"ud2\");",
        "__asm__ volatile(\"\" ::: \"memory\");",
        "__asm__(\"\" : \"=r\"(p[0]));",
        "__asm__(\".fill 1000000000\");",
        "int x __attribute__((cleanup(k)));",
        "int x __attribute__((aligned(1 << 28))); p[0] = 1;",
        "int x[p[1]]; p[0] = x[1];",
        "int x[1UL << 40]; p[0] = x[p[1]];",
        "int x[0x7fffffffffffffff]; p[0] = x[p[1]];",
        "int x[1 << 29]; x[p[1]] = 1; p[0] = x[p[2]];",
        "int x[4 << 20]; x[p[1]] = 1; p[0] = x[p[2]];",
        "char x[9 << 20]; x[p[1]] = 1; p[0] = x[p[2]];",
        "char x[64 << 20]; x[p[1]] = 1; p[0] = x[p[2]];",
        "char x[1 << 30]; x[p[1]] = 1; p[0] = x[p[2]];",
        "char x[3u << 30]; x[p[1]] = 1; p[0] = x[p[2]];",
        "local char x[1 << 30]; x[p[1]] = 1; p[0] = x[p[2]];",
        "local int x[1UL << 40]; x[p[1]] = 1; p[0] = x[p[2]];",
        "local int x __attribute__((aligned(1 << 28))); x = p[1]; p[0] = x;",
        "char x[9 << 20]; x[p[1]] = 1; barrier(1); p[0] = x[p[2]];",
        "int x[0]; p[0] = x[p[1]];",
        "int x[-1];",
        "int x[] = {}; p[0] = x[p[1]];",
        "int x[1 << 20] = {1, 2}; p[0] = x[p[1]];",
        "int x[] = {[1 << 26] = 1}; p[0] = x[p[1]];",
        "int x[] = {[0 ... 1 << 24] = 1}; p[0] = x[p[1]];",
        "_Complex float x = 1; p[0] = __real(x * x);",
        "__int128 x = p[1]; x = x * x / 3; p[0] = x;",
        "_BitInt(128) x = p[1]; p[0] = x / 3;",
        "_BitInt(8388608) x = p[1]; p[0] = x / 3;",
        "_BitInt(4096) x = p[1]; x *= x; p[0] = x;",
        "unsigned _BitInt(16777216) x = p[1];",
        "_ExtInt(77) x = p[1]; p[0] = x * x;",
        "long double x = p[1]; p[0] = x;",
        "__float128 x = 1;",
        "__bf16 x = 1; p[0] = x + x;",
        "__fp16 x = 1;",
        "_Decimal64 x = 1;",
        "_Accum x = 1;",
        "_Float16 x = 1; p[0] = x;",
        "typedef int v __attribute__((ext_vector_type(3000))); v x = p[1]; p[0] = x.s0;",
        "typedef int v __attribute__((ext_vector_type(1048576))); v x = p[1]; x *= x; p[0] = x.s0;",
        "typedef int v __attribute__((ext_vector_type(4294967296))); v x;",
        "typedef int v __attribute__((vector_size(4))); v x = {p[1]}; p[0] = x[0];",
        "typedef int v __attribute__((vector_size(65536))); v x = {p[1]}; x = x * x; p[0] = x[p[1]];",
        "typedef bool v __attribute__((ext_vector_type(77))); v x = p[1]; p[0] = x[3];",
        "typedef float v __attribute__((ext_vector_type(7))); v x = p[1]; x = x / 3; p[0] = x[p[1]];",
        "typedef float m __attribute__((matrix_type(1000, 1000))); m x; p[0] = x[1][1];",
        "typedef __SVInt32_t v; v x;",
        "typedef int v __attribute__((neon_vector_type(4))); v x;",
        "goto *p;",
        "void* l = &&a; goto *l; a: p[0] = 1;",
        "a: goto a;",
        "for (;;);",
        "for (;;) p[0] += 1;",
        "while (1) barrier(1);",
        "goto nowhere;",
        "switch (p[1]) { case 0 ... 0x7fffffff: p[0] = 1; }",
        "switch (p[1]) { case 0 ... 0x7fffffff: p[0] = 1; case 5: p[0] = 2; }",
        "return return;",
        "p[0] = 1 / 0;",
        "p[0] = 1 % 0;",
        "p[0] = (-2147483647 - 1) / -1;",
        "p[0] = 1 << 1000;",
        "p[0] = (1 ? (int[]){1, 2, 3} : 0)[1];",
        "p[0] = ({ int x = 1; x; });",
        "p[0] = _Generic(1, int: 1, default: 2);",
        "_Static_assert(0, \"\");",
        "p[0] = sizeof(struct { int x[1UL << 50]; });",
        "p[0] = ((int (*)(void))0)();",
        "p[0] = ((int (*)(int))k)(1);",
        "p[0] = *(int*)0;",
        "*(global int*)0 = 1;",
        "void f(void) { }",
        "int (^b)(void) = ^{ return 1; }; p[0] = b();",
        "p[0] = __func__[0];",
        "throw 1;",
        "try { } catch (...) { }",
        "asm goto(\"\" :::: a); a:;",
        "va_list v; __builtin_va_start(v, p);",
        "p[0] = alloca(1 << 30)[0];",
        "atomic_int x; atomic_init(&x, 1);",
        "enqueue_kernel(0, 0, 0, 0);",
        "printf(\"%n\", p);",
        "printf(\"%s\", (constant char*)1);",
        "printf(\"%99999999999d\", 1);",
        "printf(\"%*d\", 1, 2);",
        "printf((constant char*)p[0]);",
        "printf(\"%v4294967295d\", 1);",
        "printf(\"%\");",
        "printf(0);",
        "read_imagef(p, p, p);",
        "event_t e = 1; wait_group_events(1 << 30, &e);",
        "sampler_t s = p[0];",
        "image2d_t i;",
        "work_group_barrier(p[0], p[1]);",
        "reserve_id_t r; p[0] = sizeof r;",
        "queue_t q = p;"})
    corpus.body(text, "-cl-std=CL3.0");
  for (const char* name : {"alloca(1 << 30)",
                           "alloca(p[1])",
                           "alloca_with_align(8, 1 << 30)",
                           "return_address(0)",
                           "frame_address(99999)",
                           "extract_return_addr(0)",
                           "eh_return(0, 0)",
                           "unwind_init()",
                           "setjmp(0)",
                           "longjmp(0, 1)",
                           "thread_pointer()",
                           "ia32_rdtsc()",
                           "ia32_pause()",
                           "cpu_init()",
                           "cpu_supports(\"avx\")",
                           "cpu_is(\"intel\")",
                           "va_start(0)",
                           "stdarg_start(0)",
                           "malloc(1)",
                           "free(0)",
                           "printf(\"\")",
                           "abort()",
                           "exit(1)",
                           "trap()",
                           "debugtrap()",
                           "unreachable()",
                           "verbose_trap(\"a\", \"b\")",
                           "nan(\"\")",
                           "nans(\"x\")",
                           "huge_val()",
                           "powi(2.0, 3)",
                           "sin(1.0)",
                           "lgamma(1.0)",
                           "memcpy(0, 0, 0)",
                           "memcpy(0, 0, 1UL << 63)",
                           "memset(p, 0, 1UL << 40)",
                           "memcpy_inline(p, p, 1 << 30)",
                           "memset_inline(p, 0, 1 << 28)",
                           "strlen((const char*)0)",
                           "object_size(p, 9)",
                           "prefetch(p, 9, 9)",
                           "shufflevector((int4)1, (int4)1, 9, 9)",
                           "shuffle_vector((int4)1, (int4)1, 9, 9, 9, 9)",
                           "convertvector((int4)1, float4)",
                           "astype(1, int4)",
                           "coro_size()",
                           "coro_begin(0, 0)",
                           "call_with_static_chain(0, 0)",
                           "preserve_access_index(p)",
                           "bit_cast(int, 1.0f)",
                           "assume(0)",
                           "constant_p(p)",
                           "choose_expr(p, 1, 2)",
                           "types_compatible_p(int, int)",
                           "offsetof(int, x)",
                           "FILE()",
                           "LINE()",
                           "os_log_format(p, \"\")",
                           "dump_struct(p, printf)",
                           "ptrauth_strip(p, 0)",
                           "wasm_memory_size(0)",
                           "amdgcn_workitem_id_x()",
                           "nvvm_read_ptx_sreg_tid_x()",
                           "matrix_transpose(p)",
                           "reduce_add((int4)1)",
                           "elementwise_abs(1)",
                           "addcll(1, 2, 3, p)",
                           "sadd_overflow(1, 2, p)",
                           "clzg((unsigned _BitInt(4096))1)",
                           "rotateleft8(1, 99)",
                           "is_constant_evaluated()",
                           "source_location()",
                           "annotation(1, \"x\")",
                           "fpclassify(1, 2, 3, 4, 5, 1.0f)",
                           "readcyclecounter()",
                           "get_device_side_mangled_name(k)",
                           "sycl_unique_stable_name(int)",
                           "operator_new(1)",
                           "nondeterministic_value(1)"})
    corpus.body(std::string("p[0] = (int)__builtin_") + name + ";", "-cl-std=CL3.0");
}

void add_cxx(Corpus& corpus) {
  corpus.add("a constructor that stores to null",
             "struct S { S() { *(global int*)0 = 1; } int x; }; global S s;\n" + kernel("p[0] = s.x;"), cxx);
  corpus.add("a constructor that divides",
             "struct S { S() { x = 1 / y; } int x; int y; }; global S s;\n" + kernel("p[0] = s.x;"), cxx);
  corpus.add("a constructor that traps",
             "struct S { S() { __builtin_trap(); } int x; }; global S s;\n" + kernel("p[0] = s.x;"), cxx);
  corpus.add("a constructor that jumps to null",
             "struct S { S() { void (*volatile f)() = 0; f(); } int x; }; global S s;\n" +
                 kernel("p[0] = s.x;"),
             cxx);
  corpus.add("a constructor with a large stack",
             "struct S { S() { char y[100 << 20]; volatile int i = 5; y[i] = 1; x = y[i + 1]; } int x; }; "
             "global S s;\n" +
                 kernel("p[0] = s.x;"),
             cxx);
  corpus.add_long("an endless constructor",
                  "struct S { S() { for (volatile int i = 0;; ++i) x += i; } int x; }; global S s;\n" +
                      kernel("p[0] = s.x;"),
                  cxx);
  corpus.add("a destructor that stores to null",
             "struct S { ~S() { *(global int*)0 = 1; } int x; }; global S s;\n" + kernel("p[0] = s.x;"), cxx);
  corpus.add(
      "10,000 constructors",
      [] {
        std::string text = "struct S { S() { x = 1; } int x; };\n";
        for (int i = 0; i < 10'000; ++i)
          text += "global S s" + std::to_string(i) + ";\n";
        return text;
      }() +
          kernel("p[0] = s1.x;"),
      cxx);
  corpus.add("templates without end",
             "template <int n> struct T { static constexpr int v = T<n + 1>::v; };\n" +
                 kernel("p[0] = T<0>::v;"),
             cxx);
  corpus.add("templates that double",
             "template <int n, int m> struct T { static constexpr int v = T<n - 1, m * 2>::v + T<n - 1, m * "
             "2 + 1>::v; }; template <int m> struct T<0, m> { static constexpr int v = 1; };\n" +
                 kernel("p[0] = T<24, 1>::v;"),
             cxx);
  corpus.add("functions of templates without end",
             "template <int n> int f() { return f<n + 1>(); }\n" + kernel("p[0] = f<0>();"), cxx);
  corpus.add("types that grow",
             "template <class T> struct P { T a, b; }; template <class T, int n> struct Q { using type = "
             "typename Q<P<T>, n - 1>::type; }; template <class T> struct Q<T, 0> { using type = T; };\n" +
                 kernel("p[0] = sizeof(Q<int, 80>::type);"),
             cxx);
  corpus.add("names that grow",
             "template <class A, class B> struct P {}; template <class T, int n> struct Q { using type = "
             "typename Q<P<T, T>, n - 1>::type; }; template <class T> struct Q<T, 0> { using type = T; }; "
             "template <class T> int f(T*) { return 1; }\n" +
                 kernel("p[0] = f((Q<int, 30>::type*)0);"),
             cxx);
  corpus.add("constant evaluation without end",
             "constexpr int f(int n) { return n == 0 ? 1 : f(n - 1) + f(n - 2); }\n" +
                 kernel("constexpr int x = f(60); p[0] = x;"),
             cxx);
  corpus.add("a constant loop without end",
             "constexpr int f() { int n = 0; for (;;) ++n; return n; }\n" +
                 kernel("constexpr int x = f(); p[0] = x;"),
             cxx);
  corpus.add("parameter packs of 2^20",
             "template <int... n> struct I {}; template <class T, int n> struct M { using type = "
             "__make_integer_seq<I, int, 1 << 22>; };\nusing X = __make_integer_seq<I, int, 1 << 22>;\n" +
                 kernel("p[0] = sizeof(X);"),
             cxx);
  corpus.add("fold of 100,000",
             "template <class T, T... n> struct I { static constexpr int v = (n + ...); }; using X = "
             "__make_integer_seq<I, int, 100000>;\n" +
                 kernel("p[0] = X::v;"),
             cxx);
  corpus.add(
      "virtual functions",
      "struct A { virtual int f() { return 1; } }; struct B : A { int f() override { return 2; } };\n" +
          kernel("B b; A* a = &b; p[0] = a->f();"),
      cxx);
  corpus.add("virtual bases",
             "struct A { int x; }; struct B : virtual A { }; struct C : virtual A, B { };\n" +
                 kernel("C c; p[0] = sizeof c;"),
             cxx);
  corpus.add("exceptions", kernel("try { throw 1; } catch (...) { p[0] = 1; }"), cxx);
  corpus.add(
      "typeid and dynamic_cast",
      "struct A { virtual ~A(); };\n" + kernel("A* a = 0; p[0] = dynamic_cast<A*>(a) != 0; typeid(a);"), cxx);
  corpus.add("new and delete", kernel("int* x = new int[1 << 28]; p[0] = x[1]; delete[] x;"), cxx);
  corpus.add("thread_local", "thread_local int x = 1;\n" + kernel("p[0] = x;"), cxx);
  corpus.add("lambdas in lambdas", kernel("p[0] = " + nest("[=]{ return ", "1", "; }()", 200) + ";"), cxx);
  corpus.add("coroutines", "int f() { co_return 1; }\n" + kernel("p[0] = f();"), cxx);
  corpus.add("modules", "export module m; import n;\n" + kernel(""), cxx);
  corpus.add("concepts without end",
             "template <class T> concept C = requires { requires C<T*>; };\n" + kernel("p[0] = C<int>;"),
             cxx);
  corpus.add("a static local with a constructor",
             "struct S { S(int y) : x(y) {} int x; };\n" + kernel("static S s(p[1]); p[0] = s.x;"), cxx);
  corpus.add("operators without end", "struct S { S* operator->(); };\n" + kernel("S s; p[0] = s->x;"), cxx);
  corpus.add("deduction without end", "template <class T> auto f(T x) { return f(&x); }\n" + kernel("f(1);"),
             cxx);
}

void add_sizes(Corpus& corpus) {
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

} // namespace

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
  add_cxx(corpus);
  add_sizes(corpus);
  return corpus.take();
}

namespace {

/// Words, numbers, and single characters.
std::vector<std::string_view> tokens_of(std::string_view text) {
  std::vector<std::string_view> tokens;
  auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    if (is_word(text[i]))
      while (end < text.size() && is_word(text[end]))
        ++end;
    tokens.push_back(text.substr(i, end - i));
    i = end;
  }
  return tokens;
}

constexpr std::array<std::string_view, 36> strange = {"0",
                                                      "-1",
                                                      "4294967295",
                                                      "18446744073709551615",
                                                      "1.0e38f",
                                                      "(",
                                                      ")",
                                                      "{",
                                                      "}",
                                                      "[",
                                                      "]",
                                                      "*",
                                                      "&",
                                                      ";",
                                                      ",",
                                                      "volatile",
                                                      "local",
                                                      "global",
                                                      "private",
                                                      "constant",
                                                      "kernel",
                                                      "struct",
                                                      "typedef",
                                                      "void",
                                                      "int16",
                                                      "double8",
                                                      "half",
                                                      "bool",
                                                      "goto",
                                                      "barrier(3)",
                                                      "return",
                                                      "__attribute__((aligned(65536)))",
                                                      "get_local_id(9)",
                                                      "event_t",
                                                      "image2d_t",
                                                      "\n#define k"};

} // namespace

std::string mutated(std::string_view text, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string_view> tokens = tokens_of(text);
  if (tokens.empty()) return std::string(text);
  for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
    const std::size_t at = random() % tokens.size(), other = random() % tokens.size();
    const auto place = tokens.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random() % 5) {
    case 0:
      *place = tokens[other];
      break;
    case 1:
      *place = strange[random() % strange.size()];
      break;
    case 2:
      *place = {};
      break;
    case 3:
      tokens.insert(place, std::string_view(strange[random() % strange.size()]));
      break;
    default:
      std::swap(*place, tokens[other]);
    }
  }
  std::string result;
  for (std::string_view token : tokens)
    result += token;
  return result;
}

} // namespace test
