#include "matrix_program.hpp"

#include <cstring>

namespace test::spirv {

namespace {

void put(Bytes& bytes, std::size_t at, Component component, Number number) {
  const std::uint64_t bits = bits_of(component, number);
  if (bytes.size() < at + component.bytes()) bytes.resize(at + component.bytes(), untouched);
  std::memcpy(&bytes[at], &bits, component.bytes());
}

/// Whether sums with the value's components are exact in float.
bool is_exact(const Value& value) {
  return std::ranges::all_of(value.components, [&](const std::vector<Number>& list) {
    return std::ranges::all_of(
        list, [&](Number number) { return value.shape.component.is_integer() || std::abs(number) <= 4096; });
  });
}

} // namespace

Program::Program(std::uint32_t seed) : random_(seed) {
  constexpr std::uint32_t sizes[] = {0, 0, 4, 8, 16, 32};
  begin(one_of(sizes));
  using Add = void (Program::*)();
  constexpr Add all[] = {&Program::add_product,   &Program::add_product,  &Program::add_loop,
                         &Program::add_unary,     &Program::add_binary,   &Program::add_conversion,
                         &Program::add_splat,     &Program::add_choice,   &Program::add_call,
                         &Program::add_variable,  &Program::add_array,    &Program::add_components,
                         &Program::add_insertion, &Program::add_transfer, &Program::add_sum,
                         &Program::add_structure, &Program::add_scaling};
  add_every_product(seed);
  for (std::uint32_t left = 2 + random(4); left != 0; --left)
    (this->*one_of(all))();
  for (const Value& value : pool_)
    store(value);
  end();
}

void Program::begin(std::uint32_t sub_group_size) {
  kernel_ = module_.new_id();
  module_.append(spv::OpEntryPoint, joined({spv::ExecutionModelKernel, kernel_}, string("k")));
  constexpr auto mode_sub_group_size = spv::ExecutionModeSubgroupSize;
  if (sub_group_size != 0)
    module_.append(spv::OpExecutionMode, {kernel_, mode_sub_group_size, sub_group_size});
  // Variables for ids get the numbers that follow, because their decorations come before all types.
  const Id nothing = module_.new_id();
  Words variables;
  const spv::BuiltIn kinds[] = {spv::BuiltInWorkgroupId, spv::BuiltInLocalInvocationIndex,
                                spv::BuiltInSubgroupId, spv::BuiltInNumSubgroups,
                                spv::BuiltInSubgroupMaxSize};
  for (const spv::BuiltIn kind : kinds) {
    variables.push_back(module_.new_id());
    module_.append(spv::OpDecorate, {variables.back(), spv::DecorationBuiltIn, std::uint32_t(kind)});
  }
  module_.append(spv::OpTypeVoid, {nothing});
  declared_[{spv::OpTypeVoid}] = nothing;
  const Id i32 = integer_type(32), i64 = integer_type(64), ids = declared({spv::OpTypeVector, i64, 3});
  for (std::size_t i = 0; i < std::size(kinds); ++i) {
    const Id of = i == 0 ? ids : i == 1 ? i64 : i32;
    module_.append(spv::OpVariable,
                   {pointer(spv::StorageClassInput, of), variables[i], spv::StorageClassInput});
    declared_[{spv::OpVariable, std::uint32_t(kinds[i])}] = variables[i];
  }
  const Id bytes = pointer(spv::StorageClassCrossWorkgroup, integer_type(8)),
           local = pointer(spv::StorageClassWorkgroup, integer_type(8));
  const Id of_kernel = declared({spv::OpTypeFunction, nothing, bytes, bytes, local, i32, i64, i64, i64});
  emit(spv::OpFunction, {nothing, kernel_, 0, of_kernel});
  in_ = emit(spv::OpFunctionParameter, bytes, {});
  out_ = emit(spv::OpFunctionParameter, bytes, {});
  local_ = emit(spv::OpFunctionParameter, local, {});
  argument_ = emit(spv::OpFunctionParameter, i32, {});
  Id sizes[3];
  for (Id& size : sizes)
    size = emit(spv::OpFunctionParameter, i64, {});
  emit(spv::OpLabel, {module_.new_id()});
  kernel_begin_ = code_.size();
  // The number of the slice, from ids that say that all work-items have the same number, or from ids that do not.
  const Id group =
      emit(spv::OpUConvert, i32, {emit(spv::OpCompositeExtract, i64, {built_in(kinds[0], ids), 0})});
  const Id item = emit(spv::OpUConvert, i32, {built_in(kinds[1], i64)});
  const Id own =
      random(2) ? built_in(kinds[2], i32) : emit(spv::OpUDiv, i32, {item, built_in(kinds[4], i32)});
  const Id before = emit(spv::OpIMul, i32, {group, built_in(kinds[3], i32)});
  const Id slice = emit(spv::OpUConvert, i64, {emit(spv::OpIAdd, i32, {before, own})});
  const Id own_wide = emit(spv::OpUConvert, i64, {own});
  const auto begin_of = [&](Id base, Id type, Id which, Id size) {
    return emit(spv::OpInBoundsPtrAccessChain, type, {base, emit(spv::OpIMul, i64, {which, size})});
  };
  slice_in_ = begin_of(in_, bytes, slice, sizes[0]);
  slice_out_ = begin_of(out_, bytes, slice, sizes[1]);
  slice_local_ = begin_of(local_, local, own_wide, sizes[2]);
}

void Program::end() {
  emit(spv::OpReturn, {});
  emit(spv::OpFunctionEnd, {});
  const auto rounded = [](std::size_t bytes) { return (bytes + 127) / 128 * 128; };
  for (std::size_t i = 0; i < slices; ++i) {
    input_[i].resize(rounded(in_end_));
    output_[i].resize(rounded(out_end_), untouched);
  }
  local_bytes_ = rounded(std::max<std::size_t>(local_bytes_, 1));
}

Words Program::words() const {
  Words words = module_.words();
  words = joined(words, functions_);
  return joined(words, code_);
}

namespace {

Bytes all_of(const std::array<Bytes, slices>& parts) {
  Bytes all;
  for (const Bytes& part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}
} // namespace

Bytes Program::input() const {
  return all_of(input_);
}
Bytes Program::output() const {
  return all_of(output_);
}

Shape Program::shape() {
  constexpr std::uint32_t sides[] = {8, 8, 8, 16, 16, 16, 32, 64};
  Shape made{random(2) ? one_of(integers) : one_of(floats), one_of(sides), one_of(sides), random(3)};
  while (made.count() > 1024)
    made.columns /= 2;
  return made;
}

Number Program::small(Component component) {
  if (component.is_integer() && random(2))
    return as(component, Number(std::int64_t(random_()) << 31 ^ random_()));
  return component.is_integer() ? Number(int(random(9)) - 4) : Number(int(random(17)) - 8) / 8;
}

Place Program::place(const Shape& shape, std::size_t& end) {
  Place made{random(2) != 0, 0, 0, 0, 0};
  const std::size_t lines = made.is_row_major ? shape.rows : shape.columns,
                    line = (made.is_row_major ? shape.columns : shape.rows) * shape.component.bytes();
  constexpr std::uint32_t units[] = {1, 2, 4, 8, 16};
  made.unit_bytes = random(2) ? shape.component.bytes() : one_of(units);
  made.stride = std::uint32_t((line + made.unit_bytes - 1) / made.unit_bytes + random(3) * random(9));
  end = (end + 15) / 16 * 16 + random(2) * 16;
  made.begin = end;
  made.length = (lines - 1) * made.stride * made.unit_bytes + line;
  end += made.length;
  return made;
}

Id Program::address(Id base, spv::StorageClass storage, const Shape& shape, const Place& place) {
  const Id bytes = pointer(storage, integer_type(8));
  Id unit = integer_type(place.unit_bytes * 8);
  if (place.unit_bytes == shape.component.bytes()) unit = type(shape.component);
  if (place.unit_bytes == 16) unit = declared({spv::OpTypeVector, integer_type(32), 4});
  const Id begin = emit(spv::OpInBoundsPtrAccessChain, bytes, {base, wide(place.begin)});
  const Id to = pointer(storage, unit);
  return to == bytes ? begin : emit(spv::OpBitcast, to, {begin});
}

Value Program::value(const Shape& shape, Id id, const Make& make) {
  Value made{shape, id, {}};
  for (std::size_t slice = 0; slice < slices; ++slice)
    for (std::uint32_t i = 0; i < shape.count(); ++i)
      made.components[slice].push_back(as(shape.component, make(slice, i)));
  return made;
}

/// The operands of a load or store after the pointer. The stride is a constant, or computed from the kernel's argument.
Words Program::access(const Place& place) {
  Id stride = random(2) ? number(place.stride) : wide(place.stride);
  if (random(3) == 0)
    stride = emit(spv::OpIAdd, integer_type(32),
                  {random(2) ? argument_ : own_number(kernel_argument), number(place.stride - argument)});
  Words operands = {number(place.is_row_major ? 0 : 1), stride};
  const bool is_volatile = random(10) == 0, is_aligned = random(4) == 0;
  if (is_volatile || is_aligned)
    operands.push_back((is_volatile ? spv::MemoryAccessVolatileMask : 0u) |
                       (is_aligned ? spv::MemoryAccessAlignedMask : 0u));
  if (is_aligned) operands.push_back(1);
  return operands;
}

/// @param only the value of all components, instead of random ones
Value Program::load(const Shape& shape, std::optional<Number> only) {
  const Place from = place(shape, in_end_);
  const Words how = access(from);
  const Id at = address(slice_in_, spv::StorageClassCrossWorkgroup, shape, from);
  const Id id = emit(op_load, type(shape), joined({at}, how));
  Value made =
      value(shape, id, [&](std::size_t, std::uint32_t) { return only ? *only : small(shape.component); });
  for (std::size_t slice = 0; slice < slices; ++slice)
    for (std::uint32_t i = 0; i < shape.count(); ++i)
      put(input_[slice], from.offset(shape, i / shape.columns, i % shape.columns), shape.component,
          made.components[slice][i]);
  return made;
}

void Program::store(const Value& value) {
  const Place to = place(value.shape, out_end_);
  const Words how = access(to);
  const Id at = address(slice_out_, spv::StorageClassCrossWorkgroup, value.shape, to);
  emit(op_store, joined({at, value.id}, how));
  const Shape& shape = value.shape;
  for (std::size_t slice = 0; slice < slices; ++slice)
    for (std::uint32_t i = 0; i < shape.count(); ++i)
      put(output_[slice], to.offset(shape, i / shape.columns, i % shape.columns), shape.component,
          value.components[slice][i]);
}

Value& Program::pooled() {
  return pool_[random(std::uint32_t(pool_.size()))];
}

/// Multiplies and adds with random signedness.
Value Program::product(const Value& a, const Value& b, const Value& c, Component result) {
  const Shape shape{result, c.shape.rows, c.shape.columns, 2};
  const bool is_integer = result.is_integer();
  const auto bits_a = a.shape.component.bits, bits_b = b.shape.component.bits;
  const bool saturates =
      is_integer && c.shape.component == result && random(2) &&
      ((bits_a == 8 && bits_b == 8 && result.bits >= 32) || (bits_a + bits_b <= 32 && result.bits == 64));
  const std::uint32_t mask = (is_integer ? random(16) : 0) | (saturates ? 16 : 0);
  Words operands = {a.id, b.id, c.id};
  if (mask != 0 || random(2)) operands.push_back(mask);
  const Id id = emit(op_multiply_add, type(shape), operands);
  const auto extended = [](const Value& from, std::size_t slice, std::uint32_t i, bool is_signed) {
    const Number number = from.components[slice][i];
    const unsigned bits = from.shape.component.bits;
    return is_signed || bits == 64 ? std::uint64_t(std::int64_t(number))
                                   : std::uint64_t(std::int64_t(number)) & ((std::uint64_t(1) << bits) - 1);
  };
  return value(shape, id, [&](std::size_t slice, std::uint32_t i) -> Number {
    const std::uint32_t row = i / shape.columns, column = i % shape.columns, inner = a.shape.columns;
    if (!is_integer) {
      Number sum = c.components[slice][i];
      for (std::uint32_t k = 0; k < inner; ++k)
        sum += a.components[slice][row * inner + k] * b.components[slice][k * shape.columns + column];
      return sum;
    }
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < inner; ++k)
      sum += extended(a, slice, row * inner + k, mask & 1) *
             extended(b, slice, k * shape.columns + column, mask & 2);
    const std::uint64_t addend = extended(c, slice, i, mask & 4);
    if (!saturates) return Number(std::int64_t(sum + addend));
    // The sum is exact in Number; each of the two is taken as a number of the result's type.
    const bool is_signed = mask & 8;
    const auto typed = [&](std::uint64_t bits) {
      if (result.bits == 32) bits &= 0xffffffff;
      if (!is_signed) return Number(bits);
      return result.bits == 32 ? Number(std::int32_t(bits)) : Number(std::int64_t(bits));
    };
    const Number low = is_signed ? -std::ldexp(Number(1), int(result.bits) - 1) : 0,
                 high = std::ldexp(Number(1), int(result.bits) - (is_signed ? 1 : 0)) - 1;
    const Number clamped = std::clamp(typed(sum) + typed(addend), low, high);
    return Number(is_signed ? std::int64_t(clamped) : std::int64_t(std::uint64_t(clamped)));
  });
}

void Program::add_product() {
  add_every_product(random_());
}

/// A product with components and sizes that the number says: 512 numbers one after the other have all combinations of
/// components, and of each size at least ten.
void Program::add_every_product(std::uint32_t which) {
  const auto component = [&](unsigned bit) {
    return which & 1 ? integers[which >> bit & 3] : floats[which >> bit & 3];
  };
  std::vector<std::array<std::uint32_t, 3>> sizes;
  for (std::uint32_t m = 8; m <= 64; m *= 2)
    for (std::uint32_t n = 8; n <= 64; n *= 2)
      for (std::uint32_t k = 8; k <= 64; k *= 2)
        if (std::max({m * n, m * k, k * n}) <= 1024) sizes.push_back({m, n, k});
  const auto [rows, columns, inner] = sizes[which % sizes.size()];
  const Value a = load({component(1), rows, inner, 0}), b = load({component(3), inner, columns, 1});
  const Shape c{component(5), rows, columns, 2};
  Value* known = nullptr;
  for (Value& value : pool_)
    if (value.shape == c && is_exact(value)) known = &value;
  const Value addend = known ? *known : load(c);
  pool_.push_back(product(a, b, addend, component(7)));
}

/// A loop that multiplies and adds to the same matrix, as often as a number of the sub-group says.
void Program::add_loop() {
  const bool is_integer = random(2);
  const Component component = is_integer ? one_of(integers) : one_of(floats);
  Shape c{component, 8u << random(2), 8u << random(2), 2};
  const Value start = load(c), a = load({is_integer ? one_of(integers) : one_of(floats), c.rows, 8, 0}),
              b = load({is_integer ? one_of(integers) : one_of(floats), 8, c.columns, 1});
  const Id i32 = integer_type(32);
  const Count rounds = count();
  const Id before = module_.new_id(), header = module_.new_id(), body = module_.new_id(),
           after = module_.new_id();
  emit(spv::OpBranch, {before});
  emit(spv::OpLabel, {before});
  emit(spv::OpBranch, {header});
  emit(spv::OpLabel, {header});
  const Id next_i = module_.new_id(), next_sum = module_.new_id();
  const Id i = emit(spv::OpPhi, i32, {number(0), before, next_i, body});
  const Id sum = emit(spv::OpPhi, type(c), {start.id, before, next_sum, body});
  const Id goes_on = emit(spv::OpULessThan, declared({spv::OpTypeBool}), {i, rounds.id});
  emit(spv::OpBranchConditional, {goes_on, body, after});
  emit(spv::OpLabel, {body});
  Value current = start;
  current.id = sum;
  const std::size_t place = code_.size();
  const auto seeds = random_;
  Value made = product(a, b, current, component);
  code_.resize(place);
  for (std::uint32_t round = 0; round < std::ranges::max(rounds.of); ++round) {
    random_ = seeds; // the same random signedness each time
    code_.resize(place);
    made = product(a, b, current, component);
    for (std::size_t slice = 0; slice < slices; ++slice)
      if (round < rounds.of[slice]) current.components[slice] = made.components[slice];
  }
  emit(spv::OpCopyObject, {type(c), next_sum, made.id});
  emit(spv::OpIAdd, {i32, next_i, i, number(1)});
  emit(spv::OpBranch, {header});
  emit(spv::OpLabel, {after});
  pool_.push_back(current);
}

/// A matrix of one number: of a constant, or of a number that work-items load.
void Program::add_splat() {
  const Shape made = shape();
  const Number number = small(made.component);
  const Id one = constant(made.component, number);
  Id id = 0;
  switch (random(3)) {
  case 0:
    id = matrix_of(made, number);
    break;
  case 1:
    id = emit(spv::OpCompositeConstruct, type(made), {one});
    break;
  default: {
    const Value known = load(made, number);
    const Place from{true, 1, made.component.bytes(), in_end_, 0};
    in_end_ += 16;
    for (Bytes& bytes : input_)
      put(bytes, from.begin, made.component, number);
    const Id at = address(slice_in_, spv::StorageClassCrossWorkgroup, made, from);
    id = emit(spv::OpCompositeConstruct, type(made),
              {emit(spv::OpLoad, type(made.component), {at, 2, made.component.bytes()})});
    pool_.push_back(known);
  }
  }
  pool_.push_back(value(made, id, [&](std::size_t, std::uint32_t) { return number; }));
}

/// The slice's number, which each work-item loads from an address of its own.
Id Program::own_number(const std::array<std::uint32_t, slices>& numbers) {
  constexpr Component word = {'i', 32};
  constexpr std::uint32_t most_items = 512;
  const Place place{true, 1, word.bytes(), (in_end_ + 15) / 16 * 16, most_items * word.bytes()};
  in_end_ = place.begin + place.length;
  for (std::size_t slice = 0; slice < slices; ++slice)
    for (std::uint32_t item = 0; item < most_items; ++item)
      put(input_[slice], place.begin + item * word.bytes(), word, numbers[slice]);
  const Id item = built_in(spv::BuiltInLocalInvocationIndex, integer_type(64));
  const Id to = pointer(spv::StorageClassCrossWorkgroup, type(word));
  const Id first = address(slice_in_, spv::StorageClassCrossWorkgroup, {word, 1, 1, 0}, place);
  const Id own = emit(spv::OpInBoundsPtrAccessChain, to, {first, item});
  return emit(spv::OpLoad, type(word), {own, spv::MemoryAccessAlignedMask, word.bytes()});
}

/// The kernel's argument, or a number of each sub-group.
Count Program::count() {
  std::array<std::uint32_t, slices> numbers = kernel_argument;
  if (random(3) == 0) return {argument_, numbers};
  if (random(2))
    for (std::uint32_t& of_slice : numbers)
      of_slice = random(5);
  return {own_number(numbers), numbers};
}

/// One of two matrices: by a selection, or by a branch.
void Program::add_choice() {
  const Value a = pooled(), b = load(a.shape);
  const std::uint32_t border = random(6);
  const Count number_of = count();
  const Id condition = emit(spv::OpULessThan, declared({spv::OpTypeBool}), {number_of.id, number(border)});
  Value made = a, other = b;
  if (random(2)) {
    made.id = emit(spv::OpSelect, type(a.shape), {condition, a.id, b.id});
  } else {
    const Id before = module_.new_id(), yes = module_.new_id(), no = module_.new_id(),
             after = module_.new_id();
    emit(spv::OpBranch, {before});
    emit(spv::OpLabel, {before});
    emit(spv::OpBranchConditional, {condition, yes, no});
    emit(spv::OpLabel, {yes});
    emit(spv::OpBranch, {after});
    emit(spv::OpLabel, {no});
    if (random(2)) other = load(b.shape); // otherwise LLVM makes a select of the phi
    emit(spv::OpBranch, {after});
    emit(spv::OpLabel, {after});
    made.id = emit(spv::OpPhi, type(a.shape), {a.id, yes, other.id, no});
  }
  for (std::size_t slice = 0; slice < slices; ++slice)
    if (number_of.of[slice] >= border) made.components[slice] = other.components[slice];
  pool_.push_back(std::move(made));
}

} // namespace test::spirv
