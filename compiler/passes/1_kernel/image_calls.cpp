// Specialises the library's image functions for the image formats and samplers of the launch: clones a function for
// each known combination, substitutes constants, simplifies the clone, and has it inlined. If the format or sampler is
// unknown, because the launch gave no properties or the image may be one of several, the call stays, and the function
// reads the format from the image.
//
//   before:  define spir_kernel void @k(ptr addrspace(2) %i, i64 %s) "hostcl.image_properties"="0=10b5.10d2s,1=14" {
//              call <4 x float> @read(ptr addrspace(2) %i, i64 %s, <2 x i32> %c)
//   after:     call <4 x float> @read.10b5.10d2s.14(ptr addrspace(2) %i, i64 %s, <2 x i32> %c)
//            define <4 x float> @read.10b5.10d2s.14(...) alwaysinline {
//              ; __hostcl_image_order() is 0x10b5, %s is 0x14
//
// Runs when the kernel is one function with private variables in registers.
//
// Test: tests/passes/1_kernel/image_calls.ll

#include "compiler/passes/passes.hpp"

#include "compiler/abi/image.hpp"
#include "compiler/abi/image_properties.hpp"
#include "compiler/ir/intrinsics.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cstddef>
#include <map>
#include <optional>

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// A member of abi::Image that an intrinsic reads.
struct Member {
  Intrinsic intrinsic;
  std::uint64_t offset;
  unsigned bits;
  std::uint64_t (*value)(const ImageProperty& property);
};

constexpr Member members[] = {
    {Intrinsic::image_order, offsetof(abi::Image, order), 16,
     [](const ImageProperty& property) -> std::uint64_t { return property.order; }},
    {Intrinsic::image_type, offsetof(abi::Image, type), 16,
     [](const ImageProperty& property) -> std::uint64_t { return property.type; }},
    {Intrinsic::image_is_small, offsetof(abi::Image, is_small), 32,
     [](const ImageProperty& property) -> std::uint64_t { return property.is_small; }},
};

/// The member that the value reads; null if it reads none.
const Member* member_read_by(const Value& value) {
  const auto intrinsic = called_intrinsic(value);
  const auto* member = find_if(members, [&](const Member& each) { return each.intrinsic == intrinsic; });
  return member == std::end(members) ? nullptr : member;
}

/// The known formats and samplers of a kernel's arguments.
class KnownArguments {
public:
  explicit KnownArguments(const Function& kernel) {
    const StringRef text = kernel.getFnAttribute(metadata::image_properties).getValueAsString();
    if (auto properties = parse_image_properties({text.data(), text.size()}))
      for (const ImageProperty& property : *properties)
        if (property.argument < kernel.arg_size())
          properties_.emplace(kernel.getArg(property.argument), property);
  }

  /// The properties of a value; nothing if the value may be arguments with different properties, or something else than
  /// an argument.
  std::optional<ImageProperty> of(const Value& value) const {
    SetVector<const Value*> open;
    open.insert(&value);
    std::optional<ImageProperty> known;
    for (std::size_t i = 0; i < open.size(); ++i) {
      if (const auto* select = dyn_cast<SelectInst>(open[i])) {
        open.insert(select->getTrueValue());
        open.insert(select->getFalseValue());
        continue;
      }
      if (const auto* phi = dyn_cast<PHINode>(open[i])) {
        open.insert(phi->incoming_values().begin(), phi->incoming_values().end());
        continue;
      }
      std::optional<ImageProperty> property = of_leaf(*open[i]);
      if (!property) return std::nullopt;
      property->argument = 0; // the same properties of different arguments are equal
      if (known && !(*known == *property)) return std::nullopt;
      known = property;
    }
    return known;
  }

private:
  std::optional<ImageProperty> of_leaf(const Value& value) const {
    if (const auto* literal = dyn_cast<ConstantInt>(&value)) return property_of(0, literal->getZExtValue());
    const auto found = properties_.find(&value);
    return found == properties_.end() ? std::nullopt : std::optional(found->second);
  }

  std::map<const Value*, ImageProperty> properties_;
};

/// Whether a function reads a member of its image argument that the properties contain.
bool asks_for_properties(const Argument& image) {
  return any_of(image.users(), [](const User* user) { return member_read_by(*user) != nullptr; });
}

/// The properties that the callee needs for its parameters; nothing if one of them is unknown.
std::optional<ImageProperties> needed_properties(const CallBase& call, const Function& callee,
                                                 const KnownArguments& arguments) {
  ImageProperties properties;
  const StringRef parameters = callee.getFnAttribute(metadata::image_call).getValueAsString();
  for (unsigned i = 0; i < callee.arg_size(); ++i) {
    const bool is_needed =
        parameters[i] == 's' || (parameters[i] == 'i' && asks_for_properties(*callee.getArg(i)));
    if (!is_needed) continue;
    auto property = arguments.of(*call.getArgOperand(i));
    if (!property) return std::nullopt;
    property->argument = i;
    properties.push_back(*property);
  }
  return properties;
}

