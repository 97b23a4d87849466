/* SPDX-License-Identifier: MIT */
#include "rank_options.h"

#include "base/team.h"
#include "explore/explore.h"
#include "protocol/compose.h"
#include "protocol/text/quantity.h"

#include <getopt.h>
#include <inttypes.h>
#include <string.h>

static const char help_text[] =
    "Usage: mpiexec -n RANKS puzzled-ranks explore PUZZLE [KEY=VALUE]… [OPTION]…\n"
    "Explores a puzzle on all ranks together and prints how many states each level has.\n"
    "\n"
    "  --depth D        the last level wanted; all of them when it is not given\n"
    "  --threads T      threads of each rank; the processors that it may use\n"
    "  --memory SIZE    memory of each rank, for example 60G; three quarters of its share of the machine's\n"
    "  --report FILE    write levels, examples and the deepest boards to FILE, on the machine of rank 0\n"
    "  --scratch DIR    keep whole sliding and permutation puzzles on disk, in a folder of DIR for each "
    "rank\n"
    "  --engine NAME    dense, ranked or striped; the one that suits the puzzle when it is not given\n"
    "  --plugins DIR    where puzzles of your own are, on every machine\n"
    "  --define FILE    a puzzle that is a text, NAME.tws or NAME.psvn, on the machine of rank 0\n"
    "  --seed N         another choice of examples\n"
    "  --stats          print what was sent, and how long the ranks waited\n"
    "  --daemon         write what a daemon that started the ranks reads\n"
    "  --help           print this and leave\n"
    "  --version        print the version and leave\n"
    "\n"
    "PUZZLE and KEY=VALUE are those of \"puzzlectl explore\": 4x4, klotski:横刀立马, goal=BOARD, "
    "root=BOARD.\n";

const char *options_help(void)
{
    return help_text;
}

enum {
    DEPTH = 256,
    REQUEST,
    THREADS,
    MEMORY,
    REPORT,
    PLUGINS,
    DEFINE,
    SCRATCH,
    ENGINE,
    SEED,
    STATS,
    DAEMON,
    HELP,
    VERSION
};

static const struct option rows[] = {
    {"depth", required_argument, NULL, DEPTH},
    {"request", required_argument, NULL, REQUEST}, /* the daemon's own */
    {"threads", required_argument, NULL, THREADS},
    {"memory", required_argument, NULL, MEMORY},
    {"report", required_argument, NULL, REPORT},
    {"plugins", required_argument, NULL, PLUGINS},
    {"define", required_argument, NULL, DEFINE},
    {"scratch", required_argument, NULL, SCRATCH},
    {"engine", required_argument, NULL, ENGINE},
    {"seed", required_argument, NULL, SEED},
    {"stats", no_argument, NULL, STATS},
    {"daemon", no_argument, NULL, DAEMON},
    {"help", no_argument, NULL, HELP},
    {"version", no_argument, NULL, VERSION},
    {NULL, 0, NULL, 0},
};

static enum pz_status read_engine(const char *word, enum engine *out, struct pz_error *error)
{
    static const char *const words[] = {ENGINE_WORDS};
    for (enum engine engine = ENGINE_AUTO; engine <= ENGINE_RANKED; engine++) {
        if (strcmp(word, words[engine]) == 0) {
            *out = engine;
            return PZ_OK;
        }
    }
    return pz_fail(error, PZ_BAD_REQUEST, "--engine %.40s: auto, striped, dense or ranked would be right",
                   word);
}

/* What is asked for, before it is a request. */
struct asked {
    const char *line;  /* a request as it is; NULL for none */
    const char *depth; /* NULL: all levels */
    struct text text;  /* of the words; the caller frees it */
    unsigned words;
};

