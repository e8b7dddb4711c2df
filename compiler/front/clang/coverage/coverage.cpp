#include "compiler/front/clang/coverage/coverage.hpp"

#include "compiler/front/clang/frontend.hpp"
#include "compiler/ir/metadata.hpp"
#include "compiler/ir/spaces.hpp"
#include "compiler/jobs/program_requests.hpp"
#include "compiler/passes/coverage/instrumentation.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <cstdint>

namespace hostcl::compiler {

using namespace llvm;

namespace {

constexpr const char* sources_folder = "/hostcl/sources/";
constexpr StringLiteral kernel_code_prefix = "__clang_ocl_kern_imp_";
constexpr StringLiteral name_prefix = "__profn_";
constexpr StringLiteral mapping_prefix = "__covrec_";
constexpr StringLiteral files_name = "__llvm_coverage_mapping";
constexpr StringLiteral unused_names = "__llvm_coverage_names";

std::string hex(std::uint64_t number, unsigned digits) {
  return utohexstr(number, /*LowerCase=*/true, 16).substr(0, digits);
}

void add_node(llvm::Module& module, ArrayRef<StringRef> texts) {
  LLVMContext& context = module.getContext();
  SmallVector<Metadata*, 8> parts;
  for (const StringRef text : texts)
    parts.push_back(MDString::get(context, text));
  module.getOrInsertNamedMetadata(metadata::coverage_data)->addOperand(MDNode::get(context, parts));
}

/// The name of a function in reports: `name`, as clang writes it, without the prefixes of static functions and of
/// kernels, and with the build, so that no other build has the name.
std::string reported_name(StringRef name, StringRef build) {
  if (name.consume_front(source_name)) name = name.drop_front();
  name.consume_front(kernel_code_prefix);
  return (name + "." + build).str();
}

/// Serialises constants of integers, arrays and packed structures, in the byte order of the host.
void append(std::string& bytes, const Constant& value) {
  if (const auto* number = dyn_cast<ConstantInt>(&value)) {
    const std::uint64_t plain = number->getZExtValue();
    bytes.append(reinterpret_cast<const char*>(&plain), number->getBitWidth() / 8);
  } else if (const auto* data = dyn_cast<ConstantDataArray>(&value)) {
    bytes += data->getRawDataValues();
  } else {
    for (const Use& part : value.operands())
      append(bytes, *cast<Constant>(&part));
  }
}

void pad(std::string& bytes) {
  bytes.resize(alignTo(bytes.size(), 8), '\0');
}

/// The variable with a function's name. The operand may be a bit cast between address spaces, which is not valid, so
/// that stripPointerCasts() does not follow it.
GlobalVariable* variable_of(Value& operand) {
  Value* value = &operand;
  while (auto* conversion = dyn_cast<ConstantExpr>(value))
    value = conversion->getOperand(0);
  return dyn_cast<GlobalVariable>(value);
}

/// Whether a variable has a linkage that variables of an OpenCL C program cannot have.
bool is_made(const GlobalVariable& variable) {
  return variable.hasPrivateLinkage() || variable.hasLinkOnceLinkage();
}

bool is_name(const GlobalVariable* variable) {
  return variable && variable->getName().starts_with(name_prefix) && is_made(*variable);
}

bool is_mapping(const GlobalVariable& variable) {
  const auto* type = dyn_cast<StructType>(variable.getValueType());
  return variable.getName().starts_with(mapping_prefix) && is_made(variable) && type && type->isPacked() &&
         type->isLiteral();
}

/// Whether a variable is clang's list of the functions that are never called.
bool is_list_of_unused(const GlobalVariable& variable) {
  return variable.getName().starts_with(unused_names) && variable.hasInternalLinkage() &&
         isa<ConstantArray>(variable.getInitializer()) &&
         all_of(variable.getInitializer()->operands(),
                [](const Use& name) { return is_name(variable_of(*name)); });
}

class CoverageData {
public:
  explicit CoverageData(llvm::Module& module) : module_(module) {}

  /// Renames functions, and takes the variables out of the module.
  void take(ArrayRef<GlobalVariable*> variables, StringRef build) {
    // A file that the source includes may have changed, and devices have macros of their own.
    std::string mappings = build.str();
    for (const GlobalVariable* variable : variables)
      if (variable->getName().starts_with(mapping_prefix)) append(mappings, *variable->getInitializer());
    constexpr unsigned build_digits = 8;
    build_ = hex(xxh3_64bits(mappings), build_digits);
    for (GlobalVariable* variable : variables)
      if (variable->getName().starts_with(name_prefix)) rename(*variable);
    replace_names();
    for (GlobalVariable* variable : variables)
      if (!variable->getName().starts_with(name_prefix)) take(*variable);
    const SmallPtrSet<Constant*, 16> taken(from_range, variables);
    removeFromUsedLists(module_, [&](Constant* used) { return taken.contains(used->stripPointerCasts()); });
    for (GlobalVariable* variable : reverse(variables)) {
      variable->replaceAllUsesWith(PoisonValue::get(variable->getType()));
      variable->eraseFromParent();
    }
  }

