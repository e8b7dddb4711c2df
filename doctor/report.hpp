#pragma once

// The findings of hostcl-doctor, which can be printed as text and as JSON.

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace hostcl::doctor {

enum class Level {
  well,   ///< as it should be
  note,   ///< worth knowing: a setting that applies, a limit that is not reached
  problem ///< applications cannot use the device, or some of its abilities
};

struct Finding {
  Level level;
  std::string name; ///< kind of finding, for programs that read the JSON: "loader.none"
  std::string text;
  std::string remedy;         ///< of a problem
  llvm::json::Object facts{}; ///< for programs; `text` says the same in words
};

/// Findings by section, in the order in which they were made. Their texts may contain any bytes, because they quote
/// names of files and output of other libraries.
class Report {
public:
  void begin_section(std::string title);
  void well(std::string name, std::string text, llvm::json::Object facts = {});
  void note(std::string name, std::string text, llvm::json::Object facts = {});
  void problem(std::string name, std::string text, std::string remedy, llvm::json::Object facts = {});

  bool is_well() const;
  /// Prints a line for each finding, and a summary.
  void print_text(llvm::raw_ostream& stream) const;
  void print_json(llvm::raw_ostream& stream) const;

private:
  struct Section {
    std::string title;
    std::vector<Finding> findings;
  };
  void add(Finding finding);
  unsigned problems() const;

  std::vector<Section> sections_;
};

/// A text on one line of limited length, with escapes for characters that a terminal cannot show.
std::string printable(llvm::StringRef bytes);

} // namespace hostcl::doctor
