#include "cli/suggest.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST = 32 };

static int smallest(int a, int b, int c) {
    int least = a < b ? a : b;
    return least < c ? least : c;
}

/* How many letters have to be inserted, left out, replaced or swapped with the next to turn a into
 * b. */
static int edit_distance(const char *a, size_t a_length, const char *b, size_t b_length) {
    int rows[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a_length; i++) rows[i][0] = (int)i;
    for (size_t j = 0; j <= b_length; j++) rows[0][j] = (int)j;
    for (size_t i = 1; i <= a_length; i++) {
        for (size_t j = 1; j <= b_length; j++) {
            int replaced = rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            rows[i][j] = smallest(rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
                rows[i - 2][j - 2] + 1 < rows[i][j])
                rows[i][j] = rows[i - 2][j - 2] + 1;
        }
    }
    return rows[a_length][b_length];
}

void guess_consider(struct guess *guess, const char *name) {
    size_t word_length = strlen(guess->word);
    size_t name_length = strlen(name);
    if (word_length == 0 || word_length > LONGEST || name_length > LONGEST) return;
    int distance = edit_distance(guess->word, word_length, name, name_length);
    int tolerated = (int)word_length / 3 + 1;
    if (distance > tolerated || (size_t)distance >= name_length) return;
    if (guess->name != NULL && distance >= guess->distance) return;
    guess->name = name;
    guess->distance = distance;
}
