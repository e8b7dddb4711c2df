// Makes loops of the products of cooperative matrices. Each iteration multiplies a part of the rows of A by a part of
// the columns of B, and keeps the sums in registers. The code's length does not depend on the sizes of the matrices.
//
//   %p = call <1024 x float> @llvm.matrix.multiply(<1024 x float> %b, <1024 x float> %a, i32 32, i32 32, i32 32)
//   %d = fadd <1024 x float> %c, %p
// becomes, for registers of 16 floats,
//   A and B are stored to variables
//   for (i = 0; i < 32; i += 8)
//     %sums = 8 rows of C from row i on
//     for (k = 0; k < 32; k += 4)
//       %sums += (8 x 4 components of A at i, k) * (4 rows of B at k), by fmuladd
//     rows i to i + 7 of %d = %sums
//
// LLVM's matrices have one column after the other: its product of B and A, as it sees them, is A * B with one row after
// the other. If C is added to the product, the sums begin with C.
//
// Instructions for dot products add several products to each element of a sum. B is then rearranged, so that the
// factors of an element are next to each other:
//   bytes                 vpdpbusd (the feature avx512vnni)
//   bytes, signed words   vpdpwssd (avx512vnni), or pmaddwd and an addition
//   bfloat16              vdpbf16ps (avx512bf16), if the product may be contracted: it rounds differently
// Sums of integers wrap, and products of bytes and of words are exact. So the other instructions change no result.
//
// Speed on one thread of a Zen 5 EPYC with AVX-512, for matrices of 512 x 512 in products of 16 x 16 x 16:
//                                                float   bfloat16   bytes
//   this pass, GFLOP/s                             168        370     510
//   LLVM's own lowering (no loops), GFLOP/s        147        116     124 (with bytes converted to floats)
//
// Tests: tests/passes/6_host/multiply_matrices.ll, tests/spirv/matrices.cpp

#include "compiler/passes/passes.hpp"

#include "compiler/ir/matrices.hpp"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace hostcl::compiler {

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

struct Cpu {
  unsigned register_bits, registers;
  bool pairs, vnni, bfloats; ///< pmaddwd; vpdpbusd and vpdpwssd; vdpbf16ps
};

Cpu cpu_of(const Function& function, const TargetTransformInfo& target) {
  const unsigned bits = target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
  Cpu cpu{std::max(bits, 128U), target.getNumberOfRegisters(target.getRegisterClassForType(/*Vector=*/true)),
          false, false, false};
  const Triple& triple = function.getParent()->getTargetTriple();
  std::string error;
  const Target* known = triple.isX86() ? TargetRegistry::lookupTarget(triple, error) : nullptr;
  if (!known) return cpu;
  const std::unique_ptr<MCSubtargetInfo> model(
      known->createMCSubtargetInfo(triple, function.getFnAttribute("target-cpu").getValueAsString(),
                                   function.getFnAttribute("target-features").getValueAsString()));
  cpu.pairs = model->checkFeatures(bits == 512 ? "+avx512bw" : bits == 256 ? "+avx2" : "+sse2");
  cpu.vnni = model->checkFeatures("+avx512vnni,+avx512vl");
  cpu.bfloats = model->checkFeatures("+avx512bf16,+avx512vl");
  return cpu;
}

/// An instruction that multiplies and adds, for registers of 128, 256 and 512 bits.
struct DotProduct {
  unsigned factors; ///< of each element of the sum, in A and in B
  Intrinsic::ID sized[3];
  bool adds; ///< has the sum as an operand
};

constexpr DotProduct plain = {1, {}, true};
constexpr DotProduct bytes = {4,
                              {Intrinsic::x86_avx512_vpdpbusd_128, Intrinsic::x86_avx512_vpdpbusd_256,
                               Intrinsic::x86_avx512_vpdpbusd_512},
                              true};
constexpr DotProduct words = {2,
                              {Intrinsic::x86_avx512_vpdpwssd_128, Intrinsic::x86_avx512_vpdpwssd_256,
                               Intrinsic::x86_avx512_vpdpwssd_512},
                              true};
constexpr DotProduct added_words = {
    2,
    {Intrinsic::x86_sse2_pmadd_wd, Intrinsic::x86_avx2_pmadd_wd, Intrinsic::x86_avx512_pmaddw_d_512},
    false};
constexpr DotProduct bfloats = {2,
                                {Intrinsic::x86_avx512bf16_dpbf16ps_128,
                                 Intrinsic::x86_avx512bf16_dpbf16ps_256,
                                 Intrinsic::x86_avx512bf16_dpbf16ps_512},
                                true};

/// A factor as it was before it was extended to the type of the sum.
struct Factor {
  Value* value = nullptr; ///< null if it was not extended
  bool is_signed = false;
};

