#!/usr/bin/env bash
# The folders depend on each other in one direction only (docs/architecture.md): looks at every
# #include and names those that point the wrong way. The control logic is pure: no clock, no file, no
# memory of its own.
set -u
cd "${1:?usage: layout.sh SOURCE_ROOT}" || exit 2

bad=0
forbid() { # FOLDER PATTERN WHY
    local found
    found=$(grep -rnE "^ *# *include +[\"<]($2)" "$1" --include='*.[ch]' --include='*.[ch]pp')
    if [ -n "$found" ]; then
        printf '%s %s:\n%s\n' "$1" "$3" "$found"
        bad=1
    fi
}

forbid prerequest '(rfb|viewer|tools|tests)/' 'is told everything, and uses no other folder'
forbid rfb '(viewer|tools|tests)/|SDL' 'may use prerequest and libvncclient only'
forbid rfb/texts 'rfb/([^t]|t[^e])' 'is words only'
forbid rfb/system 'rfb/([^st]|s[^y]|t[^e])' 'is what the machine gives, whatever it is for'
for file in rfb/*.[ch]; do # the sound's form is the protocol's
    [ "${file%.h}" = rfb/sound_queue ] || forbid "$file" 'rfb/[^/]*/' 'is for all of its folders'
done
forbid rfb/net 'rfb/(proto|blocks|decode|session)/' 'knows no messages'
forbid rfb/proto 'rfb/(framing|blocks|decode|session)/' 'is what is said, not what is done with it'
forbid rfb/proto/encodings 'rfb/(net/|proto/(handshake/|extensions/|blocks|message|screen|[a-z]+_messages))' \
    'is used by the messages'
for file in rfb/proto/*.[ch]; do
    forbid "$file" 'rfb/(net|proto/(handshake|extensions))/' 'is bytes, whoever talks'
done
forbid rfb/proto/extensions 'rfb/(net|proto/handshake)/' 'is bytes, whoever talks'
forbid rfb/proto/handshake 'rfb/proto/(extensions/|[a-z]+_messages\.h)' 'ends before the messages begin'
forbid rfb/framing 'rfb/(net|blocks|decode|session)/' 'is pure, and knows what is said only'
forbid rfb/blocks 'rfb/((net|framing|decode|session)/|proto/[^b])|time\.h|stdio|unistd|pthread|fcntl|sys/' \
    'is pure: memory in, memory out'
forbid rfb/film 'rfb/(net|framing|decode|session|pusher|worker)/' 'is pure: memory in, memory out'
forbid rfb/decode 'rfb/framing/' 'decodes what others frame'
forbid rfb/session 'rfb/framing/' 'reads from its stream'
for folder in rfb/net rfb/proto rfb/framing rfb/blocks rfb/decode rfb/session; do
    forbid "$folder" 'rfb/pusher/' 'is what the far end that pushes is made of'
done
forbid rfb/decode 'rfb/session/' 'knows no session'
for folder in rfb/net rfb/proto rfb/framing rfb/blocks rfb/decode rfb/session; do
    forbid "$folder" 'rfb/worker/' 'does not know in which process it runs'
done
for file in rfb/worker/*.[ch]; do
    forbid "$file" 'rfb/worker/confined/' "is the viewer's, or both sides'"
done
forbid viewer 'rfb/worker/' 'sees a session as rfb/session/session.h has it'
forbid viewer '(tools/[^m]|tests/)|rfb/rfb(client|proto)?\.h' 'may use rfb, prerequest, tools/marks and SDL only'
forbid tools/marks '(rfb|viewer|tests|tools/[^m].*)/|SDL' 'may use prerequest only'
forbid tools '(viewer|tests)/|SDL' 'may use rfb and prerequest, never SDL'

# the program: what is known of servers, then trust, then the rest. viewer/ itself has what is for all of its folders,
# and main.c joins them
for file in viewer/*.[ch]; do
    [ "$file" = viewer/main.c ] || forbid "$file" 'viewer/[^/]*/' 'is for all of its folders'
