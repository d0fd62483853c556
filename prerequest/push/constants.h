/* Every constant of what the far end sends: first its unit, then why it has this value. The words
 * are those of know/constants.h.
 *
 * What a rule does with them stands in its file. The ladders of JPEG qualities stand in level.c and
 * octopus.c, the sizes of packets that are tried in packet_size.c; what is the wire's, and sizes of
 * arrays, in their headers.
 */
#ifndef VNCHL_PUSH_CONSTANTS_H
#define VNCHL_PUSH_CONSTANTS_H

#include "prerequest/tick.h"

/* ---- picture/cells.h: what the viewer does not have yet ---- */

/* ms: what changes again within this time, moves. Chosen: also on a link that carries two frames of
 * a film in a second, the film is one. */
#define PUSH_MOVES 1000
/* Changes in a row that make a cell a moving one. Chosen: typing changes a cell for two letters,
 * and for the caret. */
#define PUSH_MOVING 4
/* Updates: a lost cell is older by so many. Chosen: nothing waits as long. */
#define PUSH_LOST_TURNS 65536

/* ---- picture/order.h: which cells go next ---- */

/* ms: what was sent with loss goes again exact when it has been still for so long. Chosen: shorter
 * than a person needs to look at something, longer than the gap of any film, as REFRESH_STILL. */
#define PUSH_STILL 500

/* ---- plan.h: what is sent, and when the server's next update is taken ---- */

/* ns after input: what the server draws then is its effect. Chosen: programs answer a key within
 * 50 ms, and a slow one still counts. */
#define PUSH_EFFECT (300 * TICK_MS)
/* Pixels. Chosen: a line of text, a menu's entry, a button. */
#define PUSH_SMALL 32768
/* Pixels around the pointer. Chosen. */
#define PUSH_NEAR 96
/* ns: the server's next update waits for the end of a pass no longer than this. Chosen: a page that
 * takes seconds to send must not hide what happens meanwhile. */
#define PUSH_HOLD (TICK_S / 4)
/* ns: after so long without a pass nothing moves, and refinement may fill the path. Chosen. */
#define PUSH_REST (TICK_S / 2)
/* Rows of cells in a block at most. Chosen: of a film at the lowest quality not more fit into a
 * packet. */
#define PUSH_TALL 8
/* How much the newest frame's size counts, 0..1. Chosen. */
#define PUSH_PLAN_FRAME_GAIN 0.2
/* What is left of that size with each update while nothing moves, 0..1. Chosen. */
#define PUSH_PLAN_FRAME_FADES 0.9
/* Cells: what is smaller is no frame of a film. Chosen: 128x128 pixels. */
#define PUSH_PLAN_FRAME_LEAST 64
/* ns: an update that waited for the end of a pass comes within this time after it. Chosen: the
 * server is near, and has to encode it. */
#define PUSH_PLAN_TAKEN (10 * TICK_MS)

/* ---- picture/level.h: how good the pictures are ---- */

/* Steps, 0: best. */
#define LEVEL_STEPS 9
/* Shares of the path's time, 0..1. Chosen: 0.6 / 0.78 is less than 0.9, so a step up is not too
 * much. Above 0.9 the end of a frame's pass meets the next frame when that comes a little early. */
#define LEVEL_FULL  0.90
#define LEVEL_AIM   0.75
#define LEVEL_SPARE 0.60
/* What a step leaves of the bytes, 0..1. The qualities in level.c are chosen so. */
#define LEVEL_STEP 0.78
/* ns: before a step up after another change: four frames; before one with little room; the same at
 * most, after steps up that were too much. Chosen. */
#define LEVEL_EVERY  (TICK_S / 8)
#define LEVEL_UP     (TICK_S)
#define LEVEL_UP_MAX (16 * TICK_S)
/* Waits for a step up: a step down within so many after one shows that it was too much; after so
 * many without a change the wait is halved. Chosen. */