Factor extended_integer(Value* wide, unsigned bits) {
  Value* narrow;
  if (!match(wide, m_ZExtOrSExt(m_Value(narrow))) || narrow->getType()->getScalarSizeInBits() != bits)
    return {};
  return {narrow, isa<SExtInst>(wide)};
}

/// The bits of a bfloat16 that the reader of SPIR-V has made a float.
Factor extended_bfloat(Value* wide) {
  Value* narrow;
  const bool matches = match(wide, m_BitCast(m_Shl(m_ZExt(m_Value(narrow)), m_SpecificInt(16)))) &&
                       narrow->getType()->getScalarSizeInBits() == 16;
  return {matches ? narrow : nullptr};
}

/// The greatest power of two up to `most`, another one, that divides the number.
unsigned divisor(unsigned number, unsigned most) {
  return std::min(1U << countr_zero(number), most);
}

/// Variables of a function that all of its products use, one after the other.
class Variables {
public:
  explicit Variables(Function& function) : function_(function) {}

  /// Stores the value to variable `number`.
  Value* store(IRBuilder<>& build, unsigned number, Value* value) {
    AllocaInst*& variable = variables_[number];
    const auto bytes = build.GetInsertBlock()->getDataLayout().getTypeAllocSize(value->getType());
    Type* type = ArrayType::get(build.getInt8Ty(), bytes.getFixedValue());
    if (!variable) {
      variable = IRBuilder<>(&*function_.getEntryBlock().begin()).CreateAlloca(type);
      variable->setAlignment(Align(alignment));
    } else if (variable->getAllocatedType()->getArrayNumElements() < type->getArrayNumElements()) {
      variable->setAllocatedType(type);
    }
    build.CreateAlignedStore(value, variable, Align(alignment));
    return variable;
  }

  static constexpr unsigned alignment = 64;

private:
  Function& function_;
  AllocaInst* variables_[3] = {};
};

class Product {
public:
  Product(IntrinsicInst& call, const Cpu& cpu, Variables& variables)
      : call_(call),
        cpu_(cpu),
        variables_(variables),
        build_(&call),
        element_(call.getType()->getScalarType()),
        a_(call.getArgOperand(1)),
        b_(call.getArgOperand(0)),
        columns_(number(2)),
        inner_(number(3)),
        rows_(number(4)) {}

  /// Replaces the call, and the addition of C to its result.
  void replace() {
    Instruction* replaced = sum_with_c();
    build_.SetInsertPoint(replaced);
    select();
    arrange();
    replaced->replaceAllUsesWith(multiply(replaced));
    replaced->eraseFromParent();
    if (replaced != &call_) call_.eraseFromParent();
  }

private:
  using Sums = SmallVector<Value*, 20>;

  unsigned number(unsigned operand) const {
    return unsigned(cast<ConstantInt>(call_.getArgOperand(operand))->getZExtValue());
  }
  Type* vector(Type* element, unsigned count) { return FixedVectorType::get(element, count); }
  Value* part(Value* whole, unsigned first, unsigned count) {
    return build_.CreateShuffleVector(whole, createSequentialMask(first, count, 0));
  }

  /// Finds C. @returns the addition of C, or the call
  Instruction* sum_with_c() {
    c_ = Constant::getNullValue(call_.getType());
    auto* sum = call_.hasOneUse() ? dyn_cast<BinaryOperator>(call_.user_back()) : nullptr;
    if (!sum || sum->getParent() != call_.getParent() || sum->getOperand(0) == sum->getOperand(1) ||
        (sum->getOpcode() != Instruction::Add && sum->getOpcode() != Instruction::FAdd))
      return &call_;
    c_ = sum->getOperand(sum->getOperand(0) == &call_ ? 1 : 0);
    return sum;
  }

  /// Selects the instruction, and converts both factors to the type of its operands.
  void select() {
    const auto take = [&](const DotProduct& selected, const Factor& a, const Factor& b) {
      dot_ = selected;
      a_ = a.value;
      b_ = b.value;
    };
    if (inner_ % 4 != 0 || columns_ % 4 != 0) return;
    if (element_->isFloatTy()) {
      const Factor a = extended_bfloat(a_), b = extended_bfloat(b_);
      if (cpu_.bfloats && call_.hasAllowContract() && a.value && b.value) take(bfloats, a, b);
      return;
    }
    if (!element_->isIntegerTy(32) || !cpu_.pairs) return;
    Factor a = extended_integer(a_, 8), b = extended_integer(b_, 8);
    if (a.value && b.value) {
      if (cpu_.vnni) {
        take(bytes, a, b);
        has_unsigned_a_ = b.is_signed;
        has_offset_ = a.is_signed == b.is_signed;
        return;
      }
      const auto word = [&](const Factor& factor) {
        Type* wide = factor.value->getType()->getWithNewType(build_.getInt16Ty());
        return Factor{build_.CreateIntCast(factor.value, wide, factor.is_signed)};
      };
      take(added_words, word(a), word(b));
      return;
    }
    a = extended_integer(a_, 16);
    b = extended_integer(b_, 16);
    if (a.is_signed && b.is_signed) take(cpu_.vnni ? words : added_words, a, b);
  }

