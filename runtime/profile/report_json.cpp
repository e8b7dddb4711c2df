// Declared in runtime/profile/report.hpp.

#include "runtime/profile/json_writer.hpp"
#include "runtime/profile/report.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace hostcl::runtime::profile {

namespace {

constexpr double ns_per_ms = 1e6, ns_per_us = 1e3;
/// The most events of the timeline excerpt, which begins shortly before the first launch.
constexpr std::size_t most_shown = 900;

class Writer {
public:
  explicit Writer(const Report& report) : report_(report) {}
  std::string text();

private:
  void head();
  void totals();
  void kernel(const KernelReport& kernel);
  void work(const KernelReport& kernel);
  void kinds(const KernelReport& kernel);
  void source(const KernelReport& kernel);
  void accesses(const KernelReport& kernel);
  void advice(const std::vector<Advice>& all);
  void timeline();
  template <std::size_t count>
  void numbers(std::string_view name, const std::uint64_t (&values)[count]);

  const Report& report_;
  JsonWriter json_;
};

void Writer::head() {
  json_.member("version", 1);
  json_.member("application", report_.application);
  json_.member("process", report_.process);
  json_.member("device", report_.device);
  json_.member("threads", report_.threads);
  json_.member("wall_ms", report_.wall_ns / ns_per_ms);
  json_.object("roofline", [&] {
    json_.member("memory_gbs", report_.roofline.memory_gbs);
    json_.member("cache_gbs", report_.roofline.cache_gbs);
    json_.member("gflops", report_.roofline.gflops);
    json_.member("remembered", report_.roofline.is_remembered);
  });
}

void Writer::totals() {
  double offered = 0, busy = 0;
  for (const KernelReport& kernel : report_.kernels) {
    offered += kernel.offered_ns;
    busy += kernel.busy_ns;
  }
  json_.object("totals", [&] {
    json_.member("kernels_ms", report_.kernel_ns() / ns_per_ms);
    json_.member("commands_ms", report_.command_ns() / ns_per_ms);
    json_.member("compiler_wait_ms", static_cast<double>(report_.compiler.waited_ns) / ns_per_ms);
    json_.member("compiler_background_ms", static_cast<double>(report_.compiler.background_ns) / ns_per_ms);
    json_.member("idle_threads_share", offered > busy ? 1 - busy / offered : 0.0);
  });
  json_.array("commands", [&] {
    for (const auto& [name, command] : report_.commands)
      json_.object([&] {
        json_.member("name", name);
        json_.member("count", command.count);
        json_.member("time_ms", static_cast<double>(command.ns) / ns_per_ms);
      });
  });
}

void Writer::advice(const std::vector<Advice>& all) {
  json_.array("advice", [&] {
    for (const Advice& one : all)
      json_.object([&] {
        json_.member("topic", one.topic);
        json_.member("line", one.line);
        json_.member("text", one.text);
        json_.member("figure", one.figure);
      });
  });
}

template <std::size_t count>
void Writer::numbers(std::string_view name, const std::uint64_t (&values)[count]) {
  json_.array(name, [&] {
    for (const std::uint64_t value : values)
      json_.value(value);
  });
}

void Writer::kinds(const KernelReport& kernel) {
  constexpr std::size_t most = 8;
  std::vector<const LaunchKind*> sorted;
  for (const LaunchKind& kind : kernel.figures.kinds)
    sorted.push_back(&kind);
  std::ranges::sort(sorted, std::greater(), &LaunchKind::ns);
  json_.member("kinds", sorted.size());
  if (sorted.size() > most) sorted.resize(most);
  json_.array("sizes", [&] {
    for (const LaunchKind* kind : sorted)
      json_.object([&] {
        numbers("global", kind->range.global_size);
        numbers("local", kind->range.local_size);
        json_.member("launches", kind->launches);
        json_.member("time_ms", kind->scaled(kind->ns) / ns_per_ms);
      });
  });
}

/// The work of all launches together, as far as the kernel statistics tell.
void Writer::work(const KernelReport& kernel) {
  const Workload& total = kernel.total;
  json_.member("how", total.is_counted ? "counted" : "estimated");
  json_.member("read_bytes", total.read_bytes);
  json_.member("written_bytes", total.written_bytes);
  json_.member("local_bytes", total.local_bytes);
  json_.member("float_operations", total.floats);
  json_.member("double_operations", total.doubles);
  json_.member("integer_operations", total.integers);
  if (kernel.ns <= 0) return;
  json_.member("gbs", total.bytes() / kernel.ns);
  json_.member("gflops", total.operations() / kernel.ns);
  if (total.bytes() > 0) json_.member("intensity", total.operations() / total.bytes());
}

void Writer::source(const KernelReport& kernel) {
  json_.array("source", [&] {
    for (const compiler::LineText& line : kernel.figures.statistics->source)
      json_.object([&] {
        json_.member("line", line.line);
        json_.member("text", line.text);
      });
  });
}

/// An element for each line and kind of access, with the bytes of one launch.
void Writer::accesses(const KernelReport& kernel) {
  json_.array("accesses", [&] {
    for (const AccessFigures& figures : kernel.longest.accesses) {
      const compiler::AccessStatistics& access = *figures.access;
      if (access.space == compiler::AccessStatistics::other ||
          access.space == compiler::AccessStatistics::local)
        continue;
      const auto& names = kernel.figures.arguments;
      json_.object([&] {
        json_.member("line", access.line);
        json_.member("write", access.is_write);
        if (access.argument >= 0 && static_cast<std::size_t>(access.argument) < names.size())
          json_.member("argument", names[static_cast<std::size_t>(access.argument)]);
        json_.member("bytes", figures.runs * access.bytes * kernel.longest.items);
        json_.member("element_bytes", access.bytes);
        if (const auto stride = figures.along_lanes()) json_.member("stride", *stride);
        if (access.from_memory) json_.member("from_memory", true);
        if (access.loop >= 0) json_.member("iterations", figures.iterations);
      });
    }
  });
}

void Writer::kernel(const KernelReport& kernel) {
  const KernelFigures& figures = kernel.figures;
  json_.member("name", figures.name);
  if (figures.statistics) json_.member("line", figures.statistics->line);
  json_.member("launches", kernel.launches);
  json_.member("timed", kernel.timed);
  json_.member("time_ms", kernel.ns / ns_per_ms);
  json_.member("share", kernel.share);
  json_.member("mean_us", kernel.mean_ns() / ns_per_us);
  json_.member("least_us", kernel.least_ns / ns_per_us);
  json_.member("most_us", kernel.most_ns / ns_per_us);
  json_.member("idle_threads_share", kernel.idle_share());
  json_.member("compiler_wait_ms", kernel.compile_ns / ns_per_ms);
  json_.member("width", figures.width);
  json_.member("form", figures.width > 1 ? "vectors" : "one work-item at a time");
  if (figures.width == 1) json_.member("reason", figures.remark);
  json_.member("items", kernel.longest.items);
  kinds(kernel);
  advice(kernel.advice);
  if (!figures.statistics) return;
  json_.object("work", [&] { work(kernel); });
  source(kernel);
  accesses(kernel);
}

/// The first launches, by thread.
void Writer::timeline() {
  std::vector<Event> events = report_.events;
  std::ranges::sort(events, {}, &Event::began);
  const auto first = std::ranges::find(events, Activity::groups, &Event::activity);
  const auto lead = std::min<std::ptrdiff_t>(first - events.begin(), 40);
  events.erase(events.begin(), first - lead);
  if (events.size() > most_shown) events.resize(most_shown);
  const std::uint64_t origin = events.empty() ? 0 : events.front().began;
  json_.object("timeline", [&] {
    json_.member("origin_ms", events.empty() ? 0.0 : static_cast<double>(origin - report_.began) / ns_per_ms);
    json_.array("events", [&] {
      constexpr std::string_view names[] = {"groups", "command", "compiler"};
      for (const Event& event : events)
        json_.object([&] {
          json_.member("thread", event.thread);
          json_.member("activity", names[static_cast<std::size_t>(event.activity)]);
          json_.member("name", event.name);
          json_.member("us", static_cast<double>(event.began - origin) / ns_per_us);
          json_.member("for_us", static_cast<double>(event.ended - event.began) / ns_per_us);
        });
    });
  });
}

std::string Writer::text() {
  json_.object([&] {
    head();
    totals();
    advice(report_.advice);
    json_.array("kernels", [&] {
      for (const KernelReport& one : report_.kernels)
        json_.object([&] { kernel(one); });
    });
    timeline();
  });
  return json_.text() + "\n";
}

} // namespace

std::string json_of(const Report& report) {
  return Writer(report).text();
}

} // namespace hostcl::runtime::profile
