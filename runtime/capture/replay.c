/* Repeats a kernel launch that hostcl captured (HOSTCL_CAPTURE), with any OpenCL driver, and compares the memory of
   the arguments after the launch with the memory that was captured.

     cc replay.c -o replay -lOpenCL -lzstd
     ./replay [--platform=TEXT] [--tolerance=ULPS] [--repeat=N] [--output=PATH] [--options=TEXT] [FOLDER]
     ./replay --unpack=PATH [FOLDER]

   FOLDER       folder with launch.json (default: the current folder)
   --platform   a part of the name of the platform or of its device (default: the first device of the first platform)
   --tolerance  floating-point numbers are equal if they are at most so many units in the last place apart (default: 0)
   --repeat     repeats the launch N more times, and prints how long they took
   --output     writes the memory after the launch to the folder PATH, uncompressed
   --unpack     runs nothing, and writes the memory before the launch to the folder PATH, uncompressed
   --options    build options in addition to the captured ones

   Exit status: 0 if the memory of all arguments is equal, 1 if some differs, 2 after an error. */

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* for drivers of OpenCL 1.2 */
#include <CL/cl.h>
#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define MOST_PARTS 256

static void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("replay: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(2);
}

static void check(cl_int code, const char* function) {
  if (code != CL_SUCCESS) fail("%s fails with error %d", function, code);
}

static void* allocate(size_t bytes) {
  void* memory = calloc(1, bytes ? bytes : 1);
  if (!memory) fail("there is no memory for %zu bytes", bytes);
  return memory;
}

/* ---- Files */

static const char* folder = ".";

static char* read_file(const char* name, size_t* size) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/%s", folder, name);
  FILE* file = fopen(path, "rb");
  if (!file) fail("%s cannot be read", path);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char* contents = allocate(*size + 1);
  if (fread(contents, 1, *size, file) != *size) fail("%s cannot be read", path);
  fclose(file);
  return contents;
}

/* Reads contents of memory, in the format of Zstandard or as they are. */
static void* read_contents(const char* name, size_t bytes) {
  static const unsigned char zstd_magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
  size_t size;
  char* file = read_file(name, &size);
  if (size == bytes && (size < 4 || memcmp(file, zstd_magic, 4))) return file;
  void* contents = allocate(bytes);
  size_t count = ZSTD_decompress(contents, bytes, file, size);
  if (ZSTD_isError(count) || count != bytes)
    fail("%s does not have %zu bytes in the format of Zstandard", name, bytes);
  free(file);
  return contents;
}

/* ---- JSON */

/* A value of launch.json. Objects and arrays have a list of values; members of objects have keys. */
typedef struct Value {
  char *key, *text; /* text: of a string, a number or a word such as true */
  struct Value *first, *next;
} Value;

static const char* cursor; /* in the text of launch.json */

static void skip_space(void) {
  while (isspace((unsigned char)*cursor))
    ++cursor;
}

/* Takes a character of the text, which must be this one. */
static void expect(char character) {
  if (*cursor != character) fail("launch.json is damaged: '%c' is missing before '%.20s'", character, cursor);
  ++cursor;
}

static char* parse_string(void) {
  char *text = allocate(strlen(cursor) + 1), *to = text;
  for (expect('"'); *cursor && *cursor != '"'; ++cursor) {
    if (*cursor == '\\' && cursor[1]) {
      ++cursor;
      *to++ = *cursor == 'n' ? '\n' : *cursor == 't' ? '\t' : *cursor;
    } else {
      *to++ = *cursor;
    }
  }
  expect('"');
  return text;
}

/* @param depth of the value in objects and arrays */
static Value* parse_value(unsigned depth) {
  if (depth > MOST_PARTS) fail("launch.json is damaged: it has objects in more than %d others", MOST_PARTS);
  Value* value = allocate(sizeof(*value));
  skip_space();
  if (*cursor == '"') {
    value->text = parse_string();
    return value;
  }
  if (*cursor != '{' && *cursor != '[') {
    size_t length = strcspn(cursor, ",]} \n");
    if (!length) fail("launch.json is damaged: a value is missing before '%.20s'", cursor);
    value->text = allocate(length + 1);
    memcpy(value->text, cursor, length);
    cursor += length;
    return value;
  }
  const char is_object = *cursor++ == '{', end = is_object ? '}' : ']';
  Value** last = &value->first;
  for (skip_space(); *cursor && *cursor != end; skip_space()) {
    char* key = NULL;
    if (is_object) {
      key = parse_string();
      skip_space();
      expect(':');
    }
    *last = parse_value(depth + 1);
    (*last)->key = key;
    last = &(*last)->next;
    skip_space();
    if (*cursor != end) expect(',');
  }
  expect(end);
  return value;
}

