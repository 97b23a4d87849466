/* SPDX-License-Identifier: MIT */
#include "protocol/vocabulary.h"

#include "explore/explore_words.h"
#include "protocol/limits.h"
#include "solve/solve_words.h"
#include "store/store_words.h"

#include <assert.h>
#include <string.h>
#include <strings.h>

static const struct verb_row verbs[VERB_COUNT] = {
    [VERB_EXPLORE] = {"EXPLORE", "puzzle", 1, 1, true, NULL, "explores a puzzle and keeps its table"},
    [VERB_SOLVE] = {"SOLVE", "puzzle", 1, 1, true, NULL, "finds a shortest solution"},
    [VERB_GRADE] = {"GRADE", "puzzle", 1, 1, true, NULL, "tells how hard a board is"},
    [VERB_PDB] = {"PDB", "puzzle", 1, 1, true, NULL, "builds the pattern databases of a puzzle ahead"},
    [VERB_STATUS] = {"STATUS", "id", 1, 1, false, NULL, "tells where a job stands"},
    [VERB_JOBS] = {"JOBS", "", 0, 0, false, "jobs", "lists the jobs"},
    [VERB_WAIT] = {"WAIT", "id", 1, 1, false, NULL, "answers when the job ends, or at the timeout"},
    [VERB_WATCH] = {"WATCH", "id", 1, 1, false, NULL, "sends events until the job ends"},
    [VERB_CANCEL] = {"CANCEL", "id", 1, 1, false, NULL, "ends a job"},
    [VERB_FORGET] = {"FORGET", "id", 1, 1, false, NULL, "removes a job, its results and its table"},
    [VERB_RESULT] = {"RESULT", "id", 1, 1, false, NULL, "tells what a job found"},
    [VERB_LEVELS] = {"LEVELS", "id", 1, 1, false, "levels", "lists the number of states of each level"},
    [VERB_DISTANCE] = {"DISTANCE", "puzzle start", 2, 2, true, NULL,
                       "tells how far a board is from the nearest goal"},
    [VERB_PATH] = {"PATH", "puzzle start", 2, 2, true, NULL, "tells a shortest solution from a stored table"},
    [VERB_SAMPLE] = {"SAMPLE", "puzzle", 1, 1, true, "boards",
                     "draws boards exactly so far from the goal, or from the root"},
    [VERB_DEEPEST] = {"DEEPEST", "puzzle", 1, 1, true, "boards",
                      "lists the boards that are farthest from the goal, or from the root"},
    [VERB_PARTS] = {"PARTS", "puzzle", 1, 1, true, "parts",
                    "lists the connected parts of a space, each with its hardest board"},
    [VERB_DRAW] = {"DRAW", "puzzle board", 2, 2, true, "frames",
                   "draws a board, and those on a path from it"},
    [VERB_HEURISTIC] = {"HEURISTIC", "puzzle board", 2, 2, true, "heuristics",
                        "tells what each lower bound says of a board"},
    [VERB_EXPORT] = {"EXPORT", "puzzle", 1, 1, true, "records", "lists every distance of a sliding puzzle"},
    [VERB_GRAPH] = {"GRAPH", "puzzle", 1, 1, true, "nodes",
                    "lists the states of a small space and their moves"},
    [VERB_TABLES] = {"TABLES", "", 0, 0, false, "tables", "lists the stored tables"},
    [VERB_PIN] = {"PIN", "table", 1, 1, false, NULL, "keeps a table when room is made"},
    [VERB_UNPIN] = {"UNPIN", "table", 1, 1, false, NULL, "lets a pinned table go when room is made"},
    [VERB_FSCK] = {"FSCK", "", 0, 0, false, "damaged", "checks every stored value"},
    [VERB_PUZZLES] = {"PUZZLES", "[puzzle]", 0, 1, false, "puzzles",
                      "lists the puzzles, or the named layouts of one"},
    [VERB_DEFINE] = {"DEFINE", "", 0, 0, false, NULL, "defines a puzzle by a text"},
    [VERB_UNDEFINE] = {"UNDEFINE", "name", 1, 1, false, NULL, "removes a definition"},
    [VERB_DEFINITIONS] = {"DEFINITIONS", "", 0, 0, false, "definitions", "lists the definitions"},
    [VERB_PING] = {"PING", "", 0, 0, false, NULL, "tells that the daemon is well"},
    [VERB_VERSION] = {"VERSION", "", 0, 0, false, NULL, "tells the versions of daemon and protocol"},
    [VERB_HELP] = {"HELP", "[verb]", 0, 1, false, "verbs", "lists the verbs and what they take"},
    [VERB_STATS] = {"STATS", "", 0, 0, false, NULL, "tells what the daemon is doing"},
    [VERB_METRICS] = {"METRICS", "", 0, 0, false, "lines", "tells the same for Prometheus"},
    [VERB_QUIT] = {"QUIT", "", 0, 0, false, NULL, "ends the connection"},
};