#define LEVEL_REGRET 4
#define LEVEL_CALM   8
/* Frames of a step before it is judged. Chosen. */
#define LEVEL_SETTLE 2
/* So many times as much as fits is judged at once. Chosen. */
#define LEVEL_FAR_TOO_MUCH 1.5
/* So many times as much as a step up was expected to take: the path is another one. Chosen. */
#define LEVEL_SLOWER 1.5
/* ns: round trips, and the steps to begin with. Chosen: TCP begins with ten packets and doubles
 * them every round trip, so on a far path a large picture takes several (decide/quality.h). */
#define LEVEL_NEAR        (20 * TICK_MS)
#define LEVEL_FAR         (200 * TICK_MS)
#define LEVEL_STEP_NEAR   2
#define LEVEL_STEP_MIDDLE 5
#define LEVEL_STEP_FAR    7

/* ---- rate/flow.h: how fast blocks leave ---- */

/* Bytes of a block at most, about. */
#define PUSH_PACKET 1200
/* Bytes of a packet of TCP's. Chosen: what Ethernet and TCP's time stamps leave. */
#define PUSH_SEGMENT 1448
/* Bytes on their way at first: TCP's first window (RFC 6928), so that it is not the limit. */
#define PUSH_FIRST (10 * PUSH_SEGMENT)
/* ns: the queue that a full path is to have. Chosen: acknowledgements come in lumps of up to 5 ms,
 * and the link must not run dry between them. */
#define PUSH_QUEUE (6 * TICK_MS)
/* A share of that: a longer wait is a queue. Chosen. */
#define PUSH_FLOW_QUEUE_SHARE 0.75
/* The rate of a burst, in rates of the path. Chosen: a burst of 20 ms leaves 4 ms of queue, and
 * shows a path that is faster by a quarter. */
#define PUSH_PACE 1.25
/* ns: so much leaves at once. Chosen: timers are no finer. */
#define PUSH_BURST (3 * TICK_MS)
/* ns: the mean rate that the user allows holds over about this time. Chosen. */
#define PUSH_PACE_ALLOWED_BURST (50 * TICK_MS)
/* ns of delivering in a measurement at least. Chosen: lumps of 5 ms are an eighth. */
#define PUSH_MEASURE (40 * TICK_MS)
/* Packets in a measurement at least. Chosen. */
#define PUSH_FLOW_PACKETS_LEAST 4
/* Growth of the rate, a share of it: by the first clear measurement at most; and ns of queue if
 * there was nothing to grow into. Each clear one in a row doubles it, up to PUSH_FLOW_GROW_MOST.
 * Chosen: from 5 to 20 Mbit/s at 500 ms it takes 0.06, 0.12, 0.24, and 0.48 thrice. */
#define PUSH_GROW       0.25
#define PUSH_GROW_QUEUE (30 * TICK_MS)
/* ns: the same of datagrams, whose growth is judged by its losses, a round trip later. Chosen. It
 * is PUSH_LOSS_GROW at least, so that a policer shows. */
#define PUSH_FLOW_GROW_QUEUE_LOSES (12 * TICK_MS)
/* The rate grows by this share of it at a time at most. Chosen: level.c trusts it at once, and
 * trains have only shown a path that is faster by a quarter. */
#define PUSH_FLOW_GROW_MOST 0.5
/* Blocks that arrive so many times more slowly than they left were held up by the link. Chosen:
 * more than the lumps of acknowledgements make. */
#define PUSH_APART 1.2
/* A share of the rate: so much delivered bears it out. Chosen: lumps of acknowledgements hide a
 * tenth. */
#define PUSH_FLOW_BORNE_OUT 0.9
/* How much the newest measurement of what is delivered counts, and how much more the path is taken
 * for. Chosen: a mean of four; measurements say less where acknowledgements come in lumps. */
