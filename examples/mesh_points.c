/*
 * Finds what a mesh of tetrahedra does not say: the cells around each point, and the surface.
 *
 *     mesh_points FILE.mesh [SURFACE.npy]
 *
 * A mesh lists the four points of each cell, its corners. Sorting turns that around: of all corners
 * sorted by point, those of one point stand together, and with them the cells that it belongs to.
 * Of all faces sorted, the two copies of a face between two cells stand together; one that stands
 * alone is on the surface. SURFACE.npy receives the points of those faces, three a row.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <onefold/onefold.h>

enum { CORNERS = 4, FACES = 4, FACE_CORNERS = 3, POINT_BITS = 21 };

/* ---- Reading ---- */

typedef struct mesh {
    int32_t points;
    int32_t cells;
    int32_t *corners; /* CORNERS a cell: numbers of points, from 0 */
} mesh;

/* Rows of four points, numbered from 1, and a number that says what the cell is made of. */
static bool read_cells(FILE *file, mesh *mesh) {
    if (fscanf(file, "%" SCNd32, &mesh->cells) != 1 || mesh->cells < 1) return false;
    int64_t corners = (int64_t)mesh->cells * CORNERS;
    mesh->corners = malloc((size_t)corners * sizeof *mesh->corners);
    if (mesh->corners == NULL) return false;
    for (int64_t i = 0; i < corners; i++) {
        int32_t point;
        if (fscanf(file, "%" SCNd32, &point) != 1) return false;
        if (point < 1 || point > mesh->points) return false;
        mesh->corners[i] = point - 1;
        if (i % CORNERS == CORNERS - 1 && fscanf(file, "%*d") == EOF) return false;
    }
    return true;
}

/* A Medit file is made of sections: a word that says of what, how many, and a row of numbers each.
 */
static bool read_mesh(const char *path, mesh *mesh) {
    FILE *file = fopen(path, "r");
    if (file == NULL) return false;
    char word[64];
    bool ok = true;
    while (ok && fscanf(file, "%63s", word) == 1) {
        if (strcmp(word, "Vertices") == 0)
            ok = fscanf(file, "%" SCNd32, &mesh->points) == 1 && mesh->points < 1 << POINT_BITS;
        else if (strcmp(word, "Tetrahedra") == 0)
            ok = mesh->corners == NULL && read_cells(file, mesh);
    }
    fclose(file);
    return ok && mesh->corners != NULL;
}

/* ---- The cells around each point ---- */

/* The cells of point p are cells[offsets[p]] up to cells[offsets[p + 1]], in ascending order. */
typedef struct neighbours {
    of_array *counts, *offsets, *cells;
} neighbours;

/* For each corner, the number of its cell. */
static of_status number_corners(const mesh *mesh, of_array **out, of_error *err) {
    int64_t count = (int64_t)mesh->cells * CORNERS;
    of_status status = of_array_create(NULL, OF_I32, 1, &count, out, err);
    if (status != OF_OK) return status;
    int32_t *cell = of_array_mutable_data(*out);
    for (int64_t i = 0; i < count; i++) cell[i] = (int32_t)(i / CORNERS);
    return OF_OK;
}

static of_status find_neighbours(const mesh *mesh, const of_array *corners, neighbours *out,
                                 of_error *err) {
    of_array *cells = NULL, *sorted = NULL, *points = NULL, *counts = NULL;
    int64_t ends = (int64_t)mesh->points + 1;

    of_status status = number_corners(mesh, &cells, err);
    if (status == OF_OK) status = of_sort_by_key(corners, cells, NULL, &sorted, &out->cells, err);
    if (status == OF_OK) status = of_unique(sorted, NULL, &points, &counts, NULL, NULL, err);

    /* A point of no cell is no key and counts 0. So does the end, whose offset is the total. */
    if (status == OF_OK) status = of_array_zeros(NULL, OF_I32, 1, &ends, &out->counts, err);
    if (status == OF_OK) status = of_scatter(counts, points, out->counts, NULL, err);
    if (status == OF_OK) status = of_array_create(NULL, OF_I32, 1, &ends, &out->offsets, err);
    if (status == OF_OK) status = of_exclusive_scan(out->counts, out->offsets, NULL, NULL, err);

    of_array_release(counts);
    of_array_release(points);
    of_array_release(sorted);
    of_array_release(cells);
    return status;
}

