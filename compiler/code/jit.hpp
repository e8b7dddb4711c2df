#pragma once

// Links object files into callable code with LLVM's JITLink. Each executable has a library of its own.
//
// Two links share no lock and no object of LLVM. If an allocation fails during a link, the exception unwinds
// LLVM's frames, which do not release their locks. So the objects that this link used are never used again.

#include "compiler/code_host.hpp"
#include "compiler/compiler.hpp"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hostcl::compiler {

/// A function, and the machine code of the object that contains it.
struct LinkedCode {
  void* address = nullptr;
  const std::byte* first_byte = nullptr;
  std::size_t bytes = 0;
  std::vector<CodeLine> lines;
  const abi::OrderProperties* order = nullptr; ///< null if the object has none
};

/// A collection of linked objects. It belongs to an executable, and frees none of its code before it is
/// destroyed.
class CodeLibrary {
public:
  /// @param host where the code lives and runs; null for this process
  explicit CodeLibrary(std::shared_ptr<CodeHost> host = nullptr);
  ~CodeLibrary();
  CodeLibrary(const CodeLibrary&) = delete;
  CodeLibrary& operator=(const CodeLibrary&) = delete;

  /// Links an object whose symbols later objects may refer to. No other thread may use the library at the
  /// same time.
  llvm::Error add(llvm::StringRef object);

  /// The address of a symbol of an object that was passed to add(); null if there is none.
  void* shared(llvm::StringRef symbol) const;

  /// Links an object, which may refer to host functions (host_functions.hpp) and to symbols of added objects.
  /// Several threads may call this at the same time.
  /// @returns its function `name`
  llvm::Expected<LinkedCode> link(llvm::StringRef object, llvm::StringRef name);

private:
  struct Object;
  class Linking;
  using Symbols = std::map<std::string, void*, std::less<>>;
  struct Linked {
    Symbols symbols;
    LinkedCode code; ///< without address and lines
    /// Addresses by name, if there is debug information.
    std::map<std::string, std::uint64_t, std::less<>> sections;
  };

  llvm::Expected<Linked> link(llvm::StringRef object);
  void* address_of(llvm::StringRef symbol) const;

  const std::shared_ptr<CodeHost> host_;
  Symbols shared_;   ///< symbols of added objects
  std::mutex mutex_; ///< guards objects_
  std::vector<std::unique_ptr<Object>> objects_;
};

} // namespace hostcl::compiler
