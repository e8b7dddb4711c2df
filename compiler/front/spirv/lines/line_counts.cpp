// Instruments functions from SPIR-V as clang instruments functions of OpenCL C, with calls of llvm.instrprof.increment
// and a coverage mapping, but in terms of the blocks and debug locations that the reader has made:
//
//   - A function's first line counts the calls of the function.
//   - A line counts how often a work-item comes to the line: a block that has the line adds 1, unless the line is the
//     first one of the block, and the last one of the block before.
//   - A loop that does not leave its line adds 1 to the line for each repetition.
//   - A conditional branch counts both of its sides.
//
// Blocks have counters. An edge has one if only some of the edges into a block enter its line. Counts of lines and of
// sides of branches are sums and differences of counters. Tests: tests/coverage/check_spirv

#include "compiler/front/spirv/lines/line_counts.hpp"

#include "compiler/front/clang/coverage/coverage.hpp"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/ProfileData/Coverage/CoverageMapping.h"
#include "llvm/ProfileData/Coverage/CoverageMappingWriter.h"
#include "llvm/ProfileData/InstrProf.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

namespace hostcl::compiler::spirv {

using namespace llvm;
using coverage::Counter;
using coverage::CounterMappingRegion;

namespace {

/// A line of a file; line 0 is none.
using Line = std::pair<const DIFile*, unsigned>;
using Edge = std::pair<BasicBlock*, BasicBlock*>;
using Terms = SmallVector<Counter, 2>;
using BranchPlace = std::tuple<const DIFile*, unsigned, unsigned>; ///< the file, the line and the column

/// Debug information may contain any number. A report takes memory for each line up to the largest number.
bool is_line(unsigned number) {
  constexpr unsigned most = 1 << 24;
  return number != 0 && number <= most;
}

Line line_of(const Instruction& instruction) {
  const DILocation* location = instruction.getDebugLoc();
  if (!location || !is_line(location->getLine()) || isa<PHINode, AllocaInst>(instruction)) return {};
  return {location->getFile(), location->getLine()};
}

/// A name without control characters, which the formats of reports cannot have in names.
std::string printable(StringRef name) {
  std::string clean = name.str();
  constexpr char deletion = '\x7f';
  std::replace_if(
      clean.begin(), clean.end(), [](unsigned char each) { return each < ' ' || each == deletion; }, '_');
  return clean;
}

/// A block, and the blocks after it on the same line.
struct LineNode {
  SmallVector<LineNode*, 2> next;
  unsigned cycle = 0; ///< the same number for blocks that lead to each other on one line
};

/// What scc_iterator needs.
struct LineGraph {
  using NodeRef = LineNode*;
  using ChildIteratorType = LineNode**;
  static NodeRef getEntryNode(LineNode* node) { return node; }
  static ChildIteratorType child_begin(LineNode* node) { return node->next.begin(); }
  static ChildIteratorType child_end(LineNode* node) { return node->next.end(); }
};

struct BlockLines {
  SmallSetVector<Line, 4> all;
  Line last;

  LineNode node;

  void add(Line line) {
    if (line.second == 0) return;
    all.insert(line);
    last = line;
  }
  bool begins_with(Line line) const { return !all.empty() && all.front() == line; }
};

/// Finds the counters that a function needs, and what lines and branches have to do with them.
class FunctionCounts {
public:
  FunctionCounts(Function& function, const Blocks& branching) : function_(function) {
    for (BasicBlock& block : function)
      for (const Instruction& instruction : block)
        blocks_[&block].add(line_of(instruction));
    if (!find_definition()) return;
    find_repetitions();
    of(function.getEntryBlock()); // counter 0 counts the calls of the function
    for (BasicBlock& block : function) {
      count_lines(block);
      if (branching.contains(&block)) count_sides(block);
    }
    for (auto& [line, terms] : line_terms_)
      lines_[line] = sum(terms);
    for (auto& [place, sides] : side_terms_)
      branches_[place] = {sum(sides.first), sum(sides.second)};
  }

  /// Whether the function has lines.
  bool any() const { return definition_.second != 0; }

