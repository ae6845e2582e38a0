/* Whether the thread sanitizer is compiled in: gcc and clang say so differently. */
#ifndef ONEFOLD_CORE_SANITIZER_H
#define ONEFOLD_CORE_SANITIZER_H

#ifdef __SANITIZE_THREAD__
#define OF__THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define OF__THREAD_SANITIZER
#endif
#endif

#endif