done
forbid viewer/servers 'viewer/(trust|options|desktop|headless|ui)/|SDL' 'is what is known, whoever asks'
forbid viewer/trust 'viewer/(options|desktop|headless|ui)/|SDL' 'does not know how a person is asked in a window'
forbid viewer/options 'viewer/(servers|desktop|headless)/' 'only says what the user asks for'
forbid viewer/options/files 'viewer/options/form/' 'says what stands there, whoever shows it'
for file in viewer/options/*.[ch]; do
    forbid "$file" 'viewer/options/[^/]*/' 'is for its folders, too'
done

# the window: its folders are used from above, where viewer/desktop itself joins them
forbid viewer/desktop/connection 'viewer/(ui|desktop/(display|input|pages))/|SDL' 'knows no window'
forbid viewer/desktop/display 'viewer/desktop/(connection|input|pages)/' 'shows a picture, whosever it is'
forbid viewer/desktop/input 'viewer/(ui|desktop/(connection|pages))/' 'may use display only'
for folder in connection display input pages; do
    forbid "viewer/desktop/$folder" 'viewer/desktop/[^/]*\.h' 'is joined with the others from above'
done
for folder in drawing window; do
    forbid "viewer/desktop/display/$folder" 'viewer/desktop/display/([^s][^/]*|s[^c][^/]*|screen)\.h' \
        'shares screen_map.h only'
done
forbid viewer/desktop/display/drawing 'viewer/desktop/display/window/' 'draws where it is told to'
forbid viewer/desktop/display/window 'viewer/(ui|desktop/display/drawing)/' 'knows nothing of what is drawn'
forbid viewer/desktop/input/keyboard 'viewer/desktop/(display|input/([^/]*\.h|clipboard))' 'only says what a key is'
forbid viewer/desktop/input/clipboard 'viewer/desktop/input/([^/]*\.h|keyboard/)' 'is one thing of many'
forbid viewer/desktop/pages/told 'viewer/desktop/pages/([^/]*\.h|(menu|modes)/)' 'asks nothing'
forbid viewer/desktop/pages/menu 'viewer/desktop/(connection/|pages/([^/]*\.h|(told|modes)/))' 'only offers'
forbid viewer/desktop/pages/modes 'viewer/desktop/pages/([^/]*\.h|menu/)' 'may use told only'

# what the viewer itself draws: text, then widgets; overlay and pages know none of each other. Others see the headers of
# viewer/ui itself, and ui.cpp joins its folders
forbid viewer/ui/text 'viewer/ui/([^/]*\.h|(widgets|overlay|pages)/)' 'draws what it is given'
forbid viewer/ui/widgets 'viewer/ui/(ui[^/]*\.h|(overlay|pages)/)' 'may use text and the theme only'
forbid viewer/ui/overlay 'viewer/ui/pages/' 'lies above the picture, whatever page is open'
forbid viewer/ui/pages 'viewer/ui/overlay/' 'fills the window'
for file in viewer/ui/*.[ch] viewer/{desktop,options}; do
    forbid "$file" 'viewer/ui/[^/]*/' 'sees no folder of viewer/ui'
done

# the accelerator: from what is said to who is served. All but the first two write lines of its log (events.h)
forbid tools/accelerator/exchange \
    'tools/accelerator/([^/]+\.h|(transport|push|connection|service|ssh)/)|rfb/net/|(sys/socket|uv|unistd|time|pthread)\.h' \
    'is pure: no socket, no clock'
forbid tools/accelerator/transport 'tools/accelerator/([^/]+\.h|(push|connection|service|ssh)/)' \
    'carries bytes, whosever they are'
forbid tools/accelerator/push 'tools/accelerator/(connection|service|ssh)/' 'knows no client'
forbid tools/accelerator/connection 'tools/accelerator/(service|ssh)/' 'is one client, whoever has it'
forbid tools/accelerator/service 'tools/accelerator/ssh/' 'does not know what is made of it'

# the link emulator: link and hosts know none of each other. Both may use units, hosts also the options, and the rest
# joins them
forbid tools/linkem/link 'tools/linkem/([^u/][^/]*\.h|hosts/)' 'is told its settings and the time'
forbid tools/linkem/hosts 'tools/linkem/((control|keeper|report)\.h|link/)' 'does not know what lies in between'
for file in tools/linkem/{options,units}.[ch]; do
    forbid "$file" 'tools/linkem/hosts/' 'is for all of its folders'