static Value* member(const Value* object, const char* key) {
  Value* found = object ? object->first : NULL;
  while (found && (!found->key || strcmp(found->key, key)))
    found = found->next;
  return found;
}

/* The first value of the array or object with this key; NULL if there is none. */
static const Value* first_in(const Value* object, const char* key) {
  const Value* found = member(object, key);
  return found ? found->first : NULL;
}

static const char* text_in(const Value* object, const char* key) {
  const Value* found = member(object, key);
  return found && found->text ? found->text : "";
}

static size_t number_in(const Value* object, const char* key) {
  return (size_t)strtoull(text_in(object, key), NULL, 10);
}

static int is_true(const Value* object, const char* key) {
  return !strcmp(text_in(object, key), "true");
}

static int is_kind(const Value* object, const char* kind) {
  return !strcmp(text_in(object, "kind"), kind);
}

/* The text of an element; the empty text if there is none. */
static const char* text_at(const Value* array, size_t index) {
  const Value* found = array ? array->first : NULL;
  while (found && index--)
    found = found->next;
  return found && found->text ? found->text : "";
}

static size_t count_of(const Value* array) {
  size_t count = 0;
  for (const Value* value = array ? array->first : NULL; value; value = value->next)
    ++count;
  return count;
}

/* ---- The device */

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static int has_name(cl_platform_id platform, cl_device_id id, const char* wanted) {
  char name[1024] = "", device_name[1024] = "";
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof(name) - 1, name, NULL);
  clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof(device_name) - 1, device_name, NULL);
  if (!strstr(name, wanted) && !strstr(device_name, wanted)) return 0;
  printf("platform '%s', device '%s'\n", name, device_name);
  return 1;
}

static void choose_device(const char* wanted) {
  cl_platform_id platforms[64];
  cl_uint platform_count = 0, device_count;
  clGetPlatformIDs(64, platforms, &platform_count);
  for (cl_uint i = 0; i < platform_count && !device; ++i) {
    cl_device_id devices[64];
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 64, devices, &device_count) != CL_SUCCESS) continue;
    for (cl_uint j = 0; j < device_count && !device; ++j)
      if (has_name(platforms[i], devices[j], wanted)) device = devices[j];
  }
  if (!device && !*wanted) fail("there is no OpenCL device");
  if (!device) fail("no platform and no device has '%s' in its name", wanted);
  cl_int code;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  check(code, "clCreateContext");
  queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &code);
  check(code, "clCreateCommandQueue");
}

/* ---- The program */

static void print_log_and_fail(cl_program program, const char* function, cl_int code) {
  static char log[1 << 16];
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof(log) - 1, log, NULL);
  fail("%s fails with error %d:\n%s", function, code, log);
}

static cl_program created_program(const Value* described) {
  cl_int code = CL_SUCCESS;
  size_t size;
  if (!member(described, "file")) fail("the launch has neither source nor intermediate language");
  const char* contents = read_file(text_in(described, "file"), &size);
  const unsigned char* bytes = (const unsigned char*)contents;
  cl_program program =
      is_kind(described, "source") ? clCreateProgramWithSource(context, 1, &contents, &size, &code)
      : is_kind(described, "il") ? clCreateProgramWithIL(context, contents, size, &code)
                                 : clCreateProgramWithBinary(context, 1, &device, &size, &bytes, NULL, &code);
  check(code, "the creation of the program");
  for (const Value* constant = first_in(described, "constants"); constant; constant = constant->next) {
    const uint64_t bits = strtoull(text_in(constant, "bits"), NULL, 10);
    if (number_in(constant, "bytes") > sizeof(bits)) fail("launch.json is damaged: a constant is too large");
    check(clSetProgramSpecializationConstant(program, (cl_uint)number_in(constant, "id"),
                                             number_in(constant, "bytes"), &bits),
          "clSetProgramSpecializationConstant");
  }
  return program;
}

