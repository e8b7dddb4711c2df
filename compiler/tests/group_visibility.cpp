// Kernels that the analysis takes as blind to their groups: whatever they make of queries is the same for each
// work-item, however long the groups of the launch are.

#include "compiler/values/group_visibility.hpp"

#include "compiler/ir/intrinsics.hpp"
#include "compiler/tests/module_text.hpp"

#include "llvm/IR/IRBuilder.h"

#include <algorithm>
#include <array>
#include <vector>

using namespace hostcl::compiler;
using namespace llvm;
using HostclIntrinsic = hostcl::compiler::Intrinsic;

namespace {

using Sizes = std::array<std::uint64_t, 3>;

/// Launches that differ in the size of their groups alone.
struct Launch {
  Launches kind;
  Sizes items, offset, first_size;
  std::vector<Sizes> other_sizes;
};

const Launch line{
    Launches::of_one_dimension, {96, 1, 1}, {1000, 0, 0}, {4, 1, 1}, {{8, 1, 1}, {16, 1, 1}, {32, 1, 1}}};
const Launch box{Launches::of_any_shape,
                 {6, 5, 4},
                 {1000, 70, 3},
                 {1, 1, 1},
                 {{2, 3, 4}, {3, 1, 2}, {4, 5, 1}, {6, 2, 3}}};

struct WorkItem {
  const Launch& launch;
  Sizes id, size;

