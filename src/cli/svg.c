#include "cli/svg.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bin_labels.h"
#include "cli/message.h"
#include "cli/ticks.h"

enum { WIDTH = 720, HEIGHT = 440, TOP = 74, RIGHT = 28, CHARACTER = 7, MOST_SEPARATE = 512 };

static const char style[] =
    "text{font:12px system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,"
    "'DejaVu Sans',sans-serif;fill:#555d66}"
    ".title{font-size:17px;font-weight:600;fill:#1c2127}"
    ".grid{stroke:#e4e7eb}.axis{stroke:#8a929b}.bar{fill:#3d74b3}";

/* Where things stand on the page: x and y of the values `low` and `high` of each axis. */
struct page {
    double left, right, top, bottom;
    double low, high;       /* edges */
    double least, greatest; /* bars */
};

/* Halves, since the difference of the ends may be all that f64 holds. */
static double share(double value, double low, double high) {
    return (value / 2 - low / 2) / (high / 2 - low / 2);
}

static double x_of(const struct page *page, double edge) {
    return page->left + (page->right - page->left) * share(edge, page->low, page->high);
}

static double y_of(const struct page *page, double count) {
    return page->bottom + (page->top - page->bottom) * share(count, page->least, page->greatest);
}

/* ---- Text ---- */

/* The bytes of the UTF-8 character that a text begins with; 0 when that is none, or is one that XML
 * has no place for. */
static int character_length(const unsigned char *text) {
    if (text[0] < 0x80) return text[0] >= 0x20 && text[0] != 0x7f;
    int length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] < 0xc2 || text[0] > 0xf4) return 0;
    for (int i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    bool is_overlong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    bool is_no_scalar =
        (text[0] == 0xed && text[1] >= 0xa0) || (text[0] == 0xf4 && text[1] >= 0x90);
    return is_overlong || is_no_scalar ? 0 : length;
}

/* Prints any text, such as the name of a file, as the characters of an element. */
static void print_text(FILE *out, const char *text) {
    while (*text != '\0') {
        int length = character_length((const unsigned char *)text);
        if (*text == '&')
            fputs("&amp;", out);
        else if (*text == '<')
            fputs("&lt;", out);
        else if (*text == '>')
            fputs("&gt;", out);
        else if (length == 0)
            fputs("\xef\xbf\xbd", out); /* U+FFFD: what was here is no character */
        else
            fwrite(text, 1, (size_t)length, out);
        text += length > 0 ? length : 1;
    }
}

/* A number without the zeros at its end. */
static void print_number(FILE *out, double value) {
    char text[40];
    int length = snprintf(text, sizeof text, "%.2f", value);
    while (text[length - 1] == '0') text[--length] = '\0';
    if (text[length - 1] == '.') text[--length] = '\0';
    fputs(strcmp(text, "-0") == 0 ? "0" : text, out);
}

static void print_attribute(FILE *out, const char *name, double value) {
    fprintf(out, " %s=\"", name);
    print_number(out, value);
    putc('"', out);
}

/* ---- The drawing ---- */

static void draw_line(FILE *out, const char *class, double x1, double y1, double x2, double y2) {
    fprintf(out, "<line class=\"%s\"", class);
    print_attribute(out, "x1", x1);
    print_attribute(out, "y1", y1);
    print_attribute(out, "x2", x2);
    print_attribute(out, "y2", y2);
    fputs("/>\n", out);
}

static void draw_text(FILE *out, double x, double y, const char *anchor, const char *text) {
    fputs("<text", out);
    print_attribute(out, "x", x);
    print_attribute(out, "y", y);
    fprintf(out, " text-anchor=\"%s\">", anchor);
    print_text(out, text);
    fputs("</text>\n", out);
}

static double on_pixel(double position) {
    return floor(position) + 0.5;
}

static void draw_axes(FILE *out, const struct page *page, const struct svg_words *words,
                      const struct ticks *horizontal, const struct ticks *vertical) {
    for (int i = 0; i < vertical->count; i++) {
        double y = on_pixel(y_of(page, vertical->at[i]));
        draw_line(out, "grid", page->left, y, page->right, y);
        draw_text(out, page->left - 10, y + 4, "end", vertical->text[i]);
    }
    for (int i = 0; i < horizontal->count; i++) {
        double x = on_pixel(x_of(page, horizontal->at[i]));
        draw_line(out, "axis", x, page->bottom, x, page->bottom + 5);
        draw_text(out, x, page->bottom + 20, "middle", horizontal->text[i]);
    }
    draw_text(out, page->left, page->top - 12, "start", words->vertical);
    if (words->horizontal != NULL)
        draw_text(out, (page->left + page->right) / 2, page->bottom + 44, "middle",
                  words->horizontal);
}

static of_scalar count_at(const of_array *counts, int64_t i) {
    of_dtype dtype = of_array_dtype(counts);
    return of_scalar_load(dtype,
                          (const char *)of_array_data(counts) + (size_t)i * of_dtype_size(dtype));
}

/* The rectangle of a bin. It can be seen, however small it is. */
struct bar {
    double x, y, width, height;
};

static struct bar bar_of(const struct page *page, const struct bin_labels *bins, int64_t i,
                         double count) {
    double left = x_of(page, bins->edges[i]), right = x_of(page, bins->edges[i + 1]);
    double zero = on_pixel(y_of(page, 0)), end = y_of(page, count);
    double gap = right - left >= 4 ? 1 : 0;
    double height = fmax(fabs(zero - end), 1);
    return (struct bar){left + gap / 2, count > 0 ? zero - height : zero,
                        fmax(right - left - gap, 1), height};
}