  /// Adds a node with all data, and with the texts of the program, to the module.
  void record(ArrayRef<Header> sources) const {
    std::string function_names;
    cantFail(collectGlobalObjectNameStrings(reported_, /*doCompression=*/false, function_names));
    SmallVector<StringRef, 8> parts = {build_, files_, mappings_, function_names};
    for (const Header& source : sources) {
      parts.push_back(source.name);
      parts.push_back(source.source);
    }
    add_node(module_, parts);
  }

private:
  /// Makes a variable with the reported name. The variable is in the constant address space, because the driver would
  /// take a variable in global memory for a program-scope variable of the source.
  void rename(GlobalVariable& variable) {
    const StringRef name = cast<ConstantDataArray>(variable.getInitializer())->getRawDataValues();
    std::string reported = reported_name(name, build_);
    hashes_[IndexedInstrProf::ComputeHash(name)] = {IndexedInstrProf::ComputeHash(reported),
                                                    module_.getFunction((kernel_code_prefix + name).str()) !=
                                                        nullptr};
    Constant* text = ConstantDataArray::getString(module_.getContext(), reported, /*AddNull=*/false);
    renamed_[&variable] = new GlobalVariable(
        module_, text->getType(), /*isConstant=*/true, GlobalValue::PrivateLinkage, text,
        "covered." + variable.getName(), nullptr, GlobalValue::NotThreadLocal, constant_space);
    if (!is_contained(reported_, reported)) reported_.push_back(std::move(reported));
  }

  /// Makes the instrumentation use the new names.
  void replace_names() {
    for (Function& function : module_)
      for (Instruction& instruction : instructions(function))
        if (auto* call = dyn_cast<InstrProfInstBase>(&instruction)) {
          call->setArgOperand(0,
                              ConstantExpr::getAddrSpaceCast(renamed_[variable_of(*call->getArgOperand(0))],
                                                             call->getFunctionType()->getParamType(0)));
        }
  }

  /// Takes the names of files, or the mapping of a function. A kernel has two mappings, of which one belongs to the
  /// stub that calls its code.
  void take(GlobalVariable& variable) {
    if (variable.getName().starts_with(files_name)) {
      append(files_, *variable.getInitializer());
      pad(files_);
    }
    if (!variable.getName().starts_with(mapping_prefix)) return;
    const Constant& mapping = *variable.getInitializer();
    const auto& reported = hashes_[cast<ConstantInt>(mapping.getOperand(0))->getZExtValue()];
    if (reported.is_stub) return;
    mappings_.append(reinterpret_cast<const char*>(&reported.hash), sizeof reported.hash);
    for (const Use& part : drop_begin(mapping.operands()))
      append(mappings_, *cast<Constant>(&part));
    pad(mappings_);
  }

  struct Reported {
    std::uint64_t hash;
    bool is_stub;
  };

  llvm::Module& module_;
  DenseMap<const GlobalVariable*, GlobalVariable*> renamed_;
  DenseMap<std::uint64_t, Reported> hashes_; ///< by the hash of clang's name
  std::vector<std::string> reported_;
  std::string build_;
  std::string files_, mappings_; ///< the sections __llvm_covmap and __llvm_covfun
};

} // namespace

CoverageNames::CoverageNames(const CompileRequest& request) {
  source = hash_name(request.source) + ".cl";
  std::string all = request.source + '\0' + request.options;
  for (const Header& header : request.headers)
    all += '\0' + header.name + '\0' + header.source;
  headers = hash_name(all);
}

std::string CoverageNames::source_path() const {
  return sources_folder + source;
}

std::vector<std::string> CoverageNames::arguments(const std::string& headers_folder) const {
  return {"-fprofile-instrument=clang",
          "-fcoverage-mapping",
          "-fcoverage-mcdc",
          "-fmcdc-max-test-vectors=" + std::to_string(coverage_word_bits),
          "-fcoverage-compilation-dir=.",
          std::string("-fcoverage-prefix-map=") + sources_folder + "=",
          "-fcoverage-prefix-map=" + headers_folder + "=" + headers};
}

std::vector<Header> CoverageNames::sources(const CompileRequest& request) const {
  std::vector<Header> all = {{source, request.source}};
  for (const Header& header : request.headers)
    all.push_back({headers + "/" + header.name, header.source});
  return all;
}

std::string hash_name(StringRef text) {
  constexpr unsigned digits = 16;
  return hex(xxh3_64bits(text), digits);
}

std::vector<GlobalVariable*> coverage_variables(llvm::Module& module) {
  SmallPtrSet<const GlobalVariable*, 16> names; // also of weak functions
  for (Function& function : module)
    for (Instruction& instruction : instructions(function))
      if (auto* call = dyn_cast<InstrProfInstBase>(&instruction))
        names.insert(variable_of(*call->getArgOperand(0)));
  std::vector<GlobalVariable*> all;
  for (GlobalVariable& variable : module.globals())
    if (names.contains(&variable) || is_name(&variable) || is_mapping(variable) ||
        is_list_of_unused(variable) || (variable.getName().starts_with(files_name) && is_made(variable)))
      all.push_back(&variable);
  return all;
}

void keep_coverage_data(llvm::Module& module, ArrayRef<GlobalVariable*> variables, StringRef build,
                        ArrayRef<Header> sources) {
  CoverageData data(module);
  data.take(variables, build);
  data.record(sources);
}

void note_lack_of_lines(llvm::Module& module, StringRef build) {
  add_node(module, build);
}

} // namespace hostcl::compiler