  std::uint64_t answer(HostclIntrinsic query, unsigned d) const {
    const std::uint64_t items = launch.items[d], group = id[d] / size[d];
    switch (query) {
    case HostclIntrinsic::local_id:
      return id[d] % size[d];
    case HostclIntrinsic::group_id:
      return group;
    case HostclIntrinsic::local_size:
      return std::min(size[d], items - group * size[d]);
    case HostclIntrinsic::enqueued_local_size:
      return size[d];
    case HostclIntrinsic::global_size:
      return items;
    case HostclIntrinsic::global_offset:
      return launch.offset[d];
    default: // group_count
      return (items + size[d] - 1) / size[d];
    }
  }
};

/// What OpenCL C's queries are made of.
struct Query {
  enum Kind {
    local_id,
    group_id,
    local_size,
    enqueued_local_size,
    global_size,
    global_offset,
    group_count,
    global_id,
    linear_local_id,
    linear_global_id,
  } kind;
  unsigned dimension = 0;
};

constexpr HostclIntrinsic intrinsics[] = {
    HostclIntrinsic::local_id,    HostclIntrinsic::group_id,
    HostclIntrinsic::local_size,  HostclIntrinsic::enqueued_local_size,
    HostclIntrinsic::global_size, HostclIntrinsic::global_offset,
    HostclIntrinsic::group_count,
};

std::vector<Query> all_queries() {
  std::vector<Query> queries;
  for (int kind = Query::local_id; kind <= Query::global_id; ++kind)
    for (unsigned dimension : {0u, 1u, 2u})
      queries.push_back({Query::Kind(kind), dimension});
  queries.push_back({Query::linear_local_id});
  queries.push_back({Query::linear_global_id});
  return queries;
}

/// Makes IR of expressions, or their values for one work-item: the same source for both.
class Code {
public:
  using Number = Value*;
  explicit Code(Function& kernel) : build_(&kernel.getEntryBlock()), module_(*kernel.getParent()) {}
  Number ask(HostclIntrinsic query, unsigned dimension) {
    return build_.CreateCall(declare_intrinsic(module_, query), {build_.getInt32(dimension)});
  }
  Number sum(Number a, Number b) { return build_.CreateAdd(a, b); }
  Number difference(Number a, Number b) { return build_.CreateSub(a, b); }
  Number product(Number a, Number b) { return build_.CreateMul(a, b); }
  Number narrow(Number a) {
    return build_.CreateZExt(build_.CreateTrunc(a, build_.getInt32Ty()), build_.getInt64Ty());
  }
  IRBuilder<>& build() { return build_; }

private:
  IRBuilder<> build_;
  Module& module_;
};

class Evaluation {
public:
  using Number = std::uint64_t;
  explicit Evaluation(WorkItem item) : item_(item) {}
  Number ask(HostclIntrinsic query, unsigned dimension) { return item_.answer(query, dimension); }
  Number sum(Number a, Number b) { return a + b; }
  Number difference(Number a, Number b) { return a - b; }
  Number product(Number a, Number b) { return a * b; }
  Number narrow(Number a) { return static_cast<std::uint32_t>(a); }

private:
  WorkItem item_;
};

template <class Made>
typename Made::Number global_id(Made& made, unsigned dimension) {
  auto start = made.product(made.ask(HostclIntrinsic::group_id, dimension),
                            made.ask(HostclIntrinsic::enqueued_local_size, dimension));
  auto inside = made.sum(start, made.ask(HostclIntrinsic::local_id, dimension));
  return made.sum(inside, made.ask(HostclIntrinsic::global_offset, dimension));
}

template <class Made>
typename Made::Number make(Made& made, Query query) {
  switch (query.kind) {
  case Query::global_id:
    return global_id(made, query.dimension);
  case Query::linear_local_id: {
    auto rows = made.sum(
        made.product(made.ask(HostclIntrinsic::local_id, 2), made.ask(HostclIntrinsic::local_size, 1)),
        made.ask(HostclIntrinsic::local_id, 1));
    return made.sum(made.product(rows, made.ask(HostclIntrinsic::local_size, 0)),
                    made.ask(HostclIntrinsic::local_id, 0));
  }
  case Query::linear_global_id: {
    auto at = [&](unsigned dimension) {
      return made.difference(global_id(made, dimension), made.ask(HostclIntrinsic::global_offset, dimension));
    };
    auto rows = made.sum(made.product(at(2), made.ask(HostclIntrinsic::global_size, 1)), at(1));
    return made.sum(made.product(rows, made.ask(HostclIntrinsic::global_size, 0)), at(0));
  }
  default:
    return made.ask(intrinsics[query.kind], query.dimension);
  }
}

enum Form { sum, difference, product, product_and_sum, sum_and_product, two_products, narrowed, forms };

template <class Made>
typename Made::Number make(Made& made, Form form, std::array<Query, 3> queries) {
  auto a = make(made, queries[0]), b = make(made, queries[1]), c = make(made, queries[2]);
  switch (form) {
  case sum:
    return made.sum(made.sum(a, b), c);
  case difference:
    return made.difference(made.sum(a, b), c);
  case product:
    return made.product(made.product(a, b), c);
  case product_and_sum:
    return made.sum(made.product(a, b), c);
  case sum_and_product:
    return made.product(made.sum(a, b), c);
  case two_products:
    return made.sum(made.product(a, b), made.product(b, c));
  default:
    return made.narrow(made.sum(made.product(a, b), c));
  }
}

/// What the kernel does with the number.
enum class Sink { stored, index };

class Kernels {
public:
  Kernels() : module_("") {}

