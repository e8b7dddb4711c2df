#pragma once

// The state of reading one SPIR-V module, and what the instructions' functions ask for. Each of them refuses the
// module if it is not as they need it: nothing of LLVM is called with operands of types that it does not expect.

#include "compiler/front/spirv/decorations.hpp"
#include "compiler/front/spirv/support.hpp"
#include "compiler/front/spirv/type_table.hpp"

#include "compiler/compiler.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <functional>
#include <unordered_map>

namespace hostcl::compiler::spirv {

/// Most scalars in a value that is not a constant: each is an operand of one node of LLVM's, which has at most 65,535.
inline constexpr std::uint64_t max_scalars = 16384;

/// A value of IR and its type in SPIR-V.
struct TypedValue {
  llvm::Value* value = nullptr;
  const Type* type = nullptr;
};

/// A value was asked for outside of functions, and each of them computes it for itself.
class NeedsFunction : public Refusal {
  using Refusal::Refusal;
};

/// The execution scope of an instruction is not constant. The instruction has made no code.
struct NeedsScope {
  Id scope;
};

/// An entry point of the execution model Kernel.
struct EntryPoint {
  Id function;
  std::string_view name;
};

struct ExecutionMode {
  spv::ExecutionMode mode;
  std::span<const std::uint32_t> operands; ///< literals, or ids in the forms that end in Id
};

class Reader : public TypeTable {
public:
  Reader(llvm::LLVMContext& context, const Words& words, std::span<const Specialisation> values);
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader();

  // The module.
  llvm::LLVMContext& context() { return context_; }
  llvm::Module& module() { return *module_; }
  const llvm::DataLayout& layout() const { return module_->getDataLayout(); }
  Decorations& decorations() { return decorations_; }
  void set_name(Id id, std::string_view name) { names_[id] = name; }
  /// What OpName calls it, or an empty name.
  std::string_view name(Id id) const { return names_.lookup(id); }
  void define_string(Id id, std::string_view text) { strings_[id] = text; }
  std::string_view string(Id id) const;
  std::span<const std::pair<Id, std::string_view>> strings() const { return strings_.getArrayRef(); }
  /// The value that replaces a constant's own, if the application set one.
  std::optional<std::uint64_t> specialisation(Id constant) const;
  void add_entry_point(EntryPoint entry) { entry_points_.push_back(entry); }
  std::span<const EntryPoint> entry_points() const { return entry_points_; }
  bool is_entry_point(Id function) const;
  void add_execution_mode(Id function, ExecutionMode mode) { execution_modes_[function].push_back(mode); }
  std::span<const ExecutionMode> execution_modes(Id function) const;
  void define_instruction_set(Id id, InstructionSet set) { instruction_sets_[id] = set; }
  InstructionSet instruction_set(Id id) const;
  /// Where the source of the instructions from here on is.
  void set_place(Id file, std::uint32_t line, std::uint32_t column) { place_ = {file, line, column}; }
  /// The same for the begin of a message: "a.cl:3:5: ", or an empty text.
  std::string place() const;
  /// Ends the reading.
  std::unique_ptr<llvm::Module> take_module() { return std::move(module_); }

  /// What OpAsmINTEL has.
  struct Assembly {
    const Type* type; ///< of the function that it is
    std::string_view text, constraints;
  };
  void define_assembly(Id id, const Assembly& assembly) { assemblies_[id] = assembly; }
  const Assembly& assembly(Id id) const;

  /// Scopes and domains of SPV_INTEL_memory_access_aliasing, and lists of them.
  void define_alias_node(Id id, llvm::MDNode* node) { alias_nodes_[id] = node; }
  llvm::MDNode* alias_node(Id id) const;
  /// From here on the module says of each operation what LLVM may assume beyond IEEE 754 (SPV_KHR_float_controls2).
  void set_float_controls_2() { float_controls_2_ = true; }
  /// What LLVM may assume beyond IEEE 754 of the operation that computes a result.
  llvm::FastMathFlags fast_math(Id result, const llvm::Instruction& operation) const;

  /// From here on the module computes with bfloat16 (SPV_INTEL_bfloat16_arithmetic).
  void set_bfloat_arithmetic() { bfloat_arithmetic_ = true; }
  /// Whether the instruction computes with bfloat16.
  bool computes_with_bfloats(const Instruction& instruction, std::string_view operands) const;
  /// Reads such an instruction with floats in place of its operands, and rounds the result.
  /// @param read an instruction
  void read_in_floats(const Instruction& instruction, std::string_view operands,
                      llvm::function_ref<void(const Instruction&)> read);

  // Values. Each accessor refuses ids of anything else.
  /// Refuses a type that only constants and objects in memory can have.
  static void check_scalars(const Type& type);
  void define(Id id, const Type& type, llvm::Value* value);
  TypedValue operand(Id id);
  llvm::Value* value(Id id) { return operand(id).value; }
  llvm::Value* of_type(Id id, const Type& type);
  TypedValue integer(Id id); ///< an integer, or a vector of integers
  TypedValue scalar_integer(Id id);
  TypedValue floating(Id id); ///< a number of floating point, or a vector of such
  TypedValue boolean(Id id);  ///< a boolean, or a vector of booleans
  TypedValue scalar_boolean(Id id);
  TypedValue pointer(Id id);
  TypedValue pointers(Id id); ///< a pointer, or a vector of pointers
  llvm::Constant* constant(Id id);
  /// A constant integer of up to 64 bits, zero-extended.
  std::uint64_t constant_number(Id id);
  bool is_constant_number(Id id);
  /// The execution scope that an operand names, a constant or the one that read_in_scopes() is at.
  /// @throws NeedsScope
  std::uint64_t execution_scope(Id id);

