/* SPDX-License-Identifier: MIT */
#include "solve/projected/projected.h"

#include "base/budget.h"
#include "solve/orbits/orbit_search.h"
#include "solve/pdb/build.h"
#include "space/registry.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COLLECTION_BYTES_MAX = 256 << 20 };
/* A puzzle of fewer states is solved in less time than a table by orbits takes. */
#define ORBITS_FROM_STATES (UINT64_C(1) << 33)
enum { NAME_MAX_BYTES = PZ_SIZE_MAX + 64 + SOLVE_PARTITION_MAX + 32 };

/* One database. */
struct shadow {
    struct projection *projection;
    struct orbit_walk *walk; /* NULL but of an abstraction by orbits: then all are */
    const uint8_t *bytes;    /* NULL while it is only named */
    uint8_t *built;          /* the same when they are mapped here, NULL when they are the archive's */
    char name[NAME_MAX_BYTES];
};

struct projected {
    const struct pz_space *space;
    struct projector *projector;
    struct pattern_collection collection;
    struct shadow shadow[COLLECTION_MAX];
    const struct pattern_archive *archive;
    struct budget *budget;
    uint64_t built_bytes;
};

/* ---- names ---- */

static void name_table(const struct pz_space *space, const char *collection, unsigned number,
                       char name[NAME_MAX_BYTES])
{
    char puzzle[PZ_SIZE_MAX + 64];
    (void)space_name(space, puzzle);
    (void)snprintf(name, NAME_MAX_BYTES, "pdb:%s:%s:%u", puzzle, collection, number + 1);
}

bool projected_name_partition(const char *name, const struct pz_space *space,
                              char partition[SOLVE_PARTITION_MAX])
{
    char begin[NAME_MAX_BYTES];
    name_table(space, "", 0, begin);
    const size_t length = strlen(begin) - strlen(":1");
    if (strncmp(name, begin, length) != 0)
        return false;
    const char *end = strchr(name + length, ':');
    if (end == NULL || (size_t)(end - name) - length >= SOLVE_PARTITION_MAX)
        return false;
    memcpy(partition, name + length, (size_t)(end - name) - length);
    partition[(size_t)(end - name) - length] = '\0';
    return true;
}

/* ---- tables ---- */

/* Stored tables are whole words. */
static uint64_t shadow_bytes(const struct shadow *shadow)
{
    const struct projection *projection = shadow->projection;
    if (shadow->walk != NULL)
        return orbit_table_bytes(projection->keys);
    return (projection->keys + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
}

/* An archive_fits. */
static bool shadow_fits(const void *shadow, const uint8_t *bytes, size_t length)
{
    (void)bytes;
    return length == shadow_bytes(shadow);
}

static enum pz_status load_all(struct projected *projected, struct pz_error *error)
{
    enum pz_status all = PZ_OK;
    for (unsigned i = 0; i < projected->collection.count && all != PZ_CANCELLED; i++) {
        struct shadow *shadow = &projected->shadow[i];
        size_t length;
        const enum pz_status status =
            shadow->bytes != NULL ? PZ_OK
                                  : archive_load_fitting(projected->archive, shadow->name, shadow_fits,
                                                         shadow, &shadow->bytes, &length, error);
        all = status == PZ_OK ? all : status;
    }
    return all;
}

static enum pz_status build_shadow(struct projected *projected, struct shadow *shadow,
                                   const struct projected_request *request, struct pz_error *error)
{
    const uint64_t bytes = shadow_bytes(shadow);
    if (!budget_take(projected->budget, bytes))
        return pz_fail(error, PZ_TOO_LARGE, "the budget has no %" PRIu64 " bytes for a pattern database",
                       bytes);
    shadow->built = memory_map(bytes, MEMORY_HUGE_PAGES);
    if (shadow->built == NULL) {
        budget_give(projected->budget, bytes);
        return pz_fail(error, PZ_MEMORY, "no memory for a pattern database of %" PRIu64 " bytes", bytes);
    }
    enum pz_status status = (shadow->walk != NULL ? orbit_table_fill : projected_table_fill)(
        shadow->projection, request->threads, projected->budget, request->control, shadow->built, error);
    if (status != PZ_OK)
        return status;
    shadow->bytes = shadow->built;
    projected->built_bytes += bytes;
    return archive_save_built(projected->archive, shadow->name, shadow->bytes, bytes, error);
}

static enum pz_status build_missing_shadows(struct projected *projected,
                                            const struct projected_request *request, struct pz_error *error)
{
    enum pz_status status = build_turn_take(request->control, error);
    if (status != PZ_OK)
        return status;
    status = load_all(projected, error); /* another search may have made them meanwhile */
    if (status == PZ_NO_TABLE)
        status = PZ_OK;
    for (unsigned i = 0; i < projected->collection.count && status == PZ_OK; i++)
        if (projected->shadow[i].bytes == NULL)
            status = build_shadow(projected, &projected->shadow[i], request, error);
    build_turn_give();
    return status;
}

/* ---- open and close ---- */

static void close_projections(struct projected *projected, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        projection_close(projected->shadow[i].projection);
        projected->shadow[i] = (struct shadow){0};
    }
}