  bool sees(Launches launches, Form form, const std::array<Query, 3>& queries, Sink sink) {
    Module& module = *module_.module;
    auto* pointer = PointerType::get(module_.context, 1);
    auto* type = FunctionType::get(Type::getVoidTy(module_.context), {pointer}, false);
    Function* kernel = Function::Create(type, Function::ExternalLinkage, "k", module);
    BasicBlock::Create(module_.context, "", kernel);
    Code code(*kernel);
    Value* number = make(code, form, queries);
    IRBuilder<>& build = code.build();
    Value* place = kernel->getArg(0);
    if (sink == Sink::index) place = build.CreateGEP(build.getInt32Ty(), place, number);
    build.CreateStore(number, place);
    build.CreateRetVoid();
    const bool result = sees_groups(*kernel, launches);
    kernel->eraseFromParent();
    return result;
  }

private:
  ModuleText module_;
};

bool differs_with_size(const Launch& launch, Form form, const std::array<Query, 3>& queries) {
  Sizes id;
  for (id[2] = 0; id[2] < launch.items[2]; ++id[2])
    for (id[1] = 0; id[1] < launch.items[1]; ++id[1])
      for (id[0] = 0; id[0] < launch.items[0]; ++id[0]) {
        Evaluation first({launch, id, launch.first_size});
        const std::uint64_t known = make(first, form, queries);
        for (const Sizes& size : launch.other_sizes) {
          Evaluation other({launch, id, size});
          if (make(other, form, queries) != known) return true;
        }
      }
  return false;
}

/// Checks all kernels of three queries. @returns those that are taken as blind
unsigned check_blind_kernels(const Launch& launch) {
  Kernels kernels;
  const std::vector<Query> queries = all_queries();
  unsigned blind = 0, wrong = 0;
  for (int form = sum; form < forms; ++form)
    for (Query a : queries)
      for (Query b : queries)
        for (Query c : queries) {
          const std::array<Query, 3> all{a, b, c};
          const Sink sink = (a.dimension + b.kind + c.dimension) % 2 ? Sink::stored : Sink::index;
          if (kernels.sees(launch.kind, Form(form), all, sink)) continue;
          ++blind;
          if (!differs_with_size(launch, Form(form), all)) continue;
          if (++wrong > 5) continue;
          CAPTURE(form, a.kind, a.dimension, b.kind, b.dimension, c.kind, c.dimension);
          CHECK_FALSE("the group shows");
        }
  CHECK(wrong == 0);
  return blind;
}

} // namespace

TEST_CASE(
    "Group visibility: three queries of any dimensions, in sums and products, tell the group unless their "
    "value is the same for groups of any size",
    "[group_visibility]") {
  CHECK(check_blind_kernels(line) > 1000);
  CHECK(check_blind_kernels(box) > 1000);
}

TEST_CASE("Group visibility: a global id, and what is made of it, does not tell the group",
          "[group_visibility]") {
  Kernels kernels;
  constexpr Query id{Query::global_id}, other{Query::global_id, 1}, size{Query::global_size};
  for (Sink sink : {Sink::stored, Sink::index}) {
    for (Launches launches : {Launches::of_one_dimension, Launches::of_any_shape}) {
      CHECK_FALSE(kernels.sees(launches, sum, {id, other, size}, sink));
      CHECK_FALSE(kernels.sees(launches, product_and_sum, {other, size, id}, sink));
      for (Form form : {product_and_sum, narrowed})
        CHECK_FALSE(kernels.sees(
            launches, form, {{{Query::group_id}, {Query::enqueued_local_size}, {Query::local_id}}}, sink));
    }
    // In groups that all have the same size, the size of one is that of the others.
    const std::array<Query, 3> start{{{Query::group_id}, {Query::local_size}, {Query::local_id}}};
    CHECK_FALSE(kernels.sees(Launches::of_one_dimension, product_and_sum, start, sink));
    CHECK(kernels.sees(Launches::of_any_shape, product_and_sum, start, sink));
  }
}

TEST_CASE("Group visibility: what sub-groups and the number of groups are made of tells the group",
          "[group_visibility]") {
  for (const char* query :
       {"call i32 @__hostcl_sub_group_lane()", "call i32 @__hostcl_sub_group_width()",
        "call i32 @__hostcl_sub_group_stride()", "call i32 @__hostcl_sub_group_reduce_add_i32(i32 1)"}) {
    CAPTURE(query);
    const ModuleText module(std::string(R"(
      declare i32 @__hostcl_sub_group_width()
      declare i32 @__hostcl_sub_group_stride()
      declare i32 @__hostcl_sub_group_reduce_add_i32(i32)
      define spir_kernel void @k(ptr addrspace(1) %p) {
        %x = )") + query + R"(
        store i32 %x, ptr addrspace(1) %p
        ret void
      })");
    CHECK(sees_groups(module.function("k"), Launches::of_one_dimension));
  }
}
