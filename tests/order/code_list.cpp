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

/// Two threads add an element each. Another thread walks over the list.
struct Adding : model::Model<Adding, 3> {
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
      list.push(elements[index]);
    } else {
      sum = sum_from(list.first());
    }
  }
  void after() {
    MODEL_CHECK(sum_from(list.first()) == 3);
    MODEL_CHECK(sum <= 3);
  }
};

} // namespace

int main(int count, char** arguments) {
  return model::Piece("list of machine code", {"compiler/atomic_list.hpp"},
                      {model::all_of<Adding>("elements are added", 7716)})
      .run(count, arguments);
}
