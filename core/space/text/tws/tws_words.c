/* SPDX-License-Identifier: MIT */
/* The words of scrambles: a power of a listed move, as people write it. */
#include "space/text/tws/tws_rules.h"

#include <string.h>

/* Returns the bytes of the sign for backwards that a word begins with, as people write it; 0 for none. */
static size_t prime_length(const char *word, size_t length)
{
    static const char *const primes[] = {"'", "`", "\u2019", "\u2018", "\u2032"};
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++)
        if (length >= strlen(primes[i]) && memcmp(word, primes[i], strlen(primes[i])) == 0)
            return strlen(primes[i]);
    return 0;
}

/* Reads what follows a move's name: nothing, a number of times, a sign for backwards. */
static bool read_power(const char *word, size_t length, unsigned order, unsigned *power)
{
    unsigned times = 0;
    size_t at = 0;
    for (; at < length && at < 3 && word[at] >= '0' && word[at] <= '9'; at++)
        times = times * 10 + (unsigned)(word[at] - '0');
    if (at == 0)
        times = 1;
    const size_t back = prime_length(word + at, length - at);
    *power = back > 0 ? (order - times % order) % order : times % order;
    return at + back == length;
}

static void raise_move(const struct twist *twist, struct twist_move square, unsigned power,
                       struct twist_move *out)
{
    twist_identity(twist, out);
    for (; power > 0; power /= 2) {
        const struct twist_move before = *out, root = square;
        if (power % 2 != 0)
            twist_compose(twist, &before, &root, out);
        twist_compose(twist, &root, &root, &square);
    }
}

static bool word_of(const struct tws_rules *rules, unsigned listed, const char *word, size_t length,
                    struct twist_move *move, struct twist_move *turned)
{
    const size_t name = strlen(rules->listed[listed].name);
    unsigned power = 0;
    if (length < name || memcmp(word, rules->listed[listed].name, name) != 0 ||
        !read_power(word + name, length - name, rules->order[listed], &power))
        return false;
    raise_move(&rules->twist, rules->listed[listed].carried, power, move);
    raise_move(&rules->twist, rules->listed[listed].turned, power, turned);
    return true;
}

bool tws_rules_word(const struct tws_rules *rules, const char *word, size_t length, struct twist_move *move,
                    struct twist_move *turned)
{
    for (unsigned i = 0; i < rules->listed_moves; i++) /* U2 may be listed beside U */
        if (strlen(rules->listed[i].name) == length && word_of(rules, i, word, length, move, turned))
            return true;
    for (unsigned i = 0; i < rules->listed_moves; i++)
        if (word_of(rules, i, word, length, move, turned))
            return true;
    return false;
}
