// Checks image coordinates that OpenCL C requires to be inside of the image: of write_image*, and of read_image*
// without a sampler (OpenCL C 3.0, 6.15.15). Coordinates outside are reported (HOSTCL_CHECK=bounds). The call is
// performed in any case, because the library itself never accesses memory outside of the image.
//
//   before:  call void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(ptr %image, <2 x i32> %at, <4 x float> %colour)
//
//   after:   %width = call i32 @_Z15get_image_width14ocl_image2d_wo(ptr %image)
//            %outside = icmp uge i32 %x, %width                      and so on for each coordinate
//            if %outside a report (findings.hpp)
//            call void @_Z12write_imagef14ocl_image2d_woDv2_iDv4_f(...)
//
// Mipmap levels and sample numbers are not checked.
//
// In:  code as the front end made it, before the library is linked.
// Test: tests/passes/checks/check_images.ll

#include "compiler/passes/passes.hpp"

#include "compiler/passes/checks/calls.hpp"
#include "compiler/passes/checks/findings.hpp"

#include "llvm/IR/Instructions.h"

namespace hostcl::compiler {

using namespace llvm;

namespace {

/// A kind of image, and the functions that return the size along each of its coordinates; null after the last.
struct Kind {
  StringLiteral name;
  const char* sizes[3];
};
constexpr Kind kinds[] = {
    {"image1d", {"get_image_width"}},
    {"image1d_buffer", {"get_image_width"}},
    {"image1d_array", {"get_image_width", "get_image_array_size"}},
    {"image2d", {"get_image_width", "get_image_height"}},
    {"image2d_depth", {"get_image_width", "get_image_height"}},
    {"image2d_array", {"get_image_width", "get_image_height", "get_image_array_size"}},
    {"image2d_array_depth", {"get_image_width", "get_image_height", "get_image_array_size"}},
    {"image3d", {"get_image_width", "get_image_height", "get_image_depth"}},
};

/// The kind of image that a function's first parameter is; null if it is no image.
/// @param type gets the parameter's mangled type, such as "14ocl_image2d_wo"
const Kind* kind_of(StringRef parameters, StringRef& type) {
  StringRef name = parameters;
  unsigned length = 0;
  if (name.consumeInteger(10, length) || length > name.size()) return nullptr;
  type = parameters.drop_back(name.size() - length);
  name = name.take_front(length);
  if (!name.consume_front("ocl_")) return nullptr;
  name = name.drop_back(3); // the access
  const auto* kind = find_if(kinds, [&](const Kind& each) { return each.name == name; });
  return kind == std::end(kinds) ? nullptr : kind;
}

/// Writes a call of a size function; the result is an i64.
Value* size_of(IRBuilder<>& builder, StringRef function, StringRef type, Value& image) {
  Type* result = function == "get_image_array_size" ? builder.getInt64Ty() : builder.getInt32Ty();
  const std::string name = ("_Z" + Twine(function.size()) + function + type).str();
  return builder.CreateZExt(call_function(builder, name, result, {&image}), builder.getInt64Ty());
}

void check(CallBase& call) {
  const CalledName name = called_name(call);
  const bool reads = name.name.starts_with("read_image"), writes = name.name.starts_with("write_image");
  if ((!reads && !writes) || call.arg_size() != (reads ? 2 : 3)) return;
  StringRef type;
  const Kind* kind = kind_of(name.parameters, type);
  if (!kind) return;
  IRBuilder<> builder(&call);
  Value &image = *call.getArgOperand(0), &at = *call.getArgOperand(1);
  Value* outside = builder.getFalse();
  for (unsigned i = 0; i < std::size(kind->sizes) && kind->sizes[i]; ++i) {
    Value* coordinate = at.getType()->isVectorTy() ? builder.CreateExtractElement(&at, i) : &at;
    if (!coordinate->getType()->isIntegerTy()) return;
    Value* size = size_of(builder, kind->sizes[i], type, image);
    outside = builder.CreateOr(
        outside, builder.CreateICmpUGE(builder.CreateSExt(coordinate, builder.getInt64Ty()), size),
        "outside");
  }
  report_if(outside, call,
            site_of(call, Check::bounds, name.name + "() at coordinates outside of the image"));
}

} // namespace

PreservedAnalyses check_images_pass(Module& module, ModuleAnalysisManager&) {
  return check_instructions(module, [](Instruction& instruction) {
    if (auto* call = dyn_cast<CallBase>(&instruction)) check(*call);
  });
}

} // namespace hostcl::compiler