static cl_program compiled_program(const Value* described) {
  cl_program headers[MOST_PARTS];
  const char* names[MOST_PARTS];
  cl_uint count = 0;
  for (const Value* header = first_in(described, "headers"); header && count < MOST_PARTS;
       header = header->next) {
    size_t size;
    const char* contents = read_file(text_in(header, "file"), &size);
    names[count] = text_in(header, "name");
    headers[count++] = clCreateProgramWithSource(context, 1, &contents, &size, NULL);
  }
  cl_program program = created_program(described);
  cl_int code = clCompileProgram(program, 1, &device, text_in(described, "options"), count,
                                 count ? headers : NULL, count ? names : NULL, NULL, NULL);
  if (code != CL_SUCCESS) print_log_and_fail(program, "clCompileProgram", code);
  return program;
}

/* @param more build options in addition */
static cl_program built_program(const Value* described, const char* more) {
  cl_int code;
  char* options = allocate(strlen(text_in(described, "options")) + strlen(more) + 2);
  sprintf(options, "%s %s", text_in(described, "options"), more);
  if (!is_kind(described, "link")) {
    cl_program program = created_program(described);
    code = clBuildProgram(program, 1, &device, options, NULL, NULL);
    if (code != CL_SUCCESS) print_log_and_fail(program, "clBuildProgram", code);
    return program;
  }
  cl_program parts[MOST_PARTS];
  cl_uint count = 0;
  for (const Value* part = first_in(described, "parts"); part && count < MOST_PARTS; part = part->next)
    parts[count++] = is_kind(part, "link") ? built_program(part, "") : compiled_program(part);
  cl_program program = clLinkProgram(context, 1, &device, options, count, parts, NULL, NULL, &code);
  if (code != CL_SUCCESS) fail("clLinkProgram fails with error %d", code);
  return program;
}

/* ---- Memory and arguments */

/* Memory of one argument, or of several arguments that share bytes. */
typedef struct Part {
  size_t bytes;
  uint64_t address;                    /* in the captured process */
  unsigned char *before, *after, *now; /* after: NULL if the launch ended the process */
  cl_mem object;
  void* svm;
  size_t region[3]; /* of an image with storage of its own */
} Part;

static Part parts[MOST_PARTS];
static size_t part_count;

static Part* new_part(const Value* described) {
  if (part_count == MOST_PARTS) fail("the launch uses more than %d parts of memory", MOST_PARTS);
  Part* part = &parts[part_count++];
  part->address = strtoull(text_in(described, "address"), NULL, 10);
  part->bytes = number_in(described, "bytes");
  part->before = read_contents(text_in(described, "before"), part->bytes);
  return part;
}

/* The part with the memory of an argument. */
static Part* part_of(const Value* argument) {
  const size_t index = number_in(argument, "memory"), offset = number_in(argument, "offset");
  if (index >= part_count || offset > parts[index].bytes ||
      number_in(argument, "bytes") > parts[index].bytes - offset)
    fail("launch.json is damaged: argument '%s' has memory that does not exist", text_in(argument, "name"));
  return &parts[index];
}

static void write_part(Part* part) {
  static const size_t origin[3] = {0, 0, 0};
  if (part->svm)
    check(clEnqueueSVMMemcpy(queue, CL_TRUE, part->svm, part->before, part->bytes, 0, NULL, NULL),
          "clEnqueueSVMMemcpy");
  else if (part->region[0])
    check(clEnqueueWriteImage(queue, part->object, CL_TRUE, origin, part->region, 0, 0, part->before, 0, NULL,
                              NULL),
          "clEnqueueWriteImage");
  else
    check(clEnqueueWriteBuffer(queue, part->object, CL_TRUE, 0, part->bytes, part->before, 0, NULL, NULL),
          "clEnqueueWriteBuffer");
}

static void read_part(Part* part) {
  static const size_t origin[3] = {0, 0, 0};
  if (part->svm)
    check(clEnqueueSVMMemcpy(queue, CL_TRUE, part->now, part->svm, part->bytes, 0, NULL, NULL),
          "clEnqueueSVMMemcpy");
  else if (part->region[0])
    check(clEnqueueReadImage(queue, part->object, CL_TRUE, origin, part->region, 0, 0, part->now, 0, NULL,
                             NULL),
          "clEnqueueReadImage");
  else
    check(clEnqueueReadBuffer(queue, part->object, CL_TRUE, 0, part->bytes, part->now, 0, NULL, NULL),
          "clEnqueueReadBuffer");
}

