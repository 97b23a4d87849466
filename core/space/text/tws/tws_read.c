/* SPDX-License-Identifier: MIT */
#include "space/text/tws/tws_read.h"

#include <string.h>

/* ---- words ---- */

struct tws_word {
    const char *text;
    size_t length;
    unsigned line, column; /* from 1 */
};

struct tws_reader {
    const char *at, *end, *line_start;
    unsigned line;
    struct tws_word word; /* the last one */
    struct tws_file *file;
    struct pz_error *error;
};

enum { WORD_SHOWN = 40 /* bytes of a word in an error */ };

#define FAIL_AT(reader, given, format, ...)                                                                  \
    pz_fail((reader)->error, PZ_BAD_PUZZLE, "line %u, column %u: " format, (given)->line, (given)->column,   \
            __VA_ARGS__)

static int shown(const struct tws_word *word)
{
    return word->length < WORD_SHOWN ? (int)word->length : WORD_SHOWN;
}

static bool is_tws_space(char letter)
{
    return letter == ' ' || letter == '\t' || letter == '\r';
}

static bool word_is(const struct tws_word *word, const char *text)
{
    return word->length == strlen(text) && memcmp(word->text, text, word->length) == 0;
}

static void skip_line(struct tws_reader *reader)
{
    while (reader->at < reader->end && *reader->at != '\n')
        reader->at++;
}

/* Moves to the next word of the line. Returns false at its end, or where a comment begins. */
static bool tws_next_word(struct tws_reader *reader)
{
    while (reader->at < reader->end && is_tws_space(*reader->at))
        reader->at++;
    reader->word = (struct tws_word){
        .text = reader->at, .line = reader->line, .column = (unsigned)(reader->at - reader->line_start) + 1};
    while (reader->at < reader->end && !is_tws_space(*reader->at) && *reader->at != '\n')
        reader->at++;
    reader->word.length = (size_t)(reader->at - reader->word.text);
    if (reader->word.length > 0 && *reader->word.text == '#') { /* a comment */
        skip_line(reader);
        reader->word.length = 0;
    }
    return reader->word.length > 0;
}

/* Moves to the first word of the next line that has one. Returns false at the end of the text. */
static bool next_tws_line(struct tws_reader *reader)
{
    for (;;) {
        skip_line(reader);
        if (reader->at == reader->end)
            return false;
        reader->line_start = ++reader->at;
        reader->line++;
        if (tws_next_word(reader))
            return true;
    }
}

static enum pz_status end_line(struct tws_reader *reader)
{
    if (tws_next_word(reader))
        return FAIL_AT(reader, &reader->word, "unexpected '%.*s'", shown(&reader->word), reader->word.text);
    return PZ_OK;
}

/* Reads a name: letters, digits and signs, but none that divides the words of a path or a state. */
static enum pz_status read_set_name(struct tws_reader *reader, const char *what, char name[TWS_NAME_MAX])
{
    if (!tws_next_word(reader))
        return FAIL_AT(reader, &reader->word, "%s has no name", what);
    const struct tws_word *word = &reader->word;
    if (word->length >= TWS_NAME_MAX)
        return FAIL_AT(reader, word, "the name '%.*s...' has %zu bytes, at most %d are taken", shown(word),
                       word->text, word->length, TWS_NAME_MAX - 1);
    for (size_t i = 0; i < word->length; i++)
        if (word->text[i] <= ' ' || word->text[i] > '~' || strchr(",;/=:\"", word->text[i]) != NULL)
            return FAIL_AT(reader, word, "the name '%.*s' has a letter that names cannot have", shown(word),
                           word->text);
    memcpy(name, word->text, word->length);
    name[word->length] = '\0';
    return PZ_OK;
}

/* Reads a number from 0 to most in the current word. '?' is TWS_ANY where that is allowed. */
static enum pz_status word_number(const struct tws_reader *reader, bool any, uint32_t least, uint32_t most,
                                  uint32_t *number)
{
    const struct tws_word *word = &reader->word;
    *number = TWS_ANY;
    if (any && word_is(word, "?"))
        return PZ_OK;
    uint64_t value = 0;
    bool sound = word->length <= 9;
    for (size_t i = 0; i < word->length && sound; i++) {
        sound = word->text[i] >= '0' && word->text[i] <= '9';
        value = value * 10 + (uint64_t)(word->text[i] - '0');
    }
    if (!sound || value < least || value > most)
        return FAIL_AT(reader, word, "'%.*s' is no number from %u to %u", shown(word), word->text, least,
                       most);
    *number = (uint32_t)value;
    return PZ_OK;
}

