#include "intrinsic_module.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/DerivedTypes.h"

using namespace llvm;

namespace test::spirv {

namespace {

bool is_value(const Type* type) {
  if (const auto* vector = dyn_cast<FixedVectorType>(type)) {
    const unsigned count = vector->getNumElements();
    return (count == 2 || count == 4 || count == 8 || count == 16) && is_value(vector->getElementType());
  }
  return type->isIntegerTy(1) || type->isIntegerTy(8) || type->isIntegerTy(16) || type->isIntegerTy(32) ||
         type->isIntegerTy(64) || type->isHalfTy() || type->isFloatTy() || type->isDoubleTy();
}

bool is_boolean(const Type* type) {
  return type->isIntOrIntVectorTy(1);
}

/// Writes the module's parts; types are declared where they are first asked for.
class Writer {
public:
  Writer()
      : module_({spv::CapabilityLinkage, spv::CapabilityInt8, spv::CapabilityInt16, spv::CapabilityInt64,
                 spv::CapabilityFloat16, spv::CapabilityFloat64, spv::CapabilityVector16}) {}

  Module& module() { return module_; }

  std::uint32_t type(Type* type) {
    std::uint32_t& id = types_[type];
    if (id == 0) id = declared(type);
    return id;
  }
  std::uint32_t pointer(Type* to) {
    std::uint32_t& id = pointers_[to];
    if (id == 0) {
      const std::uint32_t content = type(to);
      id = module_.declare(spv::OpTypePointer, {spv::StorageClassCrossWorkgroup, content});
    }
    return id;
  }
  std::uint32_t number(Type* of, std::uint64_t value) {
    const std::uint32_t kind = type(of);
    if (of->isIntegerTy(1)) return module_.make(value ? spv::OpConstantTrue : spv::OpConstantFalse, kind, {});
    Words words = {std::uint32_t(value)};
    if (of->isIntegerTy(64)) words.push_back(std::uint32_t(value >> 32));
    return module_.make(spv::OpConstant, kind, words);
  }
  /// The number in each component.
  std::uint32_t splat(Type* of, std::uint64_t value) {
    auto* vector = dyn_cast<FixedVectorType>(of);
    if (!vector) return number(of, value);
    const std::uint32_t kind = type(of), part = number(vector->getElementType(), value);
    return module_.make(spv::OpConstantComposite, kind, Words(vector->getNumElements(), part));
  }

private:
  std::uint32_t declared(Type* type) {
    if (auto* vector = dyn_cast<FixedVectorType>(type)) {
      const std::uint32_t element = this->type(vector->getElementType());
      return module_.declare(spv::OpTypeVector, {element, vector->getNumElements()});
    }
    if (auto* structure = dyn_cast<StructType>(type)) {
      Words members;
      for (Type* member : structure->elements())
        members.push_back(this->type(member));
      return module_.declare(spv::OpTypeStruct, members);
    }
    if (type->isVoidTy()) return module_.declare(spv::OpTypeVoid, {});
    if (type->isIntegerTy(1)) return module_.declare(spv::OpTypeBool, {});
    if (type->isIntegerTy()) return module_.declare(spv::OpTypeInt, {type->getIntegerBitWidth(), 0});
    return module_.declare(spv::OpTypeFloat, {type->getScalarSizeInBits()});
  }