static int has_svm(void) {
  cl_device_svm_capabilities capabilities = 0;
  clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof(capabilities), &capabilities, NULL);
  return capabilities != 0;
}

enum Direction { to_this_process, to_captured_process };

/* Replaces the addresses of captured allocations by those of the new ones, or the other way round. */
static void relocate(unsigned char* bytes, size_t size, enum Direction direction) {
  for (size_t at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, bytes + at, sizeof(word));
    for (size_t i = 0; i < part_count; ++i) {
      const uint64_t here = (uint64_t)(uintptr_t)parts[i].svm, captured = parts[i].address;
      const uint64_t from = direction == to_this_process ? captured : here, to = captured + here - from;
      if (!here || word - from >= parts[i].bytes) continue;
      word = to + (word - from);
      memcpy(bytes + at, &word, sizeof(word));
      break;
    }
  }
}

/* Reads the contents of all memory, and makes the buffers. Images are made by image_for(). */
static void make_parts(const Value* launch) {
  const Value* after = member(launch, "after");
  for (const Value* described = first_in(launch, "memory"); described; described = described->next) {
    const char* file = text_at(after, part_count);
    Part* part = new_part(described);
    if (after) part->after = read_contents(file, part->bytes);
    part->now = allocate(part->bytes);
    if (is_true(described, "image")) continue;
    cl_int code = CL_SUCCESS;
    if (is_true(described, "svm") && has_svm())
      part->svm = clSVMAlloc(context, CL_MEM_READ_WRITE, part->bytes, 0);
    else
      part->object = clCreateBuffer(context, CL_MEM_READ_WRITE, part->bytes, NULL, &code);
    check(code, "clCreateBuffer");
    if (!part->svm && !part->object) fail("clSVMAlloc of %zu bytes fails", part->bytes);
  }
  for (size_t i = 0; i < part_count; ++i) {
    if (!parts[i].object && !parts[i].svm) continue; /* an image */
    relocate(parts[i].before, parts[i].bytes, to_this_process);
    if (parts[i].after) relocate(parts[i].after, parts[i].bytes, to_this_process);
  }
}

/* The buffer of an argument: the whole part, or a sub-buffer. */
static cl_mem buffer_for(const Value* argument) {
  const Part* part = part_of(argument);
  const cl_buffer_region region = {number_in(argument, "offset"), number_in(argument, "bytes")};
  cl_int code;
  if (part->svm) {
    cl_mem shared = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, region.size,
                                   (char*)part->svm + region.origin, &code);
    check(code, "clCreateBuffer");
    return shared;
  }
  if (region.origin == 0 && region.size == part->bytes) return part->object;
  cl_mem buffer =
      clCreateSubBuffer(part->object, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
  if (code == CL_MISALIGNED_SUB_BUFFER_OFFSET)
    fail("argument '%s' begins at byte %zu of memory that it shares with another argument; the device does "
         "not allow a sub-buffer there (CL_DEVICE_MEM_BASE_ADDR_ALIGN)",
         text_in(argument, "name"), region.origin);
  check(code, "clCreateSubBuffer");
  return buffer;
}

static cl_mem image_for(const Value* argument) {
  Part* part = part_of(argument);
  if (part->object && part->region[0]) return part->object; /* the image is the value of several arguments */
  const cl_image_format format = {(cl_channel_order)number_in(argument, "order"),
                                  (cl_channel_type)number_in(argument, "data_type")};
  cl_image_desc description = {0};
  description.image_type = (cl_mem_object_type)number_in(argument, "object");
  description.image_width = number_in(argument, "width");
  description.image_height = number_in(argument, "height");
  description.image_depth = number_in(argument, "depth");
  description.image_array_size = number_in(argument, "layers");
  const int is_of_buffer = part->object != NULL;
  if (is_of_buffer) {
    description.buffer = buffer_for(argument);
    if (description.image_type == CL_MEM_OBJECT_IMAGE2D)
      description.image_row_pitch = number_in(argument, "row_pitch");
  }
  const cl_mem_flags access =
      number_in(argument, "flags") & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY);
  cl_int code;
  cl_mem image = clCreateImage(context, access, &format, &description, NULL, &code);
  check(code, "clCreateImage");
  if (is_of_buffer) return image;
  const int is_row_array = description.image_type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  part->region[0] = description.image_width;
  part->region[1] = is_row_array ? description.image_array_size : description.image_height;
  part->region[2] = is_row_array ? 1 : description.image_depth * description.image_array_size;
  size_t texel = 0;
  check(clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof(texel), &texel, NULL), "clGetImageInfo");
  if (part->region[0] * part->region[1] * part->region[2] * texel != part->bytes)
    fail("launch.json is damaged: image '%s' does not have %zu bytes", text_in(argument, "name"),
         part->bytes);
  part->object = image;
  return image;
}