/* ---- The surface ---- */

static void swap_if_greater(int64_t *a, int64_t *b) {
    int64_t low = *a < *b ? *a : *b;
    *b = *a < *b ? *b : *a;
    *a = low;
}

/* One number for a face: its points in ascending order, so that all its copies are equal. */
static int64_t face_key(int64_t a, int64_t b, int64_t c) {
    swap_if_greater(&a, &b);
    swap_if_greater(&b, &c);
    swap_if_greater(&a, &b);
    return (a << 2 * POINT_BITS) | (b << POINT_BITS) | c;
}

/* Each cell's faces; each leaves out one of its corners. */
static of_status make_face_keys(const mesh *mesh, of_array **out, of_error *err) {
    int64_t count = (int64_t)mesh->cells * FACES;
    of_status status = of_array_create(NULL, OF_I64, 1, &count, out, err);
    if (status != OF_OK) return status;
    int64_t *key = of_array_mutable_data(*out);
    for (int32_t cell = 0; cell < mesh->cells; cell++) {
        const int32_t *corner = mesh->corners + (int64_t)cell * CORNERS;
        *key++ = face_key(corner[1], corner[2], corner[3]);
        *key++ = face_key(corner[0], corner[2], corner[3]);
        *key++ = face_key(corner[0], corner[1], corner[3]);
        *key++ = face_key(corner[0], corner[1], corner[2]);
    }
    return OF_OK;
}

static of_status points_of_faces(const of_array *faces, of_array **out, of_error *err) {
    int64_t shape[] = {of_array_size(faces), FACE_CORNERS};
    of_status status = of_array_create(NULL, OF_I32, 2, shape, out, err);
    if (status != OF_OK) return status;
    const int64_t *key = of_array_data(faces);
    int32_t *point = of_array_mutable_data(*out);
    const int64_t mask = (1 << POINT_BITS) - 1;
    for (int64_t i = 0; i < shape[0]; i++, point += FACE_CORNERS) {
        point[0] = (int32_t)(key[i] >> 2 * POINT_BITS);
        point[1] = (int32_t)(key[i] >> POINT_BITS & mask);
        point[2] = (int32_t)(key[i] & mask);
    }
    return OF_OK;
}

/* Flags what comes once. */
static of_status flag_single(const of_array *counts, of_array **out, of_error *err) {
    int64_t size = of_array_size(counts);
    of_status status = of_array_create(NULL, OF_BOOL, 1, &size, out, err);
    if (status != OF_OK) return status;
    const int32_t *count = of_array_data(counts);
    bool *flag = of_array_mutable_data(*out);
    for (int64_t i = 0; i < size; i++) flag[i] = count[i] == 1;
    return OF_OK;
}

/* *surface receives the points of its faces, *faces how many faces there are in all. */
static of_status find_surface(const mesh *mesh, of_array **surface, int64_t *faces, of_error *err) {
    of_array *keys = NULL, *sorted = NULL, *distinct = NULL, *counts = NULL;
    of_array *single = NULL, *outer = NULL;

    of_status status = make_face_keys(mesh, &keys, err);
    if (status == OF_OK) status = of_sort(keys, NULL, &sorted, err);
    if (status == OF_OK) status = of_unique(sorted, NULL, &distinct, &counts, NULL, NULL, err);
    if (status == OF_OK) status = flag_single(counts, &single, err);
    if (status == OF_OK) status = of_compact(distinct, single, NULL, &outer, err);
    if (status == OF_OK) status = points_of_faces(outer, surface, err);
    if (status == OF_OK) *faces = of_array_size(distinct);

    of_array_release(outer);
    of_array_release(single);
    of_array_release(counts);
    of_array_release(distinct);
    of_array_release(sorted);
    of_array_release(keys);
    return status;
}