#define PUSH_FLOW_DELIVERS_GAIN 0.25
#define PUSH_FLOW_DELIVERS_MORE 1.15
/* ns: a path that is always full is emptied this often to see its round trip. Chosen: less than
 * half of ROUND_TRIP_WINDOW. */
#define PUSH_LOOK (4 * TICK_S)
/* While the path is emptied: a share of what it holds. Chosen. */
#define PUSH_FLOW_EMPTIED 0.9
/* ns without a block on its way: a rest. Chosen: longer than most time-outs of TCP. */
#define PUSH_RESTS TICK_S
/* How much the newest difference of round trips counts. Chosen: the mean is of the last sixteen. */
#define PUSH_FLOW_JITTER_GAIN (1.0 / 16)
/* Differences of that size make the longest delay, about. Chosen: acknowledgements in lumps of up
 * to 5 ms differ by 1 ms in the mean. */
#define PUSH_FLOW_JITTERS 3.0
/* ns: a larger difference is a stall, not jitter. Chosen. */
#define PUSH_FLOW_JITTER_MOST (20 * TICK_MS)
/* ns: so long without an acknowledgement, and then packets at once, is a stall: TCP below has sent
 * a lost packet again. Longer where the path is. Chosen. */
#define PUSH_FLOW_STALL (20 * TICK_MS)
/* ns: one stall in so long is left out of what is measured. Chosen. */
#define PUSH_FLOW_STALLS (TICK_S / 2)
/* A far path's own unrest, a share of its round trip: what is no queue. Chosen: 8 ms at 500 ms. */
#define PUSH_FLOW_UNREST_QUEUE (1.0 / 64)
/* How much the rate grows in a second where no measurement shows more. Chosen: a small film is
 * better after ten seconds. */
#define PUSH_FLOW_TRY 0.1
/* The share of the rate that has to be used for that. Chosen: films take 3/4 of it. */
#define PUSH_FLOW_TRY_USED 0.5
/* ns: the path was not full for so long. Chosen. */
#define PUSH_FLOW_TRY_AFTER TICK_S
/* Bytes per second: no path is faster. Chosen: 10 Gbit/s. */
#define PUSH_FLOW_RATE_MOST 1.25e9
/* A share of the rate that was known before somebody competed. Chosen: it may have been a guess. */
#define PUSH_FLOW_KNOWN_GOOD 0.75

/* ---- rate/seek.h: the window while the rate is sought ---- */

/* A round trip delivered more than the best one before by this factor, or so many in a row did not.
 * Then the path is full (BBR, section "startup"). */
#define PUSH_SEEK_GROWTH 1.25
#define PUSH_SEEK_ROUNDS 3
/* The window and the pace at most, in what the best round trip delivered. BBR below has 2.89 for
 * both. Chosen: if we were faster, blocks would come apart in its socket, and it would take the
 * path for full. */
#define PUSH_SEEK_MOST 2.7
/* The pace, in windows of a round trip. Chosen: 2 ln 2 = 1.39 is what doubling needs when all of
 * the window is used. */
#define PUSH_SEEK_PACE 1.5
/* The window grows while at least this share of what it allows is on its way. Chosen. */
#define PUSH_SEEK_USED 0.25
/* The same of a film, whose small frames wait for nothing. Chosen: a film takes 3/4 of the rate; in
 * slow start Linux's TCP grows its window up to twice what was on its way. */
#define PUSH_SEEK_FILM_USED 0.5
/* A film is told so many times what was delivered. Chosen: it takes 3/4 of that, an eighth more
 * than was delivered. */
#define PUSH_SEEK_FILM_MORE 1.5

/* ---- rate/loss.h: whether too much is sent ---- */

/* Blocks of a round at least. Chosen: 11 % of them are more than chance. */
#define PUSH_LOSS_BLOCKS 160
/* ns of a round at least. Chosen: policers let bursts of some ten ms pass. */
#define PUSH_LOSS_ROUND (100 * TICK_MS)
/* Rounds that p0 is of. As C4 would have it. */
#define PUSH_LOSS_QUIET 8
/* A share: so much more than p0 is too much. Chosen: less than a policer loses of a growth by
 * PUSH_LOSS_GROW. */
