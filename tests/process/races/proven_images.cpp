// HOSTCL_CHECK=races: kernels whose work-items are proved to keep to their own pixels (compiler/passes/checks/freedom/race_freedom.hpp),
// and launches just outside of the proof.

#include "support/findings.hpp"
#include "support/images.hpp"
#include "support/session.hpp"

#include <optional>

namespace {

constexpr size_t width = 32, height = 8;

/// Images of one buffer, whose rows are as far apart as the device asks for.
struct Images {
  const test::Session session;
  const test::Buffer memory = session.buffer(std::vector<cl_int>(1 << 16)),
                     others = session.buffer(std::vector<cl_int>(1 << 16));

  test::Buffer image(cl_mem buffer) const {
    cl_image_desc description{};
    description.image_type = CL_MEM_OBJECT_IMAGE2D;
    description.image_width = width;
    description.image_height = height;
    description.image_row_pitch = 4096;
    description.buffer = buffer;
    return test::make_image(session.context, {CL_R, CL_SIGNED_INT32}, description);
  }
};

struct Launch {
  test::Range global{width, height};
  cl_int n = 0;
  bool one_buffer = false; ///< for the image that is written, the one that is read and the buffer
};

/// The kernel is `kernel void k(write_only image2d_t out, read_only image2d_t in, global int* b, int n)`.
struct Case {
  const char *name, *body;
  std::optional<Launch> wrong, right;
};

const Case cases[] = {
    {"own pixels", "write_imagei(out, (int2)(x, y), read_imagei(in, (int2)(x, y)));", {}, Launch{}},
    {"a launch that is larger than the image",
     "write_imagei(out, (int2)(x, y), (int4)(x));",
     {},
     Launch{{width + 16, height + 4}}},
    {"two pixels of four work-items",
     "if (x < 4) write_imagei(out, (int2)(x & 1, y), (int4)(x + 1));",
     Launch{},
     {}},
    {"a pixel of two work-items", "write_imagei(out, (int2)(x / 2, y), (int4)(x + 1));", Launch{}, {}},
    {"a row of two work-items", "write_imagei(out, (int2)(x, y / 2), (int4)(y + 1));", Launch{}, {}},
    {"a pixel that n moves", "write_imagei(out, (int2)(x * n, y), (int4)(x + 1));", Launch{.n = 0},
     Launch{.n = 1}},
    {"a neighbour's pixel of the other image",
     "write_imagei(out, (int2)(x, y), read_imagei(in, (int2)(x + 1, y)) + x + 1);",
     Launch{.one_buffer = true}, Launch{}},
    {"a buffer behind the image", "write_imagei(out, (int2)(x, y), (int4)(b[x] + x + 1));",
     Launch{.one_buffer = true}, Launch{}},
    {"a buffer that is written behind the image",
     "b[y * 1024 + x] = x + 1; write_imagei(out, (int2)(x ^ 1, y), (int4)(x + 9));",
     Launch{.one_buffer = true}, Launch{}},
};

/// The findings of a launch. Each place is reported once in a process, so kernels have names of their own.
std::vector<test::Finding> findings(const char* body, const Launch& launch) {
  static int count = 0;
  const std::string name = "k" + std::to_string(count++);
  const std::string source = "kernel void " + name +
                             "(write_only image2d_t out, read_only image2d_t in, global int* b, int n) {\n"
                             "int x = get_global_id(0), y = get_global_id(1); " +
                             body + "}\n";
  const Images images;
  const test::Buffer& from = launch.one_buffer ? images.memory : images.others;
  const test::Buffer out = images.image(images.memory), in = images.image(from);
  const test::Buffer elsewhere = images.session.buffer(std::vector<cl_int>(1 << 16));
  const test::Kernel kernel = images.session.kernel(source.c_str(), name.c_str(), "-cl-std=CL3.0");
  test::set_arguments(kernel, out, in, launch.one_buffer ? images.memory : elsewhere, launch.n);
  const test::Findings found;
  images.session.run(kernel, launch.global, test::Range(8, 2));
  return found.all();
}

} // namespace

TEST_CASE("Races of pixels just outside of a proof are found", "[races]") {
  for (const Case& test : cases) {
    if (!test.wrong) continue;
    CAPTURE(test.name, test.body);
    CHECK(!findings(test.body, *test.wrong).empty());
  }
}

TEST_CASE("Launches that keep to their own pixels have no report", "[races]") {
  for (const Case& test : cases) {
    if (!test.right) continue;
    CAPTURE(test.name, test.body);
    CHECK(findings(test.body, *test.right).empty());
  }
}

TEST_CASE("Barriers of images order pixels", "[races]") {
  struct Barrier {
    const char* flags;
    bool is_right;
  };
  const Images images;
  const test::Buffer image = images.image(images.memory);
  for (const auto [flags, is_right] :
       {Barrier{"CLK_IMAGE_MEM_FENCE", true}, Barrier{"CLK_IMAGE_MEM_FENCE | CLK_LOCAL_MEM_FENCE", true},
        Barrier{"n ? CLK_LOCAL_MEM_FENCE : CLK_IMAGE_MEM_FENCE", true}, Barrier{"CLK_LOCAL_MEM_FENCE", false},
        Barrier{"n ? CLK_IMAGE_MEM_FENCE : CLK_LOCAL_MEM_FENCE", false}}) {
    CAPTURE(flags);
    static int count = 0;
    const std::string name = "b" + std::to_string(count++);
    const std::string source = "kernel void " + name +
                               "(read_write image2d_t image, int n) {\n"
                               "int x = get_global_id(0); write_imagei(image, (int2)(x, 0), (int4)(x + 1));\n"
                               "barrier(" +
                               flags +
                               "); int4 next = read_imagei(image, (int2)(x ^ 1, 0));\n"
                               "write_imagei(image, (int2)(x, 1), next + 1); }\n";
    const test::Kernel kernel = images.session.kernel(source.c_str(), name.c_str(), "-cl-std=CL3.0");
    test::set_arguments(kernel, image, 0);
    const test::Findings found;
    images.session.run(kernel, width, width);
    CHECK(found.all().empty() == is_right);
  }
}
