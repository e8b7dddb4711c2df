#include "changes.h"

kernel void changes(global int* p) {
  p[get_global_id(0)] = changed(get_global_id(0)); // 20
}
