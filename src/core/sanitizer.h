/* Which sanitizers are compiled in: gcc and clang say so differently. */
#ifndef ONEFOLD_CORE_SANITIZER_H
#define ONEFOLD_CORE_SANITIZER_H

#ifdef __has_feature
#if __has_feature(thread_sanitizer)
#define OF__THREAD_SANITIZER
#endif
#if __has_feature(address_sanitizer)
#define OF__ADDRESS_SANITIZER
#endif
#endif

#ifdef __SANITIZE_THREAD__
#define OF__THREAD_SANITIZER
#endif
#ifdef __SANITIZE_ADDRESS__
#define OF__ADDRESS_SANITIZER
#endif

#endif
