#include "runtime/memory/pipe.hpp"

#include "compiler/abi/pipe_ring.hpp"

#include <cstring>
#include <vector>

namespace hostcl::runtime {

namespace {

constexpr cl_mem_flags pipe_flags = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;

} // namespace

Pipe::Pipe(Context& context, cl_mem_flags flags, cl_uint packet_bytes, cl_uint max_packets)
    : Memory(destroy_object<Pipe>, context, CL_MEM_OBJECT_PIPE, flags ? flags : pipe_flags,
             compiler::pipe_bytes(packet_bytes, max_packets), {}),
      packet_bytes_(packet_bytes),
      max_packets_(max_packets) {}

Pipe::~Pipe() = default;

Result<Ref<Pipe>> Pipe::create(Context& context, cl_mem_flags flags, cl_uint packet_bytes,
                               cl_uint max_packets) {
  Ref<Pipe> pipe = make_object<Pipe>(context, flags, packet_bytes, max_packets);
  TRY(pipe->allocate());
  const std::size_t header = compiler::pipe_header_bytes(max_packets);
  if (!pipe->clear(pipe->data(), header)) std::memset(pipe->data(), 0, header);
  compiler::make_pipe(pipe->data(), packet_bytes, max_packets);
  return pipe;
}

Status Pipe::pipe_info(cl_pipe_info name, Answer answer) const {
  using P = Rows<Pipe>;
  static constexpr Row<Pipe> rows[] = {
      P::value<cl_uint, &Pipe::packet_bytes>(CL_PIPE_PACKET_SIZE),
      P::value<cl_uint, &Pipe::max_packets>(CL_PIPE_MAX_PACKETS),
      P::array<&Pipe::properties>(CL_PIPE_PROPERTIES, "3.0"),
  };
  return answer_query(rows, *this, name, answer);
}

namespace validate {

Status pipe(const Context& context, cl_mem_flags flags, cl_uint packet_bytes, cl_uint max_packets,
            const cl_pipe_properties* properties) {
  if (flags & ~pipe_flags)
    return fail(CL_INVALID_VALUE, "flags 0x", std::hex, flags,
                " of a pipe have bits besides CL_MEM_READ_WRITE and CL_MEM_HOST_NO_ACCESS");
  if (properties) return fail(CL_INVALID_VALUE, "properties is not NULL; pipes have no properties");
  if (const cl_uint most = context.most(&Limits::pipe_packet_bytes); packet_bytes == 0 || packet_bytes > most)
    return fail(CL_INVALID_PIPE_SIZE, "pipe_packet_size is ", packet_bytes, "; it must be in 1 to ", most,
                " (CL_DEVICE_PIPE_MAX_PACKET_SIZE)");
  if (max_packets == 0) return fail(CL_INVALID_PIPE_SIZE, "pipe_max_packets is 0; it must be at least 1");
  return {};
}

} // namespace validate

} // namespace hostcl::runtime