static cl_command_queue device_queue(void) {
  static cl_command_queue made;
  static const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
  cl_int code = CL_SUCCESS;
  if (!made) made = clCreateCommandQueueWithProperties(context, device, properties, &code);
  check(code, "clCreateCommandQueueWithProperties of a queue on the device");
  return made;
}

static void set_value(cl_kernel kernel, cl_uint index, const char* digits) {
  const size_t bytes = strlen(digits) / 2;
  unsigned char* value = allocate(bytes);
  for (size_t i = 0; i < bytes; ++i) {
    const char byte[3] = {digits[2 * i], digits[2 * i + 1], 0};
    value[i] = (unsigned char)strtoul(byte, NULL, 16);
  }
  relocate(value, bytes, to_this_process);
  check(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
  free(value);
}

static void set_argument(cl_kernel kernel, cl_uint index, const Value* argument) {
  cl_int code = CL_SUCCESS;
  const int has_memory = member(argument, "memory") != NULL;
  if (is_kind(argument, "value")) {
    set_value(kernel, index, text_in(argument, "value"));
  } else if (is_kind(argument, "local")) {
    code = clSetKernelArg(kernel, index, number_in(argument, "bytes"), NULL);
  } else if (is_kind(argument, "sampler")) {
    cl_sampler sampler = clCreateSampler(context, (cl_bool)number_in(argument, "normalized"),
                                         (cl_addressing_mode)number_in(argument, "addressing"),
                                         (cl_filter_mode)number_in(argument, "filter"), &code);
    check(code, "clCreateSampler");
    code = clSetKernelArg(kernel, index, sizeof(sampler), &sampler);
  } else if (is_kind(argument, "queue")) {
    cl_command_queue value = device_queue();
    code = clSetKernelArg(kernel, index, sizeof(value), &value);
  } else if (has_memory && part_of(argument)->svm) {
    const Part* part = part_of(argument);
    code = clSetKernelArgSVMPointer(kernel, index, (char*)part->svm + number_in(argument, "offset"));
  } else if (is_kind(argument, "pipe") || (!has_memory && is_kind(argument, "address"))) {
    fail("argument %u cannot be replayed: its memory was not captured", index);
  } else {
    cl_mem memory = !has_memory                  ? NULL
                    : is_kind(argument, "image") ? image_for(argument)
                                                 : buffer_for(argument);
    code = clSetKernelArg(kernel, index, sizeof(memory), &memory);
  }
  check(code, "clSetKernelArg");
}

/* ---- The launch */

/* Tells the driver of allocations that the kernel may reach by addresses in other memory. */
static void name_allocations(cl_kernel kernel) {
  void* pointers[MOST_PARTS];
  size_t count = 0;
  for (size_t i = 0; i < part_count; ++i)
    if (parts[i].svm) pointers[count++] = parts[i].svm;
  if (count)
    check(clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, count * sizeof(void*), pointers),
          "clSetKernelExecInfo");
}

static void sizes_in(const Value* launch, const char* key, size_t sizes[3]) {
  for (size_t i = 0; i < 3; ++i)
    sizes[i] = (size_t)strtoull(text_at(member(launch, key), i), NULL, 10);
}

