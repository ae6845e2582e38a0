/* Guessing which name a misspelt one was meant to be. */
#ifndef ONEFOLD_CLI_SUGGEST_H
#define ONEFOLD_CLI_SUGGEST_H

/* The best guess so far: start from {word, NULL, 0}. */
struct guess {
    const char *word;
    const char *name; /* NULL while nothing is close enough */
    int distance;
};

/* Keeps `name` as the guess when it is close to the word and closer than the guess so far. */
void guess_consider(struct guess *guess, const char *name);

#endif
