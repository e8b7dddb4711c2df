// Modules that import intrinsics of LLVM, one for each intrinsic that computes from its operands alone and types that
// SPIR-V has. Each is compiled to machine code. Where LLVM itself can compute the call at compile time, the code runs
// with pseudo-random operands, and its results are compared with LLVM's.
// usage: spirv_intrinsics [--every=N] [NAME...]
//   --every=N  of each Nth module alone;  NAME  of intrinsics whose names begin like that

#include "intrinsic_module.hpp"

#include "compiler/compiler.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>

using namespace llvm;

namespace {

namespace compiler = hostcl::compiler;
using test::spirv::Import;
using test::spirv::memory_type;

constexpr std::size_t items = 64;

/// The kinds of types that an intrinsic is overloaded with, in the order of their numbers.
std::vector<unsigned> overloads(Intrinsic::ID id) {
  using Descriptor = Intrinsic::IITDescriptor;
  SmallVector<Descriptor, 8> table;
  Intrinsic::getIntrinsicInfoTableEntries(id, table);
  std::vector<unsigned> kinds;
  for (const Descriptor& entry : table) {
    if (entry.Kind != Descriptor::Argument || entry.getArgumentKind() == Descriptor::AK_MatchType) continue;
    kinds.resize(std::max<std::size_t>(kinds.size(), entry.getArgumentNumber() + 1),
                 Descriptor::AK_AnyPointer);
    kinds[entry.getArgumentNumber()] = entry.getArgumentKind();
  }
  return kinds;
}

/// Types of one width and number of components: integers, or numbers of floating point.
struct Sizes {
  unsigned bits, count;
};
constexpr Sizes all_sizes[] = {{32, 1}, {32, 4}, {16, 1}, {16, 4}, {64, 1}, {64, 2}, {8, 1}, {8, 16}};

Type* type_of(LLVMContext& context, const Sizes& sizes, bool is_float) {
  Type* scalar = IntegerType::get(context, sizes.bits);
  if (is_float)
    scalar = sizes.bits == 16   ? Type::getHalfTy(context)
             : sizes.bits == 32 ? Type::getFloatTy(context)
             : sizes.bits == 64 ? Type::getDoubleTy(context)
                                : nullptr;
  return scalar && sizes.count > 1 ? FixedVectorType::get(scalar, sizes.count) : scalar;
}

/// The declaration, with constants for the operands that must be some, if LLVM's verifier has nothing against a call.
std::optional<Import> import_of(Module& scratch, Intrinsic::ID id, ArrayRef<Type*> types) {
  FunctionType* type = Intrinsic::getType(scratch.getContext(), id, types);
  SmallVector<Type*, 4> found;
  // What the verifier does not demand.
  if (Intrinsic::getBaseName(id).ends_with(".fp16") && types[0]->isVectorTy()) return std::nullopt;
  const bool is_of_floats = Intrinsic::getBaseName(id).starts_with("llvm.vector.reduce.f");
  if (is_of_floats && !type->getReturnType()->isFloatingPointTy()) return std::nullopt;
  if (type->isVarArg() || !Intrinsic::getIntrinsicSignature(id, type, found) ||
      !test::spirv::is_expressible(*type))
    return std::nullopt;
  for (std::uint64_t literal : {0, 1, 4, 8, 519}) {
    Import import{Intrinsic::getOrInsertDeclaration(&scratch, id, types), {}};
    Function* caller = Function::Create(type, GlobalValue::ExternalLinkage, "caller", scratch);
    IRBuilder<> builder(BasicBlock::Create(scratch.getContext(), "", caller));
    SmallVector<Value*, 8> operands(make_pointer_range(caller->args()));
    for (unsigned i = 0; i < operands.size(); ++i) {
      if (!import.function->hasParamAttribute(i, Attribute::ImmArg)) continue;
      if (!type->getParamType(i)->isIntegerTy()) return std::nullopt;
      import.literals[i] = literal;
      operands[i] = ConstantInt::get(type->getParamType(i), literal, false, /*implicitTrunc=*/true);
    }
    builder.CreateRet(builder.CreateCall(import.function, operands));
    const bool is_broken = verifyFunction(*caller) || verifyFunction(*import.function);
    caller->eraseFromParent();
    if (!is_broken) return import;
    if (import.literals.empty()) return std::nullopt;
  }
  return std::nullopt;
}

/// All imports of an intrinsic with the types above.
std::vector<Import> imports_of(Module& scratch, Intrinsic::ID id) {
  using Descriptor = Intrinsic::IITDescriptor;
  const std::vector<unsigned> kinds = overloads(id);
  std::vector<Import> imports;
  for (const Sizes& sizes : all_sizes)
    for (unsigned floats = 0; floats < 1U << kinds.size(); ++floats) { // a bit for each type
      SmallVector<Type*, 4> types;
      for (unsigned i = 0; i < kinds.size(); ++i) {
        const bool is_float = floats >> i & 1;
        const bool fits = kinds[i] == Descriptor::AK_Any ||
                          (kinds[i] == Descriptor::AK_AnyVector && sizes.count > 1) ||
                          kinds[i] == (is_float ? Descriptor::AK_AnyFloat : Descriptor::AK_AnyInteger);
        if (Type* type = fits ? type_of(scratch.getContext(), sizes, is_float) : nullptr)
          types.push_back(type);
      }
      if (types.size() != kinds.size()) continue;
      if (auto import = import_of(scratch, id, types)) imports.push_back(std::move(*import));
      if (kinds.empty()) return imports;
    }
  return imports;
}

/// What LLVM says of the intrinsic: neither target nor memory, and it returns.
bool computes_alone(LLVMContext& context, Intrinsic::ID id) {
  if (Intrinsic::isTargetIntrinsic(id)) return false;
  const AttributeSet attributes = Intrinsic::getFnAttributes(context, id);
  return attributes.getMemoryEffects().doesNotAccessMemory() &&
         attributes.hasAttribute(Attribute::WillReturn);
}

/// Families of which the code generators of CPUs lack most types, or that mean nothing to a kernel.
bool is_of_no_use(Intrinsic::ID id) {
  constexpr StringLiteral families[] = {
      "llvm.experimental.",       "llvm.is.constant",       "llvm.matrix.",         "llvm.ptrauth.",
      "llvm.vector.deinterleave", "llvm.vector.interleave", "llvm.vector.partial.", "llvm.vp."};
  return any_of(families, [&](StringRef name) { return Intrinsic::getBaseName(id).starts_with(name); });
}

/// Whether LLVM's code generator says that it has no code for the operation with these types.
bool is_lacking(StringRef log) {
  return log.contains("Cannot select") || log.contains("Do not know how to");
}

/// A buffer of one parameter or result, whose elements lie as LLVM has them; booleans are numbers of 32 bits.
struct Buffer {
  Type* type;
  std::vector<std::byte> bytes;