/* Makes the abstractions of the collection. Those that break a bound of their format are left out of one that
 * was chosen here. */
static enum pz_status open_collection(struct projected *projected, bool chosen, struct pz_error *error)
{
    struct pattern_collection *collection = &projected->collection;
    enum pz_status status = PZ_OK;
    for (unsigned i = 0; i < collection->count && status == PZ_OK;) {
        status = projection_open(projected->projector, collection->atoms[i], &projected->shadow[i].projection,
                                 error);
        if (status == PZ_OK) {
            i++;
        } else if (chosen && collection->count > 1 && (status == PZ_TOO_LARGE || status == PZ_BAD_PUZZLE)) {
            close_projections(projected, i);
            collection_drop(projected->projector, collection, i);
            status = PZ_OK;
            i = 0;
        }
    }
    return status;
}

/* Returns the bytes of a collection that is chosen. Where memory is not short they are always as many, so
 * that a search finds the databases that were built ahead. */
static uint64_t room_of(const struct budget *budget)
{
    const uint64_t third = budget_most(budget) / 3;
    return third < COLLECTION_BYTES_MAX ? third : COLLECTION_BYTES_MAX;
}

/* Makes one abstraction by orbits, and adds its name to the collection's. */
static enum pz_status add_orbits(struct projected *projected, const char *text, struct pz_error *error)
{
    struct pattern_collection *collection = &projected->collection;
    struct shadow *shadow = &projected->shadow[collection->count];
    char own[ORBITS_TEXT_MAX];
    const size_t length = strlen(collection->text);
    enum pz_status status = orbits_check(projected->projector, text, own, error);
    if (status == PZ_OK && (collection->count == ORBIT_TABLES_MAX ||
                            length + strlen(own) + sizeof ORBITS_AND > sizeof collection->text))
        status = pz_fail(error, PZ_BAD_REQUEST, "more than %d abstractions, or a name that is too long",
                         ORBIT_TABLES_MAX);
    if (status == PZ_OK)
        status = orbits_open(projected->projector, text, &shadow->projection, error);
    if (status != PZ_OK)
        return status;
    (void)snprintf(collection->text + length, sizeof collection->text - length, "%s%s",
                   length > 0 ? ORBITS_AND : "", own);
    name_table(projected->space, own, 0, shadow->name);
    collection->count++;
    if (shadow->projection->keys > ORBIT_KEYS_MAX)
        return pz_fail(error, PZ_TOO_LARGE, "%.100s has %" PRIu64 " states: %" PRIu64 " are the most", own,
                       shadow->projection->keys, ORBIT_KEYS_MAX);
    return orbit_walk_new(shadow->projection, &shadow->walk, error);
}

/* Makes abstractions by orbits, "orbits/…+orbits/…". */
static enum pz_status open_orbits(struct projected *projected, const char *text, struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    for (const char *at = text; at != NULL && status == PZ_OK;) {
        const char *end = orbits_end(at);
        char one[SOLVE_PARTITION_MAX];
        (void)snprintf(one, sizeof one, "%.*s", (int)(end - at), at);
        status = add_orbits(projected, one, error);
        at = *end != '\0' ? end + 1 : NULL;
    }
    return status;
}

