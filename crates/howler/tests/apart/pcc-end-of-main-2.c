/* pcc: the same, behind a call. */
unsigned table[8] = {3, 1, 4, 1, 5, 9, 2, 6};

static unsigned largest(const unsigned *from, int n) {
    unsigned most = 0;
    for (int i = 0; i < n; i++)
        if (from[i] > most)
            most = from[i];
    return most;
}

volatile unsigned seen;

int main(void) {
    seen = largest(table, 8);
    if (seen == 9)
        seen++;
}
