#include "compiler/server/channel.hpp"

#include "compiler/isolation/write_signals.hpp"

#include <cerrno>

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hostcl::compiler {

bool write_at(int file, std::size_t offset, std::span<const std::byte> bytes) {
  const WriteSignalsBlocked blocked;
  while (!bytes.empty()) {
    const ssize_t count = pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    offset += static_cast<std::size_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

std::optional<std::vector<std::byte>> read_at(int file, std::size_t offset, std::size_t size) {
  struct stat status{};
  if (fstat(file, &status) != 0) return std::nullopt;
  const auto end = static_cast<std::size_t>(status.st_size);
  if (offset > end || size > end - offset) return std::nullopt;
  std::vector<std::byte> bytes(size);
  for (std::size_t done = 0; done < size;) {
    const ssize_t count = pread(file, bytes.data() + done, size - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    done += static_cast<std::size_t>(count);
  }
  return bytes;
}

bool send_note(int socket, const void* note, std::size_t size) {
  ssize_t count;
  do
    count = send(socket, note, size, MSG_NOSIGNAL);
  while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(size);
}

bool receive_note(int socket, void* note, std::size_t size) {
  ssize_t count;
  do
    count = recv(socket, note, size, 0);
  while (count < 0 && errno == EINTR);
  return count == static_cast<ssize_t>(size);
}

} // namespace hostcl::compiler