done

# streams: address, then sockets, then ssh; crypto and recording know none of these. Of rfb/net itself all may use
# transport.h, and the rest joins them
forbid rfb/net/address 'rfb/net/([^/]+\.h|(sockets|ssh|crypto|recording)/)' 'only names what others reach'
forbid rfb/net/sockets 'rfb/net/((repeater|route|stream)\.h|(ssh|crypto|recording)/)' 'knows nothing that stands in between'
forbid rfb/net/ssh 'rfb/net/((repeater|route|stream)\.h|(crypto|recording)/)' 'is one way of many'
forbid rfb/net/crypto 'rfb/net/((repeater|route|stream)\.h|(address|sockets|ssh|recording)/)' 'lies on any transport'
forbid rfb/net/recording 'rfb/net/((repeater|route|stream)\.h|(address|sockets|ssh|crypto)/)' 'needs no server'
for file in rfb/net/transport.[ch]; do
    forbid "$file" 'rfb/net/([^t]|t[^r])' 'is below them all'
done

# what is pushed: rate and packets know no other, and picture may use packets. Of prerequest/push itself they may use
# the constants, and the rest joins them
forbid prerequest/push/rate 'prerequest/push/(packets|picture)/' 'is told what came, and what did not'
forbid prerequest/push/packets 'prerequest/push/(rate|picture)/' 'is told when something leaves'
forbid prerequest/push/picture 'prerequest/push/rate/' 'is told what the path carries'
for folder in rate packets picture; do
    forbid "prerequest/push/$folder" 'prerequest/push/(datagrams|octopus|plan|report|turnaround)\.h' \
        'is joined with the others from above'
done

# blocks: pixels, then foretold and references. Of rfb/blocks itself these may use the block's head, and the rest
# joins them
forbid rfb/blocks/pixels 'rfb/blocks/(foretold|references)/' 'is below them'
forbid rfb/blocks/foretold 'rfb/blocks/references/' 'needs nothing but what came before'
forbid rfb/blocks/references 'rfb/blocks/foretold/' 'names what is there'
for folder in pixels foretold references; do
    forbid "rfb/blocks/$folder" 'rfb/blocks/(area_writer|block_[a-z]+|resolver)\.h' 'is joined with the others from above'
done

# a session: pacing, input and push know none of each other; then pictures, connection, threads. What rfb/session
# itself has is for all of them, and session.c joins them
forbid rfb/session/pacing 'rfb/session/(input|push|pictures|connection|threads)/' 'is told what comes and leaves'
forbid rfb/session/input 'rfb/session/(pacing|push|pictures|connection|threads)/' 'only keeps what waits'
forbid rfb/session/push 'rfb/session/(pacing|input|pictures|connection|threads)/' 'is for a far end only'
forbid rfb/session/pictures 'rfb/session/(input|connection|threads)/' 'tells what comes to whom it is given'
forbid rfb/session/connection 'rfb/session/(input|threads)/' 'does not know who reads and who writes'
for file in rfb/session/*.[ch]; do
    [ "$file" = rfb/session/session.c ] || forbid "$file" 'rfb/session/[^/]*/' 'is for all of its folders'
done

# a far end: blocks and references know none of each other; then viewer; then server and visits. Of rfb/pusher itself
# all may use the constants, visits also the path, and the rest joins them
forbid rfb/pusher/blocks 'rfb/pusher/(references|viewer|server|visits)/' 'is asked by what goes to the viewer'
forbid rfb/pusher/references 'rfb/pusher/(blocks|viewer|server|visits)/' 'is asked by what goes to the viewer'
forbid rfb/pusher/viewer 'rfb/pusher/(server|visits)/' 'does not know where the picture comes from'
forbid rfb/pusher/server 'rfb/pusher/(blocks|references|visits)/' 'hands what comes to the viewer'
forbid rfb/pusher/visits 'rfb/pusher/(blocks|references|server)/' 'does not know where the picture comes from'
for folder in blocks references viewer server visits; do
    forbid "rfb/pusher/$folder" 'rfb/pusher/pusher[^/]*\.h' 'is joined with the others from above'
    [ "$folder" = visits ] || forbid "rfb/pusher/$folder" 'rfb/pusher/(path|words)\.h' 'knows no datagrams'