static void draw_rectangle(FILE *out, const struct bar *bar, const struct bin_labels *bins,
                           int64_t i, of_scalar count) {
    char low[LABEL_SIZE], high[LABEL_SIZE], text[OF_SCALAR_TEXT_SIZE];
    fputs("<rect", out);
    print_attribute(out, "x", bar->x);
    print_attribute(out, "y", bar->y);
    print_attribute(out, "width", bar->width);
    print_attribute(out, "height", bar->height);
    fprintf(out, "><title>[%s, %s%c: %s</title></rect>\n", bin_label(bins, i, low),
            bin_label(bins, i + 1, high), i == bins->bins - 1 ? ']' : ')',
            of_scalar_format(count, text));
}

static void draw_step(FILE *out, const struct bar *bar) {
    fputc('M', out);
    print_number(out, bar->x);
    fputc(' ', out);
    print_number(out, bar->y);
    fputc('h', out);
    print_number(out, bar->width);
    fputc('v', out);
    print_number(out, bar->height);
    fputc('h', out);
    print_number(out, -bar->width);
    fputs("z\n", out);
}

/* Few bars are elements that tell their counts; many are one shape. */
static void draw_bars(FILE *out, const struct page *page, const struct bin_labels *bins,
                      const of_array *counts) {
    bool separate = bins->bins <= MOST_SEPARATE;
    const char *edges = page->right - page->left < 4.0 * (double)bins->bins ? "crispEdges" : "auto";
    fprintf(out, "<%s class=\"bar\" shape-rendering=\"%s\"%s", separate ? "g" : "path", edges,
            separate ? ">\n" : " d=\"");
    for (int64_t i = 0; i < bins->bins && !ferror(out); i++) {
        of_scalar count = count_at(counts, i);
        double value = of_scalar_to_f64(count);
        if (!isfinite(value) || value == 0) continue;
        struct bar bar = bar_of(page, bins, i, value);
        if (separate)
            draw_rectangle(out, &bar, bins, i, count);
        else
            draw_step(out, &bar);
    }
    fputs(separate ? "</g>\n" : "\"/>\n", out);
}

/* ---- The page ---- */

static void find_extent(struct page *page, const of_array *counts) {
    page->least = page->greatest = 0;
    for (int64_t i = 0; i < of_array_size(counts); i++) {
        double value = of_scalar_to_f64(count_at(counts, i));
        if (!isfinite(value)) continue;
        page->least = fmin(page->least, value);
        page->greatest = fmax(page->greatest, value);
    }
    if (page->least == page->greatest) page->greatest = 1;
}

/* As many ticks as have room, each with a gap beside it. */
static struct ticks find_horizontal_ticks(const struct page *page) {
    for (int most = 9;; most--) {
        struct ticks ticks = ticks_find(page->low, page->high, most);
        if (most == 2 || ticks.count * (ticks.widest + 3) * CHARACTER < page->right - page->left)
            return ticks;
    }
}

static void print_page(FILE *out, const struct page *page, const struct svg_words *words,
                       const of_array *counts, const struct bin_labels *bins,
                       const struct ticks *vertical) {
    char low[LABEL_SIZE], high[LABEL_SIZE];
    struct ticks horizontal = find_horizontal_ticks(page);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
            "viewBox=\"0 0 %d %d\" role=\"img\" aria-labelledby=\"title description\">\n"
            "<title id=\"title\">Histogram of ",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    print_text(out, words->title);
    fprintf(out, "</title>\n<desc id=\"description\">%" PRId64 " bins from %s to %s, ", bins->bins,
            bin_label(bins, 0, low), bin_label(bins, bins->bins, high));
    fprintf(out, "bars up to %g.</desc>\n<style>%s</style>\n", page->greatest, style);
    fprintf(out, "<rect width=\"%d\" height=\"%d\" fill=\"#fff\"/>\n", WIDTH, HEIGHT);
    fputs("<text class=\"title\"", out);
    print_attribute(out, "x", page->left);
    fputs(" y=\"34\">", out);
    print_text(out, words->title);
    fputs("</text>\n", out);
    draw_axes(out, page, words, &horizontal, vertical);
    draw_bars(out, page, bins, counts);
    double zero = on_pixel(y_of(page, 0));
    draw_line(out, "axis", page->left, zero, page->right, zero);
    fputs("</svg>\n", out);
}

int svg_write(const char *path, const struct svg_words *words, const of_array *counts,
              const of_array *edges) {
    struct bin_labels bins = bin_labels_choose(of_array_data(edges), of_array_size(counts));
    struct page page = {.right = WIDTH - RIGHT,
                        .top = TOP,
                        .bottom = HEIGHT - (words->horizontal != NULL ? 64 : 44),
                        .low = bins.edges[0],
                        .high = bins.edges[bins.bins]};
    find_extent(&page, counts);
    struct ticks vertical = ticks_find(page.least, page.greatest, 6);
    page.left = 24 + vertical.widest * CHARACTER;
    FILE *out = fopen(path, "w");
    if (out == NULL) return fail(path, "%s", strerror(errno));
    print_page(out, &page, words, counts, &bins, &vertical);
    bool failed = ferror(out) != 0;
    errno = 0;
    if (fclose(out) == 0 && !failed) return EXIT_SUCCESS;
    return fail(path, "%s", errno != 0 ? strerror(errno) : "writing failed");
}