#define EXPLORE     VERB_BIT(VERB_EXPLORE)
#define SOLVE       VERB_BIT(VERB_SOLVE)
#define GRADE       VERB_BIT(VERB_GRADE)
#define PDB         VERB_BIT(VERB_PDB)
#define STATUS      VERB_BIT(VERB_STATUS)
#define JOBS        VERB_BIT(VERB_JOBS)
#define WAIT        VERB_BIT(VERB_WAIT)
#define WATCH       VERB_BIT(VERB_WATCH)
#define CANCEL      VERB_BIT(VERB_CANCEL)
#define FORGET      VERB_BIT(VERB_FORGET)
#define RESULT      VERB_BIT(VERB_RESULT)
#define LEVELS      VERB_BIT(VERB_LEVELS)
#define DISTANCE    VERB_BIT(VERB_DISTANCE)
#define PATH        VERB_BIT(VERB_PATH)
#define SAMPLE      VERB_BIT(VERB_SAMPLE)
#define DEEPEST     VERB_BIT(VERB_DEEPEST)
#define PARTS       VERB_BIT(VERB_PARTS)
#define DRAW        VERB_BIT(VERB_DRAW)
#define HEURISTIC   VERB_BIT(VERB_HEURISTIC)
#define EXPORT      VERB_BIT(VERB_EXPORT)
#define GRAPH       VERB_BIT(VERB_GRAPH)
#define TABLES      VERB_BIT(VERB_TABLES)
#define PIN         (VERB_BIT(VERB_PIN) | VERB_BIT(VERB_UNPIN))
#define FSCK        VERB_BIT(VERB_FSCK)
#define PUZZLES     VERB_BIT(VERB_PUZZLES)
#define DEFINE      VERB_BIT(VERB_DEFINE)
#define UNDEFINE    VERB_BIT(VERB_UNDEFINE)
#define DEFINITIONS VERB_BIT(VERB_DEFINITIONS)
#define PING        VERB_BIT(VERB_PING)
#define VERSION     VERB_BIT(VERB_VERSION)
#define HELP        VERB_BIT(VERB_HELP)
#define STATS       VERB_BIT(VERB_STATS)
#define METRICS     VERB_BIT(VERB_METRICS)
#define QUIT        VERB_BIT(VERB_QUIT)
#define EVENT       LINE_EVENT

#define SUBMIT (EXPLORE | SOLVE | GRADE | PDB)
#define GRADED (GRADE | RESULT)
#define SOLVED (SOLVE | GRADED) /* what a board is solved with at once says all */
#define LOOKUP (DISTANCE | PATH)
#define LISTS                                                                                                \
    (JOBS | LEVELS | SAMPLE | DEEPEST | PARTS | DRAW | GRAPH | EXPORT | HEURISTIC | TABLES | FSCK | HELP |   \
     PUZZLES | DEFINITIONS | METRICS)