static of_status count_distinct(const of_array *keys, int64_t *out, of_error *err) {
    of_array *sorted = NULL, *distinct = NULL;
    of_status status = of_sort(keys, NULL, &sorted, err);
    if (status == OF_OK) status = of_unique(sorted, NULL, &distinct, NULL, NULL, NULL, err);
    if (status == OF_OK) *out = of_array_size(distinct);
    of_array_release(distinct);
    of_array_release(sorted);
    return status;
}

/* ---- What it prints ---- */

static of_status print_neighbours(const mesh *mesh, const neighbours *around, of_error *err) {
    of_scalar most, of_most;
    of_status status = of_max(around->counts, NULL, &most, err);
    if (status == OF_OK) status = of_argmax(around->counts, NULL, &of_most, err);
    if (status != OF_OK) return status;
    printf("cells that meet in a point: %.3g on average, at most %g, in point %g\n",
           (double)mesh->cells * CORNERS / mesh->points, of_scalar_to_f64(most),
           of_scalar_to_f64(of_most));

    const int32_t *offsets = of_array_data(around->offsets), *cells = of_array_data(around->cells);
    int32_t last = mesh->points - 1;
    printf("in the last point, %d:", last);
    for (int32_t i = offsets[last]; i < offsets[last + 1]; i++) printf(" %d", cells[i]);
    puts("");
    return OF_OK;
}

/* A surface without holes in it, of one piece and without handles, has the last number 2. */
static of_status print_surface(const of_array *surface, int64_t faces, of_error *err) {
    int64_t points;
    of_status status = count_distinct(surface, &points, err);
    if (status != OF_OK) return status;
    int64_t triangles = of_array_shape(surface)[0], edges = triangles * 3 / 2;
    printf("%" PRId64 " of %" PRId64 " faces are on the surface\n", triangles, faces);
    printf("its points - edges + triangles: %" PRId64 " - %" PRId64 " + %" PRId64 " = %" PRId64
           "\n",
           points, edges, triangles, points - edges + triangles);
    return OF_OK;
}

static of_status run(const mesh *mesh, const char *surface_path, of_error *err) {
    int64_t shape[] = {mesh->cells, CORNERS}, faces = 0;
    of_array *corners = NULL, *surface = NULL;
    neighbours around = {0};

    of_status status = of_array_wrap(NULL, OF_I32, 2, shape, NULL, mesh->corners, OF_WRAP_READ_ONLY,
                                     NULL, NULL, &corners, err);
    if (status == OF_OK) status = find_neighbours(mesh, corners, &around, err);
    if (status == OF_OK) status = find_surface(mesh, &surface, &faces, err);
    if (status == OF_OK) {
        printf("%d points, %d cells\n", mesh->points, mesh->cells);
        status = print_neighbours(mesh, &around, err);
    }
    if (status == OF_OK) status = print_surface(surface, faces, err);
    if (status == OF_OK && surface_path != NULL) status = of_npy_save(surface_path, surface, err);

    of_array_release(around.cells);
    of_array_release(around.offsets);
    of_array_release(around.counts);
    of_array_release(surface);
    of_array_release(corners);
    return status;
}

int main(int argc, char **argv) {
    if (argc != 2 && argc != 3) {
        fputs("usage: mesh_points FILE.mesh [SURFACE.npy]\n", stderr);
        return 2;
    }
    mesh mesh = {0};
    of_error err = {0};
    bool ok = read_mesh(argv[1], &mesh);
    if (!ok)
        fprintf(stderr, "mesh_points: \"%s\" is no mesh of tetrahedra\n", argv[1]);
    else if (run(&mesh, argv[2], &err) != OF_OK)
        fprintf(stderr, "mesh_points: %s\n", err.message), ok = false;
    free(mesh.corners);
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
