typedef int v4si __attribute__((vector_size(16))); typedef float v4sf __attribute__((vector_size(16))); typedef int unaligned __attribute__((aligned(1), may_alias));
struct packed { char c; int i; } __attribute__((packed)); struct mixed { char c; int i __attribute__((packed)); long l __attribute__((aligned(32))); };

__attribute__((noinline, noclone)) static int slow(int n) { return n; }
void die(const char *, ...) __attribute__((noreturn, format(printf, 1, 2)));

v4si vectors(v4si a, v4si b) { a += b * 2; a[1] = 3; return (a > b) & ~a | (v4si){ 1, 2, 3, 4 } << 1; }

int expressions(int n) { int m = ({ int t = n; t * 2; }); __typeof__(m) k = m ?: 1; __auto_type z = k + 1; return __extension__ ({ k + z; }); }

int computed(int n) { static void *labels[] = { &&one, &&two }; goto *labels[n]; one: return 1; two: return 2; }

int ranges(int n) { switch (n) { case 1 ... 5: return 1; case 'a' ... 'z': return 2; } return ({ __label__ out; if (n) goto out; n++; out: n; }); }

int nested(int n) { int inner(int k) { return k + n; } return inner(2); }

int assembly(int n) { int r; __asm__ volatile ("" : "=r"(r) : "0"(n), [x] "r"(n + 1) : "memory", "cc"); __asm__(""); return r; } __asm__(".globl nothing");

_Complex double complex_parts(_Complex double z, _Complex int k) { __real__ z = 1; return ~z + __imag__ z * 2.0i + k; }

#pragma pack(2)
struct squeezed { char c; int i; long long l : 40; };
#pragma pack()
int builtins(int n, ...) { __builtin_va_list ap; __builtin_va_start(ap, n); int k = __builtin_va_arg(ap, int); __builtin_va_end(ap); return k + __builtin_popcount(n) + __builtin_expect(n, 1) + __builtin_offsetof(struct squeezed, i) + __builtin_constant_p(n) + __builtin_types_compatible_p(int, long) + __builtin_choose_expr(1, n, "no"); }

int here(void) asm("there"); register int *sp asm("rsp"); int other; extern int weak_one __attribute__((weak, alias("other")));
int names(void) { return __func__[0] + sizeof __FUNCTION__ + __PRETTY_FUNCTION__[1]; }
