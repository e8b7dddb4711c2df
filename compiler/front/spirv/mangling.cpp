#include "compiler/front/spirv/mangling.hpp"

#include "compiler/ir/spaces.hpp"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DerivedTypes.h"

namespace hostcl::compiler::spirv {

using namespace llvm;

namespace {

using Kind = Type::Kind;

/// The name of a type in the ABI and in OpenCL C.
struct ScalarName {
  const char *mangled, *written;
};

ScalarName scalar_name(const Type& type, bool is_signed) {
  if (type.is(Kind::boolean)) return {"b", "bool"};
  if (type.is(Kind::floating)) {
    if (type.ir->isHalfTy()) return {"Dh", "half"};
    return type.ir->isFloatTy() ? ScalarName{"f", "float"} : ScalarName{"d", "double"};
  }
  if (!type.is(Kind::integer)) refuse("no built-in function has a parameter of that type");
  switch (type.ir->getIntegerBitWidth()) {
  case 8:
    return is_signed ? ScalarName{"c", "char"} : ScalarName{"h", "uchar"};
  case 16:
    return is_signed ? ScalarName{"s", "short"} : ScalarName{"t", "ushort"};
  case 32:
    return is_signed ? ScalarName{"i", "int"} : ScalarName{"j", "uint"};
  case 64:
    return is_signed ? ScalarName{"l", "long"} : ScalarName{"m", "ulong"};
  default:
    refuse("no built-in function has a parameter of " + Twine(type.ir->getIntegerBitWidth()) +
           "-bit integers");
  }
}

/// Returns the name of an image type in the ABI, such as 14ocl_image2d_ro.
std::string image_name(const Type& type) {
  std::string name = "ocl_image";
  name += type.dim == spv::Dim1D || type.dim == spv::DimBuffer ? "1d" : type.dim == spv::Dim2D ? "2d" : "3d";
  if (type.is_array) name += "_array";
  if (type.dim == spv::DimBuffer) name += "_buffer";
  if (type.is_multisampled) name += "_msaa";
  if (type.is_depth) name += "_depth";
  constexpr const char* accesses[] = {"_ro", "_wo", "_rw"};
  name += accesses[type.access];
  return std::to_string(name.size()) + name;
}

std::string opaque_name(const Type& type) {
  switch (type.op) {
  case spv::OpTypeEvent:
    return "9ocl_event";
  case spv::OpTypeSampler:
    return "11ocl_sampler";
  default:
    refuse("no built-in function has a parameter of that type");
  }
}

/// Builds a mangled name, one parameter after the other.
class MangledName {
public:
  explicit MangledName(StringRef function) : text_("_Z" + std::to_string(function.size()) + function.str()) {}

  void add(const Parameter& parameter) {
    if (!parameter.name.empty())
      add_compound(parameter.name, isDigit(parameter.name[0]) || StringRef(parameter.name).starts_with("Dv"));
    else if (!parameter.type->is(Kind::pointer))
      add_compound(value_name(*parameter.type, parameter.is_signed),
                   parameter.type->is(Kind::vector) || parameter.type->is(Kind::image) ||
                       parameter.type->is(Kind::sampler) || parameter.type->is(Kind::opaque));
    else
      add_pointer(parameter);
  }
  const std::string& str() const { return text_; }

private:
  static std::string value_name(const Type& type, bool is_signed) {
    if (type.is(Kind::image)) return image_name(type);
    if (type.is(Kind::opaque) || type.is(Kind::sampler)) return opaque_name(type);
    if (!type.is(Kind::vector)) return scalar_name(type, is_signed).mangled;
    return "Dv" + std::to_string(type.count) + "_" + scalar_name(*type.element, is_signed).mangled;
  }

  void add_pointer(const Parameter& parameter) {
    const Type& type = *parameter.type;
    if (!parameter.content && !type.element) refuse("the type that an untyped pointer points to is unknown");
    const Type& content = parameter.content ? *parameter.content : *type.element;
    std::string qualifiers;
    const unsigned space = type.ir->getPointerAddressSpace();
    if (space != private_space) qualifiers = "U3AS" + std::to_string(space);
    if (parameter.is_const) qualifiers += "K";
    const std::string element = value_name(content, parameter.is_signed);
    const std::string qualified = qualifiers + element, pointer = "P" + qualified;
    if (is_contained(substitutions_, pointer)) return append(pointer);
    text_ += "P";
    if (!qualifiers.empty() && is_contained(substitutions_, qualified)) {
      append(qualified);
    } else {
      text_ += qualifiers;
      append(element);
    }
    if (content.is(Kind::vector)) note(element);
    if (!qualifiers.empty()) note(qualified);
    note(pointer);
  }

  void add_compound(const std::string& written, bool is_compound) {
    append(written);
    if (is_compound) note(written);
  }

  /// Appends a compound type, or a reference to it if the name has it already.
  void append(const std::string& written) {
    auto found = llvm::find(substitutions_, written);
    if (found == substitutions_.end()) {
      text_ += written;
      return;
    }
    // The references are S_, S0_, S1_ and so on. Up to S9_ are enough for each function of the library.
    const std::size_t number = found - substitutions_.begin();
    text_ += number == 0 ? "S_" : "S" + std::to_string(number - 1) + "_";
  }

  void note(const std::string& name) {
    if (!is_contained(substitutions_, name)) substitutions_.push_back(name);
  }

  std::string text_;
  /// Compound types in the order in which they were written.
  SmallVector<std::string, 4> substitutions_;
};

} // namespace

Argument argument(const TypedValue& value, bool is_signed) {
  return {value.value, {.type = value.type, .is_signed = is_signed}};
}

std::string mangled_name(StringRef function, ArrayRef<Argument> arguments) {
  MangledName name(function);
  for (const Argument& argument : arguments)
    name.add(argument.parameter);
  return name.str() + (arguments.empty() ? "v" : "");
}

Value* call_library(Reader& r, StringRef function, llvm::Type* result, ArrayRef<Argument> arguments) {
  const std::string name = mangled_name(function, arguments);
  auto call = [&](llvm::Type* type, std::uint64_t component) {
    SmallVector<Value*, 6> values;
    for (const Argument& argument : arguments)
      values.push_back(argument.has_components ? r.ir().CreateExtractElement(argument.value, component)
                                               : argument.value);
    return r.call(name, type, values);
  };
  if (none_of(arguments, [](const Argument& argument) { return argument.has_components; }))
    return call(result, 0);
  Value* vector = PoisonValue::get(result);
  for (std::uint64_t i = 0; i < cast<FixedVectorType>(result)->getNumElements(); ++i)
    vector = r.ir().CreateInsertElement(vector, call(result->getScalarType(), i), i);
  return vector;
}

std::string type_name(const Type& type, bool is_signed) {
  const std::string name = scalar_name(type.scalar(), is_signed).written;
  return type.is(Kind::vector) ? name + std::to_string(type.count) : name;
}

const char* rounding_name(std::uint32_t mode) {
  constexpr const char* names[] = {"_rte", "_rtz", "_rtp", "_rtn"};
  if (mode >= std::size(names)) refuse("the rounding mode " + Twine(mode) + " is unknown");
  return names[mode];
}

} // namespace hostcl::compiler::spirv