  /// The function's record in the format of clang's coverage mapping.
  /// @param number_of returns a file's number in the module's list of files
  std::string mapping(function_ref<unsigned(const DIFile*)> number_of) const {
    // llvm-cov takes the count of the first region, in the order of lines, for the function's count. So lines before
    // the definition are regions of another entry for the same file; lines after it are in the entry from which totals
    // are made.
    SmallVector<unsigned, 4> numbers = {number_of(definition_.first)};
    std::vector<CounterMappingRegion> regions = {whole_line(Counter::getCounter(0), 0, definition_.second)};
    SmallDenseMap<const DIFile*, unsigned, 4> files;
    const auto file = [&](const DIFile* wanted, unsigned line) {
      if (wanted == definition_.first && line > definition_.second) return 0U;
      const auto [found, is_new] = files.try_emplace(wanted, static_cast<unsigned>(numbers.size()));
      if (is_new) numbers.push_back(number_of(wanted));
      return found->second;
    };
    for (const auto& [line, count] : lines_)
      regions.push_back(whole_line(count, file(line.first, line.second), line.second));
    for (const auto& [place, sides] : branches_) {
      const auto& [in, line, column] = place;
      regions.push_back(CounterMappingRegion::makeBranchRegion(sides.first, sides.second, file(in, line),
                                                               line, column, line, column + 1));
    }
    std::string bytes;
    raw_string_ostream stream(bytes);
    coverage::CoverageMappingWriter(numbers, builder_.getExpressions(), regions).write(stream);
    return bytes;
  }

  /// Adds the calls that count. The analysis ends here, because edges get blocks of their own.
  void instrument(GlobalVariable& name, std::uint64_t hash) {
    for (const auto& [edge, index] : counters_) {
      const auto& [from, to] = edge;
      BasicBlock* block = to;
      if (from) block = SplitCriticalEdge(from, to, CriticalEdgeSplittingOptions().setMergeIdenticalEdges());
      IRBuilder<> build(block, block->getFirstNonPHIOrDbgOrAlloca());
      build.SetCurrentDebugLocation(DILocation::get(function_.getContext(), 0, 0, function_.getSubprogram()));
      build.CreateIntrinsic(Intrinsic::instrprof_increment, {},
                            {&name, build.getInt64(hash),
                             build.getInt32(static_cast<unsigned>(counters_.size())), build.getInt32(index)});
    }
  }

private:
  /// The columns 0 are the format's way to write a whole line.
  static CounterMappingRegion whole_line(Counter count, unsigned file, unsigned line) {
    return CounterMappingRegion::makeRegion(count, file, line, 0, line, 0);
  }

  /// Finds the line of the function's definition. This line also counts as the first line of the function's code.
  bool find_definition() {
    BlockLines& entry = blocks_[&function_.getEntryBlock()];
    const DISubprogram* described = function_.getSubprogram();
    if (described && is_line(described->getLine()))
      definition_ = {described->getFile(), described->getLine()};
    else if (!entry.all.empty())
      definition_ = entry.all.front();
    else
      return false;
    BlockLines all;
    all.add(definition_);
    for (const Line line : entry.all)
      all.add(line);
    if (entry.all.empty()) entry.last = definition_;
    entry.all = std::move(all.all);
    return true;
  }

  void count_lines(BasicBlock& block) {
    for (const Line line : blocks_[&block].all) {
      if (line == definition_ && block.isEntryBlock()) continue; // mapping() has it
      Terms& terms = line_terms_[line];
      if (blocks_[&block].begins_with(line))
        add_entries(terms, block, line);
      else
        terms.push_back(of(block));
    }
  }

  void count_sides(BasicBlock& block) {
    auto* branch = dyn_cast<BranchInst>(block.getTerminator());
    const DILocation* location = branch ? branch->getDebugLoc().get() : nullptr;
    if (!location || !is_line(location->getLine()) || !branch->isConditional() || block.getUniqueSuccessor())
      return;
    auto& [if_true, if_false] =
        side_terms_[{location->getFile(), location->getLine(), std::max(location->getColumn(), 1U)}];
    if_true.push_back(of(block, *branch->getSuccessor(0)));
    if_false.push_back(of(block, *branch->getSuccessor(1)));
  }

  /// Adds how often a block is entered from elsewhere than its first line.
  void add_entries(Terms& terms, BasicBlock& block, Line first) {
    const SmallSetVector<BasicBlock*, 4> before(pred_begin(&block), pred_end(&block));
    SmallVector<BasicBlock*, 4> entering;
    copy_if(before, std::back_inserter(entering),
            [&](BasicBlock* from) { return blocks_[from].last != first || repeats(*from, block); });
    if (entering.size() == before.size()) return terms.push_back(of(block));
    for (BasicBlock* from : entering)
      terms.push_back(of(*from, block));
  }

