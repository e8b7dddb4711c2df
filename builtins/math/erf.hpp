#pragma once

// The error functions.

#include "exp.hpp"

namespace {

/// For double, with float parts: row k has the coefficients of u^k in erf(c + u), for 16 centres c. Centre i is about
/// 49/128 i; centre 1 is smaller, since erf c should not be much larger than the results. The centres are chosen such
/// that erf c is close to a double. The polynomials interpolate at Chebyshev's nodes; 2^-54.6.
// clang-format off
TABLE double erf_centres[] = {
    0, 0x1.2965925f5cp-2, 0x1.88483d38p-1, 0x1.25ccbd7cp0, 0x1.87ecf498p0, 0x1.ea1c3e8cp0, 0x1.261a7724p1,
    0x1.5713000cp1, 0x1.8805b674p1, 0x1.b91b3032p1, 0x1.ea02591p1, 0x1.0d81edd7p2, 0x1.25f0d706p2,
    0x1.3e8fd5bap2, 0x1.56ffaacbp2, 0x1.6f8fedc2p2};
// clang-format on
TABLE double erf_pieces[][16] = {
    {0, 0x1.46601574d4bfap-2, 0x1.715f3ca83d129p-1, 0x1.ca7417436322dp-1, 0x1.f072108a662d6p-1,
     0x1.fc87715d1ce62p-1, 0x1.ff686ca1d3cf7p-1, 0x1.ffec4aae361e1p-1, 0x1.fffe0e8ff186dp-1,
     0x1.ffffdb3a02949p-1, 0x1.fffffdee404ddp-1, 0x1.ffffffe9b489ep-1, 0x1.ffffffff49b14p-1,
     0x1.fffffffffbc04p-1, 0x1.ffffffffffec7p-1, 0x1.ffffffffffffcp-1},
    {0x1.20dd750429b6dp0, 0x1.097fd08e1368bp0, 0x1.41349917d116p-1, 0x1.358e83d14724fp-2,
     0x1.bb819441e40dep-4, 0x1.d937f82c7f9e3p-6, 0x1.78d439cb7f8dcp-8, 0x1.c0e0236c4e2fp-11,
     0x1.8f6edadd004cp-14, 0x1.075f1a14f7ap-17, 0x1.05a342c3e4p-21, 0x1.81998ed9ap-26, 0x1.ac277cep-31,
     0x1.58f8d8p-36, 0x1.aa6f4p-42, 0x1.80f8p-48},
    {0x1.bp-55, -0x1.346ea02fe75c1p-2, -0x1.ec332e0752d8dp-2, -0x1.6343af8fb98bap-2, -0x1.537eb65213273p-3,
     -0x1.c4fcab6154ecap-5, -0x1.b0eaaf4d37dd9p-7, -0x1.2cc6d016e4268p-9, -0x1.31d5547d3e4cp-12,
     -0x1.c5cecc8b244p-16, -0x1.f4cce41796p-20, -0x1.95f20fbaap-24, -0x1.eb9bfe94p-29, -0x1.ad46ef8p-34,
     -0x1.1dad4p-39, -0x1.146p-45},
    {-0x1.812746b037abcp-2, -0x1.2647f76efa019p-2, 0x1.2a2ad66104b7p-5, 0x1.5141c93a6b585p-3,
     0x1.109595b8df853p-3, 0x1.f34a6833385e4p-5, 0x1.2c2a7f9b5876cp-6, 0x1.f408ec89f1bbp-9,
     0x1.27945f389208p-11, 0x1.f35908e53f8p-15, 0x1.34a01eb044p-18, 0x1.14e06421p-22, 0x1.6f64892p-27,
     0x1.5cefbp-32, 0x1.f576ap-38, 0x1.0488p-43},
    {0x1.45ccp-40, 0x1.2316a5a30cf24p-3, 0x1.2b93c2f5a8efcp-3, 0x1.5a863d8a036dp-6, -0x1.7df898ef8522p-5,
     -0x1.46f2dcfe24e6p-5, -0x1.10b0b957cae4p-6, -0x1.1ced66286c9p-8, -0x1.91a8e6f3b48p-11,
     -0x1.886378a64dp-14, -0x1.1280c8d8p-17, -0x1.12923988p-21, -0x1.915bde7p-26, -0x1.a052d6p-31,
     -0x1.44098p-36, -0x1.6a9p-42},
    {0x1.ce2f219c3f73p-4, 0x1.1d816805be6p-4, -0x1.c8b249ab64f6p-5, -0x1.e43f19791f48p-5, -0x1.74c0cf24fdfp-7,
     0x1.925b654af4c8p-7, 0x1.412522f92cbp-7, 0x1.ccef484a99ap-9, 0x1.93632a01ac8p-11, 0x1.d1fd114d7p-14,
     0x1.760bff608p-17, 0x1.a4f658dcp-21, 0x1.551ea48p-25, 0x1.84484p-30, 0x1.4885p-35, 0x1.8cep-41},
    {0x1.de09ap-30, -0x1.6dc5f589551p-5, -0x1.95d32204cd8p-6, 0x1.16179ac99b4p-6, 0x1.2ad45ebf888p-6,
     0x1.6fe6b627c3p-9, -0x1.921cfc9b62p-9, -0x1.03d920ca42p-9, -0x1.30b4972bf4p-11, -0x1.aea69105p-14,
     -0x1.941b8544p-17, -0x1.02d6fa58p-20, -0x1.d4b849p-25, -0x1.265cp-29, -0x1.0fd8p-34, -0x1.638p-40},
    {-0x1.b82d0659b78p-6, -0x1.a66a023746p-7, 0x1.324ffd75108p-6, 0x1.16d0451dc6p-7, -0x1.5959d6a06cp-8,
     -0x1.243825fe2cp-8, -0x1.4efb9229cp-12, 0x1.64f8cf05fp-11, 0x1.552cf5beap-12, 0x1.3912f4108p-14,
     0x1.60f127f8p-17, 0x1.054fa84p-20, 0x1.0aed7cp-24, 0x1.7467cp-29, 0x1.7928p-34, 0x1.0cp-39},
    {0x1.b72718p-22, 0x1.58310aa798p-7, 0x1.c4a47a6dap-10, -0x1.8e5aff1a58p-8, -0x1.efd72711ap-10,
     0x1.91c7ab998p-10, 0x1.b8e10d1dcp-11, -0x1.077cfd58p-15, -0x1.054766a6p-13, -0x1.62e263cp-15,
     -0x1.f660724p-18, -0x1.b7440cp-21, -0x1.00441p-24, -0x1.9056p-29, -0x1.bf2p-34, -0x1.58p-39},
    {0x1.5622bcdp-8, 0x1.df61fb64p-10, -0x1.017d39dp-8, -0x1.b64ba33p-14, 0x1.b5488de9p-10, 0x1.c2f73de8p-13,
     -0x1.8116f9b4p-12, -0x1.dce36d78p-14, 0x1.692db68p-16, 0x1.2c12ea4p-16, 0x1.2220dp-18, 0x1.3564fp-21,
     0x1.a31fp-25, 0x1.7218p-29, 0x1.cap-34, 0x1.8p-39},
    {0x1.3a2992p-16, -0x1.02f8faep-9, 0x1.3551be3p-12, 0x1.2187047p-10, -0x1.6ddc59p-13, -0x1.7407d79p-12,
     0x1.4311d2p-16, 0x1.170c46p-14, 0x1.2cc998p-17, -0x1.4286b4p-18, -0x1.09a6dp-19, -0x1.6d074p-22,
     -0x1.2604p-25, -0x1.294p-29, -0x1.9cp-34, -0x1.8p-39},
    {-0x1.e297a58p-11, -0x1.821544p-13, 0x1.3781d58p-11, -0x1.b39ac88p-13, -0x1.d3d215p-13, 0x1.694b16p-14,
     0x1.b53482p-15, -0x1.c27e68p-17, -0x1.1e64ap-17, 0x1.755p-25, 0x1.6695p-21, 0x1.68d8p-23, 0x1.6a8p-26,
     0x1.b1p-30, 0x1.6p-34, 0x1.8p-39},
    {0x1.17601cp-13, 0x1.32d026p-12, -0x1.f12244p-14, -0x1.067a8p-13, 0x1.58fb78p-14, 0x1.b2854p-16,
     -0x1.7a5b4p-16, -0x1.0e13p-18, 0x1.8c8fp-19, 0x1.7454p-21, -0x1.0bbp-23, -0x1.188p-24, -0x1.7p-27,
     -0x1.08p-30, -0x1p-34, -0x1p-39},
};

template <class V>
INLINE V erf_by_pieces(V a) {
  const int_of<V> piece = bits(muladd(a, V(0x1.4e5e0a72f0539p1), round_magic<V>()));
  const V u = a - entry<V>(piece, erf_centres);
  V y = entry<V>(piece, erf_pieces[12]);
#pragma unroll
  for (int k = 11; k >= 0; --k)
    y = muladd(y, u, entry<V>(piece, erf_pieces[k]));
  return y;
}

/// erf a = 1 - e^(log erfc a), where log erfc a = a² q(a) - 2/sqrt(pi) a. q is a polynomial (float) or a quotient of
/// two, by Remez' algorithm with the weight a² erfc a / erf a: 2^-27.8, 2^-58.9 relative to erf a.
template <class V>
INLINE V erf_of_positive(V a) {
  const V z = a * a;
  V q;
  if constexpr (is_double<V>) {
    q = polynomial_in_halves(a, z, -0x1.45f306dc9c887p-1, -0x1.2a7d499cbcebep0, -0x1.ff6be4adb86cp-1,
                             -0x1.0332166d63d3cp-1, -0x1.48e9aa9911661p-3, -0x1.fd1fe25fdf028p-6,
                             -0x1.a68dcfd16dd14p-9, -0x1.eeed7e573832p-14) /
        polynomial_in_halves(a, z, 1.0, 0x1.ab89eb248ac8fp0, 0x1.5457828509633p0, 0x1.431e4240ea0f5p-1,
                             0x1.817b56e4bb702p-3, 0x1.19011135d2888p-5, 0x1.b7b08308a7cc7p-9,
                             0x1.ef0419b62b187p-14);
  } else {
    q = polynomial(a, -0x1.45f2fep-1f, -0x1.a4f94ap-4f, 0x1.39bf48p-6f, 0x1.5cd07p-13f, -0x1.b67756p-10f,
                   0x1.4d5044p-11f, -0x1.f0b26ep-14f, 0x1.3967f2p-17f);
  }
  // The logarithm is the sum high + low, because a rounding error of the logarithm would count where erf a is as small.
  const V factor = number<V>(-0x1.20dd76p0f, -0x1.20dd750429b6dp0);
  const V high = a * factor, low = muladd(z, q, muladd(a, factor, -high));
  const V t = muladd(high + low, log2e<V>(), round_magic<V>());
  const V u = muladd(t - round_magic<V>(), -ln2<V>(), high);
  const V r = u + low, r2 = r * r, m = u + muladd(r2, expm1_factor(r, r2), low);
  const V power = add_to_exponent(V(1), bits(t));
  return muladd(-power, m, V(1) - power);
}

template <class V>
INLINE V erf_of(V x) {
  const V a = at_most(magnitude(x), number<V>(3.95, 5.93)); // where the result is 1
  if constexpr (is_double<V>)
    if (has_float_parts<V>()) return with_sign(erf_by_pieces(a), x);
  return with_sign(erf_of_positive(a), x);
}

/// erfc a = e^(-a²) p / q for a = |x|, by Remez' algorithm: 2^-27.4, 2^-54.1.
template <class V>
INLINE V erfc_of(V x) {
  const V a = at_most(magnitude(x), number<V>(10.1, 27.3)); // where the result is 0
  const V square = a * a, square_low = muladd(a, a, -square);
  V exponential, p, q;
  if (has_float_parts<V>()) {
    Reduced<V> e = reduce_sixteenth(-square, log2e<V>(), log2e_low<V>());
    e.r = muladd(-square_low, log2e<V>(), e.r);
    exponential = exp2_sixteenth(e);
  } else {
    const Reduced<V> e = reduce_ln2(-square);
    exponential = insert_exponent(V(1) + expm1_reduced(e.r - square_low), e);
  }
  if constexpr (is_double<V>) {
    p = polynomial_in_halves(a, square, 1.0, 0x1.1871137727c9bp1, 0x1.2ff6430911953p1, 0x1.a29d7f27ed978p0,
                             0x1.8fb0b241c3258p-1, 0x1.114053f9e77dep-2, 0x1.0b7e1a6a39021p-4,
                             0x1.6acc076edee3cp-7, 0x1.37a993d943c4bp-10, 0x1.062b422b431bep-14);
    q = polynomial_in_halves(a, square, 1.0, 0x1.a8dfcdf93ca32p1, 0x1.47b0cb15bc164p2, 0x1.361ebf84474c7p2,
                             0x1.900533fe9c4bfp1, 0x1.70c33f391b2dcp0, 0x1.ee50ea9d2f8bfp-2,
                             0x1.de6f178fea79fp-4, 0x1.426d94319952fp-6, 0x1.14342087c581cp-9,
                             0x1.d0aeb2c610096p-14);
  } else {
    p = polynomial(a, 1.0f, 0x1.3d078p0f, 0x1.7692a6p-1f, 0x1.d56c4cp-3f, 0x1.0ca746p-5f);
    q = polynomial(a, 1.0f, 0x1.2ef27ep1f, 0x1.337b3cp1f, 0x1.534952p0f, 0x1.a00adap-2f, 0x1.dc2b88p-5f);
  }
  const V y = exponential * (p / q);
  return is_negative(x) ? V(2) - y : y;
}

} // namespace