/* @returns nanoseconds */
static double run(cl_kernel kernel, const Value* launch) {
  size_t offset[3], global[3], local[3];
  sizes_in(launch, "global_offset", offset);
  sizes_in(launch, "global_size", global);
  sizes_in(launch, "local_size", local);
  for (size_t i = 0; i < part_count; ++i)
    write_part(&parts[i]);
  cl_event event;
  check(clEnqueueNDRangeKernel(queue, kernel, (cl_uint)count_of(member(launch, "global_size")), offset,
                               global, local, 0, NULL, &event),
        "clEnqueueNDRangeKernel");
  check(clWaitForEvents(1, &event), "the launch");
  cl_ulong began = 0, ended = 0;
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof(began), &began, NULL);
  clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(ended), &ended, NULL);
  clReleaseEvent(event);
  return (double)(ended - began);
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void repeat(cl_kernel kernel, const Value* launch, size_t count) {
  double* times = allocate(count * sizeof(double));
  for (size_t i = 0; i < count; ++i)
    times[i] = run(kernel, launch);
  qsort(times, count, sizeof(double), ascending);
  if (count)
    printf("%zu launches: least %.3f us, median %.3f us, most %.3f us\n", count, times[0] / 1e3,
           times[count / 2] / 1e3, times[count - 1] / 1e3);
  free(times);
}

/* ---- Comparison */

/* An element of an argument's memory. */
typedef struct Type {
  const char* name;
  size_t bytes;
  int is_float;
} Type;

static Type type_of(const Value* argument) {
  static const Type types[] = {{"float", 4, 1}, {"double", 8, 1}, {"half", 2, 1},
                               {"uint", 4, 0},  {"int", 4, 0},    {"ulong", 8, 0},
                               {"long", 8, 0},  {"ushort", 2, 0}, {"short", 2, 0}};
  const char* name = text_in(argument, "type");
  const size_t channel = number_in(argument, "data_type");
  if (channel == CL_FLOAT) return types[0];
  if (channel == CL_HALF_FLOAT) return types[2];
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); ++i) {
    const size_t length = strlen(types[i].name);
    if (!strncmp(name, types[i].name, length) &&
        strspn(name + length, "0123456789 *") == strlen(name + length))
      return types[i];
  }
  return (Type){"byte", 1, 0};
}

static uint64_t bits_of(const unsigned char* bytes, Type type) {
  uint64_t bits = 0;
  memcpy(&bits, bytes, type.bytes); /* the host is little-endian */
  return bits;
}

