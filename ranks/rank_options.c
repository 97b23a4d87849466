/* SPDX-License-Identifier: MIT */
#include "rank_options.h"

#include "base/team.h"
#include "explore/explore.h"
#include "protocol/request.h"
#include "protocol/text/quantity.h"
#include "version.h"

#include <string.h>

static const struct option_row rank_rows[] = {
    {"depth", 0, "D", "the last level wanted; all of them when it is not given", NULL},
    {"request", 0, "LINE", NULL, NULL}, /* the daemon's own */
    {"threads", 0, "T", "threads of each rank; the processors that it may use", NULL},
    {"memory", 0, "SIZE",
     "memory of each rank, for example 60G; three quarters of its share of the machine's", NULL},
    {"report", 0, "FILE", "write levels, examples and the deepest boards to FILE, on the machine of rank 0",
     NULL},
    {"scratch", 0, "DIR",
     "keep whole sliding and permutation puzzles on disk, in a folder of DIR for each rank", NULL},
    {"engine", 0, "NAME", "dense, ranked or striped; the one that suits the puzzle when it is not given",
     NULL},
    {"plugins", 0, "DIR", "where puzzles of your own are, on every machine", NULL},
    {"define", 0, "FILE", "a puzzle that is a text, NAME.tws or NAME.psvn, on the machine of rank 0", NULL},
    {"seed", 0, "N", "another choice of examples", NULL},
    {"stats", 0, NULL, "print what was sent, and how long the ranks waited", NULL},
    {"daemon", 0, NULL, "write what a daemon that started the ranks reads", NULL},
    {0},
};

const struct program rank_program = {
    .name = "puzzled-ranks",
    .version = PUZZLED_VERSION,
    .usage = "mpiexec -n RANKS puzzled-ranks explore PUZZLE [KEY=VALUE]… [OPTION]…",
    .about = "Explores a puzzle on all ranks together and prints how many states each level has.\n",
    .options = rank_rows,
    .more = "PUZZLE and KEY=VALUE are those of \"puzzlectl explore\": 4x4, klotski:横刀立马, goal=BOARD, "
            "root=BOARD.\n",
    .rest = OPTION_REST_READ,
};

static enum pz_status read_engine(const char *word, enum engine *out, struct pz_error *error)
{
    for (enum engine engine = ENGINE_AUTO; engine <= ENGINE_RANKED; engine++) {
        if (strcmp(word, explore_engine_name(engine)) == 0) {
            *out = engine;
            return PZ_OK;
        }
    }
    return pz_fail(error, PZ_BAD_REQUEST, "--engine %.40s is not auto, striped, dense or ranked", word);
}

/* Reads the values of options. */
static enum pz_status rank_read_values(const struct arguments *given, struct options *options,
                                       struct pz_error *error)
{
    const char *threads = arguments_option(given, "threads");
    const char *memory = arguments_option(given, "memory");
    const char *seed = arguments_option(given, "seed");
    const char *engine = arguments_option(given, "engine");
    uint64_t number = 0;
    enum pz_status status = PZ_OK;
    options->report = arguments_option(given, "report");
    options->plugins = arguments_option(given, "plugins");
    options->define = arguments_option(given, "define");
    options->scratch = arguments_option(given, "scratch");
    options->stats = arguments_option(given, "stats") != NULL;
    options->daemon = arguments_option(given, "daemon") != NULL;
    if (threads != NULL)
        status = quantity_count(threads, 1, TEAM_MAX, &number, error);
    options->threads = (unsigned)number;
    if (status == PZ_OK && memory != NULL)
        status = quantity_bytes(memory, &options->memory, error);
    if (status == PZ_OK && seed != NULL)
        status = quantity_count(seed, 0, UINT64_MAX, &options->seed, error);
    if (status == PZ_OK && engine != NULL)
        status = read_engine(engine, &options->engine, error);
    return status;
}

/* Writes the request: as it is, or made of the words behind the verb, and the pairs. */
static enum pz_status rank_write_request(const struct arguments *given, struct text *text,
                                         struct pz_error *error)
{
    const char *line = arguments_option(given, "request"), *depth = arguments_option(given, "depth");
    if (line == NULL && given->word_count < 2)
        return pz_fail(error, PZ_BAD_REQUEST, "no puzzle given: write \"puzzled-ranks explore 4x4\"");
    if (line != NULL)
        text_add(text, line);
    else
        compose_begin(text, "EXPLORE");
    for (size_t i = 1; i < given->word_count && line == NULL; i++)
        compose_word(text, given->words[i]);
    for (size_t i = 0; i < given->pair_count && line == NULL; i++)
        text_key(text, given->pairs[i].key, given->pairs[i].value);
    if (line == NULL && depth != NULL)
        text_key(text, "depth", depth);
    if (text->failed)
        return pz_fail(error, PZ_MEMORY, "no memory for the request");
    if (text->length > PROTOCOL_LINE_MAX)
        return pz_fail(error, PZ_BAD_REQUEST, "the request has %zu bytes, at most %d are allowed",
                       text->length, PROTOCOL_LINE_MAX);
    return PZ_OK;
}

/* The verb is explore, or clear, which is the daemon's own. */
static enum pz_status read_verb(const struct arguments *given, struct options *options,
                                struct pz_error *error)
{
    const char *verb = given->word_count > 0 ? given->words[0] : "explore";
    options->clear = strcmp(verb, "clear") == 0;
    if (!options->clear && strcmp(verb, "explore") != 0)
        return pz_fail(error, PZ_BAD_REQUEST, "unknown command '%s': write \"explore PUZZLE\"", verb);
    if (options->clear && (options->scratch == NULL || options->seed == 0))
        return pz_fail(error, PZ_BAD_REQUEST, "clear needs --scratch and --seed");
    return PZ_OK;
}

enum pz_status options_read(int count, char **words, struct options *options, struct program_line *line,
                            struct pz_error *error)
{
    const struct arguments *given = &line->arguments;
    struct text request = {0};
    *options = (struct options){.engine = ENGINE_AUTO};
    if (!program_read(&rank_program, count, words, line, error))
        return PZ_BAD_REQUEST;
    if (arguments_option(given, "help") != NULL || arguments_option(given, "version") != NULL)
        return PZ_OK;
    enum pz_status status = rank_read_values(given, options, error);
    if (status == PZ_OK)
        status = read_verb(given, options, error);
    if (status == PZ_OK && !options->clear)
        status = rank_write_request(given, &request, error);
    (void)snprintf(options->request, sizeof options->request, "%s", text_string(&request));
    text_free(&request);
    return status;
}