#define PUSH_LOSS_MORE 0.05
/* Standard deviations of what chance does. Chosen: p0, as the smallest of eight, is 1.4 too low. */
#define PUSH_LOSS_CHANCE 4.0
/* Growth of the rate after one that lost too much, a share of it. Chosen. */
#define PUSH_LOSS_GROW 0.125
/* Rounds without growth after one that lost too much: at first, and at most. Chosen. */
#define PUSH_LOSS_HOLD      2
#define PUSH_LOSS_HOLD_MOST 16
/* Rounds from one look at a lower rate to the next, and that rate, a share. Chosen: it costs two
 * rounds of a quarter in so many. */
#define PUSH_LOSS_CHECKS 32
#define PUSH_LOSS_CHECK  0.75
/* A share that is lost: less is not worth the look. Chosen: it is hard to tell from chance. */
#define PUSH_LOSS_CHECKED 0.1
/* ns after a round was acknowledged, and the part of a round trip besides: what was lost of its
 * last blocks is told later than that (push/packets/arrivals.h). Chosen: some of what the viewer
 * tells is lost, too. */
#define PUSH_LOSS_TOLD_LATER       (3 * PUSH_TOLD_EVERY)
#define PUSH_LOSS_TOLD_LATER_SHARE 4
/* A share: the rate becomes no less at once. Chosen. */
#define PUSH_LOSS_DELIVERED_LEAST (1.0 / 32)
/* A share of the rate: no less counts as used. Chosen: a round has rests, too. */
#define PUSH_LOSS_USED_LEAST 0.5
/* Of what a lower rate should spare: if so much is lost all the same, it was not the rate. Chosen:
 * half; and more after a growth, for a policer's first burst has spared some of it before. */
#define PUSH_LOSS_BY_PATH       0.5
#define PUSH_LOSS_BY_PATH_GROWN 0.7
/* So much is not worth insuring against, a share. Chosen: one block in 250. */
#define PUSH_LOSS_LEAST 0.004

/* ---- rate/fall.h: whether a stream's rate falls in vain ---- */

/* Shares of the rate before, and of the wait. Chosen: a quarter of the rate leaves next to nothing
 * of one's own queue. At half of it TCP's own losses look like others. */
#define PUSH_FALL_FAR  0.25
#define PUSH_FALL_WAIT 0.75

/* ---- rate/competitor.h: beside others who keep the queue full ---- */

/* Round trips, and ns at least, in which the queue was not nearly empty. Copa has five; the time is
 * chosen: after a drop of the link's rate our own queue takes as long. */
#define PUSH_COMPETES_ROUNDS 5
#define PUSH_COMPETES_LEAST  (TICK_S / 2)
/* Times longer that it takes at most. Chosen: 1.5 s at 100 ms. */
#define PUSH_COMPETES_DOUBTS_MOST 3
/* ns: a stream's own queue may be longer by so much. Chosen: TCP below leaves 30 ms when its window
 * grows. */
#define PUSH_COMPETES_STREAM (40 * TICK_MS)
/* ns: a stream's queue that is not nearly empty for so long is somebody else's; and a time without
 * blocks that is a rest. Chosen: TCP has sent again by then what was lost, and CUBIC keeps a queue
 * for longer. */
#define PUSH_COMPETES_STREAM_LEAST (3 * TICK_S)
#define PUSH_COMPETES_STREAM_RESTS TICK_S
/* A share of the longest wait: a shorter one is nearly empty. Copa's. */
#define PUSH_COMPETES_EMPTY 0.1
/* ns: a longer wait reduces the window. Chosen. */
#define PUSH_COMPETES_WAIT (400 * TICK_MS)
/* ns from one look to the next. Chosen. */
#define PUSH_COMPETES_LOOK (1800 * TICK_MS)
/* How much of the path the flow leaves full in a look, and in one that follows because the queue
 * was empty. Chosen: the smallest round trip may be that of a queue, and then a shorter one shows.
 */