static enum pz_status next_number(struct tws_reader *reader, bool any, uint32_t least, uint32_t most,
                                  uint32_t *number)
{
    if (!tws_next_word(reader))
        return FAIL_AT(reader, &reader->word, "a number is missing%s", "");
    return word_number(reader, any, least, most, number);
}

/* ---- sets ---- */

static enum pz_status read_set(struct tws_reader *reader)
{
    struct tws_file *file = reader->file;
    struct tws_set *set = &file->set[file->sets];
    uint32_t places = 0, turns = 0;
    if (file->sets == TWIST_SETS_MAX)
        return FAIL_AT(reader, &reader->word, "more than %d sets", TWIST_SETS_MAX);
    if (file->moves > 0)
        return FAIL_AT(reader, &reader->word, "sets come before the moves%s", "");
    enum pz_status status = read_set_name(reader, "a set", set->name);
    for (unsigned i = 0; status == PZ_OK && i < file->sets; i++)
        if (strcmp(file->set[i].name, set->name) == 0)
            return FAIL_AT(reader, &reader->word, "there is a set %s already", set->name);
    if (status == PZ_OK)
        status = next_number(reader, false, 1, TWIST_PLACES_MAX, &places);
    if (status == PZ_OK && file->places + places > TWIST_PLACES_MAX)
        return FAIL_AT(reader, &reader->word, "%u pieces with those before, at most %d are taken",
                       file->places + places, TWIST_PLACES_MAX);
    if (status == PZ_OK)
        status = next_number(reader, false, 1, TWIST_TURNS_MAX, &turns);
    if (status != PZ_OK)
        return status;
    set->first = file->places;
    set->places = places;
    set->turns = turns;
    for (unsigned i = 0; i < places; i++) { /* unless Solved says something else */
        file->piece[file->places + i] = i + 1;
        file->turn[file->places + i] = 0;
    }
    file->places += places;
    file->sets++;
    return end_line(reader);
}

/* ---- Solved and Move: lines of numbers for sets ---- */

static const struct tws_set *find_set(const struct tws_file *file, const struct tws_word *word)
{
    for (unsigned i = 0; i < file->sets; i++)
        if (word_is(word, file->set[i].name))
            return &file->set[i];
    return NULL;
}

/* A section while it is read. */
struct tws_section {
    const char *name;
    bool any;                 /* '?' is taken */
    uint32_t pieces;          /* the greatest number of a piece; 0: the set's places */
    uint32_t *first, *second; /* both lines, by place */
    bool seen[TWIST_SETS_MAX];
    struct tws_word word; /* that began it */
};

/* Reads a line of numbers that begins with the current word. */
static enum pz_status tws_read_numbers(struct tws_reader *reader, const struct tws_set *set, bool any,
                                       uint32_t least, uint32_t most, uint32_t *numbers)
{
    enum pz_status status = word_number(reader, any, least, most, &numbers[set->first]);
    for (unsigned i = 1; status == PZ_OK && i < set->places; i++)
        status = next_number(reader, any, least, most, &numbers[set->first + i]);
    return status == PZ_OK ? end_line(reader) : status;
}

static bool begins_number(const struct tws_word *word)
{
    return *word->text == '?' || (*word->text >= '0' && *word->text <= '9');
}

/* Reads the lines of one set behind its name. Afterwards the current word begins the next line. */
static enum pz_status read_set_lines(struct tws_reader *reader, struct tws_section *section,
                                     const struct tws_set *set)
{
    const uint32_t most = section->pieces > 0 ? section->pieces : set->places;
    enum pz_status status = end_line(reader);
    if (status != PZ_OK)
        return status;
    if (!next_tws_line(reader))
        return FAIL_AT(reader, &section->word, "%s has no End", section->name);
    status = tws_read_numbers(reader, set, section->any, 1, most, section->first);
    if (status != PZ_OK)
        return status;
    if (!next_tws_line(reader))
        return FAIL_AT(reader, &section->word, "%s has no End", section->name);
    if (!begins_number(&reader->word))
        return PZ_OK;
    status = tws_read_numbers(reader, set, section->any, 0, set->turns - 1, section->second);
    if (status == PZ_OK && !next_tws_line(reader))
        return FAIL_AT(reader, &section->word, "%s has no End", section->name);
    return status;
}