  std::size_t scalar_bytes() const { return memory_type(type)->getScalarSizeInBits() / 8; }
  unsigned count() const {
    auto* vector = dyn_cast<FixedVectorType>(type);
    return vector ? vector->getNumElements() : 1;
  }
  std::uint64_t bits(std::size_t item, unsigned component) const {
    std::uint64_t value = 0;
    std::memcpy(&value, &bytes[(item * count() + component) * scalar_bytes()], scalar_bytes());
    return value;
  }
};

/// Numbers of all sizes, with what is special of each kind.
void fill(Buffer& buffer, std::mt19937_64& random) {
  const std::size_t size = buffer.scalar_bytes();
  for (std::size_t at = 0; at < buffer.bytes.size(); at += size) {
    std::uint64_t bits = random() >> random() % 60;
    if (random() % 8 == 0) bits = ~std::uint64_t(0) >> (random() % 2);
    if (buffer.type->isFPOrFPVectorTy()) {
      APFloat number(double(std::int64_t(random() % 4001) - 2000) / 64);
      if (random() % 16 == 0) number = APFloat::getInf(number.getSemantics(), random() % 2);
      if (random() % 16 == 0) number = APFloat::getNaN(number.getSemantics());
      bool loses = false;
      number.convert(buffer.type->getScalarType()->getFltSemantics(), APFloat::rmNearestTiesToEven, &loses);
      bits = number.bitcastToAPInt().getZExtValue();
    }
    if (buffer.type->isIntOrIntVectorTy(1)) bits = random() % 2;
    std::memcpy(&buffer.bytes[at], &bits, size);
  }
}

Constant* element(Type* scalar, std::uint64_t bits) {
  if (scalar->isFloatingPointTy())
    return ConstantFP::get(scalar,
                           APFloat(scalar->getFltSemantics(), APInt(scalar->getScalarSizeInBits(), bits)));
  return ConstantInt::get(scalar, bits, false, /*implicitTrunc=*/true);
}

Constant* constant_of(const Buffer& buffer, std::size_t item) {
  auto* vector = dyn_cast<FixedVectorType>(buffer.type);
  if (!vector) return element(buffer.type, buffer.bits(item, 0));
  SmallVector<Constant*, 16> parts;
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    parts.push_back(element(vector->getElementType(), buffer.bits(item, i)));
  return ConstantVector::get(parts);
}

double as_number(Type* scalar, std::uint64_t bits) {
  APFloat number(scalar->getFltSemantics(), APInt(scalar->getScalarSizeInBits(), bits));
  bool loses = false;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &loses);
  return number.convertToDouble();
}

