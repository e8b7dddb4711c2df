// The operations of matrix_program.hpp in which matrices go through functions, variables and local memory, or in which
// work-items see components.

#include "matrix_program.hpp"

namespace test::spirv {

/// A function that returns its parameter, or that stores the parameter or a constant through a pointer.
void Program::add_call() {
  Value made = pooled();
  const Id of = type(made.shape), nothing = declared({spv::OpTypeVoid});
  const Id to = pointer(spv::StorageClassFunction, of), function = module_.new_id(), old = made.id;
  const std::uint32_t kind = random(3);
  const bool by_pointer = kind != 0, has_matrix = kind != 2;
  Words type_of = {spv::OpTypeFunction, by_pointer ? nothing : of};
  if (has_matrix) type_of.push_back(of);
  if (by_pointer) type_of.push_back(to);
  const Id of_function = declared(type_of);
  Words kernel = std::move(code_);
  code_.clear();
  emit(spv::OpFunction,
       {type_of[1], function, random(2) ? spv::FunctionControlDontInlineMask : 0u, of_function});
  Id stored = has_matrix ? emit(spv::OpFunctionParameter, of, {}) : 0;
  const Id result = by_pointer ? emit(spv::OpFunctionParameter, to, {}) : 0;
  emit(spv::OpLabel, {module_.new_id()});
  if (!has_matrix) {
    const Number number = small(made.shape.component);
    stored = matrix_of(made.shape, number);
    made = value(made.shape, 0, [&](std::size_t, std::uint32_t) { return number; });
  }
  if (by_pointer) {
    emit(spv::OpStore, {result, stored});
    emit(spv::OpReturn, {});
  } else {
    emit(spv::OpReturnValue, {stored});
  }
  emit(spv::OpFunctionEnd, {});
  functions_ = joined(functions_, code_);
  code_ = std::move(kernel);
  Words call = {function};
  if (has_matrix) call.push_back(old);
  const Id variable = by_pointer ? variable_of(of) : 0;
  if (by_pointer) call.push_back(variable);
  made.id = emit(spv::OpFunctionCall, type_of[1], call);
  if (by_pointer) made.id = emit(spv::OpLoad, of, {variable});
  pool_.push_back(std::move(made));
}

void Program::add_variable() {
  const Value old = pooled();
  const Id variable = variable_of(type(old.shape));
  emit(spv::OpStore, {variable, old.id});
  Value made = old;
  made.id = emit(spv::OpLoad, type(old.shape), {variable});
  pool_.push_back(std::move(made));
}

/// Elements of an array of matrices, at indices that are known or not.
void Program::add_array() {
  const Value a = pooled(), b = load(a.shape);
  const Id array = declared({spv::OpTypeArray, type(a.shape), number(4)}),
           to = pointer(spv::StorageClassFunction, type(a.shape));
  const Id variable = variable_of(array);
  const bool is_known = random(2);
  const Id at = is_known ? number(argument) : argument_;
  const auto element = [&](Id index) { return emit(spv::OpInBoundsAccessChain, to, {variable, index}); };
  emit(spv::OpStore, {element(number(1)), a.id});
  emit(spv::OpStore, {element(at), b.id});
  for (const auto& [of, index] : {std::pair(&a, number(1)), std::pair(&b, at)}) {
    Value made = *of;
    made.id = emit(spv::OpLoad, type(a.shape), {element(index)});
    pool_.push_back(std::move(made));
  }
}

/// A structure of a matrix and a number of each work-item. The sum of the work-items' errors is a matrix of zeros.
void Program::add_structure() {
  const Value old = pooled();
  const Shape zeros{{'i', 32}, 8, 8, 2};
  const Id i32 = integer_type(32), of = declared({spv::OpTypeStruct, i32, type(old.shape)});
  const Id variable = variable_of(of);
  const auto member = [&](Id type, std::uint32_t index) {
    return emit(spv::OpInBoundsAccessChain, pointer(spv::StorageClassFunction, type),
                {variable, number(index)});
  };
  const Id item = emit(spv::OpUConvert, i32, {built_in(spv::BuiltInLocalInvocationIndex, integer_type(64))});
  if (random(2)) {
    emit(spv::OpStore, {variable, emit(spv::OpCompositeConstruct, of, {item, old.id})});
  } else {
    emit(spv::OpStore, {member(i32, 0), item});
    emit(spv::OpStore, {member(type(old.shape), 1), old.id});
  }
  Value made = old;
  Id found = 0;
  if (random(2)) {
    const Id whole = emit(spv::OpLoad, of, {variable});
    found = emit(spv::OpCompositeExtract, i32, {whole, 0});
    made.id = emit(spv::OpCompositeExtract, type(old.shape), {whole, 1});
  } else {
    found = emit(spv::OpLoad, i32, {member(i32, 0)});
    made.id = emit(spv::OpLoad, type(old.shape), {member(type(old.shape), 1)});
  }
  const Id error = emit(spv::OpBitwiseXor, i32, {found, item});
  const Id sum = emit(spv::OpGroupIAdd, i32, {number(spv::ScopeSubgroup), spv::GroupOperationReduce, error});
  pool_.push_back(std::move(made));
  pool_.push_back(value(zeros, emit(spv::OpCompositeConstruct, type(zeros), {sum}),
                        [](std::size_t, std::uint32_t) { return Number(0); }));
}

/// Doubles the components that belong to each work-item, one by one, in memory.
void Program::add_components() {
  const Value old = pooled();
  const Component component = old.shape.component;
  if (component.kind == 'b') return;
  const Id i32 = integer_type(32), to = pointer(spv::StorageClassFunction, type(component));
  const Id variable = variable_of(type(old.shape));
  emit(spv::OpStore, {variable, old.id});
  const Id length = emit(op_length, i32, {type(old.shape)});
  const Id before = module_.new_id(), header = module_.new_id(), body = module_.new_id(),
           after = module_.new_id();
  emit(spv::OpBranch, {before});
  emit(spv::OpLabel, {before});
  emit(spv::OpBranch, {header});
  emit(spv::OpLabel, {header});
  const Id next = module_.new_id();
  const Id i = emit(spv::OpPhi, i32, {number(0), before, next, body});
  emit(spv::OpBranchConditional,
       {emit(spv::OpULessThan, declared({spv::OpTypeBool}), {i, length}), body, after});
  emit(spv::OpLabel, {body});
  const Id at = emit(spv::OpInBoundsAccessChain, to, {variable, i});
  const Id one = emit(spv::OpLoad, type(component), {at});
  emit(spv::OpStore,
       {at, emit(component.is_integer() ? spv::OpIAdd : spv::OpFAdd, type(component), {one, one})});
  emit(spv::OpIAdd, {i32, next, i, number(1)});
  emit(spv::OpBranch, {header});
  emit(spv::OpLabel, {after});
  const Id id = emit(spv::OpLoad, type(old.shape), {variable});
  pool_.push_back(value(old.shape, id, [&](std::size_t slice, std::uint32_t k) {
    const Number number = old.components[slice][k];
    return component.is_integer() ? Number(std::int64_t(2 * std::uint64_t(std::int64_t(number))))
                                  : 2 * number;
  }));
}

/// Inserts a component that was extracted: the matrix stays the same.
void Program::add_insertion() {
  Value made = pooled();
  const std::uint32_t index = random(made.shape.count());
  const Id part = emit(spv::OpCompositeExtract, type(made.shape.component), {made.id, index});
  made.id = emit(spv::OpCompositeInsert, type(made.shape), {part, made.id, index});
  pool_.push_back(std::move(made));
}

/// Through local memory, and back with other rows and columns.
void Program::add_transfer() {
  const Value old = pooled();
  const Shape& shape = old.shape;
  const Place to = place(shape, local_bytes_);
  const Words how = access(to);
  emit(op_store, joined({address(slice_local_, spv::StorageClassWorkgroup, shape, to), old.id}, how));
  const std::uint32_t semantics =
      spv::MemorySemanticsAcquireReleaseMask | spv::MemorySemanticsWorkgroupMemoryMask;
  emit(spv::OpControlBarrier, {number(spv::ScopeWorkgroup), number(spv::ScopeWorkgroup), number(semantics)});
  const Shape other{shape.component, shape.columns, shape.rows, random(3)};
  Place from = to;
  from.is_row_major = !to.is_row_major;
  const Words back = access(from);
  const Id id = emit(op_load, type(other),
                     joined({address(slice_local_, spv::StorageClassWorkgroup, other, from)}, back));
  pool_.push_back(value(other, id, [&](std::size_t slice, std::uint32_t i) {
    return old.components[slice][i % other.columns * shape.columns + i / other.columns];
  }));
}

/// The sum of all work-items' lengths, as a matrix: the number of components.
void Program::add_sum() {
  const Shape of = shape(), made{{'i', 32}, 8, 8, 2};
  const Id i32 = integer_type(32), length = emit(op_length, i32, {type(of)});
  const Id sum = emit(spv::OpGroupIAdd, i32, {number(spv::ScopeSubgroup), spv::GroupOperationReduce, length});
  pool_.push_back(value(made, emit(spv::OpCompositeConstruct, type(made), {sum}),
                        [&](std::size_t, std::uint32_t) { return Number(of.count()); }));
}

} // namespace test::spirv
