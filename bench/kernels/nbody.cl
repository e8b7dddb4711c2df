kernel void nbody(global float4* acceleration, global const float4* bodies, int count, float softening) {
  const size_t i = get_global_id(0);
  const float4 own = bodies[i];
  float3 sum = 0.0f;
  for (int j = 0; j < count; ++j) {
    const float4 other = bodies[j];
    const float3 way = other.xyz - own.xyz;
    const float inverse = rsqrt(dot(way, way) + softening);
    sum += other.w * inverse * inverse * inverse * way;
  }
  acceleration[i] = (float4)(sum, 0.0f);
}
