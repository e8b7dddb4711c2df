// cl_intel_subgroup_2d_block_io: reads and writes of blocks of matrices in memory, in all shapes, inside the matrix and
// across its edges.

#include "support/session.hpp"

#include <algorithm>
#include <cstring>

namespace {

struct Shape {
  const char *kind, *type;
  cl_int bits, rows, columns, count;
};

std::vector<Shape> all_shapes() {
  std::vector<Shape> shapes;
#define HOSTCL_2D_READ(T, ...) shapes.push_back({"read", #T, __VA_ARGS__});
#define HOSTCL_2D_TRANSFORM(T, ...) shapes.push_back({"read_transform", #T, __VA_ARGS__});
#define HOSTCL_2D_TRANSPOSE(T, ...) shapes.push_back({"read_transpose", #T, __VA_ARGS__});
#define HOSTCL_2D_WRITE(T, ...) shapes.push_back({"write", #T, __VA_ARGS__});
#define HOSTCL_2D_PREFETCH(T, ...) shapes.push_back({"prefetch", #T, __VA_ARGS__});
#include "builtins/include/hostcl/intel_2d_block_shapes.h"
  return shapes;
}

/// The part of a block that is in one object of a work-item: elements of one row, or of one column.
struct Part {
  cl_int row, column, count, is_column;
};

constexpr cl_int width = 112, height = 37, pitch = 128, lanes = 16, margin = 64;

bool is(const Shape& shape, const char* kind) {
  return std::string_view(shape.kind) == kind;
}
cl_int object_bytes(const Shape& shape) {
  const std::string_view type = shape.type;
  return type == "uchar" ? 1 : type == "ushort" ? 2 : 4;
}
cl_int element_bytes(const Shape& shape) {
  return shape.bits / 8;
}
/// The number of objects that a work-item has, by the comments of the specification's declarations.
cl_int objects_of(const Shape& shape) {
  return std::max(shape.count * shape.rows * shape.columns * element_bytes(shape) /
                      (lanes * object_bytes(shape)),
                  shape.count);
}

/// Where the object is in the memory of all blocks, by the examples of SPV_INTEL_2d_block_io.
Part part_of(const Shape& shape, cl_int lane, cl_int object) {
  const cl_int of_block = objects_of(shape) / shape.count, block = object / of_block, i = object % of_block;
  const cl_int first = block * shape.columns;
  if (is(shape, "read_transform")) {
    const cl_int rows = 4 / element_bytes(shape);
    return {i * rows, first + lane, rows, true};
  }
  if (is(shape, "read_transpose")) {
    const cl_int rows = shape.rows / lanes;
    return {lane * rows + i % rows, i / rows, 1, false};
  }
  if (shape.columns == 8) return {2 * i + lane / 8, first + lane % 8, 1, false};
  const cl_int in_lane = shape.columns / lanes;
  return {i, first + lane * in_lane, in_lane, false};
}

std::string name_of(const Shape& shape) {
  return "intel_sub_group_2d_block_" + std::string(shape.kind) + "_" + std::to_string(shape.bits) + "b_" +
         std::to_string(shape.rows) + "r" + std::to_string(shape.columns) + "x" +
         std::to_string(shape.count) + "c";
}

/// A kernel for each shape, with the shape's number in its name.
std::string source_of(const std::vector<Shape>& shapes) {
  std::string text = "#ifndef cl_intel_subgroup_2d_block_io\n#error no macro\n#endif\n";
  for (size_t i = 0; i < shapes.size(); ++i) {
    const Shape& shape = shapes[i];
    const std::string count = std::to_string(objects_of(shape)), type = shape.type,
                      place = "base + 64, width, height, pitch, (int2)(x, y)";
    text += "kernel __attribute__((intel_reqd_sub_group_size(16))) void k" + std::to_string(i) +
            "(global uchar* base, int width, int height, int pitch, int x, int y, global " + type +
            "* objects) {\n  " + type + " own[" + count + "];\n  size_t lane = get_global_id(0);\n  ";
    const std::string each = "for (int i = 0; i < " + count + "; ++i) ",
                      object = "objects[lane * " + count + " + i]";
    if (is(shape, "write"))
      text += each + "own[i] = " + object + "; " + name_of(shape) + "(" + place + ", own);\n}\n";
    else if (is(shape, "prefetch"))
      text += name_of(shape) + "(" + place + ");\n}\n";
    else
      text += name_of(shape) + "(" + place + ", own); " + each + object + " = own[i];\n}\n";
  }
  return text;
}

cl_uchar content(size_t byte) {
  return cl_uchar(byte * 167 + byte / 256 + 1);
}

/// Calls `visit` with each element of the work-items' objects: the byte in the objects, and the byte in the matrix. The
/// latter is -1 for an element outside the matrix.
template <class Visit>
void for_each_element(const Shape& shape, cl_int x, cl_int y, Visit visit) {
  const cl_int bytes = element_bytes(shape);
  for (cl_int lane = 0; lane < lanes; ++lane)
    for (cl_int object = 0; object < objects_of(shape); ++object) {
      const Part part = part_of(shape, lane, object);
      // A block of one row with eight columns has no elements for the other work-items.
      if (part.row >= shape.rows) continue;
      for (cl_int i = 0; i < part.count; ++i) {
        const cl_int row = y + part.row + (part.is_column ? i : 0);
        const cl_int column = (x + part.column + (part.is_column ? 0 : i)) * bytes;
        const bool is_inside = row >= 0 && row < height && column >= 0 && column < width;
        visit((lane * objects_of(shape) + object) * object_bytes(shape) + i * bytes,
              is_inside ? margin + row * pitch + column : -1);
      }
    }
}

constexpr std::pair<cl_int, cl_int> starts[] = {{0, 0},   {8, 3},    {-4, -2}, {20, 30},
                                                {96, 36}, {-200, 0}, {4, 40}};

} // namespace