/// Whether a result is what LLVM has computed; functions of mathematics may differ in their last bits.
bool agrees(Type* scalar, std::uint64_t bits, const Constant* expected) {
  if (const auto* number = dyn_cast<ConstantInt>(expected)) return number->getZExtValue() == bits;
  const auto* number = dyn_cast<ConstantFP>(expected);
  if (!number) return true; // undefined
  const double have = as_number(scalar, bits);
  const double want = as_number(scalar, number->getValueAPF().bitcastToAPInt().getZExtValue());
  const double relative = scalar->isHalfTy() ? 4e-3 : scalar->isFloatTy() ? 2e-6 : 1e-14;
  return (std::isnan(have) && std::isnan(want)) || have == want ||
         std::abs(have - want) <= relative * (std::abs(want) + (scalar->isHalfTy() ? 1e-4 : 1e-30));
}

/// Whether LLVM drops bits of the exponent as it computes the call.
bool is_truncated(const CallInst& call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  return (id == Intrinsic::ldexp || id == Intrinsic::powi) &&
         call.getArgOperand(1)->getType()->getScalarSizeInBits() > 32;
}

std::string text_of(const Constant& constant) {
  std::string text;
  raw_string_ostream stream(text);
  constant.print(stream);
  return text;
}

struct Run {
  std::vector<Buffer> inputs, outputs;
};

/// The first result that differs from what LLVM computes of the call, in words.
std::string difference(Module& scratch, const Import& import, const Run& run, std::size_t& compared) {
  Function* caller =
      Function::Create(import.function->getFunctionType(), GlobalValue::ExternalLinkage, "caller", scratch);
  IRBuilder<> builder(BasicBlock::Create(scratch.getContext(), "", caller));
  std::string found;
  for (std::size_t item = 0; item < items && found.empty(); ++item) {
    SmallVector<Constant*, 8> operands;
    std::size_t next = 0;
    for (unsigned i = 0; i < caller->arg_size(); ++i) {
      auto literal = import.literals.find(i);
      operands.push_back(literal == import.literals.end()
                             ? constant_of(run.inputs[next++], item)
                             : element(caller->getArg(i)->getType(), literal->second));
    }
    CallInst* call =
        builder.CreateCall(import.function, SmallVector<Value*, 8>(operands.begin(), operands.end()));
    Constant* result = ConstantFoldCall(call, import.function, operands);
    if (!result || is_truncated(*call)) continue;
    ++compared;
    for (std::size_t part = 0; part < run.outputs.size(); ++part) {
      const Buffer& output = run.outputs[part];
      const Constant* whole = run.outputs.size() > 1 ? result->getAggregateElement(part) : result;
      for (unsigned i = 0; i < output.count() && found.empty(); ++i) {
        const Constant* expected = isa<VectorType>(output.type) ? whole->getAggregateElement(i) : whole;
        if (expected && !agrees(output.type->getScalarType(), output.bits(item, i), expected))
          found = "item " + std::to_string(item) + ", component " + std::to_string(i) + " is 0x" +
                  utohexstr(output.bits(item, i)) + " instead of " + text_of(*expected);
      }
    }
  }
  caller->eraseFromParent();
  return found;
}

