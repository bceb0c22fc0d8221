#include "answer.h"
int answer = ANSWER;
