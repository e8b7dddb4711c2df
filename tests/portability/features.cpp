// Calls of the API that need a capability of the device: kinds of queues, sub-devices, shared virtual memory,
// intermediate languages, and queries of newer versions.

#include "portability/program.hpp"

#include <array>

#include <CL/cl_ext.h>

namespace portability {

namespace {

void out_of_order(Bench& bench) {
  cl_command_queue_properties properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
  if (bench.mended) properties &= bench.info<cl_command_queue_properties>(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES);
  cl_int code = 1;
  clCreateCommandQueue(bench.context, bench.device, properties, &code);
  check(code);
}

void device_queue(Bench& bench) {
  if (bench.mended && (!bench.is_version(3, 0) || !bench.info<cl_device_device_enqueue_capabilities>(
                                                      CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES)))
    return;
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                            CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
  cl_int code = 1;
  clCreateCommandQueueWithProperties(bench.context, bench.device, properties, &code);
  check(code);
}

void CL_CALLBACK set_seven(void* arguments) {
  **static_cast<cl_uint**>(arguments) = 7;
}

void native_kernel(Bench& bench) {
  cl_uint value = 0;
  cl_uint* pointer = &value;
  const bool has =
      bench.info<cl_device_exec_capabilities>(CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_NATIVE_KERNEL;
  if (bench.mended && !has)
    set_seven(&pointer);
  else
    check(clEnqueueNativeKernel(bench.queue, set_seven, &pointer, sizeof pointer, 0, nullptr, nullptr, 0,
                                nullptr, nullptr));
  check(clFinish(bench.queue));
  expect(value == 7);
}

void sub_devices(Bench& bench) {
  const cl_device_partition_property equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  if (bench.mended) {
    std::array<cl_device_partition_property, 16> types{};
    check(clGetDeviceInfo(bench.device, CL_DEVICE_PARTITION_PROPERTIES, sizeof types, types.data(), nullptr));
    if (types[0] != CL_DEVICE_PARTITION_EQUALLY) return;
  }
  cl_uint count = 0;
  check(clCreateSubDevices(bench.device, equally, 0, nullptr, &count));
}

/// Allocates shared virtual memory, or a buffer if the device has none with these flags.
void shared_memory(Bench& bench, cl_svm_mem_flags flags, cl_device_svm_capabilities needed) {
  if (bench.mended) {
    cl_device_svm_capabilities has = 0;
    if (bench.is_version(2, 0)) has = bench.info<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES);
    if ((has & needed) != needed) {
      bench.buffer(1024);
      return;
    }
  }
  void* memory = clSVMAlloc(bench.context, flags, 1024, 0);
  if (!memory) throw Failure{null_pointer};
  clSVMFree(bench.context, memory);
}
void coarse_memory(Bench& bench) {
  shared_memory(bench, CL_MEM_READ_WRITE, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
}
void fine_memory(Bench& bench) {
  shared_memory(bench, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, CL_DEVICE_SVM_FINE_GRAIN_BUFFER);
}
void atomic_memory(Bench& bench) {
  shared_memory(bench, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS,
                CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS);
}

void intermediate_language(Bench& bench) {
  // An empty module: OpCapability Addresses, OpCapability Kernel, OpMemoryModel Physical64 OpenCL.
  constexpr std::array<cl_uint, 12> module = {0x07230203, 0x00010000, 0, 1,          0, 0x00020011,
                                              4,          0x00020011, 6, 0x0003000e, 2, 2};
  if (bench.mended && (!bench.is_version(2, 1) || bench.text(CL_DEVICE_IL_VERSION).empty())) return;
  cl_int code = 1;
  clCreateProgramWithIL(bench.context, module.data(), sizeof module, &code);
  check(code);
}

void pipe(Bench& bench) {
  if (bench.mended && !(bench.is_version(2, 0) && bench.info<cl_uint>(CL_DEVICE_MAX_PIPE_ARGS) != 0)) return;
  cl_int code = 1;
  clCreatePipe(bench.context, 0, 4, 16, nullptr, &code);
  check(code);
}

void newer_query(Bench& bench) {
  if (bench.mended && !bench.is_version(3, 0)) return;
  std::size_t bytes = 0;
  check(clGetDeviceInfo(bench.device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, 0, nullptr, &bytes));
}
void query_of_2_0(Bench& bench) {
  if (bench.mended && !bench.is_version(2, 0)) return;
  std::size_t bytes = 0;
  check(clGetDeviceInfo(bench.device, CL_DEVICE_SVM_CAPABILITIES, 0, nullptr, &bytes));
}

void linking(Bench& bench) {
  if (bench.mended && !bench.info<cl_bool>(CL_DEVICE_LINKER_AVAILABLE)) return;
  const char* source = "kernel void k(global uint* out) { out[0] = 7; }";
  cl_int code = 1;
  cl_program program = clCreateProgramWithSource(bench.context, 1, &source, nullptr, &code);
  check(code);
  check(clCompileProgram(program, 1, &bench.device, "", 0, nullptr, nullptr, nullptr, nullptr));
  clLinkProgram(bench.context, 1, &bench.device, "", 1, &program, nullptr, nullptr, &code);
  check(code);
}

/// Sums of 32 work-items, which a program takes for a sub-group.
void sub_groups_of_32(Bench& bench) {
  if (bench.mended && !bench.has("cl_khr_subgroups") && !bench.has_feature("__opencl_c_subgroups")) return;
  const char* options = bench.is_version(3, 0) ? "-cl-std=CL3.0" : "-cl-std=CL2.0";
  cl_kernel kernel = bench.kernel("#pragma OPENCL EXTENSION cl_khr_subgroups : enable\n"
                                  "kernel void k(global uint* out) { uint s = sub_group_reduce_add(1u); "
                                  "if (get_sub_group_local_id() == 0) out[get_sub_group_id()] = s; }",
                                  options);
  cl_uint size = 32;
  if (bench.mended) {
    const auto query = reinterpret_cast<clGetKernelSubGroupInfoKHR_fn>(
        clGetExtensionFunctionAddressForPlatform(bench.platform, "clGetKernelSubGroupInfoKHR"));
    std::size_t local = 128, asked = 0;
    check((query ? query : clGetKernelSubGroupInfo)(kernel, bench.device,
                                                    CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof local,
                                                    &local, sizeof asked, &asked, nullptr));
    size = static_cast<cl_uint>(asked);
  }
  const std::vector<cl_uint> zeros(128);
  cl_mem out = bench.buffer(zeros.size() * sizeof(cl_uint), zeros.data());
  set_arguments(kernel, out);
  bench.launch(kernel, {128}, {128});
  const std::vector<cl_uint> sums = bench.read<cl_uint>(out, 128);
  for (cl_uint group = 0; group < 128 / size; ++group)
    expect(sums[group] == size);
}

} // namespace

std::vector<Program> feature_programs() {
  // Functions that are newer than the version of the platform fail without a message.
  return {
      {"clSVMAlloc()", {"apple-m4-pro", "videocore-4"}, null_pointer, "", coarse_memory},
      {"clCreateProgramWithIL()",
       {"apple-m4-pro", "least-1.2"},
       CL_INVALID_OPERATION,
       "",
       intermediate_language},
      {"an out-of-order queue",
       {"apple-m4-pro", "radeon-vii", "least-1.2"},
       CL_INVALID_QUEUE_PROPERTIES,
       "CL_DEVICE_QUEUE_ON_HOST_PROPERTIES",
       out_of_order},
      {"a queue on the device",
       {"rtx-3050", "iris-xe", "least-3.0"},
       CL_INVALID_QUEUE_PROPERTIES,
       "CL_QUEUE_ON_DEVICE",
       device_queue},
      {"a native kernel",
       {"mali-g610", "adreno-650", "least-1.2"},
       CL_INVALID_OPERATION,
       "native kernels",
       native_kernel},
      {"sub-devices", {"least-1.2", "least-3.0"}, CL_INVALID_VALUE, "", sub_devices},
      {"shared virtual memory", {"least-3.0"}, null_pointer, "CL_DEVICE_SVM_CAPABILITIES", coarse_memory},
      {"fine-grained shared virtual memory",
       {"mali-g610", "iris-xe", "rtx-3050"},
       null_pointer,
       "CL_DEVICE_SVM_CAPABILITIES",
       fine_memory},
      {"atomics on shared virtual memory",
       {"radeon-vii", "radeon-rx-6800-xt"},
       null_pointer,
       "CL_DEVICE_SVM_CAPABILITIES",
       atomic_memory},
      {"SPIR-V",
       {"rtx-3050", "least-3.0"},
       CL_INVALID_OPERATION,
       "CL_DEVICE_IL_VERSION",
       intermediate_language},
      {"a pipe", {"rtx-3050", "iris-xe", "least-3.0"}, CL_INVALID_OPERATION, "CL_DEVICE_PIPE_SUPPORT", pipe},
      {"a query of OpenCL 3.0", {"apple-m4-pro", "adreno-650"}, CL_INVALID_VALUE, "", newer_query},
      {"a query of OpenCL 2.0", {"apple-m4-pro", "least-1.2"}, CL_INVALID_VALUE, "", query_of_2_0},
      {"a program that is linked",
       {"videocore-4"},
       CL_LINKER_NOT_AVAILABLE,
       "CL_DEVICE_LINKER_AVAILABLE",
       linking},
      {"sub-groups of 32", {"radeon-vii"}, wrong_result, "", sub_groups_of_32, false},
  };
}

} // namespace portability
