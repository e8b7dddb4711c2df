#pragma once

// The state of reading a SPIR-V module, and the functions that instructions use. Each function refuses the
// module if its arguments are not as the function needs them. So LLVM is never called with operands of
// unexpected types.

#include "compiler/front/spirv/decorations.hpp"
#include "compiler/front/spirv/support.hpp"
#include "compiler/front/spirv/type_table.hpp"

#include "compiler/jobs/program_requests.hpp"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <functional>
#include <unordered_map>

namespace hostcl::compiler::spirv {

/// The most scalars of a value that is not a constant. Each scalar is an operand of a node in LLVM's
/// instruction selection, which can have at most 65,535.
inline constexpr std::uint64_t max_scalars = 16384;

/// A value in IR, with its SPIR-V type.
struct TypedValue {
  llvm::Value* value = nullptr;
  const Type* type = nullptr;
};

/// Thrown if a value is used outside of functions that each function has to compute for itself.
class NeedsFunction : public Refusal {
  using Refusal::Refusal;
};

/// Thrown if the execution scope of an instruction is not a constant. No IR has been built for the
/// instruction yet.
struct NeedsScope {
  Id scope;
};

/// An entry point with the execution model Kernel.
struct EntryPoint {
  Id function;
  std::string_view name;
};

struct ExecutionMode {
  spv::ExecutionMode mode;
  std::span<const std::uint32_t> operands; ///< literals, or ids for execution modes whose names end in Id
};

/// Reads one module, on one thread.
class Reader : public TypeTable {
public:
  Reader(llvm::LLVMContext& context, const Words& words, const CompileIlRequest& request);
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader();

  // The module:
  const CompileIlRequest& request;
  llvm::LLVMContext& context() { return context_; }
  llvm::Module& module() { return *module_; }
  const llvm::DataLayout& layout() const { return module_->getDataLayout(); }
  Decorations& decorations() { return decorations_; }
  void set_name(Id id, std::string_view name) { names_[id] = name; }
  /// The name that OpName gives the id; may be empty.
  std::string_view name(Id id) const { return names_.lookup(id); }
  void define_string(Id id, std::string_view text) { strings_[id] = text; }
  std::string_view string(Id id) const;
  std::span<const std::pair<Id, std::string_view>> strings() const { return strings_.getArrayRef(); }
  /// The value that the application has set for a specialisation constant, if any.
  std::optional<std::uint64_t> specialisation(Id constant) const;
  void add_entry_point(EntryPoint entry) { entry_points_.push_back(entry); }
  std::span<const EntryPoint> entry_points() const { return entry_points_; }
  bool is_entry_point(Id function) const;
  void add_execution_mode(Id function, ExecutionMode mode) { execution_modes_[function].push_back(mode); }
  std::span<const ExecutionMode> execution_modes(Id function) const;
  void define_instruction_set(Id id, InstructionSet set) { instruction_sets_[id] = set; }
  InstructionSet instruction_set(Id id) const;
  /// Sets the source position of the instructions that follow.
  void set_place(Id file, std::uint32_t line, std::uint32_t column) { place_ = {file, line, column}; }
  /// The source position as the beginning of a message, such as "a.cl:3:5: ", or an empty text.
  std::string place() const;
  /// Ends the reading, and returns the module.
  std::unique_ptr<llvm::Module> take_module() { return std::move(module_); }

  /// An OpAsmINTEL.
  struct Assembly {
    const Type* type; ///< type of the function that the assembly is called as
    std::string_view text, constraints;
  };
  void define_assembly(Id id, const Assembly& assembly) { assemblies_[id] = assembly; }
  const Assembly& assembly(Id id) const;

  /// Scopes and domains of SPV_INTEL_memory_access_aliasing, and lists of them.
  void define_alias_node(Id id, llvm::MDNode* node) { alias_nodes_[id] = node; }
  llvm::MDNode* alias_node(Id id) const;
  /// Called if the module says for each operation what LLVM may assume beyond IEEE 754
  /// (SPV_KHR_float_controls2).
  void set_float_controls_2() { float_controls_2_ = true; }
  /// What LLVM may assume beyond IEEE 754 of the operation with this result.
  llvm::FastMathFlags fast_math(Id result, const llvm::Instruction& operation) const;

  /// Called if the module computes with bfloat16 (SPV_INTEL_bfloat16_arithmetic).
  void set_bfloat_arithmetic() { bfloat_arithmetic_ = true; }
  /// Whether the instruction computes with bfloat16.
  bool computes_with_bfloats(const Instruction& instruction, std::string_view operands) const;
  /// Reads such an instruction (bfloat16) with its operands converted to float, and rounds the result.
  /// @param read reads an instruction
  void read_in_floats(const Instruction& instruction, std::string_view operands,
                      llvm::function_ref<void(const Instruction&)> read);

