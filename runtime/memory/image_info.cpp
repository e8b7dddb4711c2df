// Part of image.hpp: clGetImageInfo (OpenCL 3.0 API, 5.3.7).

#include "runtime/memory/image.hpp"

namespace hostcl::runtime {

namespace {

using I = Rows<Image>;

cl_image_format format(const Image& i) {
  return i.format().name;
}
// The element size of RAW10 and RAW12 is that of a texel alone, rounded up to whole bytes.
std::size_t element_size(const Image& i) {
  return i.format().texel_bytes() ? i.format().texel_bytes() : 2;
}
std::size_t row_pitch(const Image& i) {
  return i.layout().row_pitch;
}
std::size_t slice_pitch(const Image& i) {
  return has_slices(i.type()) ? i.layout().slice_pitch : 0;
}
std::size_t width(const Image& i) {
  return i.layout().width;
}
std::size_t height(const Image& i) {
  return has_height(i.type()) ? i.layout().height : 0;
}
std::size_t depth(const Image& i) {
  return i.type() == CL_MEM_OBJECT_IMAGE3D ? i.layout().depth : 0;
}
std::size_t array_size(const Image& i) {
  return is_image_array(i.type()) ? i.layout().layers : 0;
}
cl_mem buffer(const Image& i) {
  return i.parent() && i.parent()->type() == CL_MEM_OBJECT_BUFFER ? i.parent()->handle() : nullptr;
}
cl_uint mip_levels(const Image& i) {
  return i.layout().mip_levels;
}

constexpr Row<Image> rows[] = {
    I::value<cl_image_format, format>(CL_IMAGE_FORMAT),
    I::value<std::size_t, element_size>(CL_IMAGE_ELEMENT_SIZE),
    I::value<std::size_t, row_pitch>(CL_IMAGE_ROW_PITCH),
    I::value<std::size_t, slice_pitch>(CL_IMAGE_SLICE_PITCH),
    I::value<std::size_t, width>(CL_IMAGE_WIDTH),
    I::value<std::size_t, height>(CL_IMAGE_HEIGHT),
    I::value<std::size_t, depth>(CL_IMAGE_DEPTH),
    I::value<std::size_t, array_size>(CL_IMAGE_ARRAY_SIZE),
    I::value<cl_mem, buffer>(CL_IMAGE_BUFFER),
    I::value<cl_uint, mip_levels>(CL_IMAGE_NUM_MIP_LEVELS),
    I::constant<cl_uint, 0>(CL_IMAGE_NUM_SAMPLES),
};

} // namespace

Status Image::image_info(cl_image_info name, Answer answer) const {
  return answer_query(rows, *this, name, answer);
}

} // namespace hostcl::runtime