  Module module_;
  std::map<Type*, std::uint32_t> types_, pointers_;
};

/// A boolean of what lies in memory, or the other way round.
std::uint32_t converted(Writer& writer, Type* type, std::uint32_t value, std::uint32_t ones,
                        std::uint32_t zeros, bool to_memory) {
  if (!is_boolean(type)) return value;
  Module& m = writer.module();
  return to_memory ? m.make(spv::OpSelect, writer.type(memory_type(type)), {value, ones, zeros})
                   : m.make(spv::OpINotEqual, writer.type(type), {value, zeros});
}

} // namespace

Type* memory_type(Type* type) {
  return is_boolean(type) ? type->getWithNewType(IntegerType::get(type->getContext(), 32)) : type;
}

bool is_expressible(const FunctionType& type) {
  if (!all_of(type.params(), is_value)) return false;
  const auto* structure = dyn_cast<StructType>(type.getReturnType());
  return structure ? all_of(structure->elements(), is_value) : is_value(type.getReturnType());
}

std::vector<Type*> run_time_parameters(const Import& import) {
  std::vector<Type*> types;
  for (unsigned i = 0; i < import.function->arg_size(); ++i)
    if (!import.literals.contains(i)) types.push_back(import.function->getArg(i)->getType());
  return types;
}

std::vector<Type*> results_of(const Import& import) {
  Type* type = import.function->getReturnType();
  if (auto* structure = dyn_cast<StructType>(type)) return structure->elements().vec();
  return {type};
}

namespace {

/// What a module has of types and constants.
struct Declarations {
  std::vector<Type*> parameters, results; ///< without literals
  Words all_parameters, pointers;         ///< types of the intrinsic and of the kernel
  std::map<Type*, std::pair<std::uint32_t, std::uint32_t>> booleans; ///< ones and zeros
  std::map<unsigned, std::uint32_t> literals;
};

Declarations declarations(Writer& w, const Import& import) {
  Declarations d{run_time_parameters(import), results_of(import), {}, {}, {}, {}};
  for (Type* type : import.function->getFunctionType()->params())
    d.all_parameters.push_back(w.type(type));
  for (const std::vector<Type*>* list : {&d.parameters, &d.results})
    for (Type* type : *list) {
      d.pointers.push_back(w.pointer(memory_type(type)));
      if (is_boolean(type)) d.booleans[type] = {w.splat(memory_type(type), 1), w.splat(memory_type(type), 0)};
    }
  for (const auto& [index, value] : import.literals)
    d.literals[index] = w.number(import.function->getArg(index)->getType(), value);
  return d;
}

} // namespace

Words intrinsic_module(const Import& import) {
  Writer w;
  Module& m = w.module();
  LLVMContext& context = import.function->getContext();
  Type *wide = Type::getInt64Ty(context), *nothing = Type::getVoidTy(context);
  const std::uint32_t kernel = m.new_id(), imported = m.new_id(), global_id = m.new_id();
  m.append(spv::OpEntryPoint, joined(joined({spv::ExecutionModelKernel, kernel}, string("k")), {global_id}));
  m.append(spv::OpDecorate, {global_id, spv::DecorationBuiltIn, spv::BuiltInGlobalInvocationId});
  m.append(spv::OpDecorate,
           joined(joined({imported, spv::DecorationLinkageAttributes}, string(import.function->getName())),
                  {spv::LinkageTypeImport}));
  Declarations d = declarations(w, import);
  const std::uint32_t result_type = w.type(import.function->getReturnType());
  const std::uint32_t import_type = m.declare(spv::OpTypeFunction, joined({result_type}, d.all_parameters)),
                      kernel_type = m.declare(spv::OpTypeFunction, joined({w.type(nothing)}, d.pointers)),
                      ids = w.type(FixedVectorType::get(wide, 3)),
                      to_ids = m.declare(spv::OpTypePointer, {spv::StorageClassInput, ids});
  m.append(spv::OpVariable, {to_ids, global_id, spv::StorageClassInput});
  m.append(spv::OpFunction, {result_type, imported, spv::FunctionControlMaskNone, import_type});
  for (const std::uint32_t type : d.all_parameters)
    m.make(spv::OpFunctionParameter, type, {});
  m.append(spv::OpFunctionEnd, {});
  m.append(spv::OpFunction, {w.type(nothing), kernel, spv::FunctionControlMaskNone, kernel_type});
  Words places;
  for (const std::uint32_t type : d.pointers)
    places.push_back(m.make(spv::OpFunctionParameter, type, {}));
  m.declare(spv::OpLabel, {});
  const std::uint32_t item =
      m.make(spv::OpCompositeExtract, w.type(wide), {m.make(spv::OpLoad, ids, {global_id}), 0});
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = m.make(spv::OpInBoundsPtrAccessChain, d.pointers[i], {places[i], item});
  Words operands = {imported};
  std::size_t next = 0;
  for (unsigned i = 0; i < d.all_parameters.size(); ++i) {
    if (d.literals.contains(i)) {
      operands.push_back(d.literals[i]);
      continue;
    }
    Type* type = d.parameters[next];
    const std::uint32_t loaded = m.make(spv::OpLoad, w.type(memory_type(type)), {places[next++]});
    operands.push_back(converted(w, type, loaded, d.booleans[type].first, d.booleans[type].second, false));
  }
  const std::uint32_t called = m.make(spv::OpFunctionCall, result_type, operands);
  for (std::uint32_t part = 0; part < d.results.size(); ++part) {
    Type* type = d.results[part];
    const std::uint32_t value = import.function->getReturnType()->isStructTy()
                                    ? m.make(spv::OpCompositeExtract, w.type(type), {called, part})
                                    : called;
    m.append(spv::OpStore, {places[next++], converted(w, type, value, d.booleans[type].first,
                                                      d.booleans[type].second, true)});
  }
  m.append(spv::OpReturn, {});
  m.append(spv::OpFunctionEnd, {});
  return m.words();
}

} // namespace test::spirv