static enum pz_status read_option(int row, struct options *options, struct asked *asked,
                                  struct pz_error *error)
{
    uint64_t number = 0;
    enum pz_status status = PZ_OK;
    switch (row) {
    case DEPTH:
        asked->depth = optarg;
        return PZ_OK;
    case REQUEST:
        asked->line = optarg;
        return PZ_OK;
    case THREADS:
        status = quantity_count(optarg, 1, TEAM_MAX, &number, error);
        options->threads = (unsigned)number;
        return status;
    case MEMORY:
        return quantity_bytes(optarg, &options->memory, error);
    case SEED:
        return quantity_count(optarg, 0, UINT64_MAX, &options->seed, error);
    case REPORT:
        options->report = optarg;
        return PZ_OK;
    case PLUGINS:
        options->plugins = optarg;
        return PZ_OK;
    case DEFINE:
        options->define = optarg;
        return PZ_OK;
    case SCRATCH:
        options->scratch = optarg;
        return PZ_OK;
    case ENGINE:
        return read_engine(optarg, &options->engine, error);
    case STATS:
        options->stats = true;
        return PZ_OK;
    case DAEMON:
        options->daemon = true;
        return PZ_OK;
    case HELP:
        options->help = true;
        return PZ_OK;
    default:
        options->version = true;
        return PZ_OK;
    }
}

/* "clear" is the daemon's own. */
static enum pz_status read_verb(const char *word, struct options *options, struct pz_error *error)
{
    options->clear = strcmp(word, "clear") == 0;
    if (options->clear || strcmp(word, "explore") == 0)
        return PZ_OK;
    return pz_fail(error, PZ_BAD_REQUEST, "unknown command '%s': \"explore PUZZLE\" would be right", word);
}

/* Reads a word that is not an option: the verb, the puzzle, then key=value. */
static enum pz_status read_option_word(char *word, unsigned number, struct options *options,
                                       struct asked *asked, struct pz_error *error)
{
    char *equals = strchr(word, '=');
    if (number == 0)
        return read_verb(word, options, error);
    if (asked->words++ == 0)
        compose_begin(&asked->text, "EXPLORE");
    if (equals == NULL) {
        compose_word(&asked->text, word);
    } else {
        *equals = '\0';
        text_key(&asked->text, word, equals + 1);
    }
    return PZ_OK;
}

/* Makes the request of what was read. */
static enum pz_status make_request(struct options *options, struct asked *asked, struct pz_error *error)
{
    if (options->help || options->version)
        return PZ_OK;
    if (options->clear && (options->scratch == NULL || options->seed == 0))
        return pz_fail(error, PZ_BAD_REQUEST, "clear needs --scratch and --seed");
    if (options->clear)
        return PZ_OK;
    if (asked->line == NULL && asked->words == 0)
        return pz_fail(error, PZ_BAD_REQUEST, "no puzzle: \"puzzled-ranks explore 4x4\" would be right");
    if (asked->depth != NULL)
        text_key(&asked->text, "depth", asked->depth);
    if (asked->text.failed)
        return pz_fail(error, PZ_MEMORY, "no memory for the request");
    const char *line = asked->line != NULL ? asked->line : text_string(&asked->text);
    if (strlen(line) > PROTOCOL_LINE_MAX)
        return pz_fail(error, PZ_BAD_REQUEST, "the request has %zu bytes, at most %d are allowed",
                       strlen(line), PROTOCOL_LINE_MAX);
    (void)snprintf(options->request, sizeof options->request, "%s", line);
    return PZ_OK;
}

static enum pz_status read_option_words(int count, char **words, struct options *options, struct asked *asked,
                                        struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    for (int row = 0; status == PZ_OK && (row = getopt_long(count, words, ":", rows, NULL)) != -1;) {
        const char *word = words[optind - 1];
        if (row == ':')
            return pz_fail(error, PZ_BAD_REQUEST, "%s lacks its value", word);
        if (row == '?')
            return pz_fail(error, PZ_BAD_REQUEST, "unknown option '%s'; try puzzled-ranks --help", word);
        status = read_option(row, options, asked, error);
    }
    for (int i = optind; status == PZ_OK && i < count; i++)
        status = read_option_word(words[i], (unsigned)(i - optind), options, asked, error);
    return status == PZ_OK ? make_request(options, asked, error) : status;
}

enum pz_status options_read(int count, char **words, struct options *options, struct pz_error *error)
{
    struct asked asked = {.line = NULL};
    *options = (struct options){.engine = ENGINE_AUTO};
    opterr = 0;
    enum pz_status status = read_option_words(count, words, options, &asked, error);
    text_free(&asked.text);
    return status;
}