static enum pz_status read_section(struct tws_reader *reader, struct tws_section *section)
{
    const struct tws_file *file = reader->file;
    bool more = next_tws_line(reader);
    while (more && !word_is(&reader->word, "End")) {
        const struct tws_set *set = find_set(file, &reader->word);
        if (set == NULL)
            return FAIL_AT(reader, &reader->word, "'%.*s' is no set, and not End", shown(&reader->word),
                           reader->word.text);
        if (section->seen[set - file->set])
            return FAIL_AT(reader, &reader->word, "%s stands twice in %s", set->name, section->name);
        section->seen[set - file->set] = true;
        enum pz_status status = read_set_lines(reader, section, set);
        if (status != PZ_OK)
            return status;
    }
    return more ? end_line(reader) : FAIL_AT(reader, &section->word, "%s has no End", section->name);
}

static enum pz_status read_solved(struct tws_reader *reader)
{
    struct tws_section section = {.name = "Solved",
                                  .any = true,
                                  .pieces = TWS_NUMBER_MAX,
                                  .first = reader->file->piece,
                                  .second = reader->file->turn,
                                  .word = reader->word};
    enum pz_status status = end_line(reader);
    return status == PZ_OK ? read_section(reader, &section) : status;
}

/* Checks that a move takes each place's piece once. */
static enum pz_status check_turn(const struct tws_reader *reader, const struct tws_section *section,
                                 const uint32_t *from)
{
    for (unsigned s = 0; s < reader->file->sets; s++) {
        const struct tws_set *set = &reader->file->set[s];
        bool taken[TWIST_PLACES_MAX + 1] = {false};
        for (unsigned i = set->first; i < set->first + set->places; i++) {
            if (taken[from[i]])
                return FAIL_AT(reader, &section->word, "move %s takes the piece of place %u of %s twice",
                               section->name, from[i], set->name);
            taken[from[i]] = true;
        }
    }
    return PZ_OK;
}

static enum pz_status read_move_name(struct tws_reader *reader, char name[TWS_NAME_MAX])
{
    const struct tws_file *file = reader->file;
    const enum pz_status status = read_set_name(reader, "a move", name);
    bool taken = false;
    if (status == PZ_OK && strspn(name, "0123456789.?'") == strlen(name))
        return FAIL_AT(reader, &reader->word, "'%s' has no letter: it would look like a state", name);
    for (unsigned i = 0; status == PZ_OK && i < file->moves; i++)
        taken |= strcmp(file->move[i].name, name) == 0;
    for (unsigned i = 0; status == PZ_OK && i < file->sequences; i++)
        taken |= strcmp(file->sequence[i].name, name) == 0;
    return taken ? FAIL_AT(reader, &reader->word, "there is a move %s already", name) : status;
}

static enum pz_status read_move(struct tws_reader *reader)
{
    struct tws_file *file = reader->file;
    struct tws_listed_move *move = &file->move[file->moves];
    uint32_t from[TWIST_PLACES_MAX], turn[TWIST_PLACES_MAX] = {0};
    if (file->moves == TWS_MOVES_MAX)
        return FAIL_AT(reader, &reader->word, "more than %d moves", TWS_MOVES_MAX);
    struct tws_section section = {.name = move->name, .first = from, .second = turn, .word = reader->word};
    move->line = reader->line;
    for (unsigned s = 0; s < file->sets; s++)
        for (unsigned i = 0; i < file->set[s].places; i++)
            from[file->set[s].first + i] = i + 1;
    enum pz_status status = read_move_name(reader, move->name);
    if (status == PZ_OK)
        status = end_line(reader);
    if (status == PZ_OK)
        status = read_section(reader, &section);
    if (status == PZ_OK)
        status = check_turn(reader, &section, from);
    for (unsigned s = 0; status == PZ_OK && s < file->sets; s++) {
        for (unsigned i = file->set[s].first; i < file->set[s].first + file->set[s].places; i++) {
            move->carried.from[i] = (uint8_t)(file->set[s].first + from[i] - 1);
            move->carried.turn[i] = (uint8_t)turn[i];
        }
    }
    file->moves += status == PZ_OK;
    return status;
}

/* ---- Illegal, MoveSequence and MoveAlias: one line each ---- */

