// The list of linked objects of machine code: compiler/atomic_list.hpp.

#include "tests/order/piece.hpp"

#include "tests/order/begin_driver_code.hpp"

#include "compiler/atomic_list.hpp"

#include "tests/order/end_driver_code.hpp"

namespace {

struct Element {
  model::Data<unsigned> value;
  Element* next = nullptr;
};

/// Two threads add an element each. Another thread takes what is in the list, or walks over it.
template <bool takes>
struct Adding : model::Model<Adding<takes>, 3> {
  hostcl::compiler::AtomicList<Element> list;
  Element elements[2];
  unsigned sum = 0;

  static unsigned sum_from(const Element* first) {
    unsigned sum = 0;
    for (; first; first = first->next)
      sum += first->value.get();
    return sum;
  }
  void thread(unsigned index) {
    if (index < 2) {
      elements[index].value.set(index + 1);
      list.push(elements[index], elements[index]);
    } else {
      sum = sum_from(takes ? list.take_all() : list.first());
    }
  }
  void after() {
    MODEL_CHECK(sum_from(list.first()) + (takes ? sum : 0) == 3);
    MODEL_CHECK(sum <= 3);
  }
};

} // namespace

int main(int count, char** arguments) {
  return model::Piece("list of machine code", {"compiler/atomic_list.hpp"},
                      {model::all_of<Adding<true>>("elements are taken", 6314),
                       model::all_of<Adding<false>>("elements stay", 7716)})
      .run(count, arguments);
}