#define ABOUT   (SUBMIT | STATUS | JOBS | WAIT | WATCH | CANCEL | RESULT | EVENT)
#define RUNNING (STATUS | EVENT)

static const char *const engines[] = {ENGINE_WORDS};
static const char *const keeps[] = {KEEP_WORDS};
static const char *const planes[] = {PLANES_WORDS};
static const char *const froms[] = {FROM_WORDS};
static const char *const methods[] = {METHOD_WORDS};
static const char *const states[] = {JOB_STATE_WORDS};
static const char *const formats[] = {"psvn", "tws"}; /* enum definition_format */
static const char *const answers[] = {"no", "yes", "unknown"};
_Static_assert(sizeof engines / sizeof *engines == ENGINE_COUNT, "a word for each engine");
_Static_assert(sizeof keeps / sizeof *keeps == KEEP_COUNT, "a word for each way to keep");
_Static_assert(sizeof planes / sizeof *planes == PLANES_COUNT, "a word for each kind of planes");
_Static_assert(sizeof methods / sizeof *methods == METHOD_COUNT, "a word for each method");
_Static_assert(sizeof states / sizeof *states == JOB_STATE_COUNT, "a word for each state");

#define WORDS(list, number) .type = VALUE_WORD, .words = (list), .word_count = (number)

