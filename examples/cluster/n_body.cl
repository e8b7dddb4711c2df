// Bodies that attract each other. The fourth component of a position is the mass.

#define SOFTENING 0.01f

// Adds what the bodies of one part pull at those of another. Work-items: those that are pulled.
kernel void attract(global const float4* pulled, global const float4* pulling, int count, global float4* forces,
                    int is_first) {
  const size_t i = get_global_id(0);
  const float3 at = pulled[i].xyz;
  float3 force = is_first ? (float3)(0) : forces[i].xyz;
  for (int j = 0; j < count; ++j) {
    const float3 way = pulling[j].xyz - at;
    const float inverse = rsqrt(dot(way, way) + SOFTENING);
    force += way * (pulling[j].w * inverse * inverse * inverse);
  }
  forces[i] = (float4)(force, 0);
}

kernel void move(global const float4* now, global float4* velocities, global const float4* forces, global float4* next,
                 float seconds) {
  const size_t i = get_global_id(0);
  const float3 velocity = velocities[i].xyz + forces[i].xyz * seconds;
  velocities[i] = (float4)(velocity, 0);
  next[i] = (float4)(now[i].xyz + velocity * seconds, now[i].w);
}
