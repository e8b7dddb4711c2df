#pragma once

// The state of reading a SPIR-V module, and the functions that instructions use. Each function refuses the
// module if its arguments are not as the function needs them. So LLVM is never called with operands of
// unexpected types.

#include "compiler/front/spirv/declarations.hpp"
#include "compiler/front/spirv/type_table.hpp"

#include "compiler/jobs/program_requests.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <functional>
#include <unordered_map>

namespace hostcl::compiler::spirv {

/// The most scalars of a value that is not a constant. Each scalar is an operand of a node in LLVM's
/// instruction selection, which can have at most 65,535.
inline constexpr std::uint64_t max_scalars = 16384;

/// Thrown if a value is used outside of functions that each function has to compute for itself.
class NeedsFunction : public Refusal {
  using Refusal::Refusal;
};

/// Thrown if the execution scope of an instruction is not a constant. No IR has been built for the
/// instruction yet.
struct NeedsScope {
  Id scope;
};

/// Reads one module, on one thread.
class Reader : public TypeTable, public Declarations {
public:
  Reader(llvm::LLVMContext& context, const Words& words, const CompileIlRequest& request);
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader();

  const CompileIlRequest& request;
  llvm::LLVMContext& context() { return context_; }
  llvm::Module& module() { return *module_; }
  const llvm::DataLayout& layout() const { return module_->getDataLayout(); }
  /// The value that the application has set for a specialisation constant, if any.
  std::optional<std::uint64_t> specialisation(Id constant) const;
  /// What LLVM may assume beyond IEEE 754 of the operation with this result.
  llvm::FastMathFlags fast_math(Id result, const llvm::Instruction& operation) const;
  /// Ends the reading, and returns the module.
  std::unique_ptr<llvm::Module> take_module() { return std::move(module_); }

  // Values. Each accessor refuses the module if the id is not what it returns.
  /// Refuses a type with so many scalars that only constants and objects in memory can have it.
  static void check_scalars(const Type& type);
  void define(Id id, const Type& type, llvm::Value* value);
  TypedValue operand(Id id);
  llvm::Value* value(Id id) { return operand(id).value; }
  llvm::Value* of_type(Id id, const Type& type);
  // A scalar of this kind:
  TypedValue scalar_integer(Id id) { return scalar(id, Type::Kind::integer, "a scalar integer"); }
  TypedValue scalar_boolean(Id id) { return scalar(id, Type::Kind::boolean, "a scalar boolean"); }
  TypedValue pointer(Id id) { return scalar(id, Type::Kind::pointer, "a pointer"); }
  // A scalar or a vector; the name of the function says of what kind the scalars are:
  TypedValue integer(Id id) { return of_kind(id, Type::Kind::integer); }
  TypedValue floating(Id id) { return of_kind(id, Type::Kind::floating); }
  TypedValue boolean(Id id) { return of_kind(id, Type::Kind::boolean); }
  TypedValue pointers(Id id) { return of_kind(id, Type::Kind::pointer); }
  /// The operand: a scalar or a vector whose elements are of this kind.
  TypedValue of_kind(Id id, Type::Kind kind);
  /// A scalar integer, zero-extended or truncated to this width.
  llvm::Value* number(Id id, unsigned bits = 32);
  llvm::Constant* constant(Id id);
  /// A constant integer of up to 64 bits, zero-extended.
  std::uint64_t constant_number(Id id);
  bool is_constant_number(Id id);
  /// The execution scope that the id names. If it is not a constant, the scope that in_scopes() is reading for.
  /// @throws NeedsScope
  std::uint64_t execution_scope(Id id);

  /// Calls `make` outside of functions and returns the constant that `make` returns. Instructions that `make` writes
  /// are deleted.
  llvm::Constant* folded(llvm::function_ref<llvm::Value*()> make);
  /// Defines a value that each function computes for itself, at its beginning: a constant sampler, the
  /// address of a variable for a work-item's ids or sizes, and constant expressions with it.
  void define_per_function(Id id, const Type& type, std::function<llvm::Value*()> make);
  /// Makes the value of an operation on floating-point numbers. In a module that computes with bfloat16, `make` gets
  /// the result type with float in place of bfloat16, operands are converted to float, and the result is rounded to
  /// bfloat16.
  llvm::Value* in_floats(const Type& type, llvm::function_ref<llvm::Value*(const Type&)> make);
  /// Converts bfloat16 to float, or each element of a vector. Other values stay as they are.
  TypedValue as_floats(const TypedValue& value);

