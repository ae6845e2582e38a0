#include "group/grouped.h"

#include "core/threads.h"

/* Values that a worker takes at once. */
#ifdef ONEFOLD_TEST_SMALL
enum { PIECE = 100 };
#else
enum { PIECE = 1 << 16 };
#endif

void of__group_read(of__group_reader *reader, const of__grouped *source, int64_t row, int64_t stop,
                    bool wants_values) {
    reader->source = source;
    reader->row = row;
    reader->stop = stop;
    reader->column = 0;
    reader->wants_values = wants_values && source->width > 0;
}

bool of__group_next(of__group_reader *reader, of__group_block *block) {
    const of__grouped *source = reader->source;
    int64_t rest = reader->stop - reader->row, width = source->width;
    if (rest <= 0) return false;
    *block = (of__group_block){.row = reader->row, .column = reader->column};
    int64_t most = OF__GROUP_BLOCK;
    if (reader->wants_values && width > 1) most = width < most ? most / width : 1;
    block->rows = rest < most ? rest : most;
    block->columns = width - reader->column;
    if (reader->wants_values && block->columns > OF__GROUP_BLOCK) block->columns = OF__GROUP_BLOCK;
    block->group = source->group_of(source->context, block->row, block->rows, reader->group);
    if (reader->wants_values)
        block->values = source->values_of(source->context, block->row * width + block->column,
                                          block->rows * block->columns, reader->values);
    reader->column += block->columns;
    if (reader->column >= width) {
        reader->column = 0;
        reader->row += block->rows;
    }
    return true;
}

int64_t of__grouped_bytes(const of__grouped *source) {
    int64_t size = (int64_t)of_dtype_size(source->dtype), most = INT64_MAX / 2;
    int64_t row = source->width > most / 8 ? most : source->width * size + 8;
    return source->rows > most / row ? most : source->rows * row;
}

bool of__group_next_piece(of__group_pieces *pieces, bool wants_values, of__group_reader *reader) {
    const of__grouped *source = pieces->source;
    int64_t rows = source->width >= PIECE ? 1 : PIECE / source->width;
    int64_t start = atomic_fetch_add(&pieces->next, rows), rest = source->rows - start;
    if (rest <= 0) return false;
    of__group_read(reader, source, start, start + (rest < rows ? rest : rows), wants_values);
    return true;
}

int of__grouped_workers(const of__grouped *source, int64_t sums) {
    int workers = of__workers_for(of__grouped_bytes(source));
    int64_t values = source->rows * source->width;
    while (workers > 1 && sums > values / workers) workers--;
    return workers;
}
