extern int answer;
int main(void) { return answer != 42; }
