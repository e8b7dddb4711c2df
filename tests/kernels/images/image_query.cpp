// get_image_* of all kinds of images and access qualifiers.

#include "support/image_kernels.hpp"

namespace {

using test::ImageFormat, test::ImageKind, test::KernelImage;

/// The queries that a kind has, and what they are for 9 x 4 x 3 texels, or 5 layers.
std::vector<std::pair<std::string, cl_int>> queries_of(const ImageKind& kind, const ImageFormat& format) {
  std::vector<std::pair<std::string, cl_int>> queries = {{"get_image_width(i)", 9},
                                                         {"get_image_channel_order(i)", format.order},
                                                         {"get_image_channel_data_type(i)", format.type}};
  if (kind.axes > 1)
    queries.insert(queries.end(),
                   {{"get_image_height(i)", 4}, {"get_image_dim(i).x", 9}, {"get_image_dim(i).y", 4}});
  if (kind.axes > 2)
    queries.insert(queries.end(),
                   {{"get_image_depth(i)", 3}, {"get_image_dim(i).z", 3}, {"get_image_dim(i).w", 0}});
  if (kind.is_array) queries.emplace_back("(int)get_image_array_size(i)", 5);
  return queries;
}

} // namespace

TEST_CASE("Kernels ask images for sizes and formats", "[image_query]") {
  const test::Session session;
  for (const ImageKind& kind : test::image_kinds) {
    const bool depth = std::string(kind.type).find("depth") != std::string::npos;
    const ImageFormat format = depth ? ImageFormat{CL_DEPTH, CL_FLOAT} : ImageFormat{CL_BGRA, CL_UNORM_INT8};
    KernelImage image(session, kind, format, {9, kind.axes > 1 ? 4 : 1, kind.axes > 2 ? 3 : 1},
                      kind.is_array ? 5 : 1);
    const auto queries = queries_of(kind, format);
    for (const std::string access : {"read_only", "write_only", "read_write"}) {
      std::string source = "kernel void k(" + access + " " + kind.type + " i, global int* o) {";
      for (std::size_t n = 0; n < queries.size(); ++n)
        source += " o[" + std::to_string(n) + "] = " + queries[n].first + ";";
      const auto kernel = session.kernel((source + " }").c_str(), "k", "-cl-std=CL3.0");
      const auto object = image.object(session), results = session.buffer(queries.size() * sizeof(cl_int));
      test::set_arguments(kernel, object, results);
      session.run(kernel, 1);
      const auto values = session.read<cl_int>(results, queries.size());
      for (std::size_t n = 0; n < queries.size(); ++n) {
        INFO(access << " " << kind.type << ": " << queries[n].first);
        CHECK(values[n] == queries[n].second);
      }
    }
  }
}
