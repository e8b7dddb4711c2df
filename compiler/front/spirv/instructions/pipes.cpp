// Reads instructions for pipes, as the calls of the built-in library that clang makes for OpenCL C.
// Declared in compiler/front/spirv/instructions/instructions.hpp.

#include "compiler/front/spirv/instructions/instructions.hpp"

#include "compiler/ir/spaces.hpp"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// A call of the library to which the operands of an instruction are added one by one. The columns of
/// instructions.inc have a letter for each operand: s a scope, r a pipe that is read, w a pipe that is
/// written, p any pipe, i a reservation, n a number, g a pointer. They name the function without the prefix for
/// the scope and the suffix for the access of a pipe.
class PipeCall {
public:
  PipeCall(Reader& reader, Operands& in, const char* letters, const char* function)
      : r_(reader), name_(function) {
    for (const char* letter = letters; *letter; ++letter)
      add(*letter, in.id());
  }

  Value* make(llvm::Type* result) { return r_.call(name_, result, arguments_); }

private:
  void add(char letter, Id id) {
    switch (letter) {
    case 's':
      name_ = scope(id) + name_;
      break;
    case 'i':
      arguments_.push_back(reservation(id));
      break;
    case 'n':
      arguments_.push_back(r_.ir().CreateZExtOrTrunc(r_.scalar_integer(id).value, r_.ir().getInt32Ty()));
      break;
    case 'g':
      arguments_.push_back(generic(r_.pointer(id)));
      break;
    default:
      arguments_.push_back(pipe(letter, id));
    }
  }

  std::string scope(Id id) {
    const std::uint64_t scope = r_.constant_number(id);
    if (scope != spv::ScopeWorkgroup && scope != spv::ScopeSubgroup)
      refuse("the scope is " + Twine(scope) + "; it must be Workgroup (2) or Subgroup (3)");
    return scope == spv::ScopeWorkgroup ? "__work_" : "__sub_";
  }

  Value* pipe(char letter, Id id) {
    const TypedValue operand = r_.operand(id);
    if (operand.type->op != spv::OpTypePipe) refuse("the operand is not a pipe");
    const bool is_read = operand.type->access == spv::AccessQualifierReadOnly;
    if (letter == 'p') name_ += is_read ? "ro" : "wo";
    if ((letter == 'r' && !is_read) || (letter == 'w' && is_read))
      refuse(is_read ? "the pipe is ReadOnly; the instruction needs a WriteOnly pipe"
                     : "the pipe is WriteOnly; the instruction needs a ReadOnly pipe");
    return operand.value;
  }

  Value* reservation(Id id) {
    const TypedValue operand = r_.operand(id);
    if (operand.type->op != spv::OpTypeReserveId) refuse("the operand is not a reservation");
    return operand.value;
  }

  Value* generic(const TypedValue& pointer) {
    if (pointer.type->storage == spv::StorageClassUniformConstant)
      refuse("the pointer is to constant memory");
    return r_.ir().CreateAddrSpaceCast(pointer.value, PointerType::get(r_.context(), generic_space));
  }

  Reader& r_;
  std::string name_;
  SmallVector<Value*, 8> arguments_;
};

} // namespace

/// Reads the instructions whose result is a number.
void read_pipe_number(Reader& r, Operands in, const char* letters, const char* function) {
  const auto [type, result] = read_result(r, in);
  if (!type.is(Kind::integer)) refuse("the result is not an integer");
  r.define(result, type,
           r.ir().CreateSExtOrTrunc(PipeCall(r, in, letters, function).make(r.ir().getInt32Ty()), type.ir));
}

void read_pipe_reservation(Reader& r, Operands in, const char* letters, const char* function) {
  const auto [type, result] = read_result(r, in);
  if (type.op != spv::OpTypeReserveId) refuse("the result is not a reservation");
  r.define(result, type, PipeCall(r, in, letters, function).make(type.ir));
}

void read_pipe_validity(Reader& r, Operands in, const char* letters, const char* function) {
  const auto [type, result] = read_result(r, in);
  if (!type.is(Kind::boolean)) refuse("the result is not a boolean");
  r.define(result, type, PipeCall(r, in, letters, function).make(type.ir));
}

void read_pipe_commit(Reader& r, Operands in, const char* letters, const char* function) {
  PipeCall(r, in, letters, function).make(llvm::Type::getVoidTy(r.context()));
}

} // namespace hostcl::compiler::spirv
