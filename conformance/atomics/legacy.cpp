#include "conformance/atomics/legacy.hpp"

#include "conformance/atomics/case.hpp"

#include <chrono>
#include <cstring>
#include <set>
#include <vector>

namespace conformance {
namespace {

/// The classic functions end in the results of a C11 one; what differs is the call.
struct Legacy {
  const char* name;
  const char* arguments; ///< after the pointer, with C the type and i the item's number
  Function like;
};

constexpr Legacy functions[] = {
    {"add", ", (C)3", Function::fetch_add},
    {"sub", ", (C)3", Function::fetch_sub},
    {"xchg", ", (C)(i + 1)", Function::exchange},
    {"inc", "", Function::fetch_add},
    {"dec", "", Function::fetch_sub},
    {"cmpxchg", "", Function::compare_exchange_strong},
    {"min", ", (C)(i * 37 % 256) - (C)100", Function::fetch_min},
    {"max", ", (C)(i * 37 % 256) - (C)100", Function::fetch_max},
    {"and", ", ~((C)1 << (i % BITS))", Function::fetch_and},
    {"or", ", (C)1 << (i % BITS)", Function::fetch_or},
    {"xor", ", (C)1 << (i % BITS)", Function::fetch_xor},
};

struct Variant {
  const char* prefix; ///< "atomic_" or "atom_"
  Type type;
  bool local, is_volatile;
};

/// cmpxchg counts up in a loop, as the C11 case does; the others are one call.
std::string call(const Legacy& function, const Variant& variant) {
  const std::string name = std::string(variant.prefix) + function.name;
  if (function.like == Function::compare_exchange_strong)
    return "  C result = initial[0], seen;\n  uint tries = 0;\n"
           "  while ((seen = " +
           name +
           "(p, result, (C)(result + (C)1))) != result) {\n"
           "    result = seen;\n    if (++tries > 10000000) break;\n  }\n";
  return "  C result = " + name + "(p" + function.arguments + ");\n";
}

std::string source(const Legacy& function, const Variant& variant) {
  std::string text;
  for (const char* name : {"cl_khr_global_int32_base_atomics", "cl_khr_global_int32_extended_atomics",
                           "cl_khr_local_int32_base_atomics", "cl_khr_local_int32_extended_atomics",
                           "cl_khr_int64_base_atomics", "cl_khr_int64_extended_atomics"})
    text += std::string("#ifdef ") + name + "\n#pragma OPENCL EXTENSION " + name + " : enable\n#endif\n";
  text += std::string("typedef ") + variant.type.name + " C;\n#define BITS " +
          std::to_string(variant.type.size * 8) + "\n";
  text += "kernel void k(global C* object, global C* returned, global C* final, global const C* initial) {\n";
  const std::string qualifier = variant.is_volatile ? "volatile " : "";
  if (variant.local)
    text += "  local C own;\n  " + qualifier +
            "local C* p = &own;\n  uint i = get_local_id(0);\n"
            "  if (i == 0) own = initial[0];\n  barrier(CLK_LOCAL_MEM_FENCE);\n";
  else
    text += "  " + qualifier + "global C* p = object;\n  uint i = get_global_id(0);\n";
  text += call(function, variant) + "  returned[get_global_id(0)] = result;\n";
  if (variant.local) text += "  barrier(CLK_LOCAL_MEM_FENCE);\n  if (i == 0) final[get_group_id(0)] = own;\n";
  return text + "}\n";
}

/// The step of inc and dec is 1, which the results of the C11 case do not have; they are counted here.
template <class T>
std::string verify_unit_steps(const Case& test, bool up, const std::byte* returned, const std::byte* final) {
  const unsigned sharers = sharers_of(test), items = groups * group_size;
  for (unsigned object = 0; object * sharers < items; ++object) {
    std::set<std::uint64_t> expected, got;
    std::uint64_t value = static_cast<std::uint64_t>(initial_of(test));
    for (unsigned i = 0; i < sharers; ++i, value += up ? 1 : std::uint64_t(-1)) {
      T item;
      std::memcpy(&item, returned + (object * sharers + i) * sizeof item, sizeof item);
      got.insert(static_cast<T>(item));
      expected.insert(static_cast<T>(value));
    }
    T last;
    std::memcpy(&last, final + object * sizeof last, sizeof last);
    if (got != expected) return "values were returned twice or never";
    if (last != static_cast<T>(value)) return "the object has a wrong value at the end";
  }
  return {};
}

std::string verify_legacy(const Legacy& function, const Case& test, const std::byte* returned,
                          const std::byte* final) {
  const std::string name = function.name;
  if (name != "inc" && name != "dec") return verify(test, returned, final);
  return test.type.size == 4 ? verify_unit_steps<std::uint32_t>(test, name == "inc", returned, final)
                             : verify_unit_steps<std::uint64_t>(test, name == "inc", returned, final);
}

std::string run(const Device& device, const Legacy& function, const Variant& variant,
                const std::string& standard) {
  const std::string text = source(function, variant);
  const Kernel kernel(device, text, "-cl-std=" + standard);
  if (kernel.status != CL_SUCCESS) return "does not build\n" + kernel.log + "\n" + text;

  Case test{standard, function.like, variant.type};
  test.space = variant.local ? Space::local : Space::global;
  constexpr size_t items = groups * group_size, bytes = items * 8;
  std::vector<std::byte> returned(bytes), final(bytes);
  float floating = static_cast<float>(initial_of(test));
  std::int64_t integer = initial_of(test);
  const void* initial = variant.type.kind == Kind::floating ? static_cast<void*>(&floating) : &integer;

  cl_int error = CL_SUCCESS;
  cl_mem buffers[4] = {};
  for (cl_uint i = 0; i < 4; ++i) {
    buffers[i] = clCreateBuffer(device.context, CL_MEM_READ_WRITE, bytes, nullptr, &error);
    clSetKernelArg(kernel.kernel, i, sizeof(cl_mem), &buffers[i]);
  }
  for (cl_mem buffer : {buffers[0], buffers[3]})
    clEnqueueWriteBuffer(device.queue, buffer, CL_FALSE, 0, variant.type.size, initial, 0, nullptr, nullptr);
  const size_t local = group_size;
  error =
      clEnqueueNDRangeKernel(device.queue, kernel.kernel, 1, nullptr, &items, &local, 0, nullptr, nullptr);
  clEnqueueReadBuffer(device.queue, buffers[1], CL_TRUE, 0, bytes, returned.data(), 0, nullptr, nullptr);
  clEnqueueReadBuffer(device.queue, variant.local ? buffers[2] : buffers[0], CL_TRUE, 0, bytes, final.data(),
                      0, nullptr, nullptr);
  for (cl_mem buffer : buffers)
    clReleaseMemObject(buffer);
  if (error != CL_SUCCESS) return "does not run (" + std::to_string(error) + ")";
  return verify_legacy(function, test, returned.data(), final.data());
}

std::vector<Type> types_for(const std::string& prefix, const std::string& function) {
  std::vector<Type> result = {types[0], types[1]};
  if (prefix == "atom_") result.insert(result.end(), {types[2], types[3]});
  if (prefix == "atomic_" && function == "xchg") result.push_back(types[4]); // float
  return result;
}

} // namespace

void run_legacy(const Device& device, const std::string& standard, const std::string& filter,
                Report& report) {
  const bool wide = device.has_extension("cl_khr_int64_base_atomics");
  for (const char* prefix : {"atomic_", "atom_"}) {
    if (standard == "CL1.0" && std::string(prefix) == "atomic_") continue; // they came with 1.1
    for (const Legacy& function : functions)
      for (const Type& type : types_for(prefix, function.name))
        for (bool local : {false, true})
          for (bool is_volatile : {false, true}) {
            const std::string name = standard + " " + prefix + function.name + " " +
                                     (is_volatile ? "volatile " : "") + (local ? "local " : "global ") +
                                     type.name;
            if (name.find(filter) == std::string::npos) continue;
            if (type.size == 8 && !wide) {
              report.not_offered("legacy", standard, 1);
              continue;
            }
            const auto start = std::chrono::steady_clock::now();
            const std::string wrong = run(device, function, {prefix, type, local, is_volatile}, standard);
            const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
            if (wrong.empty())
              report.pass("legacy", standard, name, time.count());
            else
              report.fail("legacy", standard, name, wrong, time.count());
          }
  }
}

} // namespace conformance
