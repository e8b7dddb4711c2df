// Price of a European call, with the exact error function.
kernel void black_scholes(global const float* price, global const float* strike, global const float* years,
                          global float* call) {
  const float rate = 0.02f, volatility = 0.3f;
  const size_t i = get_global_id(0);
  const float deviation = volatility * sqrt(years[i]);
  const float d1 = (log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / deviation;
  const float d2 = d1 - deviation;
  call[i] = 0.5f * price[i] * erfc(-d1 * M_SQRT1_2_F) - 0.5f * strike[i] * exp(-rate * years[i]) * erfc(-d2 * M_SQRT1_2_F);
}

kernel void trigonometry(global const float* in, global float* out) {
  const size_t i = get_global_id(0);
  const float x = in[i];
  out[i] = sin(x) * cos(x) + pow(x, 1.7f) + tanh(x);
}

kernel void double_maths(global const double* in, global double* out) {
  const size_t i = get_global_id(0);
  const double x = in[i];
  out[i] = exp(x) * log(x) + sin(x) / sqrt(x);
}
