#include "compiler/abi/printf.hpp"

#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include <locale.h>

namespace hostcl::compiler {

namespace {

template <class T>
T read(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// Walks over the packed arguments.
class Arguments {
public:
  explicit Arguments(const std::byte* block) : at_(block) {}

  /// The next argument's header; its elements are elements(). False at the end.
  bool next(PrintArgument& argument) {
    argument = read<PrintArgument>(at_);
    if (argument.kind == PrintKind::end) return false;
    elements_ = at_ + sizeof(PrintArgument);
    at_ = elements_ + (std::size_t{argument.element_bytes} * argument.count + 7) / 8 * 8;
    return true;
  }
  const std::byte* elements() const { return elements_; }

private:
  const std::byte* at_;
  const std::byte* elements_ = nullptr;
};

/// One conversion specification: %[flags][width][.precision][vn][length]conversion.
struct Conversion {
  std::string start; ///< "%", flags, width and precision, as C's printf takes them
  unsigned vector = 1;
  unsigned length_bytes = 0; ///< the length that hh, h, hl or l ask for, or C's j, ll, t and z; or 0
  char kind = 0;
};

constexpr std::string_view conversions = "dioxXufFeEgGaAcsp%";

/// Parses from after the '%'; moves `p` past the conversion. Nothing if it is malformed.
std::optional<Conversion> parse(const char*& p) {
  Conversion result{"%"};
  auto take_while = [&](std::string_view set) {
    while (*p && set.find(*p) != set.npos)
      result.start += *p++;
  };
  take_while("-+ #0");
  take_while("0123456789");
  if (*p == '.') {
    result.start += *p++;
    take_while("0123456789");
  }
  if (*p == 'v') {
    result.vector = 0;
    for (++p; *p >= '0' && *p <= '9' && result.vector < 100; ++p)
      result.vector = 10 * result.vector + (*p - '0');
    if (result.vector != 2 && result.vector != 3 && result.vector != 4 && result.vector != 8 &&
        result.vector != 16)
      return std::nullopt;
  }
  constexpr std::pair<std::string_view, unsigned> lengths[] = {{"hh", 1}, {"hl", 4}, {"h", 2}, {"ll", 8},
                                                               {"l", 8},  {"j", 8},  {"z", 8}, {"t", 8}};
  for (auto [text, bytes] : lengths) {
    if (std::strncmp(p, text.data(), text.size()) != 0) continue;
    p += text.size();
    result.length_bytes = bytes;
    break;
  }
  if (!*p || conversions.find(*p) == conversions.npos) return std::nullopt;
  result.kind = *p++;
  return result;
}

template <class Value>
void append(std::string& out, const std::string& specification, Value value) {
  char small[128];
  int size = std::snprintf(small, sizeof small, specification.c_str(), value);
  if (size < 0) return;
  if (static_cast<std::size_t>(size) < sizeof small) {
    out.append(small, size);
    return;
  }
  std::size_t begin = out.size();
  out.resize(begin + size + 1);
  std::snprintf(&out[begin], size + 1, specification.c_str(), value);
  out.pop_back();
}

/// Appends the element as the conversion sees it: hh and h narrow values that were promoted to int.
void append_integer(std::string& out, const Conversion& conversion, const std::byte* at, unsigned bytes) {
  if (conversion.length_bytes && conversion.length_bytes < bytes) bytes = conversion.length_bytes;
  // Hosts are little-endian, so the low bytes come first. The shifts to the right extend the sign, or zeros.
  unsigned long long high = 0;
  std::memcpy(&high, at, bytes);
  const unsigned shift = 64 - 8 * bytes;
  high <<= shift;
  const long long number = static_cast<long long>(high) >> shift;
  if (conversion.kind == 'c')
    append(out, conversion.start + 'c', static_cast<int>(number));
  else if (conversion.kind == 'd' || conversion.kind == 'i')
    append(out, conversion.start + "ll" + conversion.kind, number);
  else
    append(out, conversion.start + "ll" + conversion.kind, high >> shift);
}

double real_element(const std::byte* at, unsigned bytes) {
  if (bytes == 2) return read<_Float16>(at);
  return bytes == 4 ? read<float>(at) : read<double>(at);
}

void append_pointer(std::string& out, const Conversion& conversion, const std::byte* at) {
  const void* address = read<const void*>(at);
  if (conversion.kind == 'p')
    append(out, conversion.start + 'p', address);
  else
    append(out, conversion.start + 's', address ? static_cast<const char*>(address) : "(null)");
}

/// Whether an argument of this kind may stand for the conversion.
bool fits(const Conversion& conversion, const PrintArgument& argument) {
  const auto is_one_of = [&](std::string_view kinds) { return kinds.find(conversion.kind) != kinds.npos; };
  const PrintKind kind = is_one_of("sp")        ? PrintKind::pointer
                         : is_one_of("dioxXuc") ? PrintKind::integer
                                                : PrintKind::real;
  return conversion.vector == argument.count && kind == argument.kind;
}

/// The conversion for an argument that does not fit the one in the format.
Conversion natural_conversion(const PrintArgument& argument) {
  constexpr char kinds[] = {0, 'd', 'g', 'p'};
  return {"%", argument.count, 0, kinds[static_cast<unsigned>(argument.kind)]};
}

void append_argument(std::string& out, const Conversion& conversion, const Arguments& arguments,
                     const PrintArgument& argument) {
  for (unsigned i = 0; i < argument.count; ++i) {
    const std::byte* element = arguments.elements() + std::size_t{argument.element_bytes} * i;
    if (i) out += ',';
    if (argument.kind == PrintKind::integer)
      append_integer(out, conversion, element, argument.element_bytes);
    else if (argument.kind == PrintKind::real)
      append(out, conversion.start + conversion.kind, real_element(element, argument.element_bytes));
    else
      append_pointer(out, conversion, element);
  }
}

/// While it lives, numbers are written with a point: the application's locale, which may have commas, is for
/// its own texts.
class PlainNumbers {
public:
  PlainNumbers() : before_(uselocale(plain())) {}
  ~PlainNumbers() { uselocale(before_); }
  PlainNumbers(const PlainNumbers&) = delete;

private:
  static locale_t plain() {
    static const locale_t instance = newlocale(LC_ALL_MASK, "C", nullptr);
    return instance;
  }

  locale_t before_;
};

} // namespace

bool format_message(std::string& out, const char* format, const std::byte* block) {
  const PlainNumbers plain;
  Arguments arguments(block);
  bool correct = true;
  for (const char* p = format; *p;) {
    const char* begin = p;
    if (*p != '%') {
      p += std::strcspn(p, "%");
      out.append(begin, p);
      continue;
    }
    auto conversion = parse(++p);
    PrintArgument argument;
    if (conversion && conversion->kind == '%') {
      out += '%';
    } else if (!conversion || !arguments.next(argument)) {
      correct = false;
      out.append(begin, p);
    } else {
      const bool fitting = fits(*conversion, argument);
      correct &= fitting;
      append_argument(out, fitting ? *conversion : natural_conversion(argument), arguments, argument);
    }
  }
  return correct;
}

} // namespace hostcl::compiler
