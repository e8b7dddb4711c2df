#pragma once

// The error functions.

#include "exp.hpp"

namespace {

/// For CPUs that has_float_parts(): row k has the coefficients of u^k in erf(c + u), for 16 centres c, the i-th about
/// 49/128 i; the second one is smaller, since erf c should not be much larger than results. Their erf c are close to
/// doubles. The polynomials interpolate at Chebyshev's nodes; 2^-55.
__attribute__((aligned(64))) __constant double erf_centres[] = {0,
                                                                0x1.2965925f5cp-2,
                                                                0x1.88483d38p-1,
                                                                0x1.25ccbd7cp0,
                                                                0x1.87ecf498p0,
                                                                0x1.ea1c3e8cp0,
                                                                0x1.261a7724p1,
                                                                0x1.5713000cp1,
                                                                0x1.8805b674p1,
                                                                0x1.b91b3032p1,
                                                                0x1.ea02591p1,
                                                                0x1.0d81edd7p2,
                                                                0x1.25f0d706p2,
                                                                0x1.3e8fd5bap2,
                                                                0x1.56ffaacbp2,
                                                                0x1.6f8fedc2p2};
__attribute__((aligned(64))) __constant double erf_pieces[][16] = {
    {0, 0x1.46601574d4bfap-2, 0x1.715f3ca83d129p-1, 0x1.ca7417436322dp-1, 0x1.f072108a662d6p-1,
     0x1.fc87715d1ce62p-1, 0x1.ff686ca1d3cf7p-1, 0x1.ffec4aae361e1p-1, 0x1.fffe0e8ff186dp-1,
     0x1.ffffdb3a02949p-1, 0x1.fffffdee404ddp-1, 0x1.ffffffe9b489ep-1, 0x1.ffffffff49b14p-1,
     0x1.fffffffffbc04p-1, 0x1.ffffffffffec7p-1, 0x1.ffffffffffffcp-1},
    {0x1.20dd750429b6dp0, 0x1.097fd08e1368bp0, 0x1.41349917d116p-1, 0x1.358e83d14724fp-2,
     0x1.bb819441e40dep-4, 0x1.d937f82c7f9e3p-6, 0x1.78d439cb7f8dcp-8, 0x1.c0e0236c4e2efp-11,
     0x1.8f6edadd004c2p-14, 0x1.075f1a14f79f6p-17, 0x1.05a342c3e4785p-21, 0x1.81998ed995291p-26,
     0x1.ac277ce1de446p-31, 0x1.58f8d83fd8cedp-36, 0x1.aa6f371499e4p-42, 0x1.80f5e67e4ea67p-48},
    {0x1.b6ef993cca53ep-55, -0x1.346ea02fe75c1p-2, -0x1.ec332e0752d8dp-2, -0x1.6343af8fb98bap-2,
     -0x1.537eb65213273p-3, -0x1.c4fcab6154ecap-5, -0x1.b0eaaf4d37dd9p-7, -0x1.2cc6d016e4264p-9,
     -0x1.31d5547d3e4bfp-12, -0x1.c5cecc8b243f4p-16, -0x1.f4cce41795308p-20, -0x1.95f20fbaa00d1p-24,
     -0x1.eb9bfe92e32ep-29, -0x1.ad46efa1d3d4p-34, -0x1.1dad3a6f26e7bp-39, -0x1.145c7a296c4a4p-45},
    {-0x1.812746b037abcp-2, -0x1.2647f76efa019p-2, 0x1.2a2ad66104b7p-5, 0x1.5141c93a6b585p-3,
     0x1.109595b8df853p-3, 0x1.f34a6833385e3p-5, 0x1.2c2a7f9b5876ep-6, 0x1.f408ec89f1bb5p-9,
     0x1.27945f38920a7p-11, 0x1.f35908e53f5f3p-15, 0x1.34a01eb044a24p-18, 0x1.14e06420f2d1fp-22,
     0x1.6f64891c4843bp-27, 0x1.5cefb00937aeap-32, 0x1.f576a77d26144p-38, 0x1.048568627cb5ep-43},
    {0x1.45cbec3eb0ed2p-40, 0x1.2316a5a30cf23p-3, 0x1.2b93c2f5a8efcp-3, 0x1.5a863d8a036c8p-6,
     -0x1.7df898ef85223p-5, -0x1.46f2dcfe24e5ep-5, -0x1.10b0b957cae41p-6, -0x1.1ced66286c8f7p-8,
     -0x1.91a8e6f3b4821p-11, -0x1.886378a64d2e2p-14, -0x1.1280c8d7fd217p-17, -0x1.12923987881e1p-21,
     -0x1.915bde743b098p-26, -0x1.a052d5305098cp-31, -0x1.440971ca2084bp-36, -0x1.6a89de75b8887p-42},
    {0x1.ce2f219c3f72ap-4, 0x1.1d816805be61p-4, -0x1.c8b249ab64f5bp-5, -0x1.e43f19791f48bp-5,
     -0x1.74c0cf24fdefp-7, 0x1.925b654af4caep-7, 0x1.412522f92cb2fp-7, 0x1.ccef484a99afap-9,
     0x1.93632a01ac59fp-11, 0x1.d1fd114d71787p-14, 0x1.760bff607dcdfp-17, 0x1.a4f658dc8dcf1p-21,
     0x1.551ea47e8583p-25, 0x1.84483e12cf255p-30, 0x1.488547e6580ebp-35, 0x1.8ce2397081571p-41},
    {0x1.de09ad76fae7fp-30, -0x1.6dc5f5895512ap-5, -0x1.95d32204cd7ebp-6, 0x1.16179ac99b3c7p-6,
     0x1.2ad45ebf887eep-6, 0x1.6fe6b627c363dp-9, -0x1.921cfc9b621e1p-9, -0x1.03d920ca41919p-9,
     -0x1.30b4972bf46bcp-11, -0x1.aea69104f807p-14, -0x1.941b85445eb29p-17, -0x1.02d6fa5af26e7p-20,
     -0x1.d4b848ebb0014p-25, -0x1.265c041b393eep-29, -0x1.0fd73ccb79bd8p-34, -0x1.63b9afeea80a1p-40},
    {-0x1.b82d0659b7b32p-6, -0x1.a66a02374647cp-7, 0x1.324ffd751064dp-6, 0x1.16d0451dc56b3p-7,
     -0x1.5959d6a06c46fp-8, -0x1.243825fe2af77p-8, -0x1.4efb9229b7e58p-12, 0x1.64f8cf05ef98bp-11,
     0x1.552cf5be925ep-12, 0x1.3912f41064d08p-14, 0x1.60f127f916013p-17, 0x1.054fa850a297ap-20,
     0x1.0aed7ac534ee7p-24, 0x1.7467d79fbf668p-29, 0x1.792860dbaf9efp-34, 0x1.0c3f98037370dp-39},
    {0x1.b72717c68d6e5p-22, 0x1.58310aa795e9p-7, 0x1.c4a47a6d9190ep-10, -0x1.8e5aff1a56b34p-8,
     -0x1.efd7271190014p-10, 0x1.91c7ab99879c3p-10, 0x1.b8e10d1dc83aap-11, -0x1.077cfd563b492p-15,
     -0x1.054766a6c18fdp-13, -0x1.62e263bec873fp-15, -0x1.f660723e5f63fp-18, -0x1.b7440b94c9cdap-21,
     -0x1.0044170cf3fe2p-24, -0x1.9055eef88d47fp-29, -0x1.bf119d3ec8776p-34, -0x1.5b073c4baa331p-39},
    {0x1.5622bccfe2d91p-8, 0x1.df61fb64202f7p-10, -0x1.017d39d014faap-8, -0x1.b64ba32b02ed8p-14,
     0x1.b5488de8a62b6p-10, 0x1.c2f73de72edb3p-13, -0x1.8116f9b5ef96fp-12, -0x1.dce36d7567e84p-14,
     0x1.692db69637635p-16, 0x1.2c12ea3887606p-16, 0x1.2220d0735471ap-18, 0x1.3564f0b7b469cp-21,
     0x1.a31ef8b20cf1ep-25, 0x1.7215cbbf17a65p-29, 0x1.ca70212851f36p-34, 0x1.85d67d2454ee8p-39},
    {0x1.3a2991c97aef5p-16, -0x1.02f8fae0ee1edp-9, 0x1.3551be344048dp-12, 0x1.21870473f23d9p-10,
     -0x1.6ddc590ef75bap-13, -0x1.7407d7900f39p-12, 0x1.4311d1adf2d73p-16, 0x1.170c45fc65ac8p-14,
     0x1.2cc9976304d52p-17, -0x1.4286b48952377p-18, -0x1.09a6d6f6df055p-19, -0x1.6d073b9439f99p-22,
     -0x1.2603dc404dfcap-25, -0x1.29588a0561596p-29, -0x1.9c420e05823cp-34, -0x1.825637220ce3bp-39},
    {-0x1.e297a58a1e5e8p-11, -0x1.821543e4d44dp-13, 0x1.3781d5827a7eep-11, -0x1.b39ac858cd168p-13,
     -0x1.d3d21511c3d2p-13, 0x1.694b160b4b50cp-14, 0x1.b53482483a8b6p-15, -0x1.c27e64f31e4ep-17,
     -0x1.1e649f50cc186p-17, 0x1.75515d8a20bcfp-25, 0x1.66953c788a112p-21, 0x1.68d83db3d0e51p-23,
     0x1.6a86c4619b867p-26, 0x1.b0a8818be1b3dp-30, 0x1.56f8bc35d7597p-34, 0x1.69793b8a58ef4p-39},
    {0x1.17601d17b2048p-13, 0x1.32d0258c0b4e5p-12, -0x1.f122450d56016p-14, -0x1.067a80edad739p-13,
     0x1.58fb78baf6d22p-14, 0x1.b28541ab261eap-16, -0x1.7a5b3919be49fp-16, -0x1.0e12d92c70bf5p-18,
     0x1.8c8ef631b69e4p-19, 0x1.7455ed1abbdb4p-21, -0x1.0bac3d4bc137ap-23, -0x1.18738f175c081p-24,
     -0x1.6fd4ebd22144fp-27, -0x1.08ca72c0163afp-30, -0x1.dca6e7af7ab0dp-35, -0x1.1ab6a2d1ae2cap-39},
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
    q = polynomial(a, -0x1.45f306dc9c887p-1, -0x1.2a7d499cbcebep0, -0x1.ff6be4adb86cp-1,
                   -0x1.0332166d63d3cp-1, -0x1.48e9aa9911661p-3, -0x1.fd1fe25fdf028p-6, -0x1.a68dcfd16dd14p-9,
                   -0x1.eeed7e573832p-14) /
        polynomial(a, 1.0, 0x1.ab89eb248ac8fp0, 0x1.5457828509633p0, 0x1.431e4240ea0f5p-1,
                   0x1.817b56e4bb702p-3, 0x1.19011135d2888p-5, 0x1.b7b08308a7cc7p-9, 0x1.ef0419b62b187p-14);
  } else {
    q = polynomial(a, -0x1.45f2fep-1f, -0x1.a4f94ap-4f, 0x1.39bf48p-6f, 0x1.5cd07p-13f, -0x1.b67756p-10f,
                   0x1.4d5044p-11f, -0x1.f0b26ep-14f, 0x1.3967f2p-17f);
  }
  // The logarithm is high + low: its rounding does not count where erf a is about as large.
  const V factor = number<V>(-0x1.20dd76p0f, -0x1.20dd750429b6dp0);
  const V high = a * factor, low = muladd(z, q, muladd(a, factor, -high));
  const V t = muladd(high + low, log2e<V>(), round_magic<V>());
  const V u = muladd(t - round_magic<V>(), number<V>(-0x1.62e43p-1f, -0x1.62e42fefa39efp-1), high);
  const V r = u + low, r2 = r * r, m = u + muladd(r2, expm1_factor(r, r2), low);
  const V power = bits_as<V>((bits(t) << int_of<V>(significand_bits<V>)) + bits(V(1)));
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