TEST_CASE("Blocks of matrices: sub-groups read, write and prefetch all shapes", "[matrix_blocks]") {
  if (!test::is_hostcl()) return; // the list of extensions has no room for this one
  const test::Session session;
  const auto shapes = all_shapes();
  const auto program = session.build(source_of(shapes).c_str());
  std::vector<cl_uchar> memory(margin + size_t(pitch) * height + margin);
  for (size_t i = 0; i < memory.size(); ++i)
    memory[i] = content(i);
  for (size_t number = 0; number < shapes.size(); ++number) {
    const Shape& shape = shapes[number];
    const auto kernel = session.kernel(program, ("k" + std::to_string(number)).c_str());
    for (const auto& [x, y] : starts) {
      CAPTURE(name_of(shape), x, y);
      std::vector<cl_uchar> objects(size_t(lanes) * objects_of(shape) * object_bytes(shape));
      for (size_t i = 0; i < objects.size(); ++i)
        objects[i] = cl_uchar(i * 31 + 7);
      const auto matrix = session.buffer(memory), own = session.buffer(objects);
      test::set_arguments(kernel, matrix, width, height, pitch, x, y, own);
      session.run(kernel, {lanes}, {lanes});
      const auto seen = session.read<cl_uchar>(own, objects.size());
      const auto left = session.read<cl_uchar>(matrix, memory.size());
      auto expected = memory;
      size_t wrong = 0;
      for_each_element(shape, x, y, [&](size_t in_objects, cl_int in_memory) {
        for (size_t i = 0; i < size_t(element_bytes(shape)); ++i) {
          if (is(shape, "write") && in_memory >= 0) expected[size_t(in_memory) + i] = objects[in_objects + i];
          if (std::string_view(shape.kind).starts_with("read"))
            wrong += seen[in_objects + i] != (in_memory >= 0 ? memory[size_t(in_memory) + i] : 0);
        }
      });
      CHECK(wrong == 0);
      const bool is_as_expected = left == expected;
      CHECK(is_as_expected);
    }
  }
}