#define PUSH_COMPETES_LOOK_HOLDS       0.9
#define PUSH_COMPETES_LOOK_AGAIN_HOLDS 0.5
/* Looks in a row: that must find the queue not empty, unless somebody competed not long ago; or
 * that must find it empty. Chosen: the first look may have taken the rate for too high, and CUBIC's
 * queue is short for a moment, too. */
#define PUSH_COMPETES_CROWDED 2
#define PUSH_COMPETES_ALONE   4
/* How fast a stream forgets its smallest round trip: a share of the time. Chosen: 60 ms in a
 * minute; a download fills the queue within some seconds. */
#define PUSH_COMPETES_FORGETS 1e-3
/* Looks of a stream in a row that find the same round trip, which is the route's then; and how much
 * it may differ, in times of what the flow takes for a queue. Chosen: they take 20 s, and the
 * window of a CUBIC flow with 100 Mbit/s at 100 ms goes up and down within 15 s. */
#define PUSH_COMPETES_ROUTE_LOOKS   10
#define PUSH_COMPETES_ROUTE_DIFFERS 2
/* ns: a round trip that is the shortest by so much begins a look. Chosen: more than jitter is. */
#define PUSH_COMPETES_SHORTER (5 * TICK_MS)
/* Bytes of a packet in CUBIC's window: what others send. */
#define PUSH_COMPETES_PACKET ((double)PUSH_SEGMENT)
/* ns: what a packet takes on the link, at most. Chosen: 0.5 Mbit/s. A rate that is less is so for
 * others' sake. */
#define PUSH_COMPETES_PACKET_MOST (24.0 * TICK_MS)
/* CUBIC's constants (RFC 9438, sections 4.1 and 4.6), but for the second, which is 0.7 there.
 * Chosen: the looks cost as much. */
#define PUSH_COMPETES_SCALE   0.4
#define PUSH_COMPETES_REDUCED 0.8
/* The window grows to so many times itself in a round trip at most. RFC 9438, section 4.2. */
#define PUSH_COMPETES_TARGET_MOST 1.5
/* Packets of the window at least. Chosen. */
#define PUSH_COMPETES_WINDOW_LEAST 4
/* How much the newest round trip counts. As TCP's. */
#define PUSH_COMPETES_RTT_GAIN (1.0 / 8)
/* The longest wait, and the rate that was known, fade by this share with each round trip that is
 * told. Chosen: they halve in 700. */
#define PUSH_COMPETES_FADES (1.0 / 1000)
/* ns: the window that it had is remembered for so long. Chosen. */
#define PUSH_COMPETES_REMEMBERED (10 * TICK_S)
/* A share of the longest wait: what is lost while less waits is the path's own. Chosen. */
#define PUSH_COMPETES_STANDING 0.5

/* ---- packets/arrivals.h: what became of datagrams ---- */

/* Blocks: TCP's and QUIC's threshold for what came in another order (RFC 9002, section 6.1.1). */
#define ARRIVALS_LATER 3
/* ns. Chosen: what a machine's own threads make. */
#define ARRIVALS_REORDER (2 * TICK_MS)
/* ns between two packets in which the viewer tells of blocks. Chosen: the far end measures the path
 * by them, and 200 in a second take 20 KB. */
#define PUSH_TOLD_EVERY (5 * TICK_MS)
/* ns. Chosen: the viewer tells every PUSH_TOLD_EVERY, and runs late now and then. */
#define ARRIVALS_RTO (20 * TICK_MS)
/* ns: RFC 6298, section 2.1. */
#define ARRIVALS_FIRST TICK_S
/* ns from a loss to the next block that begins a silence anew. What leaves earlier continues it: at
 * a low rate each block may be lost before the next leaves. Chosen: a packet at 10 kbit/s. */
