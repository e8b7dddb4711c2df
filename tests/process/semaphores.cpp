// Two processes that share memory and semaphores, whose descriptors go through a socket. usage: test_semaphores;
// "test_semaphores ROLE SOCKET" is the second process.

#include "process/semaphores.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using test::require;
using test::SharedSemaphore;
using test::World;

constexpr cl_semaphore_properties_khr sync_fd = CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
constexpr size_t bytes = World::items * sizeof(cl_uint);
constexpr cl_uint iterations = 300;

constexpr const char* add_source = "kernel void k(global uint* v, uint n) { v[get_global_id(0)] += n; }";

void send(int socket, const std::vector<int>& descriptors) {
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(8 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
  std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size() * sizeof(int));
  require(sendmsg(socket, &message, 0) == 1, "sendmsg");
  for (const int descriptor : descriptors)
    close(descriptor);
}

std::vector<int> receive(int socket, size_t count) {
  char byte = 0;
  iovec part{&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(8 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  require(recvmsg(socket, &message, MSG_CMSG_CLOEXEC) == 1, "recvmsg");
  std::vector<int> descriptors(count);
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_len != CMSG_LEN(count * sizeof(int))) {
    require(false, "descriptors");
    return {};
  }
  std::memcpy(descriptors.data(), CMSG_DATA(header), count * sizeof(int));
  return descriptors;
}

void say(int socket) {
  const char byte = 1;
  require(write(socket, &byte, 1) == 1, "write");
}
void hear(int socket) {
  char byte = 0;
  require(read(socket, &byte, 1) == 1, "read");
}

cl_mem imported_memory(const World& world, int descriptor) {
  const cl_mem_properties list[] = {CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
                                    static_cast<cl_mem_properties>(descriptor), 0};
  cl_mem memory = clCreateBufferWithProperties(world.context, list, 0, bytes, nullptr, nullptr);
  require(memory, "a buffer of external memory");
  return memory;
}

/// This program again, with a socket to it.
struct Second {
  explicit Second(const char* role) {
    std::array<int, 2> ends{};
    require(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) == 0, "socketpair");
    socket = ends[0];
    process = fork();
    if (process == 0) {
      fcntl(ends[1], F_SETFD, 0);
      const std::string number = std::to_string(ends[1]);
      execl("/proc/self/exe", "test_semaphores", role, number.c_str(), nullptr);
      _exit(127);
    }
    close(ends[1]);
  }
  /// @returns the exit status, or 128 and the signal
  int end() const {
    int status = 0;
    waitpid(process, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  int socket;
  pid_t process;
};

// ---- Both add to the same memory, in turns

struct Game {
  World world{add_source};
  cl_mem memory;
  Game(int descriptor) : memory(imported_memory(world, descriptor)) { world.buffer = memory; }
  void add(cl_uint number) { require(world.enqueue(number), "a kernel"); }
};

void play_first() {
  const Second second("game");
  const int memory = memfd_create("game", MFD_CLOEXEC);
  require(ftruncate(memory, bytes) == 0, "ftruncate");
  const int for_second = fcntl(memory, F_DUPFD_CLOEXEC, 0);
  Game game(memory);
  const SharedSemaphore there(game.world), back(game.world);
  send(second.socket, {for_second, there.exported(), back.exported()});
  for (cl_uint iteration = 0; iteration < iterations; ++iteration) {
    game.add(1);
    there.signal(game.world.queue);
    back.wait(game.world.queue);
    if (iteration % 100 == 0) require(clFinish(game.world.queue) == CL_SUCCESS, "clFinish");
  }
  std::vector<cl_uint> values(World::items);
  require(clEnqueueReadBuffer(game.world.queue, game.memory, CL_TRUE, 0, bytes, values.data(), 0, nullptr,
                              nullptr) == CL_SUCCESS,
          "clEnqueueReadBuffer");
  for (const cl_uint value : values)
    require(value == 1001 * iterations, "the sum of what both added");
  require(second.end() == 0, "the second process");
}

int play_second(int socket) {
  const auto descriptors = receive(socket, 3);
  Game game(descriptors[0]);
  const SharedSemaphore there(game.world, descriptors[1]), back(game.world, descriptors[2]);
  for (cl_uint iteration = 0; iteration < iterations; ++iteration) {
    there.wait(game.world.queue);
    game.add(1000);
    back.signal(game.world.queue);
  }
  return clFinish(game.world.queue) == CL_SUCCESS ? 0 : 1;
}

// ---- A process is killed while it waits, and the next one gets the signal

void survive_a_waiting_process() {
  World world;
  const SharedSemaphore semaphore(world);
  const Second killed("wait");
  send(killed.socket, {semaphore.exported()});
  hear(killed.socket);
  usleep(20'000);
  kill(killed.process, SIGKILL);
  require(killed.end() == 128 + SIGKILL, "SIGKILL");
  const Second second("wait");
  send(second.socket, {semaphore.exported()});
  hear(second.socket);
  semaphore.signal(world.queue);
  require(clFinish(world.queue) == CL_SUCCESS, "clFinish");
  require(second.end() == 0, "the process that waited");
}

int wait_as_second(int socket) {
  World world;
  const SharedSemaphore semaphore(world, receive(socket, 1)[0]);
  semaphore.wait(world.queue);
  require(clFlush(world.queue) == CL_SUCCESS, "clFlush");
  say(socket);
  return clFinish(world.queue) == CL_SUCCESS ? 0 : 1;
}

// ---- Sync fds of a process that goes on, and of one that ends before it has signalled

void wait_for_fences() {
  World world;
  for (const char* role : {"fence", "no_fence"}) {
    const Second second(role);
    const SharedSemaphore semaphore(world, receive(second.socket, 1)[0], sync_fd);
    cl_event event = nullptr;
    semaphore.wait(world.queue, &event);
    require(clFlush(world.queue) == CL_SUCCESS, "clFlush");
    usleep(20'000);
    cl_int status = 0;
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
    require(status > CL_COMPLETE, "a wait that is not over");
    say(second.socket);
    const cl_int result = clWaitForEvents(1, &event);
    const bool is_fence = std::string_view(role) == "fence";
    require(result == (is_fence ? CL_SUCCESS : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST), role);
    clReleaseEvent(event);
    require(second.end() == 0, "the second process");
  }
}

int signal_fence(int socket, bool in_the_end) {
  World world;
  const SharedSemaphore semaphore(world, sync_fd);
  cl_event gate = clCreateUserEvent(world.context, nullptr);
  require(world.enqueue(1, World::items, 1, &gate), "a kernel");
  semaphore.signal(world.queue);
  send(socket, {semaphore.exported(CL_SEMAPHORE_HANDLE_SYNC_FD_KHR)});
  hear(socket);
  if (!in_the_end) _exit(0);
  clSetUserEventStatus(gate, CL_COMPLETE);
  return clFinish(world.queue) == CL_SUCCESS ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
  alarm(120); // ends the process if it hangs
  if (count == 3) {
    const std::string_view role = arguments[1];
    const int socket = static_cast<int>(std::strtol(arguments[2], nullptr, 10));
    if (role == "game") return play_second(socket);
    if (role == "wait") return wait_as_second(socket);
    return signal_fence(socket, role == "fence");
  }
  play_first();
  survive_a_waiting_process();
  wait_for_fences();
  return 0;
}