/* clang-format off */
static const struct key_row keys[] = {
    [KEY_ROOT] = {"root", VALUE_BOARD, .taken = EXPLORE | SOLVE | GRADE | GRAPH, .carried = RESULT,
        .help = "begin here (default: the puzzle's own start, or its goal)",
        .other = SOLVE | GRADE, .other_help = "the same as start"},
    [KEY_START] = {"start", VALUE_BOARD, .taken = EXPLORE | SOLVE | GRADE | GRAPH, .carried = SOLVED,
        .help = "the board to solve (default: the puzzle's own)",
        .other = EXPLORE | GRAPH, .other_help = "the same as root"},
    [KEY_DEPTH] = {"depth", VALUE_NUMBER, 'd', .most = UINT32_MAX - 1, .taken = EXPLORE | SAMPLE | GRAPH,
        .needed = SAMPLE, .carried = RESULT | JOBS | SAMPLE | DEEPEST | PARTS | GRAPH | TABLES,
        .help = "explore so many moves from the root (default: all)",
        .other = SAMPLE, .other_help = "how many moves from the goal the boards are"},
    [KEY_COUNT] = {"count", VALUE_COUNT, 'n', .least = 1, .most = PROTOCOL_SAMPLE_MAX,
        .taken = SAMPLE | SOLVE, .carried = LISTS,
        .help = "how many boards (default 1)",
        .other = SOLVE, .other_help = "with all, how many solutions to list (default none)"},
    [KEY_SEED] = {"seed", VALUE_NUMBER, .taken = SAMPLE,
        .help = "the same seed gives the same boards"},
    [KEY_GOAL] = {"goal", VALUE_BOARD, 'g',
        .taken = EXPLORE | SOLVE | GRADE | LOOKUP | SAMPLE | DEEPEST | PARTS | DRAW | GRAPH | EXPORT | HEURISTIC,
        .carried = SOLVED | EXPORT,
        .help = "where to go (default: the puzzle's goal)"},
    [KEY_METHOD] = {"method", WORDS(methods, METHODS_TO_ASK_FOR), .taken = SOLVE, .carried = SOLVED | JOBS,
        .help = "how to search"},
    [KEY_PARTITION] = {"partition", VALUE_TEXT, .taken = SOLVE | PDB, .carried = SOLVED,
        .help = "the pattern databases: 7-8, 6-6-3, ... (default: the size's own)"},
    [KEY_MEMORY] = {"memory", VALUE_BYTES, 'm', .least = 1, .taken = SUBMIT,
        .help = "use no more memory: 512M, 6G"},
    [KEY_TIME] = {"time", VALUE_DURATION, .taken = SUBMIT,
        .help = "stop after this long: 30s, 5m, 2h"},
    [KEY_THREADS] = {"threads", VALUE_COUNT, 't', .least = 1, .most = PROTOCOL_THREADS_MAX, .taken = SUBMIT,
        .carried = SOLVED | STATS,
        .help = "search with N threads"},
    [KEY_ENGINE] = {"engine", WORDS(engines, ENGINE_COUNT), .taken = EXPLORE, .carried = EXPLORE | RESULT,
        .help = "how to explore"},
    [KEY_KEEP] = {"keep", WORDS(keeps, KEEP_COUNT), .taken = EXPLORE, .carried = RESULT,
        .help = "a table answers for every board, levels take half the memory"},
    [KEY_PLANES] = {"planes", WORDS(planes, PLANES_COUNT), .taken = EXPLORE, .carried = EXPLORE | RESULT,
        .help = "where the dense engine keeps its planes; disk, also for others: scratch space"},
    [KEY_FROM] = {"from", WORDS(froms, FROM_COUNT), .taken = EXPLORE | LOOKUP | SAMPLE | DEEPEST | PARTS,
        .carried = RESULT | LEVELS | LOOKUP | SAMPLE | DEEPEST | PARTS,
        .help = "goals: distances to the nearest goal; root: distances from the root"},
    [KEY_DISK] = {"disk", VALUE_BYTES, .least = 1, .taken = EXPLORE,
        .help = "use no more scratch space: 10G"},
    [KEY_PRIORITY] = {"priority", VALUE_NUMBER, 'p', .least = -20, .most = 19, .taken = SUBMIT,
        .carried = STATUS | JOBS,
        .help = "-20 to 19, higher runs first"},
    [KEY_ALL] = {"all", VALUE_FLAG, .taken = SOLVE,
        .help = "also tell how many shortest solutions there are"},
    [KEY_EDGES] = {"edges", VALUE_COUNTED, .taken = EXPLORE, .carried = RESULT | GRAPH,
        .help = "also count the moves: of each level, and states by their moves"},
    [KEY_PARTS] = {"parts", VALUE_COUNTED, .taken = EXPLORE, .carried = RESULT,
        .help = "also find the connected parts of a space that numbers its states"},
    [KEY_ESTIMATE] = {"estimate", VALUE_FLAG, .taken = EXPLORE,
        .help = "only say what it would take"},
    [KEY_STATE] = {"state", WORDS(states, JOB_STATE_COUNT), .taken = JOBS, .carried = ABOUT,
        .help = "only jobs in this state"},
    [KEY_AFTER] = {"after", VALUE_NUMBER, .taken = JOBS | PARTS,
        .help = "only jobs behind this one",
        .other = PARTS, .other_help = "only parts behind this one"},
    [KEY_BEFORE] = {"before", VALUE_NUMBER, .taken = JOBS,
        .help = "only jobs before this one, the latest first"},
    [KEY_LIMIT] = {"limit", VALUE_COUNT, 'n', .least = 1, .most = PROTOCOL_JOBS_MAX, .taken = JOBS | PARTS,
        .help = "at most N (default: all)"},
    [KEY_TIMEOUT] = {"timeout", VALUE_DURATION, .taken = WAIT,
        .help = "wait no longer than this: 500ms, 30s, 5m, 2h"},
    [KEY_EXAMPLES] = {"examples", VALUE_COUNT, .most = PROTOCOL_EXAMPLES_MAX, .taken = LEVELS,
        .help = "also up to N boards of each level (as with --plain)"},

    [KEY_PATH] = {"path", VALUE_TEXT, .taken = DRAW, .carried = SOLVED | PATH,
        .help = "the moves to draw"},
    [KEY_PIECES] = {"pieces", VALUE_COUNTED, .taken = DRAW, .carried = DRAW | GRADED,
        .help = "also the pieces of each board, with their places"},
    [KEY_DEAD] = {"dead", VALUE_COUNT, .least = 1, .most = PROTOCOL_SAMPLE_MAX, .taken = DEEPEST,
        .carried = GRADED,
        .help = "instead up to N boards from which no goal can be reached"},
    [KEY_TABLE] = {"table", VALUE_TEXT, .taken = TABLES, .carried = RESULT | TABLES | PIN,
        .help = "only the table of this name"},
    [KEY_HISTOGRAM] = {"histogram", VALUE_FLAG, .taken = TABLES,
        .help = "of one table, how many entries have each value"},
    [KEY_MOST] = {"most", VALUE_COUNT, .least = 1, .most = PROTOCOL_GRAPH_MAX, .taken = GRAPH,
        .help = "refuse a space of more states (default 5000)"},
    [KEY_CLUSTER] = {"cluster", VALUE_FLAG, .taken = EXPLORE,
        .help = "on the ranks of the daemon's cluster"},
    [KEY_NAME] = {"name", VALUE_TEXT, .taken = DEFINE, .needed = DEFINE,
        .carried = DEFINE | UNDEFINE | DEFINITIONS,
        .help = "the definition's name: lower-case letters, digits, - and _"},
    [KEY_FORMAT] = {"format", WORDS(formats, 2), .taken = DEFINE, .needed = DEFINE,
        .carried = DEFINE | DEFINITIONS,
        .help = "the language of the text"},
    [KEY_TEXT] = {"text", VALUE_TEXT, .taken = DEFINE, .needed = DEFINE, .carried = RESULT | FSCK,
        .help = "the text, or a part of it; %0A is a line end, %25 a percent sign"},
    [KEY_AT] = {"at", VALUE_NUMBER, .taken = DEFINE,
        .help = "the byte of the text that this part begins with (default 0)"},
    [KEY_MORE] = {"more", VALUE_FLAG, .taken = DEFINE, .carried = JOBS | DEFINE,
        .help = "more parts of the text follow in other requests"},
    [KEY_TOOL] = {"tool", VALUE_TEXT, .taken = SUBMIT,
        .help = "the tool that asks on its way: JOBS leaves the job out"},
    [KEY_TOOLS] = {"tools", VALUE_FLAG, .taken = JOBS,
        .help = "also jobs that tools submitted on their way"},

    {"job", VALUE_NUMBER, .carried = ABOUT | FORGET | LOOKUP | TABLES},
    {"kind", VALUE_TEXT, .carried = STATUS | JOBS | SOLVED | TABLES},
    {"puzzle", VALUE_TEXT, .carried = STATUS | JOBS | SOLVED | PUZZLES | DEFINE | DEFINITIONS},
    {"layout", VALUE_TEXT, .carried = STATUS | JOBS | SOLVED | PUZZLES},
    {"traditional", VALUE_TEXT, .carried = PUZZLES},
    {"single_steps", VALUE_NUMBER, .carried = PUZZLES},
    {"cached", VALUE_FLAG, .carried = SUBMIT | DEFINE},
    {"submitted_ms", VALUE_TIME, .carried = STATUS | JOBS},
    {"started_ms", VALUE_TIME, .carried = STATUS},
    {"finished_ms", VALUE_TIME, .carried = STATUS},
    {"forgotten", VALUE_FLAG, .carried = FORGET | UNDEFINE},

    {"phase", VALUE_TEXT, .carried = RUNNING},
    {"level", VALUE_NUMBER, .carried = RUNNING | LEVELS | GRAPH},
    {"frontier", VALUE_COUNT, .carried = RUNNING},
    {"states", VALUE_COUNT, .carried = EXPORT | EXPLORE | RUNNING | RESULT | JOBS | LEVELS | PARTS | TABLES},
    {"rate", VALUE_RATE, .carried = RUNNING},
    {"bytes", VALUE_BYTES, .carried = EXPLORE | RUNNING | RESULT | TABLES | FSCK | DEFINE | DEFINITIONS},
    {"done", VALUE_SHARE, .carried = RUNNING},
    {"seconds", VALUE_DURATION, .carried = RUNNING | SOLVED | JOBS},
    {"checkpoint_age", VALUE_DURATION, .carried = STATUS},
    {"submitter", VALUE_TEXT, .carried = STATUS | JOBS | DEFINITIONS},
    {"request", VALUE_TEXT, .carried = STATUS | JOBS},
    {"seq", VALUE_NUMBER, .carried = EVENT},
    {"n", VALUE_COUNT, .carried = LINE_LOST},

    {"levels_only_bytes", VALUE_BYTES, .carried = EXPLORE},
    {"table_bytes", VALUE_BYTES, .carried = EXPLORE | LOOKUP | SAMPLE | DEEPEST},
    {"needs_bytes", VALUE_BYTES, .carried = LOOKUP | SAMPLE | DEEPEST},
    {"passes", VALUE_COUNT, .carried = EXPLORE},
    {"bytes_moved", VALUE_BYTES, .carried = EXPLORE},
    {"coded_bytes", VALUE_BYTES, .carried = EXPLORE},
    {"disk_memory_bytes", VALUE_BYTES, .carried = EXPLORE},
    {"disk_least_memory_bytes", VALUE_BYTES, .carried = EXPLORE},
    {"disk_most_bytes", VALUE_BYTES, .carried = EXPLORE},

    {"solvable", WORDS(answers, 3), .carried = JOBS | SOLVED | LOOKUP},
    {"moves", VALUE_NUMBER, .carried = JOBS | SOLVED | LOOKUP | PUZZLES},
    {"cost", VALUE_NUMBER, .carried = SOLVED},
    {"solutions", VALUE_COUNT, .carried = SOLVED},
    {"overflow", VALUE_FLAG, .carried = SOLVED},
    {"paths", VALUE_TEXT, .carried = SOLVED},
    {"to", VALUE_TEXT, .carried = RESULT | LEVELS | LOOKUP | SAMPLE | DEEPEST | PARTS},
    {"explored", VALUE_TEXT, .carried = LOOKUP | SAMPLE | DEEPEST},
    {"at_least", VALUE_NUMBER, .carried = RESULT | HEURISTIC},
    {"heuristic", VALUE_TEXT, .carried = HEURISTIC},
    {"beyond", VALUE_COUNT, .carried = LOOKUP},
    {"other_moves", VALUE_NUMBER, .carried = GRADED},
    {"other_metric", VALUE_TEXT, .carried = GRADED},
    {"branching", VALUE_REAL, .carried = GRADED},
    {"wrong_turns", VALUE_COUNT, .carried = GRADED},
    {"dead_turns", VALUE_COUNT, .carried = GRADED},
    {"positions", VALUE_COUNT, .carried = GRADED},
    {"must_move", VALUE_COUNT, .carried = GRADED},
    {"counterintuitive", VALUE_COUNT, .carried = GRADED},
    {"box_changes", VALUE_COUNT, .carried = GRADED},
    {"decomposition", VALUE_COUNT, .carried = GRADED},
    {"turns", VALUE_NUMBER, .carried = SOLVED},
    {"cells", VALUE_COUNT, .carried = SOLVED},
    {"drawing", VALUE_TEXT, .carried = SOLVED | DRAW},
    {"complete", VALUE_FLAG, .carried = RESULT | JOBS | TABLES | SAMPLE | DEEPEST | GRAPH},
    {"reason", VALUE_TEXT, .carried = RESULT},
    {"rule", VALUE_TEXT, .carried = SOLVED},
    {"memory_limit", VALUE_BYTES, .carried = RESULT | STATS},
    {"disk_bytes", VALUE_BYTES, .carried = EXPLORE | RUNNING | RESULT},
    {"disk_written_bytes", VALUE_BYTES, .carried = EXPLORE | RUNNING | RESULT},
    {"disk_read_bytes", VALUE_BYTES, .carried = EXPLORE | RUNNING | RESULT},
    {"memory_seconds", VALUE_DURATION, .carried = EXPLORE},
    {"coded_seconds", VALUE_DURATION, .carried = EXPLORE},
    {"disk_seconds", VALUE_DURATION, .carried = EXPLORE},
    {"disk_write_rate", VALUE_RATE, .carried = RUNNING},
    {"disk_read_rate", VALUE_RATE, .carried = RUNNING},
    {"group", VALUE_NUMBER, .carried = RUNNING},
    {"groups", VALUE_COUNT, .carried = RUNNING},
    {"waiting", VALUE_TEXT, .carried = RUNNING},
    {"ranks", VALUE_COUNT, .carried = RUNNING | RESULT},
    {"slowest", VALUE_NUMBER, .carried = RUNNING},
    {"time_limit", VALUE_DURATION, .carried = RESULT},
    {"expanded", VALUE_COUNT, .carried = SOLVED},
    {"generated", VALUE_COUNT, .carried = SOLVED},
    {"bound_generated", VALUE_COUNT, .carried = SOLVED},
    {"previous_generated", VALUE_COUNT, .carried = SOLVED},
    {"edges_by_level", VALUE_TEXT, .carried = RESULT},
    {"states_by_moves", VALUE_TEXT, .carried = RESULT},
    {"peak_bytes", VALUE_BYTES, .carried = SOLVED},
    {"store_seconds", VALUE_DURATION, .carried = RESULT},
    {"waited_seconds", VALUE_DURATION, .carried = SOLVED},
    {"count_seconds", VALUE_DURATION, .carried = SOLVED},
    {"tables", VALUE_COUNT, .carried = RESULT | STATS},
    {"built_bytes", VALUE_BYTES, .carried = RESULT},
    {"error", VALUE_TEXT, .carried = RESULT},
    {"example", VALUE_TEXT, .carried = LEVELS | PUZZLES},

    {"board", VALUE_BOARD, .carried = SAMPLE | DEEPEST | PARTS | DRAW | GRAPH | PUZZLES},
    {"frame", VALUE_NUMBER, .carried = DRAW},
    {"move", VALUE_TEXT, .carried = DRAW},
    {"node", VALUE_NUMBER, .carried = GRAPH},
    {"reversible", VALUE_FLAG, .carried = GRAPH | RESULT},
    {"solved", VALUE_FLAG, .carried = GRAPH},
    {"next", VALUE_TEXT, .carried = GRAPH},
    {"steps", VALUE_TEXT, .carried = GRAPH},
    {"uniform", VALUE_FLAG, .carried = SAMPLE},
    {"total", VALUE_COUNT, .carried = DEEPEST | PARTS},
    {"part", VALUE_NUMBER, .carried = PARTS},

    {"entries", VALUE_TEXT, .carried = TABLES},
    {"pinned", VALUE_FLAG, .carried = TABLES | PIN},
    {"created_ms", VALUE_TIME, .carried = TABLES | DEFINITIONS},
    {"used_ms", VALUE_TIME, .carried = TABLES},
    {"values", VALUE_COUNT, .carried = FSCK},
    {"distances", VALUE_TEXT, .carried = EXPORT},

    {"pong", VALUE_FLAG, .carried = PING},
    {"version", VALUE_TEXT, .carried = VERSION | STATS},
    {"protocol", VALUE_NUMBER, .carried = VERSION},
    {"verb", VALUE_TEXT, .carried = HELP},
    {"takes", VALUE_TEXT, .carried = HELP},
    {"does", VALUE_TEXT, .carried = HELP | PUZZLES},
    {"keys", VALUE_TEXT, .carried = PUZZLES},
    {"uptime", VALUE_DURATION, .carried = STATS},
    {"connections", VALUE_COUNT, .carried = STATS},
    {"requests", VALUE_COUNT, .carried = STATS},
    {"memory_used", VALUE_BYTES, .carried = STATS},
    {"jobs_queued", VALUE_COUNT, .carried = STATS},
    {"jobs_running", VALUE_COUNT, .carried = STATS},
    {"jobs_done", VALUE_COUNT, .carried = STATS},
    {"jobs_stopped", VALUE_COUNT, .carried = STATS},
    {"jobs_failed", VALUE_COUNT, .carried = STATS},
    {"jobs_cancelled", VALUE_COUNT, .carried = STATS},
    {"states_explored", VALUE_COUNT, .carried = STATS},
    {"cache_hits", VALUE_COUNT, .carried = STATS},
    {"database_bytes", VALUE_BYTES, .carried = STATS},
    {"database_free", VALUE_BYTES, .carried = STATS},
    {"bye", VALUE_FLAG, .carried = QUIT},
};
/* clang-format on */

