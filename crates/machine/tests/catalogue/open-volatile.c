//=== trace-open: two objects in one sum
volatile int v = 1, w = 2;
int main(void) { return v + w != 3; }
//=== trace-open: a bit-field
struct s { volatile unsigned a : 3, b : 5; };
static struct s x;
int main(void) {
    x.a = 5;
    x.b = 9;
    return x.a != 5 || x.b != 9;
}
//=== trace-open: a whole struct
struct s { int a, b; };
volatile struct s x = { 1, 2 };
int main(void) {
    struct s y = x;
    return y.a != 1 || y.b != 2;
}
//=== trace-open: wider than a word
// target: i386
volatile long long v = 5;
int main(void) {
    v = v + 1;
    return v != 6;
}
//=== trace-open: two arguments
volatile int v = 1, w = 2;
static int add(int a, int b) { return a + b; }
int main(void) { return add(v, w) != 3; }
//=== pass: one access per statement
volatile int v = 1;
int main(void) {
    int a = v;
    v = a + 1;
    a = v;
    return a != 2;
}
//=== pass: sequenced by operators
volatile int v = 1, w = 2;
int main(void) {
    int a = v && w;
    int b = (v, w);
    return a + b != 3;
}
//=== pass: in a loop
volatile unsigned char port;
int main(void) {
    for (int i = 0; i < 4; i++)
        port = (unsigned char)i;
    return port != 3;
}
