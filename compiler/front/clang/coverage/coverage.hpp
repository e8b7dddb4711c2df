#pragma once

// Coverage data of a translation unit (HOSTCL_COVERAGE): clang counts executions and describes which part of the source
// each counter belongs to. For SPIR-V, front/spirv/lines/line_counts.hpp does the same in clang's place.

#include "compiler/compiler.hpp"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace llvm {
class GlobalVariable;
class Module;
} // namespace llvm

namespace hostcl::compiler {

struct CompileRequest;

/// The names by which coverage data refer to a program that is given as strings. Paths of files that the program
/// includes from the disk are absolute.
struct CoverageNames {
  explicit CoverageNames(const CompileRequest& request);

  /// Path of the source in the compiler's files in memory. Coverage data have only the name of the file, which is the
  /// hash of the source and `.cl`.
  std::string source_path() const;
  /// Arguments for clang's front end.
  /// @param headers_folder the folder in memory with the application's headers
  std::vector<std::string> arguments(const std::string& headers_folder) const;
  /// The texts that the application has passed, with their names.
  std::vector<Header> sources(const CompileRequest& request) const;

  std::string source; ///< name of the source's file
  /// Folder of the application's headers: a hash of the source, the headers and the build options.
  std::string headers;
};

/// A name made of a hash of the text.
std::string hash_name(llvm::StringRef text);

/// The variables that clang has added to a module for coverage: the names of functions, the names of files, and the
/// mappings of functions. Variables of the program are not among them, whatever their names are.
std::vector<llvm::GlobalVariable*> coverage_variables(llvm::Module& module);

/// Moves the data that clang has added to a module for coverage to the named metadata metadata::coverage_data, and
/// gives the functions names that no other build has: with a hash of `build` and the data.
/// @param variables coverage_variables(), or the same from another front end
/// @param build tells the source, the headers and the build options from all others
/// @param sources texts for reports, by the names in the data
void keep_coverage_data(llvm::Module& module, llvm::ArrayRef<llvm::GlobalVariable*> variables,
                        llvm::StringRef build, llvm::ArrayRef<Header> sources);

/// Notes in the same metadata that nothing is counted, because a program from SPIR-V has no lines.
void note_lack_of_lines(llvm::Module& module, llvm::StringRef build);

} // namespace hostcl::compiler
