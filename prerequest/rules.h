/* The rules of `auto`, by name.
 *
 * Each rule that decides something stands here once. Some make a request leave; the others correct
 * what is known, the period, or the quality. docs/scheduler.md explains each.
 *
 * All rules are in force, always. Only the simulation, which is built with PREREQUEST_ABLATION, can
 * switch one off: so its worth is measured (tools/lab.sh ablate).
 */
#ifndef VNCHL_RULES_H
#define VNCHL_RULES_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(id, name, what it does) */
#define RULES(X)                                                                                   \
    /* why a request leaves; of two due at once the first (policy_auto.c, policy_plain.c) */       \
    X(RULE_FIRST, "new picture", "asks for the whole picture, at first and when its size changes") \
    X(RULE_INPUT, "input", "a request goes with a key or a click")                                 \
    X(RULE_REACTIVE, "reactive", "a request that is owed: for an update, or a change of ours")     \
    X(RULE_REFRESH, "refresh", "asks again, without loss, for what is still")                      \
    X(RULE_BEAT, "beat", "a request every period, while there is room on the path")                \
    X(RULE_NOTHING_COMES, "nothing comes", "a request 250 ms after all that was asked for came")   \
    X(RULE_HELD, "held", "a request although there is no room, after a long silence")              \
    X(RULE_HIDDEN, "hidden", "a picture that nobody sees is asked for once a second")              \
    /* when requests leave */                                                                      \
    X(RULE_WAKE, "wake", "a still screen is asked at once when something happens")                 \
    X(RULE_NEAR, "near", "on a near path a request leaves as soon as an update begins")            \
    X(RULE_TRAIN, "train", "a second request follows 10 ms after the one that went with input")    \
    X(RULE_EFFECT, "effect",                                                                       \
      "on a full path no request goes with input, but 20 ms later if nothing comes")               \
    X(RULE_PATIENCE, "patience", "'held' waits the longer the longer nothing came")                \
    X(RULE_PULL, "pull", "a timer that was set for a slow path is brought forward")                \
    X(RULE_STEADY_BEAT, "steady beat", "an expiry that comes late does not delay the next one")    \
    X(RULE_PROBE, "probe", "a few slow requests show whether the server counts them")              \
    /* how much fits the path */                                                                   \
    X(RULE_FILL, "fill", "the path is filled to 92 % only")                                        \
    X(RULE_DRAIN, "drain", "the period grows with the queue")                                      \
    X(RULE_ROOM, "room", "no more in flight than the round trip holds")                            \
    X(RULE_STILL_ROOM, "still room", "eight more while nothing comes")                             \
    X(RULE_EMPTIED, "emptied", "a queue is gone when nothing has come for a moment")               \
    /* what is known of it */                                                                      \
    X(RULE_SLOWDOWN, "slowdown", "two slow pieces of an update show a slower path at once")        \
    X(RULE_LESS, "less", "the second quick update in a row, or one after a stall, counts more")    \
    X(RULE_GUESS, "guess", "an update that is not typical is better than nothing")                 \
    X(RULE_FIRST_PACKET, "first packet", "the time of an update's first packet belongs to it")     \
    X(RULE_FAST_CONTENT, "fast content",                                                           \
      "frames that come faster than the gap correct it at once")                                   \
    /* the period of the content */                                                                \
    X(RULE_FASTER, "faster", "a shorter period where every request brings a frame")                \
    X(RULE_SLOWER, "slower", "a longer period is tried where requests are wasted, and judged")     \
    X(RULE_SWING, "swing", "a request every half gap where frames come irregularly")               \
    /* the quality of the pictures */                                                              \
    X(RULE_DOWN, "down", "a lower quality where the path is too slow")                             \
    X(RULE_UP, "up", "a higher quality where the path has room")                                   \
    X(RULE_COARSE_FIRST, "coarse first", "a low quality to begin with on a long path")

#define RULE_ID(id, name, what) id,
enum rule_id { RULES(RULE_ID) RULE_COUNT };
#undef RULE_ID

#ifdef PREREQUEST_ABLATION
/* A set of rules: bit n is rule n. */
typedef uint64_t rule_set;

/* From now on these rules are switched off in the calling thread, and no others. */
void rules_switch_off(rule_set rules);

bool rule_on(enum rule_id id);
#else
static inline bool rule_on(enum rule_id id)
{
    return true;
}
#endif

/* "beat" / "a request every period, while there is room on the path" */
const char *rule_name(enum rule_id id);
const char *rule_does(enum rule_id id);

#ifdef __cplusplus
}
#endif
#endif
