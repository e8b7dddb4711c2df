#include "builtins/library.hpp"

#include "builtins/archive.hpp"

#include <algorithm>
#include <memory>

// The archive itself. HOSTCL_BUILTINS_ARCHIVE is its path in the build folder.
asm(".section .rodata.hostcl_builtins,\"a\",@progbits\n"
    ".balign 64\n"
    ".hidden hostcl_builtins_archive\n"
    ".globl hostcl_builtins_archive\n"
    "hostcl_builtins_archive:\n"
    ".incbin \"" HOSTCL_BUILTINS_ARCHIVE "\"\n"
    ".previous\n");

extern "C" {
extern const char hostcl_builtins_archive[] __attribute__((visibility("hidden")));
}

namespace hostcl::builtins {

namespace {

std::string_view view(Text text) {
  return {hostcl_builtins_archive + text.offset, text.size};
}

const Archive& archive() {
  return *reinterpret_cast<const Archive*>(hostcl_builtins_archive);
}

std::span<const ArchiveUnit> archived_units() {
  return {reinterpret_cast<const ArchiveUnit*>(&archive() + 1), archive().units};
}

std::span<const ArchiveSymbol> archived_symbols() {
  return {reinterpret_cast<const ArchiveSymbol*>(std::to_address(archived_units().end())), archive().symbols};
}

std::span<const ArchiveHeader> archived_headers() {
  return {reinterpret_cast<const ArchiveHeader*>(std::to_address(archived_symbols().end())),
          archive().headers};
}

} // namespace

std::span<const Unit> units() {
  static const std::vector<Unit> all = [] {
    std::vector<Unit> result;
    result.reserve(archive().units);
    for (const ArchiveUnit& unit : archived_units())
      result.push_back({view(unit.name), std::as_bytes(std::span(view(unit.bitcode)))});
    return result;
  }();
  return all;
}

const Unit* find(std::string_view mangled_symbol) {
  auto symbols = archived_symbols();
  auto name_of = [](const ArchiveSymbol& symbol) { return view(symbol.name); };
  auto found = std::ranges::lower_bound(symbols, mangled_symbol, {}, name_of);
  if (found == symbols.end() || name_of(*found) != mangled_symbol) return nullptr;
  return &units()[found->unit];
}

std::span<const EmbeddedHeader> embedded_headers() {
  static const std::vector<EmbeddedHeader> all = [] {
    std::vector<EmbeddedHeader> result;
    for (const ArchiveHeader& header : archived_headers())
      result.push_back({view(header.name), view(header.text)});
    return result;
  }();
  return all;
}

std::vector<std::string_view> headers_for(std::string_view source) {
  struct Row {
    std::string_view mention;
    std::string_view header;
  };
  static constexpr Row rows[] = {
      {"counter32_t", "hostcl/counters.h"},
      {"counter64_t", "hostcl/counters.h"},
      {"atomic_half", "hostcl/half_atomics.h"},
      {"async_work_group_copy_", "hostcl/async_copies.h"},
      {"work_group_reduce_", "hostcl/work_group_arithmetic.h"},
      {"work_group_scan_", "hostcl/work_group_arithmetic.h"},
      {"intel_sub_group_", "hostcl/intel_subgroups.h"},
      {"_2d_block_", "hostcl/intel_2d_blocks.h"},
      {"_matrix_mad_", "hostcl/intel_matrices.h"},
      {"tfloat32", "hostcl/intel_matrices.h"},
      {"intel_work_group_barrier_", "hostcl/intel_split_barriers.h"},
      {"intel_convert_", "hostcl/intel_bfloat16.h"},
      {"CLK_NULL_RESERVE_ID", "hostcl/pipes.h"},
  };
  // An included file may mention any of the names.
  const bool includes = source.find("include") != source.npos;
  std::vector<std::string_view> result;
  for (const Row& row : rows)
    if ((includes || source.find(row.mention) != source.npos) &&
        (result.empty() || result.back() != row.header))
      result.push_back(row.header);
  return result;
}

std::string_view header() {
  static const std::string_view text = [] {
    auto all = embedded_headers();
    auto found = std::ranges::find(all, "hostcl.h", &EmbeddedHeader::name);
    return found == all.end() ? std::string_view() : found->text;
  }();
  return text;
}

} // namespace hostcl::builtins