/* Units in the last place between two floating-point numbers; a large number for a NaN and a number. */
static uint64_t distance(uint64_t a, uint64_t b, size_t bytes) {
  const unsigned width = (unsigned)bytes * 8;
  const uint64_t sign = (uint64_t)1 << (width - 1), infinity = bytes == 8   ? (uint64_t)0x7ff << 52
                                                               : bytes == 4 ? (uint64_t)0xff << 23
                                                                            : (uint64_t)0x1f << 10;
  const int a_is_nan = (a & ~sign) > infinity, b_is_nan = (b & ~sign) > infinity;
  if (a_is_nan || b_is_nan) return a_is_nan && b_is_nan ? 0 : UINT64_MAX;
  const int64_t x = a & sign ? -(int64_t)(a & ~sign) : (int64_t)a,
                y = b & sign ? -(int64_t)(b & ~sign) : (int64_t)b;
  return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

static void print_element(const unsigned char* bytes, Type type) {
  float single;
  double number;
  if (type.is_float && type.bytes == 4) {
    memcpy(&single, bytes, sizeof(single));
    printf("%.9g (0x%08llx)", single, (unsigned long long)bits_of(bytes, type));
  } else if (type.is_float && type.bytes == 8) {
    memcpy(&number, bytes, sizeof(number));
    printf("%.17g (0x%016llx)", number, (unsigned long long)bits_of(bytes, type));
  } else if (type.name[0] == 'u' || type.bytes <= 2) {
    printf("%llu (0x%llx)", (unsigned long long)bits_of(bytes, type),
           (unsigned long long)bits_of(bytes, type));
  } else {
    const uint64_t bits = bits_of(bytes, type);
    printf("%lld", type.bytes == 4 ? (long long)(int32_t)bits : (long long)bits);
  }
}

/* Prints the first elements that differ, and how many differ. @returns the number of elements that differ */
static size_t compare(const Value* argument, size_t index, uint64_t tolerance) {
  const size_t first = number_in(argument, "offset"), bytes = number_in(argument, "bytes"), most_shown = 5;
  const Part* part = part_of(argument);
  const Type type = type_of(argument);
  size_t differing = 0;
  for (size_t at = 0; at + type.bytes <= bytes; at += type.bytes) {
    const unsigned char *recorded = part->after + first + at, *now = part->now + first + at;
    if (!memcmp(recorded, now, type.bytes)) continue;
    if (type.is_float && distance(bits_of(recorded, type), bits_of(now, type), type.bytes) <= tolerance)
      continue;
    if (++differing > most_shown) continue;
    printf("argument %zu '%s', %s %zu: ", index, text_in(argument, "name"), type.name, at / type.bytes);
    print_element(recorded, type);
    printf(" captured, ");
    print_element(now, type);
    printf(" now\n");
  }
  const size_t rest = bytes % type.bytes;
  if (memcmp(part->after + first + bytes - rest, part->now + first + bytes - rest, rest)) ++differing;
  if (differing)
    printf("argument %zu '%s': %zu of %zu differ\n", index, text_in(argument, "name"), differing,
           bytes / type.bytes);
  return differing;
}

static int compare_all(const Value* launch, uint64_t tolerance) {
  if (!member(launch, "after")) {
    printf("the capture has no memory after the launch: the launch ended the process\n");
    return 0;
  }
  size_t differing = 0, index = 0;
  for (const Value* argument = first_in(launch, "arguments"); argument; argument = argument->next, ++index)
    if (member(argument, "memory")) differing += compare(argument, index, tolerance);
  if (!differing) printf("equal\n");
  return differing != 0;
}

static void write_contents(const char* to, size_t part, const char* when, unsigned char* contents) {
  char path[4096];
  snprintf(path, sizeof(path), "%s/memory-%zu.%s", to, part, when);
  if (!parts[part].region[0]) relocate(contents, parts[part].bytes, to_captured_process);
  FILE* file = fopen(path, "wb");
  if (!file || fwrite(contents, 1, parts[part].bytes, file) != parts[part].bytes || fclose(file))
    fail("%s cannot be written", path);
}

/* Writes the captured memory before the launch. */
static void unpack(const Value* launch, const char* to) {
  for (const Value* described = first_in(launch, "memory"); described; described = described->next) {
    Part* part = new_part(described);
    write_contents(to, part_count - 1, "before", part->before);
  }
}

static const char* value_of(const char* argument, const char* option) {
  const size_t length = strlen(option);
  return strncmp(argument, option, length) ? NULL : argument + length;
}

int main(int argc, char** argv) {
  const char *platform = "", *tolerance = "0", *count = "0", *output = NULL, *unpacked = NULL, *more = "",
             *value;
  for (int i = 1; i < argc; ++i) {
    if ((value = value_of(argv[i], "--platform=")))
      platform = value;
    else if ((value = value_of(argv[i], "--tolerance=")))
      tolerance = value;
    else if ((value = value_of(argv[i], "--repeat=")))
      count = value;
    else if ((value = value_of(argv[i], "--output=")))
      output = value;
    else if ((value = value_of(argv[i], "--unpack=")))
      unpacked = value;
    else if ((value = value_of(argv[i], "--options=")))
      more = value;
    else if (argv[i][0] == '-')
      fail("there is no option %s", argv[i]);
    else
      folder = argv[i];
  }
  setvbuf(stdout, NULL, _IOLBF, 0);
  size_t size;
  cursor = read_file("launch.json", &size);
  const Value* launch = parse_value(0);
  if (unpacked) {
    unpack(launch, unpacked);
    return 0;
  }
  for (size_t i = 0; i < count_of(member(launch, "unsupported")); ++i)
    printf("unsupported: %s\n", text_at(member(launch, "unsupported"), i));

  choose_device(platform);
  cl_program program = built_program(member(launch, "program"), more);
  cl_int code;
  cl_kernel kernel = clCreateKernel(program, text_in(launch, "kernel"), &code);
  check(code, "clCreateKernel");
  make_parts(launch);
  if (is_true(launch, "enqueues")) device_queue();
  cl_uint index = 0;
  for (const Value* argument = first_in(launch, "arguments"); argument; argument = argument->next)
    set_argument(kernel, index++, argument);
  name_allocations(kernel);
  run(kernel, launch);
  for (size_t i = 0; i < part_count; ++i)
    read_part(&parts[i]);
  const int status = compare_all(launch, strtoull(tolerance, NULL, 10));
  repeat(kernel, launch, strtoul(count, NULL, 10));
  for (size_t i = 0; i < part_count && output; ++i)
    write_contents(output, i, "after", parts[i].now);
  return status;
}
