struct s { int a; struct { int b; union { int c; float d; }; }; int e[3]; } g, *gp; enum k { K0, K1 = 7 }; typedef int row[4]; int fi(int), n0; extern int table[];

int discarded(int n) { return _Generic(n, int: n, default: ({ struct t { int x; } y = { 1 }; y.x; })) + _Generic((char)n, char: 1, long: sizeof(struct u { int q; })) + __builtin_choose_expr(0, ({ l: n; }), 2) + sizeof({ int z = n; z; }); }

int types_inside(int n) { return sizeof(struct in1 { int x; }) + ((struct in2 { int y; }){ n }).y + (int)(enum in3 { I3 = 4 })n + I3 + __alignof__(struct in4 { long l; }); }

int lengths(int n, int m) { int v[n][m + 1], (*p)[m + 1] = v; typedef int tv[n]; tv *q = (tv *)v; __typeof__(v[0]) w; n++; return sizeof v + sizeof *p + sizeof(int[n]) + sizeof(tv) + (*q)[1] + sizeof w + sizeof(int (*)[m]); }

struct late; union both { struct late *p; int i; }; struct late { union both b; struct late *next[2]; row r; const row cr; volatile int v; } lates[2] = { { { 0 }, { &lates[1] }, { 1, 2 } }, { .b.i = 3, .r[2] = 4, .next = { [1] = lates } } };

static struct s anon = { 1, { 2, { 3 } }, { 4 } }, anon2 = { .c = 5, .e = { [1] = 6 }, .a = 7 }, anon3[] = { [2].d = 1.5f, [0 ... 1] = { .b = 3 } };

int member_use(struct s x) { gp->c = x.b; gp->e[x.a] += x.d; return (&x)->c + (*gp).b + (x.a ? *gp : x).e[1] + (g = x).a + (fi(1), x).b; }

int *pick(int n, int *a, const int *b, void *v) { return n ? a : v ? (int *)b : n > 2 ? 0 : &*a + 1 - !a; }

long mixed(char c, unsigned char uc, short h, float f, _Bool b, enum k e, long long ll) { return c * uc - h / (f + 1) + b % 2 + (e == K1) + (ll << c) + -uc + ~b + !f + (c ? ll : uc) + (b += 3) + (c++ - --h) + (f, ll); }

void statements(int n) { if (n) if (n > 1) ; else n--; for (struct s p = { 0, 1 }, *pp = &p; p.a < n; p.a++, pp->b--) for (;;) { if (n) break; else continue; } do if (n) while (n--) ; else do ; while (0); while (n); switch (n) { default: case 1: for (;;) case 2: if (0) case 3 ... 9: break; } lab: __attribute__((unused)); { lab2: ; } goto lab; }

int (*fp1)(int) = fi, (*const fp2[2])(int) = { fi, &fi }, (*(*fp3)(int (*)(int), int))(int); int call_them(int n) { return fp1(n) + (*fp2[0])(n) + fp3(fi, n)(2) + (n ? fi : fp1)(3) + (**fi)(4); }

extern int ext[]; int use_ext(void) { extern int ext[5]; { extern int ext[]; return sizeof ext / sizeof *ext + ext[1]; } } static int tent[]; static int tent[3]; int after = sizeof tent; int proto(int a[static 3], int b[const], int c[*], int (*d)(void), int e(int), row f, const row g);

int strings(void) { const char a[] = "x\0y", b[4] = "abcd", *c = "a" "\x1" "2\n\"\\?"; unsigned short d[] = u"\u00e9", *e = u"z" "w"; return sizeof "abc" + "abc"[n0] + *L"w" + a[1] + b[2] + *c + d[0] + *e + sizeof u8"\u00e9" + '\'' + L'\xffff' + 'ab' + sizeof __func__; }

_Complex float cf = 1.0f + 2.0if, *cfp = &cf; double parts(_Complex double z) { __imag__ z += 2; z *= cf; z = z ? ~z : 1.0i; return __real__ z + __imag__ cf + (double)z + (z == cf) + !z + (_Bool)z + sizeof(_Complex char); }

int volatile *volatile vp; void qualifiers(const volatile int *restrict p, int *const *q) { *vp = **q + *p; vp++; const struct s k = g; int x = k.e[1] + (const int)k.a; _Atomic int at = 3; at += x; at++; struct { const int a[2]; int b; } w = { { 1, 2 }, 3 }; w.b = w.a[1]; }

typedef struct { int bits : 3; unsigned ub : 7, : 0, last : 1; _Bool flag : 1; enum k ek : 4; long long big : 50; } bf; long bit_use(bf *p) { p->bits = 5; p->ub++; p->flag |= 4; p->big <<= 3; return p->bits + p->ub - p->last * p->ek + (p->big >> 2) + -p->ub + (p->bits = 9) + (n0 ? p->ub : p->big) + sizeof(p->ub + 0); }

typedef char v8 __attribute__((vector_size(8))); typedef double v2d __attribute__((vector_size(16))); typedef long v2l __attribute__((vector_size(16))); v2l lanes(v8 a, v2d b, int n) { a[n] ^= a[0]; a = -a + 'x'; b = b * 2.0 / b; v2l m = b < b; m = n ? m : (v2l)b; return ~m & (m == m) | __builtin_shuffle(m, m) << 2; }

typedef int al4 __attribute__((aligned(4))), al1 __attribute__((aligned(1))); typedef al1 *pal; struct al { char c; al1 i; al4 j __attribute__((packed)); } __attribute__((aligned(8))); al1 ag; int use_al(pal p, struct al *q) { return *p + q->i + q->j + _Alignof(al1) + __alignof__(q->i) + sizeof(struct al) + ag; }

inline int inl(int n) { return n; } extern inline int inl(int); static inline void sinl(void) { extern int n0; n0++; } __attribute__((const)) int cst(int), cst2(int) __attribute__((pure, nonnull)); void __attribute__((constructor)) ctor(void) {} int weak __attribute__((weak)) = 3;
