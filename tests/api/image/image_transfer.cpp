// clEnqueueReadImage, clEnqueueWriteImage, clEnqueueCopyImage, clEnqueueCopyImageToBuffer,
// clEnqueueCopyBufferToImage (OpenCL 3.0 API, 5.3.3 and 5.3.5): regions of all types of images against a model

#include "support/images.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>

namespace {

using Bytes = std::vector<unsigned char>;
using Extent = std::array<size_t, 3>;

struct Region {
  Extent origin{}, extent{1, 1, 1};
  size_t texels() const { return extent[0] * extent[1] * extent[2]; }
};

class Random {
public:
  explicit Random(unsigned seed) : engine_(seed) {}
  size_t below(size_t end) { return engine_() % end; }
  size_t between(size_t first, size_t last) { return first + below(last - first + 1); }
  Bytes bytes(size_t count) {
    Bytes result(count);
    for (auto& byte : result)
      byte = static_cast<unsigned char>(engine_());
    return result;
  }

private:
  std::mt19937 engine_;
};

/// An image, and the texels that it should have, without gaps.
class Model {
public:
  Model(const test::Session& session, Random& random, cl_mem_object_type type, const cl_image_format& format,
        size_t texel_bytes)
      : type_(type), texel_(texel_bytes) {
    const bool is_buffer = type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    dimensions_ = type == CL_MEM_OBJECT_IMAGE1D || is_buffer                             ? 1
                  : type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 2
                                                                                         : 3;
    for (size_t i = 0; i < dimensions_; ++i)
      extent_[i] = random.between(1, 20);
    cl_image_desc description = test::image_of(type, extent_[0], extent_[1], extent_[2]);
    const size_t storage = is_buffer ? 2 : random.below(3);
    const bool row_is_slice = type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const size_t row = (extent_[0] + (storage ? random.below(4) : 0)) * texel_;
    const size_t slice = row * (row_is_slice ? random.between(1, 3) : extent_[1] + random.below(3));
    if (storage && !is_buffer) {
      description.image_row_pitch = row;
      if (dimensions_ == 3 || row_is_slice) description.image_slice_pitch = slice;
    }
    memory_.resize(std::max(slice, row) * extent_[1] * extent_[2]);
    if (storage == 1)
      image_ = test::make_image(session.context, format, description, CL_MEM_USE_HOST_PTR, memory_.data());
    if (storage == 2) description.buffer = buffer_ = session.buffer(memory_.size());
    if (storage != 1) image_ = test::make_image(session.context, format, description);
    texels_ = random.bytes(whole().texels() * texel_);
    write(session, whole(), 0, 0, texels_.data());
  }

  cl_mem image() const { return image_; }
  size_t texel_bytes() const { return texel_; }
  Region whole() const { return {{}, extent_}; }
  bool has_slices() const { return dimensions_ == 3 || type_ == CL_MEM_OBJECT_IMAGE1D_ARRAY; }
  bool rows_are_slices() const { return type_ == CL_MEM_OBJECT_IMAGE1D_ARRAY; }

  Region region(Random& random, Extent most = {99, 99, 99}) const {
    Region r;
    for (size_t i = 0; i < 3; ++i) {
      r.extent[i] = random.between(1, std::min(extent_[i], most[i]));
      r.origin[i] = random.below(extent_[i] - r.extent[i] + 1);
    }
    return r;
  }
  void place(Random& random, Region& r) const {
    for (size_t i = 0; i < 3; ++i)
      r.origin[i] = random.below(extent_[i] - r.extent[i] + 1);
  }

  void write(const test::Session& session, const Region& r, size_t row, size_t slice, const void* data) {
    REQUIRE_CL(clEnqueueWriteImage(session.queue, image_, CL_TRUE, r.origin.data(), r.extent.data(), row,
                                   slice, data, 0, nullptr, nullptr));
  }
  Bytes read(const test::Session& session) const {
    Bytes data(texels_.size());
    const Region r = whole();
    REQUIRE_CL(clEnqueueReadImage(session.queue, image_, CL_TRUE, r.origin.data(), r.extent.data(), 0, 0,
                                  data.data(), 0, nullptr, nullptr));
    return data;
  }

  /// Texels of the region in the model, one after the other.
  Bytes part(const Region& r) const {
    Bytes result;
    for_rows(r, [&](size_t at) {
      result.insert(result.end(), texels_.begin() + at, texels_.begin() + at + r.extent[0] * texel_);
    });
    return result;
  }
  void set_part(const Region& r, const Bytes& data) {
    size_t from = 0;
    for_rows(r, [&](size_t at) {
      std::copy_n(data.begin() + from, r.extent[0] * texel_, texels_.begin() + at);
      from += r.extent[0] * texel_;
    });
  }
  const Bytes& texels() const { return texels_; }

private:
  template <class Action>
  void for_rows(const Region& r, Action action) const {
    for (size_t z = 0; z < r.extent[2]; ++z)
      for (size_t y = 0; y < r.extent[1]; ++y)
        action((((r.origin[2] + z) * extent_[1] + r.origin[1] + y) * extent_[0] + r.origin[0]) * texel_);
  }

  cl_mem_object_type type_;
  size_t texel_, dimensions_ = 1;
  Extent extent_{1, 1, 1};
  Bytes memory_, texels_;
  test::Buffer buffer_, image_;
};

/// Pitches of host memory for a region, 0 where they are left to the driver, and where its rows are.
struct Host {
  size_t row = 0, slice = 0, bytes = 0;
  std::vector<size_t> rows;

