// Counts of references and of reasons to wait: runtime/object/reference_count.hpp.

#include "tests/order/piece.hpp"

#include "tests/order/begin_driver_code.hpp"

#include "runtime/object/reference_count.hpp"

#include "tests/order/end_driver_code.hpp"

namespace {

using hostcl::runtime::ReferenceCount;

/// Threads that write a part of an object each and drop their references; the last one reads all parts.
template <unsigned threads>
struct Dropping : model::Model<Dropping<threads>, threads> {
  ReferenceCount count;
  model::Data<unsigned> parts[threads];
  unsigned ends = 0;

  Dropping() {
    for (unsigned i = 1; i < threads; ++i)
      count.add();
  }
  void thread(unsigned index) {
    parts[index].set(1);
    if (!count.drop()) return;
    ++ends;
    for (const auto& part : parts)
      MODEL_CHECK(part.get() == 1);
  }
  void after() { MODEL_CHECK(ends == 1); }
};

/// A thread changes an object in place if no other one holds it, as an update of a command buffer changes its recording.
struct Changing : model::Model<Changing, 2> {
  ReferenceCount count;
  model::Data<unsigned> object;

  Changing() { count.add(); }
  void thread(unsigned index) {
    if (index == 0) {
      object.get();
      count.drop();
    } else if (!count.is_shared()) {
      object.set(1);
    }
  }
};

} // namespace

int main(int count, char** arguments) {
  return model::Piece("reference counts", {"runtime/object/reference_count.hpp"},
                      {model::all_of<Dropping<2>>("two references", 6),
                       model::all_of<Dropping<3>>("three references", 90),
                       model::all_of<Changing>("an object that is not shared", 9)})
      .run(count, arguments);
}
