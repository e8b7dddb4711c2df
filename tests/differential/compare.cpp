#include "differential/compare.hpp"

#include "differential/buffers.hpp"

#include <algorithm>
#include <sstream>

namespace differential {

namespace {

/// "width=8" of "width=8 threads=1", "without" of "without=permuted_access"; "il" of all ways through SPIR-V.
std::string kind_of(const Way& way) {
  if (way.is_il()) return "il";
  const std::string word = way.name.substr(0, way.name.find(' '));
  return word.starts_with("width=") ? word : word.substr(0, word.find('='));
}

} // namespace

std::string describe(const Answer& answer) {
  switch (answer.kind) {
  case Answer::Kind::results:
    return "results " + std::to_string(hash_of({answer.text.begin(), answer.text.end()}));
  case Answer::Kind::unsupported:
    return "does not support this kernel";
  case Answer::Kind::failed:
    return answer.text;
  case Answer::Kind::crashed:
    return "crashed: " + answer.text;
  default:
    return "hung: " + answer.text;
  }
}

void Comparison::use(const std::vector<Way>& ways) {
  std::vector<std::unique_ptr<Worker>> workers;
  for (const Way& way : ways) {
    auto known = std::ranges::find_if(workers_, [&](auto& worker) { return worker && worker->way() == way; });
    workers.push_back(known != workers_.end() ? std::move(*known) : std::make_unique<Worker>(way));
  }
  workers_ = std::move(workers);
}

void Comparison::ask(const std::string& source, const std::vector<std::size_t>& numbers,
                     const std::string& name) {
  Asked asked{{}, emulates_sub_groups(source)};
  for (std::size_t number : numbers)
    asked.workers.push_back(workers_[number].get());
  const std::string renames = name.empty() ? "" : name_option + name;
  for (Worker* worker : asked.workers) {
    const Way& way = worker->way();
    worker->ask({source, renames, way.one_by_one, way.launches, false});
    if (asked.emulates_sub_groups)
      worker->ask({source, "-DEMULATE " + renames, way.one_by_one, way.launches, false});
  }
  asked_.push_back(std::move(asked));
}

std::optional<Verdict> Comparison::judge() {
  const Asked asked = std::move(asked_.front());
  asked_.pop_front();
  return asked.emulates_sub_groups ? judge_each(asked.workers) : judge_across(asked.workers);
}

Answer Comparison::answer_of(Worker& worker) {
  Answer answer = worker.answer(limit_);
  Spent& spent = spent_[kind_of(worker.way())];
  ++spent.kernels;
  spent.unsupported += answer.kind == Answer::Kind::unsupported;
  spent.build += answer.build_seconds;
  spent.run += answer.run_seconds;
  return answer;
}

/// Other drivers may fail, which is not ours to judge, but not give other results. As C++ of the host, all kernels
/// have to run whose language the host has.
bool Comparison::is_excused(const Way& way, const Answer& answer) {
  if (answer.kind == Answer::Kind::unsupported) return true;
  if (way.is_hostcl() || way.is_host() || answer.kind == Answer::Kind::results) return false;
  ++given_up_;
  return true;
}

/// All ways against the first that supports the kernel.
std::optional<Verdict> Comparison::judge_across(const std::vector<Worker*>& workers) {
  std::optional<Verdict> found;
  const Way* first = nullptr;
  Answer expected;
  for (Worker* worker : workers) {
    const Answer answer = answer_of(*worker);
    if (found || is_excused(worker->way(), answer)) continue;
    if (!first) {
      first = &worker->way();
      expected = answer;
    }
    if (answer.kind != Answer::Kind::results || !answer.agrees(expected))
      found = Verdict{*first, worker->way(), expected, answer};
  }
  return found;
}

namespace {

/// The lines of sub-group sizes, one for each range.
std::string sub_group_sizes(const Answer& answer) {
  std::istringstream lines(answer.text);
  std::string sizes;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(sub_group_size_name)) sizes += line + "\n";
  return sizes;
}

} // namespace

