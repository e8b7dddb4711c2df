#define CATCH_CONFIG_RUNNER // version 2's own code, compiled here alone
#include "support/catch.hpp"

int main(int count, char** arguments) { // NOLINT(bugprone-exception-escape): Catch reports its own
  Catch::Session session;
#if CATCH_VERSION_MAJOR < 3
  // A choice that no case answers to is an error, as it always is with version 3.
  session.configData().warnings = Catch::WarnAbout::NoTests;
#endif
  return session.run(count, arguments);
}