  /// Finds the loops that do not leave their lines: cycles of blocks that have this line alone.
  void find_repetitions() {
    SmallVector<std::pair<const BasicBlock*, const BasicBlock*>, 8> edges;
    FindFunctionBackedges(function_, edges);
    back_edges_.insert_range(edges);
    LineNode root;
    for (auto& [block, lines] : blocks_) {
      root.next.push_back(&lines.node);
      if (lines.all.size() != 1) continue;
      for (BasicBlock* successor : successors(block))
        if (BlockLines& after = blocks_[successor]; after.all.getArrayRef() == lines.all.getArrayRef())
          lines.node.next.push_back(&after.node);
    }
    unsigned cycle = 0;
    for (auto found = scc_iterator<LineNode*, LineGraph>::begin(&root); !found.isAtEnd(); ++found, ++cycle)
      for (LineNode* node : *found)
        node->cycle = cycle;
  }

  /// Whether an edge closes a loop that does not leave its line.
  bool repeats(BasicBlock& from, BasicBlock& to) {
    return back_edges_.contains({&from, &to}) && blocks_[&from].all.size() == 1 &&
           blocks_[&from].node.cycle == blocks_[&to].node.cycle;
  }

  /// How often a block runs.
  Counter of(BasicBlock& block) { return counter({nullptr, &block}); }

  /// How often an edge is taken.
  Counter of(BasicBlock& from, BasicBlock& to) {
    if (from.getUniqueSuccessor()) return of(from);
    if (to.getUniquePredecessor()) return of(to);
    if (const auto* branch = dyn_cast<BranchInst>(from.getTerminator());
        branch && !counters_.contains({&from, &to})) {
      BasicBlock& other = *branch->getSuccessor(branch->getSuccessor(0) == &to ? 1 : 0);
      if (other.getUniquePredecessor() || counters_.contains({&from, &other}))
        return builder_.subtract(of(from), of(from, other));
    }
    return counter({&from, &to});
  }

  Counter counter(Edge edge) {
    const auto next = static_cast<unsigned>(counters_.size());
    return Counter::getCounter(counters_.try_emplace(edge, next).first->second);
  }

  /// The sum as a balanced tree. Simplification of each partial sum would take quadratic time.
  Counter sum(ArrayRef<Counter> terms) {
    if (terms.empty()) return Counter::getZero();
    if (terms.size() == 1) return terms.front();
    const std::size_t half = terms.size() / 2;
    const Counter first = sum(terms.take_front(half)), second = sum(terms.drop_front(half));
    return builder_.add(first, second, /*Simplify=*/false);
  }

  Function& function_;
  MapVector<BasicBlock*, BlockLines> blocks_;
  DenseSet<std::pair<const BasicBlock*, const BasicBlock*>> back_edges_;
  Line definition_;
  MapVector<Edge, unsigned> counters_; ///< the first block is null for a counter of the second
  coverage::CounterExpressionBuilder builder_;
  MapVector<Line, Terms> line_terms_;
  MapVector<Line, Counter> lines_;
  MapVector<BranchPlace, std::pair<Terms, Terms>> side_terms_;
  MapVector<BranchPlace, std::pair<Counter, Counter>> branches_;
};

/// The name of a file in reports: an absolute path, or a hash and the last part of the name for a text of the module.
/// The name must be valid for a file, whatever name the module gives.
std::string reported_file(StringRef name, ArrayRef<Header> texts, std::map<std::string, std::string>& kept) {
  const auto* text = find_if(texts, [&](const Header& each) { return each.name == name; });
  constexpr StringLiteral unnamed = "unnamed";
  SmallString<128> path(name.empty() ? StringRef(unnamed) : name);
  if (text == texts.end()) {
    if (!sys::fs::make_absolute(path)) sys::path::remove_dots(path, /*remove_dot_dot=*/true);
    return printable(path);
  }
  constexpr std::size_t longest = 100;
  std::string last = printable(sys::path::filename(name).take_back(longest));
  if (last.empty() || last == "." || last == ".." || last == "/") last = unnamed;
  const std::string inside = hash_name(text->source) + "/" + last;
  return kept.try_emplace(inside, text->source).first->first;
}

class ModuleCounts {
public:
  ModuleCounts(llvm::Module& module, ArrayRef<Header> texts) : module_(module), texts_(texts) {}

  /// @returns whether a function has lines
  bool count(const Blocks& branching) {
    for (Function& function : module_)
      if (!function.isDeclaration() && !calls_code_alone(function)) count(function, branching);
    if (functions_.empty()) return false;
    describe();
    return true;
  }