static enum pz_status add_illegal(struct tws_reader *reader, unsigned place, uint32_t piece)
{
    struct tws_file *file = reader->file;
    unsigned at = file->illegals;
    while (at > 0 && (file->illegal[at - 1].place > place ||
                      (file->illegal[at - 1].place == place && file->illegal[at - 1].piece >= piece)))
        at--;
    if (at < file->illegals && file->illegal[at].place == place && file->illegal[at].piece == piece)
        return PZ_OK;
    if (file->illegals == TWS_ILLEGAL_MAX)
        return FAIL_AT(reader, &reader->word, "more than %d pieces are illegal", TWS_ILLEGAL_MAX);
    memmove(&file->illegal[at + 1], &file->illegal[at], (file->illegals - at) * sizeof file->illegal[0]);
    file->illegal[at] = (struct tws_illegal){.place = place, .line = reader->line, .piece = piece};
    file->illegals++;
    return PZ_OK;
}

static enum pz_status read_illegal(struct tws_reader *reader)
{
    uint32_t place = 0, piece = 0;
    const struct tws_set *set = tws_next_word(reader) ? find_set(reader->file, &reader->word) : NULL;
    if (set == NULL)
        return FAIL_AT(reader, &reader->word, "'%.*s' is no set", shown(&reader->word), reader->word.text);
    enum pz_status status = next_number(reader, false, 1, set->places, &place);
    if (status == PZ_OK)
        status = next_number(reader, false, 1, TWS_NUMBER_MAX, &piece);
    while (status == PZ_OK) {
        status = add_illegal(reader, set->first + place - 1, piece);
        if (status != PZ_OK || !tws_next_word(reader))
            return status;
        status = word_number(reader, false, 1, TWS_NUMBER_MAX, &piece);
    }
    return status;
}

/* Its words are read when all moves are there. */
static enum pz_status read_sequence(struct tws_reader *reader)
{
    struct tws_file *file = reader->file;
    struct tws_sequence *sequence = &file->sequence[file->sequences];
    if (file->sequences == TWS_MOVES_MAX)
        return FAIL_AT(reader, &reader->word, "more than %d sequences and aliases", TWS_MOVES_MAX);
    enum pz_status status = read_move_name(reader, sequence->name);
    if (status != PZ_OK)
        return status;
    sequence->line = reader->line;
    if (!tws_next_word(reader))
        return FAIL_AT(reader, &reader->word, "%s is no move: it stands for none", sequence->name);
    sequence->words = reader->word.text;
    do
        sequence->length = (size_t)(reader->at - sequence->words);
    while (tws_next_word(reader));
    file->sequences++;
    return PZ_OK;
}

static enum pz_status read_alias(struct tws_reader *reader)
{
    const enum pz_status status = read_sequence(reader);
    if (status == PZ_OK)
        reader->file->sequence[reader->file->sequences - 1].alias = true;
    return status;
}

/* ---- the file ---- */

static enum pz_status read_title(struct tws_reader *reader)
{
    skip_line(reader);
    return PZ_OK;
}

static enum pz_status refuse_words(struct tws_reader *reader)
{
    return FAIL_AT(
        reader, &reader->word,
        "%.*s is not supported: only Name, Set, Solved, Move, MoveSequence, MoveAlias and Illegal are",
        shown(&reader->word), reader->word.text);
}

static const struct {
    const char *word;
    enum pz_status (*read)(struct tws_reader *reader);
} sections[] = {{"Name", read_title},
                {"Set", read_set},
                {"Solved", read_solved},
                {"Move", read_move},
                {"MoveSequence", read_sequence},
                {"MoveAlias", read_alias},
                {"Illegal", read_illegal}};

static enum pz_status read_any(struct tws_reader *reader)
{
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (word_is(&reader->word, sections[i].word))
            return sections[i].read(reader);
    return refuse_words(reader);
}

enum pz_status tws_read(const char *text, size_t length, struct tws_file *file, struct pz_error *error)
{
    struct tws_reader reader = {
        .at = text, .end = text + length, .line_start = text, .line = 1, .file = file, .error = error};
    enum pz_status status = PZ_OK;
    memset(file, 0, sizeof *file);
    bool more = tws_next_word(&reader);
    if (!more)
        more = next_tws_line(&reader);
    while (more && status == PZ_OK) {
        status = read_any(&reader);
        more = status == PZ_OK && next_tws_line(&reader);
    }
    if (status == PZ_OK && (file->sets == 0 || file->moves == 0))
        return pz_fail(error, PZ_BAD_PUZZLE, "line %u, column 1: the text ends without %s", reader.line,
                       file->sets == 0 ? "a set" : "a move");
    return status;
}