enum { KEYS = sizeof keys / sizeof *keys };

const struct verb_row *verb_row(enum verb verb)
{
    return (unsigned)verb < VERB_COUNT ? &verbs[verb] : NULL;
}

enum verb verb_find(const char *word, size_t length)
{
    unsigned verb = 0;
    while (verb < VERB_COUNT &&
           (strlen(verbs[verb].word) != length || strncasecmp(verbs[verb].word, word, length) != 0))
        verb++;
    return (enum verb)verb;
}

const struct key_row *key_row(unsigned number)
{
    return number < KEYS ? &keys[number] : NULL;
}

const struct key_row *key_find(const char *word)
{
    for (size_t i = 0; i < KEYS; i++)
        if (strcmp(keys[i].word, word) == 0)
            return &keys[i];
    return NULL;
}

enum key key_taken(enum verb verb, const char *word)
{
    unsigned key = 0;
    while (key < KEYS_TAKEN && ((keys[key].taken & VERB_BIT(verb)) == 0 || strcmp(keys[key].word, word) != 0))
        key++;
    return (enum key)key;
}

const char *key_help(const struct key_row *key, enum verb verb)
{
    return (key->other & VERB_BIT(verb)) != 0 ? key->other_help : key->help;
}

const char *key_value_name(const struct key_row *key)
{
    static const char *const names[] = {
        [VALUE_TEXT] = "NAME",  [VALUE_BOARD] = "BOARD",       [VALUE_WORD] = "WORD",   [VALUE_FLAG] = "yes",
        [VALUE_NUMBER] = "N",   [VALUE_COUNT] = "N",           [VALUE_BYTES] = "SIZE",  [VALUE_TIME] = "TIME",
        [VALUE_RATE] = "RATE",  [VALUE_DURATION] = "DURATION", [VALUE_SHARE] = "SHARE", [VALUE_REAL] = "N",
        [VALUE_COUNTED] = "yes"};
    assert(key >= keys && key < keys + KEYS && (size_t)key->type < sizeof names / sizeof *names);
    return key == &keys[KEY_TEXT] ? "TEXT" : names[key->type];
}

void key_words(const struct key_row *key, const char *separator, struct text *out)
{
    for (unsigned i = 0; i < key->word_count; i++)
        text_format(out, "%s%s", i > 0 ? separator : "", key->words[i]);
}

void verb_usage(enum verb verb, struct text *out)
{
    assert(verb < VERB_COUNT);
    const char *before = "";
    if (*verbs[verb].arguments != '\0') {
        text_add(out, verbs[verb].arguments);
        before = " ";
    }
    for (const struct key_row *key = keys; key < keys + KEYS_TAKEN; key++) {
        if ((key->taken & VERB_BIT(verb)) == 0)
            continue;
        bool needed = (key->needed & VERB_BIT(verb)) != 0;
        text_format(out, "%s%s%s=", before, needed ? "" : "[", key->word);
        if (key->type == VALUE_WORD)
            key_words(key, "|", out);
        else
            text_add(out, key_value_name(key));
        text_add(out, needed ? "" : "]");
        before = " ";
    }
}