  /// The variables with descriptions.
  ArrayRef<GlobalVariable*> variables() const { return variables_; }

  /// The texts that reports need, with their names there.
  std::vector<Header> sources() const {
    std::vector<Header> all;
    for (const auto& [name, text] : kept_)
      all.push_back({name, text});
    return all;
  }

private:
  struct Described {
    std::uint64_t name, hash;
    std::string mapping;
  };

  /// Whether a kernel is the stub that clang makes for a function with the kernel's code.
  bool calls_code_alone(const Function& kernel) const {
    const std::string code = "__clang_ocl_kern_imp_" + kernel.getName().str();
    return module_.getFunction(code) || module_.getFunction("il." + code);
  }

  void count(Function& function, const Blocks& branching) {
    FunctionCounts counts(function, branching);
    if (!counts.any()) return;
    std::string mapping = counts.mapping([&](const DIFile* file) { return number_of(*file); });
    StringRef written = function.getName();
    written.consume_front("il.");
    const std::string clean = printable(written);
    std::string name = clean;
    for (unsigned number = 2; !names_.insert(name).second; ++number)
      name = clean + "." + std::to_string(number);
    const std::uint64_t hash = xxh3_64bits(mapping);
    variables_.push_back(createPGOFuncNameVar(module_, GlobalValue::PrivateLinkage, name));
    counts.instrument(*variables_.back(), hash);
    functions_.push_back({IndexedInstrProf::ComputeHash(name), hash, std::move(mapping)});
  }

  unsigned number_of(const DIFile& file) {
    const auto [known, is_new] = numbers_.try_emplace(&file);
    if (is_new) {
      const std::string name = reported_file(file.getFilename(), texts_, kept_);
      known->second = static_cast<unsigned>(find(files_, name) - files_.begin());
      if (known->second == files_.size()) files_.push_back(name);
    }
    return known->second;
  }

  /// Makes the variables with descriptions that clang's code generator makes.
  void describe() {
    std::string files;
    raw_string_ostream stream(files);
    coverage::CoverageFilenamesSectionWriter(files_).write(stream);
    IRBuilder<> build(module_.getContext());
    const auto bytes = [&](StringRef text) {
      return ConstantDataArray::getString(module_.getContext(), text, /*AddNull=*/false);
    };
    const auto number = [&](std::size_t value) { return build.getInt32(static_cast<unsigned>(value)); };
    add("__llvm_coverage_mapping", {ConstantStruct::getAnon({number(0), number(files.size()), number(0),
                                                             number(coverage::CovMapVersion::CurrentVersion)},
                                                            /*Packed=*/true),
                                    bytes(files)});
    for (const Described& function : functions_)
      add("__covrec_",
          {build.getInt64(function.name), number(function.mapping.size()), build.getInt64(function.hash),
           build.getInt64(IndexedInstrProf::ComputeHash(files)), bytes(function.mapping)});
  }

  void add(const char* name, ArrayRef<Constant*> parts) {
    Constant* value = ConstantStruct::getAnon(parts, /*Packed=*/true);
    variables_.push_back(new GlobalVariable(module_, value->getType(), /*isConstant=*/true,
                                            GlobalValue::PrivateLinkage, value, name));
  }

  llvm::Module& module_;
  ArrayRef<Header> texts_;
  std::vector<std::string> files_ = {"."}; ///< the first one is the folder of relative names
  DenseMap<const DIFile*, unsigned> numbers_;
  std::map<std::string, std::string> kept_;
  StringSet<> names_;
  std::vector<Described> functions_;
  std::vector<GlobalVariable*> variables_;
};

/// What tells a build from all others.
std::string identity(const CompileIlRequest& request) {
  std::string all(reinterpret_cast<const char*>(request.il.data()), request.il.size());
  all += request.options;
  for (const Specialisation& value : request.values)
    all += '\0' + std::to_string(value.id) + '=' + std::to_string(value.bits);
  return hash_name(all);
}

} // namespace

void count_lines(llvm::Module& module, const CompileIlRequest& request, ArrayRef<Header> texts,
                 const Blocks& branching) {
  ModuleCounts counts(module, texts);
  if (counts.count(branching))
    keep_coverage_data(module, counts.variables(), identity(request), counts.sources());
  else
    note_lack_of_lines(module, identity(request));
}

} // namespace hostcl::compiler::spirv
