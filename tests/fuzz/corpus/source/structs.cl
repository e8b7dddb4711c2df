typedef struct { float4 a; int n[3]; union { long l; double d; } u; } S;
S twice(S s) { for (int i = 0; i < 3; ++i) s.n[i] *= 2; s.a.xyz = s.a.zyx; return s; }
kernel void k(global S* v) { v[get_global_id(0)] = twice(v[get_global_id(0)]); printf("%d %v4f\n", v->n[1], v->a); }
