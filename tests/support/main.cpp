#define CATCH_CONFIG_RUNNER // version 2's own code, compiled here alone
#include "support/catch.hpp"

int main(int count, char** arguments) {
  return Catch::Session().run(count, arguments);
}