  // Code:
  /// The position for instructions: in a block, or in OpSpecConstantOp, where they are folded to constants.
  llvm::IRBuilder<>& ir();
  llvm::Function& function();
  bool is_in_function() const { return state_.function != nullptr; }
  /// The function with this OpFunction.
  llvm::Function& declared_function(Id id);
  const Type& function_type(Id id) const;
  void begin_function(Id id);
  llvm::Argument& next_parameter();
  void end_function();
  /// The first block with this label, which the reader may not have reached yet.
  llvm::BasicBlock* block(Id label);
  /// The last block with this label; null before end_block(). It differs from block(label) if in_scopes() has added
  /// blocks.
  llvm::BasicBlock* last_block(Id label) const {
    return state_.last_blocks.lookup(state_.blocks.lookup(label));
  }
  void begin_block(Id label);
  /// Called after a terminator.
  void end_block();
  /// @param incoming pairs of a value and the label of the block that it comes from
  void add_phi(llvm::PHINode* node, const Type& type, std::vector<std::pair<Id, Id>> incoming);
  /// Makes the current block the header of a loop whose back edges get `!llvm.loop` with these hints.
  void set_loop_hints(llvm::MDNode* hints);
  /// Makes the value of an instruction, or null if it has none. If its execution scope is not a constant,
  /// `read` reads the instruction twice, for a work-group and for a sub-group, in different blocks. The scope
  /// decides at run time which of them runs.
  llvm::Value* in_scopes(llvm::function_ref<llvm::Value*()> read);
  /// A new block at the end of the function.
  llvm::BasicBlock* new_block();
  /// Memory of the function for an object of this type.
  llvm::AllocaInst* new_variable(llvm::Type* type);
  /// The pointer in the generic address space.
  llvm::Value* generic(llvm::Value* pointer);
  /// Calls a function of the built-in library, or a function with this name that the module defines.
  llvm::CallInst* call(llvm::StringRef mangled_name, llvm::Type* result,
                       llvm::ArrayRef<llvm::Value*> arguments);

  /// The memory for the function's variable-length arrays, and the number of bytes in use.
  struct Arena {
    llvm::AllocaInst *memory = nullptr, *used = nullptr;
  };
  Arena& arena() { return state_.arena; }

private:
  struct Phi {
    llvm::PHINode* node;
    const Type* type;
    std::vector<std::pair<Id, Id>> incoming;
  };
  struct PerFunction {
    const Type* type;
    std::function<llvm::Value*()> make;
  };

  /// The state of the function that is being read.
  struct FunctionState {
    llvm::Function* function = nullptr;
    unsigned parameters_read = 0;
    llvm::DenseMap<Id, llvm::BasicBlock*> blocks;
    llvm::DenseMap<llvm::BasicBlock*, llvm::BasicBlock*> last_blocks; ///< by the first block
    llvm::BasicBlock* begun = nullptr;                                ///< first block of the current label
    llvm::DenseMap<Id, llvm::Value*> own_values;                      ///< values of per_function_
    Arena arena;
    std::vector<Phi> phis;
    llvm::MapVector<llvm::BasicBlock*, llvm::MDNode*> loop_hints; ///< by header
  };

  /// The operand, which must be of this kind. If not, the refusal says "not a `name`".
  TypedValue scalar(Id id, Type::Kind kind, const char* name);
  llvm::Value* own_value(Id id, const PerFunction& value);
  void index_functions(const Words& words);
  std::uint32_t fast_math_mode(Id result, const llvm::Instruction& operation) const;
  std::optional<std::uint32_t> default_mode(Id entry_point, const llvm::Instruction& operation) const;
  void complete(const Phi& phi);
  void place_loop_hints();

  llvm::LLVMContext& context_;
  std::unique_ptr<llvm::Module> module_;

  llvm::DenseMap<Id, TypedValue> values_;
  std::unordered_map<Id, PerFunction> per_function_; ///< an unordered_map, because addresses must not change

  llvm::DenseMap<Id, Operands> function_headers_; ///< operands of each OpFunction
  llvm::DenseMap<Id, llvm::Function*> functions_;

  llvm::IRBuilder<> builder_;
  std::optional<std::uint64_t> chosen_scope_;
  bool reads_bfloats_as_floats_ = false; ///< within in_floats()
  unsigned own_depth_ = 0;               ///< number of values that own_value() is computing
  FunctionState state_;
};

} // namespace hostcl::compiler::spirv
