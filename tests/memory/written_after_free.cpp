// written_after_free write|free  uses a block that it has freed, so that the quarantine has something to find.

#include <cstdlib>
#include <cstring>

int main(int count, char** arguments) {
  if (count != 2) return 2;
  // The compiler shall not see that it is the freed block.
  char* volatile block = static_cast<char*>(std::malloc(40));
  std::free(block);
  if (std::strcmp(arguments[1], "write") == 0)
    block[8] = 1; // NOLINT(clang-analyzer-unix.Malloc): that is the point
  else
    std::free(block); // NOLINT(clang-analyzer-unix.Malloc)
}
