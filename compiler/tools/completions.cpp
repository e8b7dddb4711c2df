#include "compiler/tools/completions.hpp"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Option/Option.h"

#include <algorithm>

namespace hostcl::compiler {

std::string completions(const llvm::opt::OptTable& table, llvm::StringRef word) {
  std::vector<std::string> found;
  if (const std::size_t equals = word.find('='); equals != word.npos) {
    const llvm::StringRef option = word.take_front(equals + 1);
    for (const std::string& value : table.suggestValueCompletions(option, word.drop_front(equals + 1)))
      found.push_back((option + value).str());
  } else {
    for (llvm::StringRef line : table.findByPrefix(word, llvm::opt::Visibility(), llvm::opt::HelpHidden))
      found.push_back(line.split('\t').first.str()); // the text of the help follows
  }
  std::ranges::sort(found);
  return found.empty() ? "" : llvm::join(found, "\n") + "\n";
}

} // namespace hostcl::compiler
