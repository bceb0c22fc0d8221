struct in { int a, b[3]; struct { char c; short d; } e; } one = { 1, { 2, 3 }, { 4, 5 } }, two = { .b[1] = 7, 8, .e.d = 9, .a = 1 }, many[2] = { 1, 2, 3, 4, 5, 6, 7 };

int matrix[2][3] = { { 1, 2, 3 }, { 4 } }, flat[2][3] = { 1, 2, 3, 4 }, open[] = { [3] = 1, 2, [1] = 5 }, range[10] = { [2 ... 5] = 3, 4 };

char text[] = "hello", braced[8] = { "hi" }, exact[2] = "ab", list[] = { 'a', 'b' }, *names[] = { "x", "yy", 0 }, table[2][4] = { "one", "two" };

union u { int i; float f; char c[4]; } u1 = { 3 }, u2 = { .f = 1.5f }, u3[2] = { { .c = "abc" }, 7 };

struct flex { int n; int tail[]; } flexible = { 2, { 1, 2 } }; struct empty {} nothing = {}; int zero[0]; int scalar = { 3 };

struct outer { struct in s; int k; }; int f(struct in x) { struct outer o = { x, 3 }, p = { .s = x, .s.a = 4 }, q = o; int n = x.a, v[3] = { n, n + 1 }; return o.k + p.k + q.k + v[0]; }

static int *pointers[] = { &scalar, matrix[1], &flat[1][2], (int *)0, open + 2 }; static const struct in *const ptr = &one; unsigned wide[] = U"ab"; unsigned short mid[] = u"x";