  Host(Random& random, const Model& model, const Region& r) {
    const size_t length = r.extent[0] * model.texel_bytes();
    if (random.below(2)) row = length + random.below(9);
    const size_t used_row = row ? row : length;
    size_t used_slice = used_row * (model.rows_are_slices() ? 1 : r.extent[1]);
    if (model.has_slices() && random.below(2)) slice = used_slice = used_slice + random.below(9);
    for (size_t z = 0; z < r.extent[2]; ++z)
      for (size_t y = 0; y < r.extent[1]; ++y)
        rows.push_back(model.rows_are_slices() ? y * used_slice : z * used_slice + y * used_row);
    bytes = rows.back() + length;
  }
};

constexpr std::pair<cl_image_format, size_t> formats[] = {
    {{CL_R, CL_UNORM_INT8}, 1}, {{CL_RGBA, CL_UNORM_INT8}, 4}, {{CL_RGBA, CL_FLOAT}, 16}};

/// Calls the action with a model of each type and format.
template <class Action>
void for_models(Action action) {
  const test::Session session;
  Random random(7);
  for (const auto& [format, bytes] : formats)
    for (cl_mem_object_type type : test::image_types)
      for (int i = 0; i < 10; ++i) {
        CAPTURE(type, bytes, i);
        Model model(session, random, type, format, bytes);
        action(session, random, model);
        CHECK(model.read(session) == model.texels());
      }
}

} // namespace

TEST_CASE("clEnqueueWriteImage: writes the region and nothing else", "[image_transfer]") {
  for_models([](const test::Session& session, Random& random, Model& model) {
    const Region r = model.region(random);
    const Host host(random, model, r);
    const Bytes data = random.bytes(host.bytes);
    Bytes dense;
    for (size_t row : host.rows)
      dense.insert(dense.end(), data.begin() + row, data.begin() + row + r.extent[0] * model.texel_bytes());
    model.write(session, r, host.row, host.slice, data.data());
    model.set_part(r, dense);
  });
}

TEST_CASE("clEnqueueReadImage: reads the region and writes nothing else", "[image_transfer]") {
  for_models([](const test::Session& session, Random& random, Model& model) {
    const Region r = model.region(random);
    const Host host(random, model, r);
    Bytes data = random.bytes(host.bytes), expected = data;
    const Bytes part = model.part(r);
    const size_t length = r.extent[0] * model.texel_bytes();
    for (size_t i = 0; i < host.rows.size(); ++i)
      std::copy_n(part.begin() + i * length, length, expected.begin() + host.rows[i]);
    REQUIRE_CL(clEnqueueReadImage(session.queue, model.image(), CL_TRUE, r.origin.data(), r.extent.data(),
                                  host.row, host.slice, data.data(), 0, nullptr, nullptr));
    CHECK(data == expected);
  });
}

TEST_CASE("clEnqueueCopyImage: copies regions between all types", "[image_transfer]") {
  for_models([](const test::Session& session, Random& random, Model& source) {
    for (cl_mem_object_type type : test::image_types) {
      CAPTURE(type);
      cl_image_format format{};
      REQUIRE_CL(clGetImageInfo(source.image(), CL_IMAGE_FORMAT, sizeof(format), &format, nullptr));
      Model target(session, random, type, format, source.texel_bytes());
      const Region from = source.region(random, target.whole().extent);
      Region to = from;
      target.place(random, to);
      REQUIRE_CL(clEnqueueCopyImage(session.queue, source.image(), target.image(), from.origin.data(),
                                    to.origin.data(), from.extent.data(), 0, nullptr, nullptr));
      target.set_part(to, source.part(from));
      CHECK(target.read(session) == target.texels());
    }
  });
}

TEST_CASE("clEnqueueCopyImageToBuffer: the region's texels follow each other in the buffer",
          "[image_transfer]") {
  for_models([](const test::Session& session, Random& random, Model& model) {
    const Region r = model.region(random);
    const size_t offset = random.below(50), bytes = r.texels() * model.texel_bytes();
    Bytes expected = random.bytes(offset + bytes + 10);
    const auto buffer = session.buffer(expected);
    REQUIRE_CL(clEnqueueCopyImageToBuffer(session.queue, model.image(), buffer, r.origin.data(),
                                          r.extent.data(), offset, 0, nullptr, nullptr));
    std::ranges::copy(model.part(r), expected.begin() + offset);
    CHECK(session.read<unsigned char>(buffer, expected.size()) == expected);
  });
}

TEST_CASE("clEnqueueCopyBufferToImage: the buffer's bytes become the region's texels", "[image_transfer]") {
  for_models([](const test::Session& session, Random& random, Model& model) {
    const Region r = model.region(random);
    const size_t offset = random.below(50), bytes = r.texels() * model.texel_bytes();
    const Bytes data = random.bytes(offset + bytes);
    const auto buffer = session.buffer(data);
    REQUIRE_CL(clEnqueueCopyBufferToImage(session.queue, buffer, model.image(), offset, r.origin.data(),
                                          r.extent.data(), 0, nullptr, nullptr));
    model.set_part(r, Bytes(data.begin() + offset, data.end()));
  });
}