/* Chooses an abstraction by orbits for a puzzle that is large enough. PZ_UNSUPPORTED if there is none. */
static enum pz_status choose_orbits(struct projected *projected, struct pz_error *error)
{
    char text[ORBITS_TEXT_MAX];
    const uint64_t states = space_count(projected->space), third = budget_most(projected->budget) / 3 * 4;
    if (states > 0 && states < ORBITS_FROM_STATES)
        return PZ_UNSUPPORTED;
    const double keys = (double)(third < ORBIT_KEYS_CHOSEN ? third : ORBIT_KEYS_CHOSEN);
    enum pz_status status = orbits_choose(projected->projector, keys, text, error);
    return status == PZ_OK ? open_orbits(projected, text, error) : status;
}

/* Chooses the collection, and makes its abstractions without their tables. */
static enum pz_status open_projections(struct projected *projected, const char *partition, bool only_orbits,
                                       struct pz_error *error)
{
    struct pattern_collection *collection = &projected->collection;
    enum pz_status status = projector_new(projected->space, &projected->projector, error);
    if (status != PZ_OK)
        return status;
    if (partition != NULL ? orbits_is(partition) : choose_orbits(projected, NULL) == PZ_OK) {
        status = partition != NULL ? open_orbits(projected, partition, error) : PZ_OK;
    } else if (only_orbits) {
        return PZ_NO_TABLE;
    } else {
        if (partition != NULL)
            status = collection_parse(projected->projector, partition, collection, error);
        else if (!collection_choose(projected->projector, room_of(projected->budget), collection))
            status = pz_fail(error, PZ_UNSUPPORTED, "no abstraction of this text is small enough");
        if (status == PZ_OK)
            status = open_collection(projected, partition == NULL, error);
    }
    for (unsigned i = 0; i < collection->count && status == PZ_OK && projected->shadow[i].walk == NULL; i++)
        name_table(projected->space, collection->text, i, projected->shadow[i].name);
    return status;
}

enum pz_status projected_open(const struct projected_request *request, struct projected **out,
                              struct pz_error *error)
{
    assert(request->space != NULL && request->budget != NULL);
    struct projected *projected = calloc(1, sizeof *projected);
    if (projected == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for pattern databases");
    projected->space = request->space;
    projected->budget = request->budget;
    projected->archive = request->archive;
    enum pz_status status = open_projections(projected, request->partition, request->stored_orbits, error);
    if (status == PZ_OK)
        status = load_all(projected, error);
    if (status == PZ_NO_TABLE && !request->stored_orbits)
        status = build_missing_shadows(projected, request, error);
    if (status == PZ_OK)
        *out = projected;
    else
        projected_close(projected);
    return status;
}

static void close_shadow(const struct projected *projected, struct shadow *shadow)
{
    if (shadow->built != NULL)
        budget_unmap(projected->budget, shadow->built, shadow_bytes(shadow));
    else if (shadow->bytes != NULL)
        projected->archive->release(projected->archive->context, shadow->name, shadow->bytes,
                                    shadow_bytes(shadow));
    orbit_walk_free(shadow->walk);
    projection_close(shadow->projection);
}

void projected_close(struct projected *projected)
{
    if (projected == NULL)
        return;
    for (unsigned i = 0; i < projected->collection.count; i++)
        close_shadow(projected, &projected->shadow[i]);
    projector_free(projected->projector);
    free(projected);
}

unsigned projected_orbits(const struct projected *projected, struct orbit_table out[ORBIT_TABLES_MAX])
{
    unsigned count = 0;
    for (; count < projected->collection.count && projected->shadow[count].walk != NULL; count++)
        out[count] = (struct orbit_table){projected->shadow[count].walk, projected->shadow[count].bytes};
    return count;
}

void projected_figures(const struct projected *projected, struct projected_figures *out)
{
    *out = (struct projected_figures){.tables = projected->collection.count,
                                      .built_bytes = projected->built_bytes};
    memcpy(out->partition, projected->collection.text, sizeof out->partition);
    for (unsigned i = 0; i < projected->collection.count; i++)
        out->bytes += shadow_bytes(&projected->shadow[i]);
}

/* ---- bounds ---- */

/* Adds the groups up. value: of each pattern, TABLE_DEAD for no way to a goal. */
static unsigned add_up(const struct pattern_collection *collection, const uint8_t *value)
{
    unsigned sum = 0, greatest = 0;
    for (unsigned i = 0; i < collection->count; i++) {
        if (value[i] == TABLE_DEAD)
            return PZ_HOPELESS;
        if (i > 0 && collection->group[i] != collection->group[i - 1]) {
            sum += greatest;
            greatest = 0;
        }
        greatest = value[i] > greatest ? value[i] : greatest;
    }
    return sum + greatest;
}

unsigned projected_bound(const void *context, const void *state)
{
    const struct projected *projected = context;
    uint8_t value[COLLECTION_MAX] = {0};
    struct orbit_table table[ORBIT_TABLES_MAX];
    const unsigned count = projected_orbits(projected, table);
    unsigned greatest = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned bound = 0;
        (void)orbit_table_bound(table[i].walk, state, orbit_table_read, (void *)table[i].bytes, &bound, NULL);
        greatest = bound > greatest ? bound : greatest;
    }
    if (count > 0)
        return greatest;
    for (unsigned i = 0; i < projected->collection.count; i++) {
        const struct projection *projection = projected->shadow[i].projection;
        const uint64_t key = projection_key(projection, state);
        value[i] = key < projection->keys ? projected->shadow[i].bytes[key] : TABLE_DEAD;
    }
    return add_up(&projected->collection, value);
}

