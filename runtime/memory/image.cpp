#include "runtime/memory/image.hpp"

#include "runtime/memory/pages.hpp"

namespace hostcl::runtime {

namespace {

/// Bytes after the storage, so that vectors may be loaded beyond the last texel. Enough for pages of all
/// sizes.
constexpr std::size_t slack = 4096;

} // namespace

Image::Image(Context& context, ImageRequest request)
    : Memory(destroy_object<Image>, context, request.layout.type, request.flags, request.layout.bytes(),
             std::move(request.properties.list)),
      descriptor_{},
      layout_(request.layout) {}

Image::~Image() {
  if (shared_) free_for(context(), reinterpret_cast<std::byte*>(shared_));
}

Result<Ref<Image>> Image::create(Context& context, ImageRequest request) {
  Memory* const parent = request.parent;
  void* const host_pointer = request.host_pointer;
  const cl_mem_flags flags = request.flags;
  ExternalMemory external;
  if (request.properties.external) {
    TRY(external, ExternalMemory::map(*request.properties.external, flags, request.layout.bytes(), slack,
                                      CL_INVALID_IMAGE_SIZE));
  }
  Ref<Image> image = make_object<Image>(context, std::move(request));
  if (parent) {
    image->share(*parent, 0);
  } else if (external) {
    image->use(std::move(external));
  } else if (flags & CL_MEM_USE_HOST_PTR) {
    image->use(host_pointer);
  }
  if (!image->data()) {
    TRY(image->allocate(slack));
    if (host_pointer) {
      const Rect all = image->layout_.rect_of_level(0);
      copy_rect(context.first_device().workers(), image->data(), all,
                static_cast<const std::byte*>(host_pointer), all);
    }
  }
  image->describe();
  TRY(image->share_descriptors());
  return image;
}

void Image::describe() {
  descriptor_ = layout_.described(data());
  descriptor_.level_table = &descriptor_;
  if (!layout_.is_mipmapped()) return;
  levels_.reserve(layout_.levels());
  for (cl_uint i = 0; i < layout_.levels(); ++i) {
    levels_.push_back(layout_.level(i).described(data() + layout_.bytes_before(i)));
    levels_.back().level_table = &levels_.back();
  }
  descriptor_.level_table = levels_.data();
}

Status Image::share_descriptors() {
  if (!context().code_host()) return {};
  const std::size_t bytes = (1 + levels_.size()) * sizeof(abi::Image);
  shared_ = reinterpret_cast<abi::Image*>(allocate_for(context(), bytes, alignof(abi::Image)));
  if (!shared_)
    return fail(CL_MEM_OBJECT_ALLOCATION_FAILURE, "cannot allocate ", bytes, " bytes for descriptors");
  abi::Image* next = shared_;
  new (next) abi::Image(descriptor_);
  for (const abi::Image& level : levels_) {
    new (++next) abi::Image(level);
    next->level_table = next;
  }
  shared_->level_table = levels_.empty() ? shared_ : shared_ + 1;
  return {};
}

} // namespace hostcl::runtime