Buffer buffer_of(Type* type) {
  Buffer buffer{type, {}};
  buffer.bytes.resize(items * buffer.count() * buffer.scalar_bytes());
  return buffer;
}

/// Runs machine code of the kernel in its two groups.
void execute(const compiler::KernelCode& code, hostcl::abi::NDRange range, Run& run) {
  std::vector<void*> addresses;
  for (std::vector<Buffer>* buffers : {&run.inputs, &run.outputs})
    for (Buffer& buffer : *buffers)
      addresses.push_back(buffer.bytes.data());
  alignas(hostcl::abi::scratch_alignment) std::byte arguments[512] = {}, scratch[1 << 16];
  std::memcpy(arguments, addresses.data(), addresses.size() * sizeof addresses[0]);
  range.group_count[0] = 2;
  range.group_count[1] = range.group_count[2] = 1;
  hostcl::abi::Launch launch{range, nullptr, 0, nullptr, nullptr};
  code.entry(&launch, arguments, scratch, scratch, 0, 2);
}

/// Why the import is wrong, or an empty text.
std::string problem(Module& scratch, const Import& import, std::size_t& compared) {
  const test::spirv::Words words = test::spirv::intrinsic_module(import);
  const auto program =
      compiler::build_il(compiler::default_settings(), std::as_bytes(std::span(words)), {}, "");
  if (program.status != compiler::Status::success) return "refused: " + program.log;
  const hostcl::abi::NDRange range{{items, 1, 1}, {0, 0, 0}, {items / 2, 1, 1}, {2, 1, 1}, 1, 0};
  const auto code = program.value.executable->kernel(0).tier1_code(range);
  if (code.status != compiler::Status::success)
    return is_lacking(code.log) ? "" : "no machine code: " + code.log;
  Run run;
  std::mt19937_64 random(import.function->getName().size());
  for (Type* type : test::spirv::run_time_parameters(import)) {
    run.inputs.push_back(buffer_of(type));
    fill(run.inputs.back(), random);
  }
  for (Type* type : test::spirv::results_of(import))
    run.outputs.push_back(buffer_of(type));
  std::size_t of_these = 0;
  if (difference(scratch, import, run, of_these); of_these == 0) return {}; // its operands may mean anything
  execute(*code.value.code, range, run);
  return difference(scratch, import, run, compared);
}

} // namespace

int main(int count, char** words) {
  std::size_t every = 1, modules = 0, compared = 0, failures = 0, seen = 0;
  std::vector<StringRef> names;
  for (int i = 1; i < count; ++i)
    if (StringRef word(words[i]); !word.consume_front("--every=") || word.getAsInteger(10, every))
      names.push_back(words[i]);
  LLVMContext context;
  Module scratch("scratch", context);
  for (Intrinsic::ID id = 1; id < Intrinsic::num_intrinsics; ++id) {
    if (!computes_alone(context, id) || is_of_no_use(id)) continue;
    if (!names.empty() &&
        none_of(names, [&](StringRef n) { return Intrinsic::getBaseName(id).starts_with(n); }))
      continue;
    for (const Import& import : imports_of(scratch, id)) {
      if (seen++ % every != 0) continue;
      ++modules;
      const std::string why = problem(scratch, import, compared);
      if (why.empty()) continue;
      ++failures;
      std::printf("%s: %s\n", import.function->getName().str().c_str(), why.c_str());
      std::fflush(stdout);
    }
  }
  std::printf("%zu modules, %zu calls compared, %zu failures\n", modules, compared, failures);
  return failures != 0 || modules == 0;
}
