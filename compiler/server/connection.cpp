#include "compiler/server/connection.hpp"

#include "compiler/cache/build_id.hpp"
#include "compiler/server/channel.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include <poll.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

namespace hostcl::compiler {

std::optional<Connection> connect(int count, char** arguments, std::size_t numbers) {
  constexpr std::size_t first = 2, standard = 4;
  if (count < 0 || static_cast<std::size_t>(count) != first + standard + numbers) return std::nullopt;
  std::vector<std::uint64_t> all(standard + numbers);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string_view text = arguments[first + i];
    if (std::from_chars(text.data(), text.data() + text.size(), all[i]).ec != std::errc())
      return std::nullopt;
  }
  const auto process = static_cast<pid_t>(all[3]);
  Connection made{static_cast<int>(all[0]),
                  {static_cast<int>(all[1]), static_cast<int>(all[2])},
                  static_cast<int>(syscall(SYS_pidfd_open, process, 0)),
                  {all.begin() + standard, all.end()}};
  if (made.application < 0) return std::nullopt;
  return made;
}

bool greet(const Connection& with) {
  Greeting greeting;
  const std::string& id = build_id();
  std::ranges::copy(std::string_view(id).substr(0, greeting.build.size()), greeting.build.begin());
  return send_note(with.socket, greeting);
}

void await_end(const Connection& with) {
  std::array<pollfd, 2> events = {{{with.socket, POLLRDHUP, 0}, {with.application, POLLIN, 0}}};
  while (poll(events.data(), events.size(), -1) <= 0)
    ;
  _exit(0);
}

} // namespace hostcl::compiler
