/* Onefold: typed arrays and reductions whose every answer is a function of the values alone.
 * Includes everything. */
#ifndef ONEFOLD_H
#define ONEFOLD_H

#include <onefold/array.h>
#include <onefold/compact.h>
#include <onefold/copy.h>
#include <onefold/device.h>
#include <onefold/dlpack.h>
#include <onefold/dtype.h>
#include <onefold/error.h>
#include <onefold/exact.h>
#include <onefold/group.h>
#include <onefold/histogram.h>
#include <onefold/io.h>
#include <onefold/names.h>
#include <onefold/reduce.h>
#include <onefold/runs.h>
#include <onefold/scan.h>
#include <onefold/segment.h>
#include <onefold/sort.h>
#include <onefold/stats.h>
#include <onefold/version.h>

#endif