static enum pz_status read_shadow_value(const struct shadow *shadow, const void *state, projected_read *read,
                                        void *context, uint8_t *value, struct pz_error *error)
{
    const uint64_t key = projection_key(shadow->projection, state);
    uint64_t word = 0;
    *value = TABLE_DEAD;
    if (key >= shadow->projection->keys)
        return PZ_OK;
    enum pz_status status = read(context, shadow->name, key / sizeof word, &word, error);
    if (status == PZ_OK)
        *value = ((const uint8_t *)&word)[key % sizeof word];
    return status;
}

struct stored_orbits {
    const char *name;
    projected_read *read;
    void *context;
};

static enum pz_status read_residue(void *context, uint64_t key, unsigned *residue, struct pz_error *error)
{
    const struct stored_orbits *stored = context;
    uint64_t word = 0;
    enum pz_status status = stored->read(stored->context, stored->name, key / 32, &word, error);
    const uint8_t *bytes = (const uint8_t *)&word; /* as they are stored */
    *residue = bytes[key / 4 % sizeof word] >> key % 4 * 2 & 3;
    return status;
}

enum pz_status projected_look_up(const struct projected_request *request, const void *state,
                                 projected_read *read, void *context, unsigned *value, struct pz_error *error)
{
    uint8_t values[COLLECTION_MAX] = {0};
    struct projected *projected = calloc(1, sizeof *projected);
    if (projected == NULL)
        return pz_fail(error, PZ_MEMORY, "no memory for a lookup");
    projected->space = request->space;
    enum pz_status status = open_projections(projected, request->partition, false, error);
    *value = 0;
    for (unsigned i = 0; i < projected->collection.count && status == PZ_OK; i++) {
        const struct shadow *shadow = &projected->shadow[i];
        struct stored_orbits stored = {shadow->name, read, context};
        unsigned bound = 0;
        status = shadow->walk != NULL
                     ? orbit_table_bound(shadow->walk, state, read_residue, &stored, &bound, error)
                     : read_shadow_value(shadow, state, read, context, &values[i], error);
        *value = bound > *value ? bound : *value;
    }
    if (status == PZ_OK && projected->shadow[0].walk == NULL)
        *value = add_up(&projected->collection, values);
    projected_close(projected);
    return status;
}

/* Checks each of several abstractions by orbits. */
static enum pz_status check_orbits(const struct projector *projector, const char *text,
                                   struct pz_error *error)
{
    enum pz_status status = PZ_OK;
    for (const char *at = text; at != NULL && status == PZ_OK;) {
        const char *end = orbits_end(at);
        char one[SOLVE_PARTITION_MAX];
        (void)snprintf(one, sizeof one, "%.*s", (int)(end - at), at);
        status = orbits_check(projector, one, NULL, error);
        at = *end != '\0' ? end + 1 : NULL;
    }
    return status;
}

enum pz_status projected_check(const struct pz_space *space, const char *partition, struct pz_error *error)
{
    struct projector *projector = NULL;
    struct pattern_collection collection;
    enum pz_status status = projector_new(space, &projector, error);
    if (status == PZ_OK && partition != NULL && !orbits_is(partition))
        status = collection_parse(projector, partition, &collection, error);
    else if (status == PZ_OK && partition != NULL)
        status = check_orbits(projector, partition, error);
    projector_free(projector);
    return status;
}
