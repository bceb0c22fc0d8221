// What may initialise an object of static storage duration. The lines before the empty one are declarations. A
// line marked `no` is refused by gcc 12 and by Howler, `gcc` is taken by gcc only, `howler` by Howler only (it does not compute the function to see that it would fail).
int x, y; extern int ex; extern int wx __attribute__((weak)); int arr[10]; void fn(void);
const int ci = 3; static const int sci = 4; const int ca[2] = {1, 2}; const struct { int a, b; } cs = {1, 2};
const volatile int cv = 1; const double cd = 1.5; extern const int eci; int *const cp = &x;
double atan(double), nan(const char *), sqrt(double); int abs(int); unsigned long strlen(const char *);
int myabs(int); char *strchr(const char *, int);
unsigned su; volatile int sv; int *sp; long sl; double sd; char sc; int sg(void);

long t1 = (long)&x & 3;
long t2 = (long)&x + 3;
long t3 = (long)&x * 2; // no
int t4 = (int)(long)&x; // no
int t5 = &x == &y;
int t6 = &x != &y;
int t7 = &x < &y; // no
int t8 = &arr[1] < &arr[2];
int t9 = &x >= 0;
int t10 = &x < 0;
int t11 = &x + 1 != 0;
int t12 = &wx != 0; // no
int t13 = !&wx; // no
int t14 = &wx ? 1 : 2; // no
int t15 = &ex == 0;
int t16 = ci;
int t17 = sci + 1;
int t18 = ca[1];
int t19 = cs.b;
int t20 = cv; // no
double t21 = cd * 2;
int t22 = eci; // no
int *t23 = cp;
long t24 = &x - &y; // no
long t25 = &arr[3] - &arr[1];
long t26 = &"ab"[1] - &"ab"[0];
long t27 = &"ab"[1] - &"ac"[0]; // no
char t28 = "the"[1];
char t29 = *"the"; // no
int t30 = 1e30;
unsigned t31 = -1.0;
int t32 = __builtin_nan("");
double t33 = 4*atan(1.0);
double t34 = nan("");
double t35 = sqrt(2.0);
int t36 = abs(-3);
unsigned long t37 = strlen("abc");
int t38 = myabs(-3); // no
char *t39 = strchr("abc", 'b');
int t40 = __builtin_isinf(__builtin_inf()) ? 1 : 2;
int t41 = __builtin_popcount(7);
int t42 = __builtin_constant_p(3) ? 3 : x;
int t43 = 0 ? x : 3;
int t44 = 1 || x;
int t45 = x || 1;
int t46 = x * 0;
int t47 = (int){3};
int *t48 = &(int){3};
int t49 = ((struct {int a;}){4}).a; // no
int t50 = (1, 2); // no
long t51 = (long)(char*)&arr[2] - (long)(char*)&arr[1];
unsigned char t52 = (unsigned long)&x; // no
_Bool t53 = &x;
_Bool t54 = (long)&x; // no
double t55 = (long)&x; // no
int t56 = (&x, 3); // no
int t57 = 5 / 0; // no
int t58 = 1 << 40;
int t59 = 2147483647 + 1;
void (*t60)(void) = &x ? fn : 0;
int t61 = fn == 0;
int t62 = __builtin_strlen("abc");
int t63 = __builtin_strcmp("a", "b");
int t64 = __builtin_abs(-3);
int t65 = __builtin_ffs(4);
int t66 = __builtin_expect(3, 4);
int t67 = __builtin_object_size("abc", 0); // no
int t68 = __builtin_classify_type(3);
int t69 = __builtin_add_overflow_p(1, 2, 3);
int t72 = __builtin_memcmp("a", "b", 1);
double t73 = __builtin_copysign(1, -2);
double t74 = __builtin_floor(1.5);
int t75 = __builtin_clz(0);
int t76 = __builtin_signbit(-1.0);
double t77 = __builtin_pow(2, 3);
double t78 = __builtin_fmod(5, 3);
int t79 = __builtin_isnan(1.0);
int t80 = __builtin_isless(1.0, 2.0);
int t81 = __builtin_fpclassify(0,1,2,3,4,1.0);
double t82 = __builtin_huge_val();
int t83 = __builtin_lround(1.5);
int t84 = __builtin_toascii(200);
int t85 = __builtin_isdigit('3');
double t86 = __builtin_creal(1.0+2.0i);
double t87 = __builtin_cabs(3.0+4.0i);
_Complex double t88 = __builtin_conj(3.0+4.0i);
double t89 = __real__(1.0+2.0i);
_Complex double t90 = 1.0 + 2.0i * 3.0;
int t91 = (1.0+2.0i) == (1.0+2.0i);
int t92 = (long)&x == 0;
int t93 = (unsigned long)&x > 0;
char *t94 = __builtin_strchr("abc", 'b');
long t95 = &arr[10] - arr;
int t96 = sizeof(int) + (int)3.5;
int t97 = __builtin_bswap32(3);
double t98 = 1.0/0.0;
int t99 = (int)(1.0/0.0);
int t100 = 0.0/0.0 == 0;
long t101 = -(long)&x; // no
long t102 = ~(long)&x; // no
long t103 = (long)&x << 1; // no
long t104 = 3 - (long)&x; // no
long t105 = (long)&x - (long)&y; // no
int t106 = (short)(long)&x; // no
__int128 t107 = (__int128)(long)&x; // no
unsigned __int128 t108 = (unsigned long)&x; // no
int t109 = &x && &y;
int t110 = &x || x;
int t111 = fn ? 1 : 2;
int t113 = x ?: 3; // no
int t114 = 2 ?: x;
int t115 = &x > (int*)8; // no
int t116 = __builtin_parityl(7);
long t117 = __builtin_offsetof(struct {int a; int b[3];}, b[1]);
int t118 = __func__[0];
float t119 = __builtin_nans("");
double t120 = __builtin_atan2(1,2);
double t121 = __builtin_sin(1);
double t122 = __builtin_ldexp(1, 3);
double t123 = __builtin_scalbn(1, 3);
double t124 = __builtin_nextafter(1, 3);
int t125 = __builtin_ilogb(8.0);
double t126 = __builtin_powi(2.0, 3);
double t127 = __builtin_fma(1,2,3);
int t128 = __builtin_strncmp("ab","ac",1);
void *t129 = __builtin_assume_aligned(&x, 4); // no
void *t130 = __builtin_return_address(0); // no
void *t131 = __builtin_malloc(3); // no
double t132 = __builtin_sqrt(-1.0); // howler
double t133 = __builtin_log(0.0); // howler
double t134 = __builtin_acos(2.0); // howler
long t135 = __builtin_clrsb(3);
double t136 = __builtin_round(1.5);
double t137 = __builtin_rint(1.5); // no
double t138 = __builtin_nearbyint(1.0); // no
double t139 = __builtin_lrint(1.0); // no
double t140 = __builtin_lrint(1.5); // no
int t141 = *&ci;
int t142 = cp == &x;
int t143 = *(int*)"abc"; // no
char t144 = ((char*)"abc")[1]; // no
const char t145 = "abc"[7]; // no
const int *t146 = &ca[1] + 1;
long t147 = (char *)&x - (char *)&x;
int t148 = "ab" == "ab";
int t149 = (int)__builtin_inf();
int t150 = __builtin_popcount(__builtin_popcount(255));
int t151 = (1 ?: 2) ?: x;
int t152 = __builtin_isnan(__builtin_nan("")) && 1;
int t153 = 0 && x;
char t154 = (char)300.0;
unsigned t155 = -1.0f;
float t156 = -__builtin_inff();
double t157 = 1 + __builtin_inf();
long double t158 = -__builtin_infl();
long t159 = (long)&arr[1] == (long)&arr[1];
double t160 = -__builtin_nan("") * 2;
int t161 = __builtin_strlen((char *)&x); // no
int t162 = __builtin_isalpha('a'); // no
int t163 = 3 % 0; // no
long t164 = (int *)0 - ((int *)0 + 1);
int s1 = x || 1;
int s2 = x && 0;
int s3 = x * 0;
int s4 = 0 * x;
int s5 = x & 0;
int s6 = 0 & x;
int s7 = x | -1;
int s8 = x - x;
int s9 = x ^ x;
int s10 = x == x;
int s11 = x < x;
int s12 = x % 1;
int s13 = 0 / x;
int s14 = 0 << x;
int s15 = x / x;
int s16 = sv * 0; // no
int s17 = sg() * 0; // no
int s18 = sv || 1; // no
int s19 = sg() || 1; // no
long s20 = sp - (sp + 1);
long s21 = (sp - 1) - sp;
long s22 = (sp - 2) - (sp - 1);
double s23 = sd * 0; // no
int s24 = su < 0;
int s25 = su >= 0;
int s26 = x != x;
int s27 = x <= x;
int s28 = (x + 1) * 0;
int s29 = sc * 0;
int s30 = (x || 1) ? 3 : 4;
long s31 = sp - sp;
int s32 = 0 % x;
int s33 = 0 >> x;
int s34 = -1 >> x;
int s35 = sl * 0;
int s36 = x & ~x;
int s37 = x | ~x;
int s38 = (x * 0) + 1;
int s39 = x * 0 || y; // no
int s40 = x - (x + 1);
int s41 = (x + 1) - x;
int s42 = x && 0 && y;
int s43 = sp == sp;
int s44 = x ? 1 : 1;
int s45 = !(x || 1);
int s46 = 1 || sg();
int s47 = x % -1;
int s48 = arr[x] * 0;
int s49 = *sp * 0;
int s50 = sd == sd; // no
int s51 = (x & 0) | 3;
int s52 = x || 0; // no
int s53 = x++ || 1; // no
int s54 = (x=1) * 0; // no
int s55 = su * 0u;
int s56 = sc < 1000;
int s57 = sc == 1000;
int s58 = (x & 1) == 2;
int s59 = su > 4294967295u;
int s60 = ~x & x;
int s61 = x - y * 0 - x;
int s62 = (_Bool)(x || 1);
long s63 = (x || 1) * 2L;
long s64 = (char*)sp - (char*)sp;
int s65 = (sp || 1);
int s66 = sp && 0;
int s67 = (sd || 1);
int s68 = x || (y || 1);
int s69 = (x || 1) && (y || 1);
int s70 = (x && 0) || 1;
int s71 = (x*0)*y;
int s72 = -(x * 0);
int s73 = (long)x * 0;
int s74 = (x*y) & 0;
int s75 = (x/y) * 0;
int s76 = sg() && 0; // no