  /// Stores the factors to variables, in elements of `factors` components that are multiplied at once. Stores C if it
  /// does not stay in registers.
  void arrange() {
    if (has_offset_) // of a component, so that one factor is signed, and the other one unsigned
      a_ = build_.CreateXor(a_, ConstantInt::get(a_->getType(), 0x80));
    if (dot_.factors > 1) {
      b_ = transposed(build_, b_, dot_.factors, columns_);
      inner_ /= dot_.factors;
      a_ = build_.CreateBitCast(a_, vector(element_, rows_ * inner_));
      b_ = build_.CreateBitCast(b_, vector(element_, columns_ * inner_));
    }
    lanes_ = divisor(columns_, cpu_.register_bits / unsigned(element_->getPrimitiveSizeInBits()));
    tile_vectors_ = divisor(columns_ / lanes_, 2);
    tile_rows_ = divisor(rows_, cpu_.registers / 2 / tile_vectors_);
    a_ = variables_.store(build_, 0, a_);
    b_ = variables_.store(build_, 1, b_);
    if (!is_one_tile()) c_ = variables_.store(build_, 2, c_);
  }

  bool is_one_tile() const { return tile_rows_ == rows_ && tile_vectors_ * lanes_ == columns_; }

  /// A loop before an instruction.
  /// @param body gets the iteration's number, and the instruction of the loop before which the body ends
  static void loop(unsigned count, Instruction* before, function_ref<void(Value*, Instruction*)> body) {
    Value* end = ConstantInt::get(Type::getInt64Ty(before->getContext()), count);
    if (count == 1) return body(ConstantInt::get(end->getType(), 0), before);
    const auto [last, index] = SplitBlockAndInsertSimpleForLoop(end, before->getIterator());
    body(index, last);
  }

  Value* multiply(Instruction* before) {
    if (is_one_tile()) {
      Sums rows;
      Value* zero = build_.getInt64(0);
      for (unsigned at = 0; at < rows_ * columns_; at += lanes_)
        rows.push_back(part(c_, at, lanes_));
      add_products(zero, zero, rows, before);
      return concatenateVectors(build_, rows);
    }
    loop(rows_ / tile_rows_, before, [&](Value* i, Instruction* end_i) {
      loop(columns_ / lanes_ / tile_vectors_, end_i, [&](Value* j, Instruction* end_j) {
        build_.SetInsertPoint(end_j);
        Value* row = build_.CreateMul(i, build_.getInt64(tile_rows_));
        Value* column = build_.CreateMul(j, build_.getInt64(std::uint64_t{tile_vectors_} * lanes_));
        Value* start = build_.CreateAdd(build_.CreateMul(row, build_.getInt64(columns_)), column);
        const auto address = [&](unsigned at) {
          return element(element(c_, start), at / tile_vectors_ * columns_ + at % tile_vectors_ * lanes_);
        };
        Sums sums;
        for (unsigned at = 0; at < tile_rows_ * tile_vectors_; ++at)
          sums.push_back(load(address(at), lanes_));
        add_products(row, column, sums, end_j);
        for (const auto& [at, sum] : enumerate(sums))
          build_.CreateAlignedStore(sum, address(unsigned(at)), alignment(lanes_));
      });
    });
    build_.SetInsertPoint(before);
    return build_.CreateAlignedLoad(call_.getType(), c_, Align(Variables::alignment));
  }

  Value* element(Value* variable, Value* index) { return build_.CreateGEP(element_, variable, index); }
  Value* element(Value* variable, unsigned index) { return element(variable, build_.getInt64(index)); }
  Align alignment(unsigned count) const { return Align(count * element_->getPrimitiveSizeInBits() / 8); }
  Value* load(Value* address, unsigned count) {
    return build_.CreateAlignedLoad(count == 1 ? element_ : vector(element_, count), address,
                                    alignment(count));
  }

