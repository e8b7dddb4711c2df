#include "corpus.hpp"

namespace test {

void add_constructors(Corpus& corpus) {
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
}

void add_templates(Corpus& corpus) {
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
}

void add_cxx(Corpus& corpus) {
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

} // namespace test
