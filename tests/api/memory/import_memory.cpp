// clImportMemoryARM (cl_arm_import_memory)

#include "support/session.hpp"
#include "support/shared_memory.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

using Properties = std::vector<cl_import_properties_arm>;
using Import = cl_mem(CL_API_CALL*)(cl_context, cl_mem_flags, const cl_import_properties_arm*, void*, size_t,
                                    cl_int*);

bool has_import() {
  return test::has_extension("cl_arm_import_memory");
}

cl_int try_import(cl_context context, cl_mem_flags flags, const Properties& properties, void* memory,
                  size_t size, test::Buffer& buffer) {
  const auto import = test::extension_function<Import>("clImportMemoryARM");
  cl_int error = 1;
  buffer.reset(
      import(context, flags, properties.empty() ? nullptr : properties.data(), memory, size, &error));
  CHECK(static_cast<bool>(buffer) == (error == CL_SUCCESS));
  return error;
}

cl_int import_error(cl_context context, cl_mem_flags flags, const Properties& properties, void* memory,
                    size_t size) {
  test::Buffer buffer;
  return try_import(context, flags, properties, memory, size, buffer);
}

constexpr const char* doubling = "kernel void k(global int* v) { v[get_global_id(0)] *= 2; }";

} // namespace

TEST_CASE("clImportMemoryARM: kernels use the application's memory itself, wherever it begins",
          "[import_memory]") {
  if (!has_import()) return;
  const test::Session session;
  const auto kernel = session.kernel(doubling, "k");
  for (const Properties& list : {Properties{}, {0}, {CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_HOST_ARM, 0}})
    for (const cl_mem_flags flags : {cl_mem_flags{0}, cl_mem_flags{CL_MEM_USE_HOST_PTR}}) {
      std::vector<cl_int> memory{1, 2, 3, 4};
      test::Buffer buffer;
      REQUIRE_CL(try_import(session.context, flags, list, &memory[1], 2 * sizeof(cl_int), buffer));
      test::set_arguments(kernel, buffer);
      session.run(kernel, 2);
      CHECK(memory == std::vector<cl_int>{1, 4, 6, 4});
      CHECK(session.read<cl_int>(buffer, 2) == std::vector<cl_int>{4, 6});
      void* told = nullptr;
      CHECK_CL(clGetMemObjectInfo(buffer, CL_MEM_HOST_PTR, sizeof told, &told, nullptr));
      CHECK(told == &memory[1]);
    }
}

TEST_CASE("clImportMemoryARM: the application keeps the descriptor that memory is imported from",
          "[import_memory]") {
  if (!has_import()) return;
  const test::Session session;
  const auto kernel = session.kernel(doubling, "k");
  const test::shared_memory::Shared memory(4096);
  memory.as<cl_int>()[1] = 21;
  int descriptor = memory.descriptor();
  for (const Properties& list : {Properties{CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_DMA_BUF_ARM, 0},
                                 {CL_IMPORT_DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM, CL_TRUE,
                                  CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_DMA_BUF_ARM, 0}}) {
    test::Buffer buffer;
    REQUIRE_CL(try_import(session.context, CL_MEM_READ_WRITE, list, &descriptor, 4096, buffer));
    test::set_arguments(kernel, buffer);
    session.run(kernel, 2);
  }
  CHECK(memory.as<cl_int>()[1] == 84);
  CHECK(fcntl(descriptor, F_GETFD) >= 0);
}

TEST_CASE("clImportMemoryARM: each error", "[import_memory]") {
  if (!has_import()) return;
  const test::Session session;
  char host[64] = {};
  const test::shared_memory::Shared shared(64);
  int descriptor = shared.descriptor(), none = -1;
  const Properties of_dma_buf{CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_DMA_BUF_ARM, 0};
  CHECK_STATUS(import_error(nullptr, 0, {}, host, 64), CL_INVALID_CONTEXT);
  for (const cl_mem_flags flags :
       {cl_mem_flags{CL_MEM_COPY_HOST_PTR}, cl_mem_flags{CL_MEM_ALLOC_HOST_PTR}, cl_mem_flags{1} << 40,
        cl_mem_flags{CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY}}) {
    CHECK_STATUS(import_error(session.context, flags, {}, host, 64), CL_INVALID_VALUE);
    CHECK_STATUS(import_error(session.context, flags, of_dma_buf, &descriptor, 64), CL_INVALID_VALUE);
  }
  for (const Properties& list : {Properties{CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_PROTECTED_ARM, 0},
                                 {CL_IMPORT_TYPE_ARM, CL_IMPORT_TYPE_ARM, 0},
                                 {0x1234, 1, 0}})
    CHECK_STATUS(import_error(session.context, 0, list, host, 64), CL_INVALID_PROPERTY);
  CHECK_STATUS(import_error(session.context, 0, {}, nullptr, 64), CL_INVALID_VALUE);
  CHECK_STATUS(import_error(session.context, 0, {}, host, 0), CL_INVALID_BUFFER_SIZE);
  CHECK_STATUS(import_error(session.context, 0, of_dma_buf, &descriptor, 65), CL_INVALID_BUFFER_SIZE);
  CHECK_STATUS(import_error(session.context, 0, of_dma_buf, &none, 64), CL_INVALID_OPERATION);
}

TEST_CASE("clImportMemoryARM: all of the memory has to be mapped", "[import_memory]") {
  if (!has_import()) return;
  const test::Session session;
  const auto page = static_cast<size_t>(getpagesize());
  // The second of three pages is taken out of the address space.
  auto* memory = static_cast<char*>(
      mmap(nullptr, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  REQUIRE(memory != MAP_FAILED);
  REQUIRE(munmap(memory + page, page) == 0);
  CHECK_CL(import_error(session.context, 0, {}, memory + 8, page - 8));
  CHECK_STATUS(import_error(session.context, 0, {}, memory + 8, page), CL_INVALID_OPERATION);
  CHECK_STATUS(import_error(session.context, 0, {}, memory + page - 1, 2), CL_INVALID_OPERATION);
  CHECK_STATUS(import_error(session.context, 0, {}, memory, 3 * page), CL_INVALID_OPERATION);
  munmap(memory, page);
  munmap(memory + 2 * page, page);
}