/// Replaces samplers and queries of image members by the constants of the properties.
void substitute(Function& function, const ImageProperties& properties) {
  for (const ImageProperty& property : properties) {
    Argument& argument = *function.getArg(property.argument);
    if (argument.getType()->isIntegerTy()) {
      argument.replaceAllUsesWith(ConstantInt::get(argument.getType(), property.sampler));
      continue;
    }
    for (User* user : make_early_inc_range(argument.users())) {
      const Member* member = member_read_by(*user);
      if (!member) continue;
      user->replaceAllUsesWith(ConstantInt::get(user->getType(), member->value(property)));
      cast<Instruction>(user)->eraseFromParent();
    }
  }
}

/// Marks loads from constant memory, image descriptors and tables, as invariant: they do not change while a kernel
/// runs.
void mark_invariant_loads(Function& function) {
  for (Instruction& instruction : instructions(function))
    if (auto* load = dyn_cast<LoadInst>(&instruction);
        load && load->getPointerAddressSpace() == constant_space)
      load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(load->getContext(), {}));
}

/// Lowers the remaining queries of image members to loads from the image's descriptor.
void load_members(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    const Member* member = member_read_by(instruction);
    if (!member) continue;
    IRBuilder<> builder(&instruction);
    Value* address = builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), cast<CallBase>(instruction).getArgOperand(0), member->offset);
    Value* loaded = builder.CreateLoad(builder.getIntNTy(member->bits), address);
    instruction.replaceAllUsesWith(builder.CreateZExtOrTrunc(loaded, instruction.getType()));
    instruction.eraseFromParent();
  }
}

/// Clones and simplifies functions of the library, once for each combination of properties.
class Specialiser {
public:
  explicit Specialiser(FunctionAnalysisManager& analyses) : analyses_(analyses) {
    simplify_.addPass(SCCPPass());
    simplify_.addPass(InstCombinePass(InstCombineOptions().setVerifyFixpoint(false)));
    simplify_.addPass(SimplifyCFGPass());
    simplify_.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    simplify_.addPass(InstCombinePass(InstCombineOptions().setVerifyFixpoint(false)));
    simplify_.addPass(SimplifyCFGPass());
    simplify_.addPass(ADCEPass());
  }

  void run(CallBase& call, const KnownArguments& arguments) {
    Function& callee = *call.getCalledFunction();
    call.removeFnAttr(Attribute::Convergent);
    const auto properties = needed_properties(call, callee, arguments);
    if (!properties) return;
    Function*& made = made_[{&callee, text_of(*properties)}];
    if (!made) made = specialised(callee, *properties);
    call.setCalledFunction(made);
    call.removeFnAttr(Attribute::NoInline);
  }

private:
  Function* specialised(Function& callee, const ImageProperties& properties) {
    ValueToValueMapTy map;
    Function* made = CloneFunction(&callee, map);
    made->setName(callee.getName() + "." + text_of(properties));
    made->setLinkage(GlobalValue::InternalLinkage);
    made->removeFnAttr(metadata::image_call);
    made->removeFnAttr(Attribute::NoInline);
    made->addFnAttr(Attribute::AlwaysInline);
    substitute(*made, properties);
    load_members(*made);
    simplify_.run(*made, analyses_);
    mark_invariant_loads(*made);
    return made;
  }

  FunctionAnalysisManager& analyses_;
  FunctionPassManager simplify_;
  std::map<std::pair<Function*, std::string>, Function*> made_;
};

SmallVector<CallBase*, 16> image_calls_in(Function& function) {
  SmallVector<CallBase*, 16> calls;
  for (Instruction& instruction : instructions(function))
    if (auto* call = dyn_cast<CallBase>(&instruction))
      if (const Function* callee = call->getCalledFunction();
          callee && callee->hasFnAttribute(metadata::image_call))
        calls.push_back(call);
  return calls;
}

} // namespace

PreservedAnalyses image_calls_pass(Module& module, ModuleAnalysisManager& analyses) {
  Specialiser specialiser(analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager());
  bool changed = false;
  for (Function& function : make_early_inc_range(module)) {
    if (function.isDeclaration() || function.hasFnAttribute(metadata::image_call)) continue;
    const KnownArguments arguments(function);
    for (CallBase* call : image_calls_in(function)) {
      specialiser.run(*call, arguments);
      changed = true;
    }
    function.removeFnAttr(metadata::image_properties);
  }
  for (Function& function : module)
    if (function.hasFnAttribute(metadata::image_call)) {
      load_members(function);
      mark_invariant_loads(function);
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace hostcl::compiler
