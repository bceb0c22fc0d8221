/* Declarations, then after the line of dashes one expression per line: its type, size and alignment are compared. */
typedef int A3[3]; typedef const A3 CA3; typedef A3 AA[2]; typedef volatile AA VAA; typedef int *PI; typedef const PI CPI;
CA3 ca3; const A3 ca3b; VAA vaa; const VAA cvaa; CPI cpi; PI const *pcpi; typedef int F(int); F *const fp; F f1; const F *cf;
const int ci; volatile const long cvl; int *restrict rp; int *const *volatile pcp; const char cc; _Atomic int ai; const _Atomic short cas;
_Atomic(int *) aip; int _Atomic *iap;
__typeof__(ci) ci2; __typeof__(ci) *pci; __typeof__(+ci) *pci3; __typeof__(ca3) ca4; __typeof__(ai) *pai; __typeof__("abc") str4; __typeof__(f1) *pf;
extern int comp[]; extern int comp[7]; extern int comp[]; int (*compf)(); extern int (*compf)(int, char *); extern int (*pcomp)[]; extern int (*pcomp)[4];
int ff(); int ff(int (*)[], char *); int ff(int (*)[5], char *); void fv(int n, int a[n], int b[static 3], const int c[const]);
enum small { S_A, S_B = 7 }; enum neg { N_A = -1, N_B }; enum big { B_A = 0x7fffffff, B_B = 0x80000000 }; enum wide { W_A = 0x100000000LL, W_B = -1 };
enum uwide { UW_A = 0xffffffffffffffffULL }; enum umax { U_A = 0xffffffffU }; enum packed1 { P_A = 1 } __attribute__((packed));
enum packed2 { P_B = 300 } __attribute__((packed)); enum packed3 { P_C = -129 } __attribute__((packed)); enum __attribute__((packed)) packed4 { P_D = 70000 };
enum small es; enum neg en; enum big eb; enum wide ew; enum uwide euw; enum umax eu; enum packed1 p1; enum packed2 p2; enum packed3 p3; enum packed4 p4;
typedef int QI __attribute__((mode(QI))); typedef unsigned HI __attribute__((mode(HI))); typedef int SI __attribute__((mode(SI))); typedef unsigned DI __attribute__((mode(DI)));
typedef float SF __attribute__((mode(SF))); typedef float DF __attribute__((mode(DF))); typedef int WD __attribute__((mode(word))); typedef unsigned BY __attribute__((mode(byte))); typedef int PT __attribute__((mode(pointer)));
typedef _Complex float SC __attribute__((mode(SC))); typedef _Complex float DC __attribute__((mode(DC)));
QI qi; HI hi; SI si; DI di; SF sf; DF df; WD wd; BY by; PT pt; SC sc; DC dc;
typedef int v4si __attribute__((vector_size(16))); typedef float __attribute__((vector_size(8))) v2sf; v4si v4; const v4si cv4; v2sf v2; int __attribute__((vector_size(8))) v2i, *pv2i; unsigned char vuc __attribute__((vector_size(16))); short __attribute__((vector_size(8))) fvs(void);
gcc: double av[2] __attribute__((vector_size(16)));
int i0[] = { 1, 2, 3 }; int i1[] = { [5] = 1 }; int i2[] = { [2] = 1, 2, [0] = 3 }; char i3[] = "abc"; char i4[] = { "abcd" }; char i5[] = { 'a', 'b' }; int i6[][2] = { 1, 2, 3 }; int i7[][2] = { { 1 }, { 2 }, 3, 4, 5 };
struct pt { int x, y; }; struct pt i8[] = { 1, 2, 3 }; struct pt i9[] = { { 1 }, 2, 3, { 4 } }; struct pt i10[] = { [3].y = 1 }; struct pt i11[] = { [1].x = 1, 2, 3, 4 }; int i12[] = { [0 ... 9] = 1, 2 }; struct in { int a; struct pt p[2]; char s[4]; }; struct in i13[] = { 1, 2, 3, 4, 5, "abc", 6 }; struct in i14[] = { [1].p[1].y = 1, "ab", 3 };
int i15[] = { [1] = 1, [1] = 2 }; short i16[][3] = { [2][1] = 5, 6, 7 }; char i17[][4] = { "a", "b", { 'c' }, 'd', 'e', 'f', 'g', 'h' }; unsigned short i18[sizeof(i17)] = { 0 }; int i19[] = { 1, }; union un { char c; int i[3]; } i20[] = { 1, 2, { .i = { 1, 2, 3 } }, 3 };
const int i21[] = { 1, 2 }; volatile A3 i22[] = { 1, 2, 3, 4 };
struct anon { char c; union { short s; struct { char d; int e[4]; }; }; struct nq { long long q; } n[3]; };
struct al1 { char c; int x __attribute__((aligned(16))); }; struct al2 { char c; int x __attribute__((packed)); }; struct __attribute__((packed)) al3 { char c; double d; short s; }; struct al4 { char c; } __attribute__((aligned(32))); struct __attribute__((packed, aligned(4))) al5 { char c; double d; };
typedef int TA __attribute__((aligned(2))); typedef char TC __attribute__((aligned(16))); struct al6 { char c; TA a; TC t; }; TA ta; TC tc; struct al7 { _Alignas(16) char c; char d; }; _Alignas(32) int ga; int gb __attribute__((aligned(2))); _Alignas(double) char gc; struct al8 { char c; long long l; double d; }; union al9 { char c[5]; short s; };
struct al1 al1; struct al2 al2; struct al3 al3; struct al4 al4; struct al5 al5; struct al6 al6; struct al7 al7; struct al8 al8; union al9 al9; struct anon anon; struct al4 al4a[3];
struct __attribute__((packed)) bf1 { int a : 3; long long b : 40; char c; }; struct bf2 { char c; int a : 9; int : 0; char d : 2; short e : 12; }; struct bf1 bf1; struct bf2 bf2;
#pragma pack(push, 2)
struct pk { char c; int i __attribute__((aligned(8))); double d; }; struct pk pk;
#pragma pack(pop)
int kr(c, f, s) char c; float f; short s[4]; { return 0; }
volatile v4si vv4; char __attribute__((vector_size(16))) vc; long long __attribute__((vector_size(16))) vll; double __attribute__((vector_size(16))) vd; short __attribute__((vector_size(8))) vs; double ad[3], *pd; double fd(void);
void *vp; const void *cvp; int *ip; const int *cip; volatile int *vip; char *cp; int (*pa3)[3]; const int (*pca3)[3]; int (*pa)[]; int (*fpv)(void); int (*fpn)(); long l; unsigned u; float fl; double d; long double ld; _Complex float cf1; char c; unsigned char uc; short s; _Bool b; unsigned long ul; long long ll; unsigned long long ull;
struct cst { const int k; int m; volatile struct pt p; int a[2]; }; struct cst cst; const struct cst ccst; volatile struct cst *pvcst; struct pt fpt(void); const struct cst fcst(void);
----
ca3
ca3b
ca3[0]
vaa
cvaa
cvaa[1]
*cvaa[1]
cpi
pcpi
*pcpi
fp
f1
cvl
rp
pcp
*pcp
**pcp
cas
aip
iap
ci2
pci
pci3
ca4
pai
str4
pf
comp
compf
pcomp
*pcomp
ff
fv
es
en
eb
ew
euw
eu
p1
p2
p3
p4
S_B
N_A
B_A
B_B
W_A
W_B
UW_A
U_A
P_A
P_B
qi
hi
si
di
sf
df
wd
by
pt
sc
dc
v4
cv4
v4[1]
cv4[1]
v2
v2[0]
v2i
pv2i
vuc
fvs()
gcc: av
gcc: av[1]
v4 == v4
v2 < v2
vuc > vuc
v4 + 1
v4 << 2
-v2
~v4
i0
i1
i2
i3
i4
i5
i6
i7
i8
i9
i10
i11
i12
i13
i14
i15
i16
i17
i18
i19
i20
i21
i21[0]
i22
i22[0][1]
al1
al1.x
al2
al2.x
al3
al3.d
al4
al4a
al5
al5.d
al6
al6.a
al6.t
al7
al7.c
al8
al8.l
al8.d
al9
ta
tc
ga
gb
gc
anon
anon.e
anon.n
bf1
bf1.c
bf2
pk
pk.d
kr
__builtin_offsetof(struct anon, e[2])
__builtin_offsetof(struct anon, n[2].q)
__builtin_offsetof(struct anon, s)
__builtin_offsetof(struct al2, x)
__builtin_offsetof(struct al6, t)
__builtin_offsetof(struct pk, d)
__builtin_offsetof(struct bf1, c)
__builtin_offsetof(struct in, p[1].y)
1 ? vp : ip
1 ? cvp : ip
1 ? cip : vip
1 ? ip : 0
1 ? ip : (void *)0
1 ? (void *)0 : cip
1 ? pa3 : pa
1 ? pa : pa3
1 ? fpv : fpn
1 ? fpn : 0
1 ? pai : pai
1 ? cp : "abc"
1 ? s : c
1 ? u : -1
1 ? l : u
1 ? ul : ll
1 ? fl : l
1 ? cf1 : d
1 ? cpi : *pcpi
1 ? es : en
1 ? es : es
1 ? p1 : p1
0 ?: ip
ip ?: vp
"abc"
L"ab"
u"ab"
U"ab"
u8"ab"
"a" L"b"
u8"a" "b"
"\0\x41\101"
'a'
'ab'
L'a'
u'a'
U'a'
1
1u
1l
1ll
1ul
2147483647
2147483648
4294967295
4294967296
0x7fffffff
0x80000000
0xffffffff
0x100000000
9223372036854775807
0x8000000000000000
0xffffffffffffffff
1.0
1.0f
1.0L
1.0i
1i
1.0fi
cst
cst.k
cst.m
cst.p.x
ccst.m
ccst.p
ccst.a
ccst.a[0]
pvcst->k
pvcst->a
fpt().x
fcst().m
fcst().k
&cst.p
&ccst.a
&ca3
&f1
*fp
*f1
**fp
f1(1)
(const int)1
(volatile struct pt){ 1, 2 }
(const int[]){ 1, 2, 3 }
(int[]){ [3] = 1 }
&(const int){ 1 }
(ci, cvl)
c++
--s
b++
c += 1.5
ip++
s << l
c + c
uc * uc
-b
+c
~uc
!ld
u + l
u + ll
ul + ll
l + ull
b + b
ip - ip
sizeof c
_Alignof(int)
ip == ip
ip && l
fl * 2
fl + 1.0
cf1 * 2
cf1 + d
__real__ cf1
__imag__ cf1
~cf1
ld + fl
__builtin_expect(c, 1)
vv4[1]
vc == vc
vll == vll
vd < vd
vs == vs
ad
ad[1]
*pd
*(char *)pd
*(double *)cp
d
ll
al8.d
pk.i
1.5 + d
(double){ 1 }
fd()
__builtin_types_compatible_p(int, enum small)
__builtin_types_compatible_p(unsigned, enum small)
__builtin_types_compatible_p(int[], int[3])
__builtin_types_compatible_p(const int, int)
__builtin_types_compatible_p(CA3, A3)
__builtin_types_compatible_p(char, signed char)
__builtin_types_compatible_p(int(int), int())
__builtin_types_compatible_p(F, int(const int))
__builtin_types_compatible_p(long, long long)
