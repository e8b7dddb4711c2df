#pragma once

// Objects to callable code, with LLVM's JITLink. Each executable has a library of its own, whose memory is
// given back when the next one is made.
//
// Links have no lock and no object of LLVM in common. An allocation that fails unwinds LLVM's frames, which
// leave locks held that they took: whatever such a link used is never used again.

#include "compiler/abi/order.hpp"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

namespace llvm {
class MemoryBufferRef;
}

namespace hostcl::compiler {

/// A function, and the machine code that it belongs to.
struct LinkedCode {
  void* address = nullptr;
  const std::byte* first_byte = nullptr;
  std::size_t bytes = 0;
  const abi::OrderFacts* order = nullptr; ///< if it has some
};

class CodeLibrary {
public:
  CodeLibrary();
  ~CodeLibrary();
  CodeLibrary(const CodeLibrary&) = delete;
  CodeLibrary& operator=(const CodeLibrary&) = delete;

  /// Links an object whose symbols are visible to later ones. No other thread may use the library meanwhile.
  llvm::Error add(llvm::MemoryBufferRef object);

  /// The address of a symbol of an object that was added; null if there is none.
  void* shared(llvm::StringRef symbol) const;

  /// Links an object; host functions of kernels and symbols of added objects are visible to it. Several
  /// threads may call it at once.
  /// @returns its function `name`
  llvm::Expected<LinkedCode> link(llvm::MemoryBufferRef object, llvm::StringRef name);

private:
  struct Object;
  class Linking;
  using Symbols = std::map<std::string, void*, std::less<>>;
  struct Linked {
    Symbols symbols;
    LinkedCode code; ///< of no function
    std::map<std::string, std::uint64_t, std::less<>>
        sections; ///< addresses, where there is debug information
  };

  llvm::Expected<Linked> link(llvm::MemoryBufferRef object);
  void* address_of(llvm::StringRef symbol) const;
  static void free_unused();

  Symbols shared_;                        ///< of added objects
  std::atomic<Object*> objects_{nullptr}; ///< a list
  static std::atomic<Object*> unused_;    ///< the objects of libraries that are gone
};

} // namespace hostcl::compiler
