/* SPDX-License-Identifier: MIT */
#include "space/text/psvn/psvn_remarks.h"

#include "space/text/psvn/psvn_model.h"

#include <stdlib.h>

static uint64_t hash_word(const struct psvn_word *word)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (uint32_t i = 0; i < word->length; i++)
        hash = (hash ^ ((uint8_t)word->text[i] | 0x20u)) * 0x100000001B3u;
    return hash;
}

/* Returns true if one letter more, less or another makes one word of the other. One letter is too few to say.
 */
static bool is_misspelt(const struct psvn_word *word, const struct psvn_word *as)
{
    const struct psvn_word *longer = word->length > as->length ? word : as;
    const struct psvn_word *shorter = longer == word ? as : word;
    uint32_t front = 0, back = 0;
    if (shorter->length < 2 || longer->length < 3 || longer->length - shorter->length > 1)
        return false;
    while (front < shorter->length && (longer->text[front] | 0x20) == (shorter->text[front] | 0x20))
        front++;
    while (back < shorter->length - front && (longer->text[longer->length - 1 - back] | 0x20) ==
                                                 (shorter->text[shorter->length - 1 - back] | 0x20))
        back++;
    return front + back + 1 >= longer->length;
}

/* Returns a value of the name's domain, or another name of the left side, that may have been meant; NULL for
 * none. */
static const struct psvn_word *find_meant(const struct psvn_domain *domains, const struct psvn_name *names,
                                          uint32_t number, uint32_t bound)
{
    const struct psvn_domain *domain = &domains[names[number].domain];
    for (uint32_t i = 0; domain->values != NULL && i < domain->size; i++)
        if (is_misspelt(&names[number].word, &domain->values[i]))
            return &domain->values[i];
    for (uint32_t i = 0; i < bound; i++)
        if (i != number && names[i].domain == names[number].domain &&
            is_misspelt(&names[number].word, &names[i].word))
            return &names[i].word;
    return NULL;
}

/* Returns true for digits alone: a number beyond its domain, rather than a name. */
static bool is_number(const struct psvn_word *word)
{
    uint32_t digits = 0;
    while (digits < word->length && word->text[digits] >= '0' && word->text[digits] <= '9')
        digits++;
    return digits == word->length;
}

void psvn_remark_on_names(struct psvn_remarks *remarks, const struct psvn_domain *domains,
                          const struct psvn_name *names, uint32_t count, uint32_t bound)
{
    for (uint32_t i = 0; i < count; i++) {
        const bool number = is_number(&names[i].word);
        if (names[i].uses > 1 && !number) {
            const uint64_t hash = hash_word(&names[i].word);
            (void)state_table_add(&remarks->known, &hash);
            continue;
        }
        const struct psvn_word *meant =
            remarks->singles < PSVN_SINGLES_MAX ? find_meant(domains, names, i, bound) : NULL;
        if (remarks->singles == PSVN_SINGLES_MAX || (i >= bound && meant == NULL && !number))
            continue;
        struct psvn_single *single = &remarks->single[remarks->singles++];
        *single = (struct psvn_single){.word = names[i].word, .left = i < bound && names[i].uses == 1};
        if (meant != NULL)
            single->meant = *meant;
    }
}

static void write_remark(const struct psvn_single *single, FILE *out)
{
    const struct psvn_word *word = &single->word;
    (void)fprintf(out, "line %u, column %u: '%.*s' is no value%s", word->line, word->column, PSVN_SHOW(word),
                  single->left ? ", and stands here only: it means any, as - does"
                               : ": it stands for each of them");
    if (single->meant.length > 0)
        (void)fprintf(out, ": is '%.*s' meant?", PSVN_SHOW(&single->meant));
}

char *psvn_remarks_text(const struct psvn_remarks *remarks)
{
    char *text = NULL;
    size_t length = 0;
    uint32_t count = 0;
    FILE *out = open_memstream(&text, &length);
    for (uint32_t i = 0; out != NULL && i < remarks->singles; i++) {
        const uint64_t hash = hash_word(&remarks->single[i].word);
        if (state_table_find(&remarks->known, &hash) != STATE_TABLE_NONE || ++count > PSVN_REMARKS_MAX)
            continue;
        (void)fputs(count > 1 ? "; " : "", out);
        write_remark(&remarks->single[i], out);
    }
    if (out != NULL && count > PSVN_REMARKS_MAX)
        (void)fprintf(out, "; and %u more", count - PSVN_REMARKS_MAX);
    if (out == NULL || fclose(out) != 0 || count == 0) {
        free(text);
        return NULL;
    }
    return text;
}
