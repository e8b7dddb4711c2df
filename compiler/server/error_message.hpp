#pragma once

// The serialisable form of an llvm::Error, for the replies of compile servers. The server calls
// ErrorMessage::of(), and the client turns the message back into an error by error().

#include "compiler/isolation/isolate.hpp"

#include "llvm/Support/Error.h"

#include <string>
#include <tuple>

namespace hostcl::compiler {

struct ErrorMessage {
  std::string text;
  bool gave_up = false; ///< whether the error is a GaveUp, or a list of errors that contains one

  static ErrorMessage of(llvm::Error error) {
    const bool gave_up = !reason_of(error).empty();
    return {llvm::toString(std::move(error)), gave_up};
  }
  llvm::Error error() && {
    return gave_up ? llvm::make_error<GaveUp>(std::move(text)) : llvm::createStringError(text);
  }

  auto fields() { return std::tie(text, gave_up); }
};

} // namespace hostcl::compiler