#define ARRIVALS_PAUSE TICK_S

/* ---- datagrams.h: when their path is taken for dead ---- */

/* ns, or round trips if these are longer, without a word on what is out. Chosen: longer than Wi-Fi
 * is away for when it changes its station. */
#define PUSH_DATAGRAMS_SILENT       (700 * TICK_MS)
#define PUSH_DATAGRAMS_SILENT_TRIPS 3

/* ---- packets/packet_size.h: how many bytes a packet may have ---- */

/* Bytes: IPv6 carries 1280 with its own and UDP's 48 everywhere, which leaves some for tunnels. */
#define PACKET_SIZE_LEAST 1200
/* Bytes: Ethernet's 1500 less 48. */
#define PACKET_SIZE_MOST 1452
/* Probes of a size. RFC 8899, section 5.1.2: MAX_PROBES. */
#define PACKET_SIZE_PROBES 3
/* ns. RFC 8899, section 5.1.1: PROBE_TIMER is no less than 1 s, PMTU_RAISE_TIMER is 600 s. */
#define PACKET_SIZE_WAIT  TICK_S
#define PACKET_SIZE_AGAIN (600 * TICK_S)
/* Packets: lost in a row; the same whatever else is lost; and others that came between them.
 * Chosen: at a random loss of 30 % ten in a row are lost once in 170000. */
#define PACKET_SIZE_LOST      10
#define PACKET_SIZE_LOST_MANY 100
#define PACKET_SIZE_SMALL     3
/* So many times as many others must have come as were lost. Chosen: a queue that overflows drops
 * others, too. */
#define PACKET_SIZE_SMALL_TIMES 4
/* ns: a packet is lost if so long ago one was told that left PACKET_SIZE_LATER numbers later or
 * more. Chosen: packets overtake each other by less. */
#define PACKET_SIZE_LATE  (100 * TICK_MS)
#define PACKET_SIZE_LATER 3

/* ---- packets/insurance.h: what leaves besides because blocks may get lost ---- */

/* Blocks of an update that are insured: of a larger one the last ones, for what is lost of the
 * first ones goes again meanwhile. Chosen: a picture of 640x360 as JPEG takes 20 to 140. */
#define PUSH_INSURED 512
/* Blocks of an update that leave again as they are, at most, and how often at most. Chosen. */
#define PUSH_COPIED      5
#define PUSH_COPIES_MOST 3
/* Blocks of a group, and parities of it, at most. Chosen: large groups take less parity. */
#define PUSH_GROUP       128
#define PUSH_PARITY_MOST 96
/* Blocks that are lost in the mean, of those that leave again as they are. Chosen: one update in
 * twenty is not whole. */
#define PUSH_LOST_MOST 0.05
/* The share of updates that parity does not make whole. Chosen: one in fifty. About one in twenty
 * it is, as the loss is not known exactly. */
#define PUSH_FAILS_MOST 0.02
/* Blocks that left just before a film's frame are insured with it: so many at most. Chosen: a line
 * of text, and no page, for the next frame waits for the parities. */
#define PUSH_BESIDE_MOST 10
/* What share of such lines may not be whole. Chosen: one is lost for two round trips in 2000. */
#define PUSH_BESIDE_FAILS 0.0005

/* ---- picture/film.h: what moves goes as H.264 ---- */

/* Cells of its rectangle: at most 1280x720 pixels, which two cores encode; and at least. Chosen:
 * what is smaller than 128x128 pixels is no film. */
#define PUSH_FILM_CELLS 3600
#define PUSH_FILM_LEAST 64
/* ns. Chosen: longer than a page takes to scroll; shorter than it takes to be annoyed. */
#define PUSH_FILM_MOVED (TICK_S / 2)
#define PUSH_FILM_REST  (TICK_S / 2)
/* Steps of push/picture/level.h: JPEG quality 32 and coarser; 67. Chosen: so far apart that the
 * rate does not swing between them. */