  // Values. Each accessor refuses the module if the id is not what it returns.
  /// Refuses a type with so many scalars that only constants and objects in memory can have it.
  static void check_scalars(const Type& type);
  void define(Id id, const Type& type, llvm::Value* value);
  TypedValue operand(Id id);
  llvm::Value* value(Id id) { return operand(id).value; }
  llvm::Value* of_type(Id id, const Type& type);
  // A scalar of this kind:
  TypedValue scalar_integer(Id id) { return of_kind(id, Type::Kind::integer, "a scalar integer"); }
  TypedValue scalar_boolean(Id id) { return of_kind(id, Type::Kind::boolean, "a scalar boolean"); }
  TypedValue pointer(Id id) { return of_kind(id, Type::Kind::pointer, "a pointer"); }
  // A scalar or a vector; the name of the function says of what kind the scalars are:
  TypedValue integer(Id id) { return of_elements(id, Type::Kind::integer, "an integer"); }
  TypedValue floating(Id id) { return of_elements(id, Type::Kind::floating, "a floating-point number"); }
  TypedValue boolean(Id id) { return of_elements(id, Type::Kind::boolean, "a boolean"); }
  TypedValue pointers(Id id) { return of_elements(id, Type::Kind::pointer, "a pointer"); }
  llvm::Constant* constant(Id id);
  /// A constant integer of up to 64 bits, zero-extended.
  std::uint64_t constant_number(Id id);
  bool is_constant_number(Id id);
  /// The execution scope that the id names. If it is not a constant, the scope that read_in_scopes() is
  /// reading for.
  /// @throws NeedsScope
  std::uint64_t execution_scope(Id id);

  /// Defines the result of OpSpecConstantOp. `define` must make a constant; instructions that it makes are
  /// dropped.
  void define_constant(Id result, llvm::function_ref<void()> define);

  /// A sampled image is a pair, which cannot be a value in IR.
  struct SampledImage {
    TypedValue image, sampler;
  };
  void define_sampled_image(Id id, const SampledImage& image) { sampled_images_[id] = image; }
  const SampledImage* sampled_image(Id id) const;
  /// @param bits argument of __translate_sampler_initializer()
  void define_constant_sampler(Id id, const Type& type, std::uint32_t bits);

  /// Defines a value that each function computes for itself, at its beginning: the address of a variable for
  /// a work-item's ids or sizes, and constant expressions with it.
  void define_per_function(Id id, const Type& type, std::function<llvm::Value*()> make);
  /// The value that the code of `define` defines as `id`. The id stays undefined.
  TypedValue taken(Id id, llvm::function_ref<void()> define);

  // Code:
  /// The position for instructions: in a block, or in OpSpecConstantOp, where they are folded to constants.
  llvm::IRBuilder<>& ir();
  llvm::Function& function();
  bool is_in_function() const { return function_ != nullptr; }
  /// The function with this OpFunction.
  llvm::Function& declared_function(Id id);
  const Type& function_type(Id id) const;
  void begin_function(Id id);
  llvm::Argument& next_parameter();
  void end_function();
  /// The first block with this label, which the reader may not have reached yet.
  llvm::BasicBlock* block(Id label);
  /// The last block with this label, after end_block(); null before. It is not the first one if
  /// read_in_scopes() has added blocks.
  llvm::BasicBlock* last_block(Id label) const { return last_blocks_.lookup(blocks_.lookup(label)); }
  void begin_block(Id label);
  /// Called after a terminator.
  void end_block();
  /// @param incoming pairs of a value and the label of the block that it comes from
  void add_phi(llvm::PHINode* node, const Type& type, std::vector<std::pair<Id, Id>> incoming);
  /// Makes the current block the header of a loop whose back edges get `!llvm.loop` with these hints.
  void set_loop_hints(llvm::MDNode* hints);
  /// Reads an instruction twice, for a work-group and for a sub-group, in different blocks. The scope decides
  /// at run time which of them runs.
  /// @param result id of the instruction's result, or 0
  void read_in_scopes(Id scope, Id result, llvm::function_ref<void()> read);
  /// Calls a function of the built-in library, or a function with this name that the module defines.
  llvm::CallInst* call(llvm::StringRef mangled_name, llvm::Type* result,
                       llvm::ArrayRef<llvm::Value*> arguments);

  /// The memory for the function's variable-length arrays, and the number of bytes in use.
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

  /// The operand, which must be of this kind. If not, the refusal says "not a `name`".
  TypedValue of_kind(Id id, Type::Kind kind, const char* name);
  /// The same for a scalar or a vector of scalars.
  TypedValue of_elements(Id id, Type::Kind kind, const char* name);
  llvm::Value* own_value(Id id, const PerFunction& value);
  void index_functions(const Words& words);
  std::uint32_t fast_math_mode(Id result, const llvm::Instruction& operation) const;
  std::optional<std::uint32_t> default_mode(Id entry_point, const llvm::Instruction& operation) const;
  void complete(const Phi& phi);
  void place_loop_hints();

  llvm::LLVMContext& context_;
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
  std::unordered_map<Id, PerFunction> per_function_; ///< an unordered_map, because addresses must not change

  llvm::DenseMap<Id, Operands> function_headers_; ///< operands of each OpFunction
  llvm::DenseMap<Id, llvm::Function*> functions_;

  // The state of the function that is being read:
  llvm::IRBuilder<> builder_;
  llvm::Function* function_ = nullptr;
  unsigned parameters_read_ = 0;
  llvm::DenseMap<Id, llvm::BasicBlock*> blocks_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> last_blocks_; ///< by the first block
  llvm::BasicBlock* begun_ = nullptr;                                ///< first block of the current label
  std::optional<std::uint64_t> chosen_scope_;
  llvm::DenseMap<Id, llvm::Value*> own_values_; ///< values of per_function_
  unsigned own_depth_ = 0;                      ///< number of values that own_value() is computing
  Arena arena_;
  std::vector<Phi> phis_;
  llvm::MapVector<llvm::BasicBlock*, llvm::MDNode*> loop_hints_; ///< by header
};

} // namespace hostcl::compiler::spirv
