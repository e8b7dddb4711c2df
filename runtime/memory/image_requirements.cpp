// Part of image.hpp: clGetImageRequirementsInfoEXT (cl_ext_image_requirements_info).

#include "runtime/memory/image.hpp"

#include <algorithm>

namespace hostcl::runtime {

namespace {

struct Question {
  const Context& context;
  const ImageFormat* format;        ///< null for any
  const cl_image_desc* description; ///< null for any
};

using Q = Rows<Question>;

std::size_t alignment(const Question& q) {
  return q.format ? q.format->alignment() : max_texel_bytes;
}

Status size(const Question& q, Answer& answer) {
  if (!q.format || !q.description)
    return fail(CL_INVALID_VALUE, "CL_IMAGE_REQUIREMENTS_SIZE_EXT needs image_format and image_desc");
  auto layout = validate::image_layout(*q.description, *q.format);
  if (!layout.ok())
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_desc is not valid: ", layout.error().sentence());
  const std::size_t bytes = std::move(layout).value().bytes();
  return answer.bytes(&bytes, sizeof(bytes));
}

/// The largest side of images of the described type; without a description, the least of these over all types
/// that have the side.
template <auto side>
Status limit(const Question& q, Answer& answer) {
  const cl_mem_object_type type = q.description ? q.description->image_type : 0;
  std::size_t least = 0;
  for (cl_mem_object_type t = CL_MEM_OBJECT_IMAGE2D; is_image_type(t); ++t)
    if (const std::size_t most = image_limits(q.context, t).*side; most && (!type || type == t))
      least = least ? std::min(least, most) : most;
  if (!least)
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_type is 0x", std::hex, type,
                "; images of this type do not have the dimension that param_name asks for");
  const auto value = static_cast<cl_uint>(least);
  return answer.bytes(&value, sizeof(value));
}

constexpr Row<Question> rows[] = {
    Q::value<std::size_t, alignment>(CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT),
    Q::value<std::size_t, alignment>(CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT),
    Q::value<std::size_t, alignment>(CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT),
    {CL_IMAGE_REQUIREMENTS_SIZE_EXT, size},
    {CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT, limit<&ImageLimits::width>},
    {CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT, limit<&ImageLimits::height>},
    {CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT, limit<&ImageLimits::depth>},
    {CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT, limit<&ImageLimits::layers>},
};

/// Whether the query asks for the largest value of a side, so that sides may be 0, for any.
bool is_limit(cl_image_requirements_info_ext name) {
  return name == CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT || name == CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT ||
         name == CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT || name == CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT;
}

/// The description without the side that the query asks for, which the specification ignores.
cl_image_desc without_asked(const cl_image_desc& description, cl_image_requirements_info_ext name) {
  cl_image_desc d = description;
  if (name == CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT) d.image_width = 0;
  if (name == CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT) d.image_height = 0;
  if (name == CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT) d.image_depth = 0;
  if (name == CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT) d.image_array_size = 0;
  return d;
}

Status check(const Context& context, const cl_image_desc& d, cl_image_requirements_info_ext name) {
  const std::size_t least = is_limit(name) ? 0 : 1;
  if (!is_image_type(d.image_type)) {
    if (is_limit(name) && d.image_type == 0) return {};
    return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_type is 0x", std::hex, d.image_type,
                "; it must be a CL_MEM_OBJECT_IMAGE*");
  }
  auto status =
      validate::image_sides(image_limits(context, d.image_type), without_asked(d, name), least, least);
  if (status.ok()) return {};
  return fail(CL_INVALID_IMAGE_DESCRIPTOR, "image_desc is not valid: ", std::move(status).error().sentence());
}

} // namespace

Status image_requirement(const Context& context, const ImageFormat* format, const cl_image_desc* description,
                         cl_image_requirements_info_ext name, Answer answer) {
  if (description) TRY(check(context, *description, name));
  return answer_query(rows, Question{context, format, description}, name, answer);
}

} // namespace hostcl::runtime