#define PUSH_FILM_STEP 5
#define PUSH_FILM_BACK 3
/* ns: so long the rate has to carry JPEG. Chosen. */
#define PUSH_FILM_CARRIED TICK_S
/* Frames, and ms at least, within which what is of the film changes. Chosen: parts of a film rest
 * now and then. */
#define PUSH_FILM_EVERY 2
#define PUSH_FILM_NEAR  100
/* Percent of the bounding box that move, at least. Chosen. */
#define PUSH_FILM_FULL 60
/* Frames in a row that move outside of the rectangle, before it is another one. Chosen. */
#define PUSH_FILM_AWAY 8
/* What a frame is to take of the path's time, a share: 0..1. Chosen: x264 mostly takes less. */
#define PUSH_FILM_AIM 0.85
/* ns, and frames in a row: where it takes longer to encode them, the machine has no time for it,
 * and there is no film for so long. Chosen. */
#define PUSH_FILM_SLOW     (100 * TICK_MS)
#define PUSH_FILM_TOO_SLOW 5
#define PUSH_FILM_PAUSE    (10 * TICK_S)
/* ns after a frame in which what does not move goes before the film. Chosen: a page that scrolls a
 * few times a second is more than a thin link carries, and must not end the film. */
#define PUSH_FILM_YIELDS (200 * TICK_MS)

/* ---- picture/film_cut.h: a film's frame in blocks ---- */

/* Shares of frames, 0..1, and quantisers (H.264's QP). Chosen: each failure costs about five
 * frames, so 0.25 % and 10 % of them. */
#define PUSH_FILM_FAILS_LEAST 0.0005
#define PUSH_FILM_FAILS_MOST  0.02
#define PUSH_FILM_QP_GOOD     34
#define PUSH_FILM_QP_COARSE   42

/* ---- turnaround.h, report.h: what is told of it ---- */

/* ns from one input that is told of to the next. Chosen: more often than somebody reads figures,
 * and 3 kbit/s. */
#define TURNAROUND_EVERY (100 * TICK_MS)
/* ns between two reports at least. Chosen: 1 s is what Octopus measures its rate over. */
#define PUSH_REPORT_EVERY TICK_S
/* Blocks of which it has to be known whether they came, before a share is told. Chosen. */
#define PUSH_REPORT_BLOCKS 100

/* ---- octopus.h: Octopus's own rules. The sections are the paper's ---- */

/* Frames per second (4.3). An update every 50 ms is what section 5 has throughout; table 1's 11 and
 * 4 are steps of 3 from there, and from 1. */
#define OCTOPUS_FPS_LEAST 1
#define OCTOPUS_FPS_MOST  24
#define OCTOPUS_FPS_STEP  3
#define OCTOPUS_FPS_FIRST 20
/* Tight's JPEG levels (4.3). The first is chosen: the middle. */
#define OCTOPUS_LEVEL_LEAST 1
#define OCTOPUS_LEVEL_MOST  7
#define OCTOPUS_LEVEL_FIRST 4
/* Share of the bandwidth that is to be sent at least (4.3). */
#define OCTOPUS_LEAST 0.9
/* ns: the rate is measured, and the quality changes a step, once in so long at most. Chosen: the
 * lowest frame rate has an update in it. */
#define OCTOPUS_JUDGE TICK_S
/* How much a sample of the bandwidth counts. Chosen: as TCP smoothes its round trip. */
#define OCTOPUS_GAIN 0.125
/* ns: two blocks do not arrive closer to each other. Chosen: what a viewer needs to read one. */
#define OCTOPUS_APART (10 * TICK_MS / 1000)
/* ns: the granularity of RFC 6298, section 2.3: RTTVAR counts for so much at least. Chosen. */
#define OCTOPUS_CLOCK TICK_MS

#endif