done
for file in rfb/pusher/{path.[ch],constants.h,words.h}; do
    forbid "$file" 'rfb/pusher/[^/]*/' 'is below its folders'
done

# a connection is a stream: its socket stays in rfb/net. A security type names the cipher to lay on it.
for folder in rfb/proto rfb/decode rfb/session viewer; do
    forbid "$folder" 'rfb/net/(sockets/socket|transport)\.h|sys/socket|sys/un|netinet/' \
        'knows streams, not what is below them'
done
for folder in rfb/decode rfb/session viewer; do
    forbid "$folder" 'rfb/net/crypto/(tls|eax_[a-z]+|rsa_key)\.h' 'leaves ciphers to rfb/proto'
done

# what is pure needs no more of libc than this: no clock, files, memory, threads, random numbers
allowed='math|stdbool|stddef|stdint|string'
impure=$(grep -rnE '^ *# *include +<' prerequest --include='*.[ch]' | grep -vE "<($allowed)\.h>")
impure+=$(grep -rnE '\b(malloc|calloc|realloc|free|strdup|time|clock_gettime|fopen|getenv) *\(' \
    prerequest --include='*.c')
if [ -n "$impure" ]; then
    printf 'prerequest is pure, it is told the time and allocates nothing:\n%s\n' "$impure"
    bad=1
fi

# a rule's constants stand in its folder's table, with unit and reason: none in a .c of prerequest, and none
# without a comment
found=$(
    grep -nE '^ *# *define' prerequest/{know,decide,push,push/*}/*.c | grep -v sizeof
    awk '/^#define .* / && last !~ /\*\/$|^#define .* / { print FILENAME ":" FNR ":" $0 } { last = $0 }' \
        {prerequest,rfb}/*/constants.h tools/accelerator/*/constants.h
)
if [ -n "$found" ]; then
    printf 'what a rule goes by belongs to constants.h of its folder, with unit and reason:\n%s\n' "$found"
    bad=1
fi

# libvncclient has one door
others=$(grep -rlE 'include +<rfb/rfbclient.h>' prerequest rfb viewer tools --include='*.[ch]' |
    grep -v '^rfb/decode/library_decoder\.c$')
if [ -n "$others" ]; then
    printf 'only rfb/decode/library_decoder.c includes <rfb/rfbclient.h>, not:\n%s\n' "$others"
    bad=1
fi

# so have x264 and libavcodec
others=$(grep -rlE 'include +<(x264|libav)' prerequest rfb viewer tools --include='*.[ch]' |
    grep -vE '^rfb/film/(encoder|avcodec_decoder)\.c$')
if [ -n "$others" ]; then
    printf 'only rfb/film/encoder.c includes <x264.h>, and avcodec_decoder.c libavcodec, not:\n%s\n' "$others"
    bad=1
fi

# the toolkit of the window's own pages, and the only C++, stay behind viewer/ui/ui.h
others=$(grep -rlE 'include +[<"](imgui|fontconfig/|pango/)' prerequest rfb viewer tools | grep -v '^viewer/ui/')
others+=$(git ls-files 'prerequest/*pp' 'rfb/*pp' 'viewer/*pp' 2>/dev/null | grep -v '^viewer/ui/')
if [ -n "$others" ]; then
    printf 'only viewer/ui/ is C++ and knows the toolkit, not:\n%s\n' "$others"
    bad=1
fi

# a file past 600 lines is a mistake
long=$(git ls-files '*.c' '*.h' '*.cpp' '*.hpp' '*.sh' '*.py' 2>/dev/null | xargs -r wc -l |
    awk '$2 != "total" && $1 > 600')
if [ -n "$long" ]; then
    printf 'longer than 600 lines:\n%s\n' "$long"
    bad=1
fi
exit $bad
