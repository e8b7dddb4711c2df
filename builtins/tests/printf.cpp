// The host side of printf: arguments are packed by hand as passes/1_kernel/lower_printf.cpp does.

#include "compiler/abi/printf.hpp"
#include "support/catch.hpp"

#include <cstring>
#include <vector>

using namespace hostcl::compiler;

namespace {

class Block {
public:
  template <class T>
  Block& add(PrintKind kind, std::initializer_list<T> elements) {
    append(PrintArgument{kind, sizeof(T), static_cast<std::uint8_t>(elements.size()), {}});
    for (T element : elements)
      append(element);
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    return *this;
  }
  Block& integer(int value) { return add(PrintKind::integer, {value}); }
  Block& real(double value) { return add(PrintKind::real, {value}); }
  Block& string(const char* value) { return add(PrintKind::pointer, {value}); }

  std::string print(const char* format) {
    append(PrintArgument{});
    std::string text;
    return format_message(text, format, bytes_.data()) ? text : "(malformed) " + text;
  }

private:
  template <class T>
  void append(const T& value) {
    auto* begin = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), begin, begin + sizeof value);
  }
  std::vector<std::byte> bytes_;
};

} // namespace

TEST_CASE("printf: integers with flags, width and precision") {
  CHECK(Block().integer(5).print("%d") == "5");
  CHECK(Block().integer(-10).print("%5d|") == "  -10|");
  CHECK(Block().integer(-10).print("%-5i|") == "-10  |");
  CHECK(Block().integer(10).print("%+.4d") == "+0010");
  CHECK(Block().integer(-1).print("%u") == "4294967295");
  CHECK(Block().integer(-1).print("%x") == "ffffffff");
  CHECK(Block().integer(255).print("%#X") == "0XFF");
  CHECK(Block().integer(8).print("%#o") == "010");
  CHECK(Block().integer('q').print("%c") == "q");
  CHECK(Block().add<long>(PrintKind::integer, {-1}).print("%lx") == "ffffffffffffffff");
}

TEST_CASE("printf: hh and h narrow what was promoted") {
  CHECK(Block().integer(300).print("%hhd") == "44");
  CHECK(Block().integer(-1).print("%hhu") == "255");
  CHECK(Block().integer(70000).print("%hd") == "4464");
}

TEST_CASE("printf: floating point") {
  CHECK(Block().real(1.5).print("%f") == "1.500000");
  CHECK(Block().real(-0.0).print("%g") == "-0");
  CHECK(Block().real(12345.678).print("%.2e") == "1.23e+04");
  CHECK(Block().real(1.0 / 0.0).print("%F") == "INF");
  CHECK(Block().real(1).print("%a") == "0x1p+0");
  CHECK(Block().add<float>(PrintKind::real, {0.25f}).print("%6.3f|") == " 0.250|");
}

TEST_CASE("printf: vectors are their elements with commas, each formatted") {
  CHECK(Block().add<float>(PrintKind::real, {1, 2, 3, 4}).print("%v4hlf") ==
        "1.000000,2.000000,3.000000,4.000000");
  CHECK(Block().add<int>(PrintKind::integer, {1, -2, 3}).print("%3v3hld|") == "  1, -2,  3|");
  CHECK(Block().add<unsigned char>(PrintKind::integer, {0xfa, 0xfb}).print("%#v2hhx") == "0xfa,0xfb");
  CHECK(Block().add<short>(PrintKind::integer, {-1, 1}).print("%v2hu") == "65535,1");
  CHECK(Block().add<std::uint16_t>(PrintKind::real, {0x3c00, 0xfc00}).print("%v2hg") == "1,-inf");
}

TEST_CASE("printf: strings, pointers and percent signs") {
  CHECK(Block().string("abc").print("%5s|%%") == "  abc|%");
  CHECK(Block().string("abcdef").print("%.3s") == "abc");
  CHECK(Block().string(nullptr).print("%s") == "(null)");
  std::string text(100'000, 'x');
  CHECK(Block().string(text.c_str()).print("<%s>") == "<" + text + ">");
  CHECK(Block().print("100%%") == "100%");
}

TEST_CASE("printf: C's lengths for 64 bits are understood as well") {
  Block block;
  for (long value : {-1, -2, 3, 4})
    block.add<long>(PrintKind::integer, {value});
  CHECK(block.print("%zd %lld %tx %ju") == "-1 -2 3 4");
}

TEST_CASE("printf: of a wrong format, what can be printed is") {
  CHECK(Block().print("a %5d b\n") == "(malformed) a %5d b\n");
  CHECK(Block().integer(1).print("%y") == "(malformed) %y");
  CHECK(Block().integer(1).print("50%") == "(malformed) 50%");
  CHECK(Block().integer(1).real(2.5).print("%f %d") == "(malformed) 1 2.5");
  CHECK(Block().integer(1).integer(2).print("%s %d") == "(malformed) 1 2");
  CHECK(Block().add<int>(PrintKind::integer, {1, 2}).integer(3).print("%d %d") == "(malformed) 1,2 3");
  CHECK(Block().add<int>(PrintKind::integer, {1, 2}).print("%v5d") == "(malformed) %v5d");
}
