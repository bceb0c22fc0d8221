int i, j, *p, a[10]; unsigned u; long l; double d; float f; char c, *s; struct pair { int first; unsigned second : 5; long long wide : 40; } x, *q;
int add(int, int); void nothing(void); struct pair make(void); double sqrt(double);

int arithmetic(void) { return i + j * -i / (j | 1) % 7 - +u << 2 >> (c & 3) ^ ~l & (i || j && !d); }

int compare(void) { return i < j == (u >= l) != (d > f) <= (p == a) + (p != 0) + (s == (void *)0) + (&a[3] - a > 2); }

void assign(void) { i = j = 3; i += u; j -= d; u *= f; l /= 3; c %= 5; i <<= 2; u >>= 1; l &= 7; i ^= j; i |= c; p += 2; p -= i; x = *q; x.wide += 1; q->second++; --q->first; d++; p--; }

int access(void) { return x.first + q->second + a[i] + i[a] + *p + **&p + make().first + (*q).first + s[1] + "text"[2] + (&x)->first; }

int choose(int n) { return n ? i : u ? j : n ?: 4; }

int call(int n) { int (*fp)(int, int) = add; nothing(); return add(n, 2) + fp(1, n) + (*fp)(3, 4) + (&add)(5, 6) + (int)sqrt(2.0); }

unsigned long sizes(int n) { char v[n]; return sizeof i + sizeof(int) + sizeof a + sizeof *q + sizeof(struct pair) + sizeof v + _Alignof(double) + __alignof__(x) + sizeof "abc" + sizeof(int[3]); }

int casts(void) { return (int)d + (char)i + (_Bool)l + (int)(long)p + (unsigned char)(short)u + *(int *)(void *)s + (int)1e3f + (i, j, 3); }

int constants = 0x7fffffff + 1u + 010 + 'a' + '\n' + '\377' + 1l - 2ul * 3ll / 4ull; double floats = 1.5 + .5f + 0x1p-3 + 1e10L;
int *address = &a[3]; char *string = "one" "two" "\x41\102\0end"; unsigned long offset = (unsigned long)&((struct pair *)0)->first; int *past = a + 10; void (*fptr)(void) = nothing;

int literal(void) { struct pair *t = &(struct pair){ 1, .wide = 5 }; int *v = (int[]){ 1, 2, 3 }; return t->first + v[1] + ((union { int i; float f; }){ .f = 1 }).i; }

int generic(void) { return _Generic(i, int: 1, default: 2) + _Generic(d + f, double: i, float: j) + _Generic(p, int *: 3, char *: "x"); }
