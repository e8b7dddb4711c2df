#include "shared.h"
kernel void uses(global int* a) {
  a[get_global_id(0)] += shared(get_global_id(0)); // 10
}
