// Memory that is read and written as several types, at addresses that suit only some of them. A view is a
// type that aliases all others and is aligned as the address tells.

#include "differential/generator.hpp"

#include <algorithm>
#include <numeric>

namespace differential {

namespace {

constexpr const char* viewed[] = {"char",  "uchar", "short", "ushort", "int",  "uint",
                                  "float", "long",  "ulong", "double", "long", "int"};

unsigned alignment_at(unsigned unit, unsigned offset) {
  const unsigned both = std::gcd(unit, offset);
  return both & ~(both - 1);
}

/// A number of 64 bits that shows all of an expression's value.
std::string folded(const std::string& value, Type type) {
  std::string text;
  for (unsigned c : {0u, type.count - 1}) {
    const std::string element = value + (type.count > 1 ? std::string(".s") + "0123456789abcdef"[c] : "");
    text += (text.empty() ? "" : " + ") + std::string("bits(") + (type.is_float() ? "" : "(ulong)") +
            element + ") * " + (c ? "3" : "1") + "u";
    if (type.count == 1) break;
  }
  return "(" + text + ")";
}

} // namespace

std::string Generator::view(Type type, unsigned alignment) {
  const std::string name = type.name() + "_at_" + std::to_string(alignment);
  views_[name] = "typedef " + type.name() + " __attribute__((may_alias, aligned(" +
                 std::to_string(alignment) + "))) " + name + ";";
  return name;
}

Type Generator::any_viewed() {
  Type type = scalar_type(viewed[below(std::size(viewed))]);
  if (chance(25)) type.count = pick({2u, 2u, 4u, 4u, 8u, 16u});
  while (type.bytes() > 32)
    type.count /= 2;
  return type;
}

/// A number from the buffers that are only read.
Node Generator::view_read(Type type) {
  const Type seen = [&] {
    Type any = any_viewed();
    any.count = 1;
    while (any.is_float() != type.is_float())
      any = scalar_type(viewed[below(std::size(viewed))]);
    return any;
  }();
  static constexpr std::pair<const char*, unsigned> buffers[] = {{"in32", 4}, {"in8", 1}, {"in64", 8}};
  const auto [buffer, unit] = buffers[below(3)];
  const unsigned offset = chance(60) ? 0 : below(17);
  const unsigned alignment = std::min(alignment_at(unit, offset), seen.bytes());
  const std::string address = "(global const uchar*)(" + std::string(buffer) + " + $0)" +
                              (offset ? " + " + std::to_string(offset) : "");
  return expression_node(
      "(" + type.name() + ")*(global const " + view(seen, alignment) + "*)(" + address + ")", index());
}

/// One address read as several types: of numbers that follow each other, or of records.
Node Generator::view_reads() {
  static constexpr std::pair<const char*, unsigned> buffers[] = {
      {"in32", 4}, {"in8", 1}, {"in64", 8}, {"inf", 4}};
  auto [buffer, unit] = buffers[below(4)];
  const std::string pointer = fresh("p"), sum = fresh("sum");
  std::string address = "(global const uchar*)(" + std::string(buffer) + " + $0)";
  Node at;
  if (chance(50)) {
    unit = pick({12u, 12u, 20u, 28u, 8u, 16u, 24u});
    address = "((global const uchar (*)[" + std::to_string(unit) + "])in64)[$0]";
    at = expression_node(any_of({"i ^ $0", "i ^ $0", "i ^ $0", "i", "n - 1 - i", "(i + $0) % n", "id"}),
                         distance());
  } else {
    at = index();
  }
  std::string text = "{\nglobal const uchar* " + pointer + " = " + address + ";\nulong " + sum + " = 0;\n";
  for (unsigned reads = 2 + below(2); reads > 0; --reads) {
    const Type type = any_viewed();
    const unsigned offset = chance(65) ? 0 : below(17);
    const unsigned alignment = std::min(alignment_at(unit, offset), type.bytes());
    const std::string value = fresh("v");
    text += "const " + type.name() + " " + value + " = *(global const " + view(type, alignment) + "*)(" +
            pointer + (offset ? " + " + std::to_string(offset) : "") + ");\n" + sum + " = mix(" + sum + ", " +
            folded(value, type) + ");\n";
  }
  return statement(text + "out64[(n - 1 - i) * 4 + " + number(4) + "] ^= " + sum + ";\n}", std::move(at));
}

/// Stores to the work-item's own record, and loads that overlap them.
Node Generator::view_writes() {
  const std::string record = fresh("r");
  const std::string size = std::to_string(record_bytes_);
  Node result = statement("{\nglobal uchar* " + record + " = ((global uchar (*)[" + size + "])raw)[slot];\n");
  for (unsigned accesses = 1 + below(4); accesses > 0; --accesses) {
    Type type = any_viewed();
    while (type.bytes() > record_bytes_)
      type.count /= 2;
    const unsigned room = record_bytes_ - type.bytes(), step = chance(70) ? std::min(4u, type.bytes()) : 1;
    const unsigned offset = below(room / step + 1) * step;
    const unsigned alignment = std::min(alignment_at(record_bytes_, offset), type.bytes());
    const std::string place =
        view(type, alignment) + "*)(" + record + (offset ? " + " + std::to_string(offset) : "") + ")";
    if (chance(60)) {
      result.form += "*(global " + place + " = $" + std::to_string(result.children.size()) + ";\n";
      Node value = expression(type.count == 1 || type.count == 4 ? type : type.element(), 1);
      if (type.is_float()) // whose NaNs differ
        value = expression_node("(" + type.name() + ")(i & 15)");
      result.children.push_back(std::move(value));
    } else {
      const std::string value = fresh("v");
      result.form += "const " + type.name() + " " + value + " = *(global const " + place +
                     ";\nout64[(n - 1 - i) * 4 + " + number(4) + "] ^= " + folded(value, type) + ";\n";
    }
  }
  result.form += "}";
  return result;
}

/// The same in private memory.
Node Generator::private_views() {
  const std::string own = fresh("own");
  Type first = any_viewed(), second = any_viewed();
  const unsigned bytes = chance(80) ? 16 : 32;
  auto place = [&](Type type) {
    const unsigned offset = bytes > type.bytes() ? below((bytes - type.bytes()) / 4 + 1) * 4 : 0;
    return "(private " + view(type, std::min(alignment_at(16, offset), type.bytes())) + "*)(" + own + " + " +
           std::to_string(offset) + ")";
  };
  for (Type* type : {&first, &second})
    while (type->bytes() > bytes)
      type->count /= 2;
  const std::string value = fresh("v");
  Node stored = first.is_float()
                    ? expression_node("(" + first.name() + ")(i & 15)")
                    : expression(first.count == 1 || first.count == 4 ? first : first.element(), 1);
  return statement("{\nuchar __attribute__((aligned(16))) " + own + "[" + std::to_string(bytes) +
                       "] = {1, 2, 250, 4, 5, 128, 7, 8, 9};\n" + own + "[i & " + std::to_string(bytes - 1) +
                       "] = (uchar)i;\n*" + place(first) + " = $0;\n" + own + "[$1 & " +
                       std::to_string(bytes - 1) + "] ^= 21;\nconst " + second.name() + " " + value + " = *" +
                       place(second) + ";\nout64[(n - 1 - i) * 4 + " + number(4) +
                       "] ^= " + folded(value, second) + ";\n}",
                   std::move(stored), expression(scalar_type("int"), 2));
}

} // namespace differential
