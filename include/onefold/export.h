/* How public symbols are marked. */
#ifndef ONEFOLD_EXPORT_H
#define ONEFOLD_EXPORT_H

#if defined(__GNUC__)
/* Seen outside the library. */
#define OF_API __attribute__((visibility("default")))
/* The compiler warns when the result is dropped. */
#define OF_MUST_USE __attribute__((warn_unused_result))
/* Takes arguments as printf does. */
#define OF_PRINTF(format_index, first_index)                                                       \
    __attribute__((format(printf, format_index, first_index)))
#else
#define OF_API
#define OF_MUST_USE
#define OF_PRINTF(format_index, first_index)
#endif

#ifdef __cplusplus
/* Around declarations: in C++ they are C's. */
#define OF_BEGIN_C extern "C" {
#define OF_END_C   }
#else
#define OF_BEGIN_C
#define OF_END_C
#endif

#endif