/// Each way's sub-groups, whose size is its own, against the same without operations of sub-groups. The two are
/// different programs; where the driver has chosen different sizes for them, they say nothing of each other.
std::optional<Verdict> Comparison::judge_each(const std::vector<Worker*>& workers) {
  std::optional<Verdict> found;
  for (Worker* worker : workers) {
    const Answer native = answer_of(*worker), emulated = answer_of(*worker);
    if (found || is_excused(worker->way(), native) || is_excused(worker->way(), emulated)) continue;
    if (native.kind == emulated.kind && sub_group_sizes(native) != sub_group_sizes(emulated)) continue;
    if (native.kind != Answer::Kind::results || !native.agrees(emulated))
      found = Verdict{worker->way(), worker->way(), emulated, native};
  }
  return found;
}

namespace {

std::vector<Way> ways_of(const Verdict& verdict) {
  if (verdict.first == verdict.second) return {verdict.first};
  return {verdict.first, verdict.second};
}

/// @param comparison has its processes from the last time, or new ones
std::optional<Verdict> judge(Comparison& comparison, const std::string& source, const Verdict& like) {
  const std::vector<Way> ways = ways_of(like);
  comparison.use(ways);
  comparison.ask(source, ways.size() == 1 ? std::vector<std::size_t>{0} : std::vector<std::size_t>{0, 1});
  return comparison.judge();
}

} // namespace

bool fails_like(const std::string& source, const Verdict& verdict, std::chrono::seconds limit) {
  const std::optional<Launches> launches = launches_of(source);
  if (!launches || (launches->queues == 0 && verdict.second.launches == 1)) {
    static Comparison comparison(limit);
    std::optional<Verdict> found = judge(comparison, source, verdict);
    return found && found->is_like(verdict);
  }
  constexpr unsigned attempts = 6;
  for (unsigned i = 0; i < attempts; ++i) {
    Comparison comparison(limit); // in whose processes nothing is compiled yet
    if (std::optional<Verdict> found = judge(comparison, source, verdict)) return found->is_like(verdict);
  }
  return false;
}

std::vector<std::string> heuristics_at_fault(const std::string& source, const Verdict& verdict,
                                             std::chrono::seconds limit) {
  const std::optional<Launches> launches = launches_of(source);
  if (verdict.second_answer.kind == Answer::Kind::hung || !verdict.second.is_hostcl() ||
      !verdict.second.fault.empty() || !launches || launches->queues > 0)
    return {};
  std::vector<std::string> names;
  for (const std::string& name : heuristics()) {
    Verdict other = verdict;
    other.second = without(verdict.second, name);
    if (verdict.first == verdict.second) other.first = other.second;
    if (!fails_like(source, other, limit)) names.push_back(name);
  }
  return names;
}

std::string first_difference(const std::string& source, const Verdict& verdict, std::chrono::seconds limit) {
  if (verdict.second_answer.kind != Answer::Kind::results) return {};
  const bool emulates = verdict.first == verdict.second;
  auto all_bytes = [&](const Way& way, const char* build_options) {
    Worker worker(way);
    worker.ask({source, build_options, way.one_by_one, way.launches, true});
    return worker.answer(limit).text;
  };
  std::istringstream expected(all_bytes(verdict.first, emulates ? "-DEMULATE" : "")),
      found(all_bytes(verdict.second, ""));
  std::string range, left, right;
  while (std::getline(expected, left) && std::getline(found, right)) {
    if (left.starts_with("range")) range = left;
    if (left == right) continue;
    const std::size_t begin = left.find(' ') + 1;
    const auto at = static_cast<std::size_t>(std::ranges::mismatch(left, right).in1 - left.begin());
    if (at < begin) return range + ": not the same buffers";
    const std::size_t byte = (at - begin) / 2, word = begin + byte / 8 * 16;
    return range + ", " + left.substr(0, begin - 1) + ", byte " + std::to_string(byte) +
           ": the 8 bytes around it are " + left.substr(word, 16) + " and " + right.substr(word, 16);
  }
  return "not the second time";
}

} // namespace differential