  /// Adds the products of a tile of the result to its sums. Inserts before `before`, and continues there.
  /// @param row,column the tile's first ones
  void add_products(Value* row, Value* column, Sums& sums, Instruction* before) {
    // Short products have no loop: their factors then stay in registers.
    const unsigned steps = is_one_tile() && inner_ <= 8 ? inner_ : divisor(inner_, 4);
    const std::size_t of_tile = sums.size();
    if (has_offset_) sums.append(tile_vectors_, Constant::getNullValue(vector(element_, lanes_)));
    loop(inner_ / steps, before, [&](Value* k, Instruction* end) {
      SmallVector<PHINode*, 20> phis;
      if (auto* index = dyn_cast<PHINode>(k)) { // else there is one iteration only
        build_.SetInsertPoint(index);
        for (Value*& sum : sums) {
          phis.push_back(build_.CreatePHI(sum->getType(), 2));
          phis.back()->addIncoming(sum, index->getIncomingBlock(0));
          sum = phis.back();
        }
      }
      build_.SetInsertPoint(end);
      Value* at_k = build_.CreateMul(k, build_.getInt64(steps));
      Value* of_a = element(a_, build_.CreateAdd(build_.CreateMul(row, build_.getInt64(inner_)), at_k));
      Value* of_b = element(b_, build_.CreateAdd(build_.CreateMul(at_k, build_.getInt64(columns_)), column));
      for (unsigned step = 0; step < steps; ++step)
        add_step(of_a, of_b, step, sums);
      for (const auto& [phi, sum] : zip_first(phis, sums))
        phi->addIncoming(sum, end->getParent());
    });
    build_.SetInsertPoint(before);
    for (std::size_t at = 0; has_offset_ && at < of_tile; ++at)
      sums[at] = build_.CreateSub(sums[at], sums[of_tile + at % tile_vectors_]);
    sums.truncate(of_tile);
  }

  /// Adds the products for one number `k`.
  void add_step(Value* of_a, Value* of_b, unsigned step, Sums& sums) {
    Value* b[2];
    for (unsigned j = 0; j < tile_vectors_; ++j)
      b[j] = load(element(of_b, step * columns_ + j * lanes_), lanes_);
    for (unsigned i = 0; i < sums.size() / tile_vectors_; ++i) {
      // The last row of the sums belongs to the offsets.
      Value* a = i == tile_rows_ ? ConstantInt::get(element_, 0x80808080)
                                 : load(element(of_a, i * inner_ + step), 1);
      a = build_.CreateVectorSplat(lanes_, a);
      for (unsigned j = 0; j < tile_vectors_; ++j)
        sums[i * tile_vectors_ + j] = sum_of(sums[i * tile_vectors_ + j], a, b[j]);
    }
  }

  Value* sum_of(Value* sum, Value* a, Value* b) {
    if (dot_.factors == 1 && element_->isIntegerTy()) return build_.CreateAdd(sum, build_.CreateMul(a, b));
    if (dot_.factors == 1)
      return call_.hasAllowContract()
                 ? build_.CreateIntrinsic(sum->getType(), Intrinsic::fmuladd, {a, b, sum})
                 : build_.CreateFAdd(sum, build_.CreateFMul(a, b));
    Type* part = element_->isFloatTy() ? build_.getBFloatTy() : build_.getIntNTy(32 / dot_.factors);
    Type* parts = vector(part, lanes_ * dot_.factors);
    a = build_.CreateBitCast(a, parts);
    b = build_.CreateBitCast(b, parts);
    if (!has_unsigned_a_) std::swap(a, b);
    const Intrinsic::ID instruction = dot_.sized[Log2_32(lanes_ / 4)];
    if (dot_.adds) return build_.CreateIntrinsic(instruction, {sum, a, b});
    return build_.CreateAdd(sum, build_.CreateIntrinsic(instruction, {a, b}));
  }

  IntrinsicInst& call_;
  const Cpu& cpu_;
  Variables& variables_;
  IRBuilder<> build_;
  Type* element_;                   ///< of the sums
  Value *a_, *b_, *c_ = nullptr;    ///< matrices, later variables
  unsigned columns_, inner_, rows_; ///< inner_: the number of columns of A, later of its elements in a row
  DotProduct dot_ = plain;
  bool has_unsigned_a_ = true; ///< of bytes: whether B is signed and A is not, or the reverse
  bool has_offset_ = false;    ///< of bytes: whether each component of A has been changed by 128
  unsigned lanes_ = 0, tile_vectors_ = 0, tile_rows_ = 0;
};

} // namespace

PreservedAnalyses multiply_matrices_pass(Function& function, FunctionAnalysisManager& analyses) {
  SmallVector<IntrinsicInst*> calls;
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<IntrinsicInst>(&instruction);
        call && call->getIntrinsicID() == Intrinsic::matrix_multiply)
      calls.push_back(call);
  if (calls.empty()) return PreservedAnalyses::all();
  const Cpu cpu = cpu_of(function, analyses.getResult<TargetIRAnalysis>(function));
  Variables variables(function);
  for (IntrinsicInst* call : calls)
    Product(*call, cpu, variables).replace();
  return PreservedAnalyses::none();
}

} // namespace hostcl::compiler
