/* SPDX-License-Identifier: MIT */
#include "client/session/command_options.h"

#include "protocol/text/text.h"

void option_table_keys(struct option_table *table, enum verb verb, uint64_t without)
{
    for (unsigned i = 0; i < KEYS_TAKEN && table->count < OPTION_ROWS_MAX; i++) {
        const struct key_row *key = key_row(i);
        if (verb == VERB_COUNT || (key->taken & VERB_BIT(verb)) == 0 || (without & KEY_BIT(i)) != 0)
            continue;
        const bool flag = key->type == VALUE_FLAG || key->type == VALUE_COUNTED || key->type == VALUE_WANTED;
        const char *value = flag ? NULL : key_value_name(key);
        table->rows[table->count++] =
            (struct option_row){key->word, key->letter, value, key_help(key, verb), key};
    }
}

void options_help(const struct option_table *table, FILE *out)
{
    for (unsigned i = 0; i < table->count; i++) {
        const struct option_row *row = &table->rows[i];
        struct text help = {0};
        text_add(&help, row->help);
        if (row->key != NULL && row->key->type == VALUE_WORD) {
            text_add(&help, ": ");
            key_words(row->key, ", ", &help);
        }
        option_help(row, text_string(&help), out);
        text_free(&help);
    }
}