  /// Defines what OpSpecConstantOp has as its result, which must be a constant: code of `define` is for nothing.
  void define_constant(Id result, llvm::function_ref<void()> define);

  /// Sampled images are pairs, which no value of IR is.
  struct SampledImage {
    TypedValue image, sampler;
  };
  void define_sampled_image(Id id, const SampledImage& image) { sampled_images_[id] = image; }
  const SampledImage* sampled_image(Id id) const;
  /// @param bits as __translate_sampler_initializer() takes them
  void define_constant_sampler(Id id, const Type& type, std::uint32_t bits);

  /// A value that each function computes for itself, at its begin: the address of a variable that stands for a
  /// work-item's ids or sizes, and constant expressions of it.
  void define_per_function(Id id, const Type& type, std::function<llvm::Value*()> make);
  /// What the code of `define` defines as `id`, which stays undefined.
  TypedValue taken(Id id, llvm::function_ref<void()> define);

  // Code.
  /// Where instructions go: into a block, or, in OpSpecConstantOp, where they make constants.
  llvm::IRBuilder<>& ir();
  llvm::Function& function();
  bool is_in_function() const { return function_ != nullptr; }
  /// The function that OpFunction declares under this id.
  llvm::Function& declared_function(Id id);
  const Type& function_type(Id id) const;
  void begin_function(Id id);
  llvm::Argument& next_parameter();
  void end_function();
  /// The first block of that label, which may come later.
  llvm::BasicBlock* block(Id label);
  /// The last block of that label, after end_block(); null before. Another one than the first if read_in_scopes() made more.
  llvm::BasicBlock* last_block(Id label) const { return last_blocks_.lookup(blocks_.lookup(label)); }
  void begin_block(Id label);
  /// After a terminator.
  void end_block();
  /// @param incoming values and the labels of the blocks that they come from
  void add_phi(llvm::PHINode* node, const Type& type, std::vector<std::pair<Id, Id>> incoming);
  /// The current block is a loop's header, whose back edges get this `!llvm.loop`.
  void set_loop_hints(llvm::MDNode* hints);
  /// Reads an instruction for a work-group and for a sub-group, each in a block of its own: the scope decides which runs.
  /// @param result its id, or 0
  void read_in_scopes(Id scope, Id result, llvm::function_ref<void()> read);
  /// Calls a function of the built-in library, or one that the module defines under that name.
  llvm::CallInst* call(llvm::StringRef mangled_name, llvm::Type* result,
                       llvm::ArrayRef<llvm::Value*> arguments);

  /// The memory of the function's arrays whose lengths it computes, and how many bytes of it are in use.
  struct Arena {
    llvm::AllocaInst *memory = nullptr, *used = nullptr;
  };
  Arena& arena() { return arena_; }

private:
  struct Place {
    Id file = 0;
    std::uint32_t line = 0, column = 0;
  };
  struct Phi {
    llvm::PHINode* node;
    const Type* type;
    std::vector<std::pair<Id, Id>> incoming;
  };
  struct ConstantSampler {
    const Type* type;
    std::uint32_t bits;
  };
  struct PerFunction {
    const Type* type;
    std::function<llvm::Value*()> make;
  };

  /// The operand, of that kind or refused as none of that name.
  TypedValue of_kind(Id id, Type::Kind kind, const char* name);
  /// The same for a scalar, or a vector of such.
  TypedValue of_elements(Id id, Type::Kind kind, const char* name);
  llvm::Value* own_value(Id id, const PerFunction& value);
  void index_functions(const Words& words);
  std::uint32_t fast_math_mode(Id result, const llvm::Instruction& operation) const;
  std::optional<std::uint32_t> default_mode(Id entry_point, const llvm::Instruction& operation) const;
  void complete(const Phi& phi);
  void place_loop_hints();

  llvm::LLVMContext& context_;
  std::span<const Specialisation> values_of_constants_;
  std::unique_ptr<llvm::Module> module_;
  Decorations decorations_;
  llvm::DenseMap<Id, std::string_view> names_;
  llvm::MapVector<Id, std::string_view> strings_;
  std::vector<EntryPoint> entry_points_;
  llvm::DenseMap<Id, llvm::SmallVector<ExecutionMode, 2>> execution_modes_;
  llvm::DenseMap<Id, InstructionSet> instruction_sets_;
  llvm::DenseMap<Id, llvm::MDNode*> alias_nodes_;
  llvm::DenseMap<Id, Assembly> assemblies_;
  Place place_;
  bool float_controls_2_ = false, bfloat_arithmetic_ = false;

  llvm::DenseMap<Id, TypedValue> values_;
  llvm::DenseMap<Id, SampledImage> sampled_images_;
  llvm::DenseMap<Id, ConstantSampler> constant_samplers_;
  std::unordered_map<Id, PerFunction> per_function_; ///< stable addresses

  llvm::DenseMap<Id, Operands> function_headers_; ///< the operands of each OpFunction
  llvm::DenseMap<Id, llvm::Function*> functions_;

  // State of the function that is being read.
  llvm::IRBuilder<> builder_;
  llvm::Function* function_ = nullptr;
  unsigned parameters_read_ = 0;
  llvm::DenseMap<Id, llvm::BasicBlock*> blocks_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> last_blocks_; ///< by the first
  llvm::BasicBlock* begun_ = nullptr;                                ///< the first block of the current label
  std::optional<std::uint64_t> chosen_scope_;
  llvm::DenseMap<Id, llvm::Value*> own_values_; ///< those of per_function_
  unsigned own_depth_ = 0;                      ///< of values that own_value() is computing
  Arena arena_;
  std::vector<Phi> phis_;
  llvm::MapVector<llvm::BasicBlock*, llvm::MDNode*> loop_hints_; ///< by header
};

} // namespace hostcl::compiler::spirv
