# Job mode: one approved command, run at most once, apart from the SSH session that asked for it. POSIX sh; nothing to
# install. Sent whole with every request, without comments and indentation (job-line.ts), as the $0 of a shell that
# evaluates it, so that it can start itself again. No single quotes, no here-documents, no comment after code.
#
# A job is a folder named by its id: cmd (the command), sup (its supervisor), pid, out.* (chunks of output, each named
# by the offset it begins at), claim and end.*. The one thing that decides whether the command runs is `claim`, a link
# that only one can make: to `pid`, made by the runner just before the command, or to `void`, and then it never runs.
# Everything that must be told on a full disk is a rename of a file made before.
umask 077
act=$1 id=$2
mark=@countersign:$id
# Chunks sort by name, and no leading zero makes a number octal.
names=1000000000000000

has() { command -v "$1" >/dev/null 2>&1; }
# An answer nobody reads any more ends the one who gives it.
say() { printf "%s\n" "$mark $*" || exit 1; }
refuse() { say refused "$1"; exit 1; }
# Not every sleep knows fractions.
nap() { sleep "$1" 2>/dev/null || sleep 1; }
size() { stat -c %s "$1" 2>/dev/null || wc -c <"$1" 2>/dev/null; }

# --- Which process is ours: a pid counts only with its start time and boot, since pids are given anew.
{ read -r boot </proc/sys/kernel/random/boot_id; } 2>/dev/null || boot=-
stamp() {
  stamp=
  if [ -e /proc/self/stat ]; then
    { read -r line <"/proc/$1/stat"; } 2>/dev/null || return
    # shellcheck disable=SC2086 # the fields are meant to be split
    set -- ${line##*) }
    [ "$1" = Z ] || stamp=$boot.${20}
  else
    stamp=$boot.$(ps -o lstart= -p "$1" | tr -d " ")
  fi
}
alive() { { read -r pid was <"$1"; } 2>/dev/null && kill -0 "$pid" 2>/dev/null && stamp "$pid" && [ "$stamp" = "$was" ]; }

# --- The base folder outlives a restart of the server where it can. It is in a place others can write to: one that is not
# ours, or a link, is not touched.
base=${COUNTERSIGN_DIR:-}
if [ -z "$base" ]; then
  base=/tmp
  [ -d /var/tmp ] && base=/var/tmp
  base=$base/.countersign-$(id -u)
fi
job=$base/$id
open_base() {
  [ -d "$base" ] || mkdir -m 700 "$base" 2>/dev/null || [ -d "$base" ] || refuse "disk $base"
  if [ -L "$base" ] || [ ! -O "$base" ]; then refuse "unsafe $base"; fi
}

claim() { ln -s "$1" "$job/claim" 2>/dev/null; }
is_claimed() { [ -L "$job/claim" ]; }
is_void() { is_claimed && [ ! -e "$job/claim" ]; }

# Away from the session and terminal that started it, in a process group of its own.
apart() {
  if has setsid; then setsid sh -c "eval \"\$0\"" "$0" "$@"; else perl -MPOSIX -e "setsid;exec@ARGV" sh -c "eval \"\$0\"" "$0" "$@"; fi
}

# --- start: id, hard limit (s), grace (s), chunk (bytes), command
start() {
  if mkdir "$job" 2>/dev/null; then
    has setsid || has perl || give_up setsid
    prepare || give_up "disk $base"
    # A pipeline, since a shell makes what it starts with & deaf to SIGINT, and the command would inherit that.
    # When the follower leaves, the shell that waits for both must not keep the session.
    apart supervise "$id" "$hard" "$grace" "$chunk" "$command" </dev/null >/dev/null 2>&1 | {
      trap "exit 1" PIPE
      trap "kill \$\$" EXIT
      follow
    }
  else
    [ -d "$job" ] || refuse "disk $base"
    follow
  fi
}
prepare() {
  { printf %s "$command" >"$job/cmd" && [ "$(cat "$job/cmd" && echo .)" = "$command." ] &&
    : >"$job/open" && : >"$job/no.hard" && : >"$job/no.lost" && mkfifo "$job/pipe"; } 2>/dev/null
}
give_up() { claim void || rm -rf "$job"; refuse "$1"; }

supervise() {
  stamp $$
  echo "$$ $stamp" >"$job/sup" || exit
  guard &
  guard=$!
  store <"$job/pipe" &
  store=$!
  # The shell itself says "Killed" on stderr where a signal ended it: so 137 by KILL is told from `exit 137`.
  apart run "$id" "$hard" "$grace" "$chunk" "$command" 2>"$job/note"
  code=$?
  kill "$guard" 2>/dev/null
  # A background process may hold the output open for ever; the end is told all the same.
  tries=0
  while kill -0 "$store" 2>/dev/null && [ "$tries" -lt 100 ]; do
    nap 0.01
    tries=$((tries + 1))
  done
  end=exit.$code
  if [ "$code" -gt 128 ] && [ -s "$job/note" ]; then end=signal.$(kill -l $((code - 128))); fi
  kill -0 "$store" 2>/dev/null && end=$end.open
  is_void || mv "$job/open" "$job/end.$end"
  gc
}

run() {
  exec >"$job/pipe" 2>&1
  stamp $$
  { echo "$$ $stamp" >"$job/pid"; } 2>/dev/null
  if [ -s "$job/pid" ]; then claim pid || exit; else claim void && exit; fi
  COUNTERSIGN_JOB=$id
  export COUNTERSIGN_JOB
  has bash && exec bash --noprofile --norc -c "$command"
  exec sh -c "$command"
}

# Keeps the first chunk, the one being written and the one before it. Where the disk is full it reads on, so that the
# command does not stall, and says so. dd passes on what it reads at once.
store() {
  from=0 before=
  while :; do
    file=$job/out.$((names + from)) count=0
    while [ "$count" -lt "$chunk" ]; do
      dd bs=65536 count=$(((chunk - count) / 65536 + 16)) >>"$file" 2>/dev/null || {
        mv "$job/no.lost" "$job/lost"
        exec cat >/dev/null
      }
      now=$(size "$file")
      now=$((${now:-0}))
      [ "$now" -gt "$count" ] || return
      count=$now
    done
    [ -z "$before" ] || rm -f "$before"
    [ "$from" = 0 ] || before=$file
    from=$((from + count))
  done
}

# The hard limit, where nobody else is there to keep it.
guard() {
  trap "kill \$! 2>/dev/null; exit" TERM
  sleep "$hard" &
  wait $!
  trap - TERM
  mv "$job/no.hard" "$job/hard"
  stop >/dev/null
}

# --- follow, settle: id, offset. What a start also does once the job is on its way.
await_claim() {
  tries=0
  until is_claimed; do
    # Nothing began in all this time: the claim proves that nothing ever will.
    [ "$tries" -lt 300 ] || claim void || [ -d "$job" ] || refuse gone
    nap 0.02
    tries=$((tries + 1))
  done
}
# Never begun, and never will. Where not even the command was written the folder may be new and an older one gone: then how
# long the server is up tells whether it could have forgotten.
say_void() {
  up=
  [ -e "$job/cmd" ] || { read -r up _ </proc/uptime; } 2>/dev/null || up=0
  say void "${up%.*}"
  exit
}
# Seconds since the process with the stamp $was began.
age() {
  age=0
  { read -r up _ </proc/uptime; } 2>/dev/null && age=$((${up%.*} - ${was##*.} / 100))
}
follow() {
  await_claim
  is_void && say_void
  alive "$job/pid"
  age
  say run "$pid" "$age" "$base"
  idle=0 pause=0.01
  while :; do
    end=
    for file in "$job"/end.*; do [ -e "$file" ] && end=${file##*/end.}; done
    [ -n "$end" ] || alive "$job/sup" || alive "$job/pid" || lost
    emit
    [ -z "$end" ] || ended
    [ "$act" != status ] || exit
    nap "$pause"
    case $pause in 0.01) pause=0.02 ;; 0.02) pause=0.05 ;; 0.05) pause=0.1 ;; 0.1) pause=0.2 ;; *) pause=0.5 ;; esac
    idle=$((idle + 1))
    # A follower whose reader has gone notices only when it writes.
    [ $((idle % 10)) -ne 0 ] || say beat
  done
}
ended() {
  [ ! -e "$job/hard" ] || end=$end.hard
  [ ! -e "$job/lost" ] || end=$end.lost
  say ended "$end" "$offset"
  exit
}
# Its supervisor may have written the end just before it left.
lost() {
  nap 0.3
  for file in "$job"/end.*; do [ -e "$file" ] && end=${file##*/end.} && return; done
  emit
  read -r pid was <"$job/pid"
  if [ "${was%.*}" = "$boot" ]; then say lost same; else say lost restarted; fi
  exit
}
# Prints what there is from $offset on. A chunk is opened before it is read, so it may be removed meanwhile.
emit() {
  [ "$act" != status ] || return
  for file in "$job"/out.*; do
    till=$(size "$file") || continue
    from=$((${file##*.} - names))
    till=$((from + till))
    [ "$till" -gt "$offset" ] || continue
    {
      if [ "$from" -gt "$offset" ]; then
        say gap "$offset" "$from"
        offset=$from
      fi
      say data "$offset" $((till - offset))
      tail -c +$((offset - from + 1)) | head -c $((till - offset)) || exit 1
    } 2>/dev/null <"$file" || return
    offset=$till pause=0.05
  done
}
# Where there is no such job none can begin any more.
settle() {
  mkdir "$job" 2>/dev/null && claim void
  [ -d "$job" ] || refuse "disk $base"
  follow
}

# --- kill: id, grace (s). TERM, grace, KILL to everything of its session; what left it (a daemon) is named, not ended.
end_it() {
  mkdir "$job" 2>/dev/null
  claim void
  is_claimed || refuse "disk $base"
  is_void && say_void
  stop
}
stop() {
  read -r leader was <"$job/pid"
  stamp "$leader"
  # The number was given to another process, so nothing of ours is left under it.
  [ -z "$stamp" ] || [ "$stamp" = "$was" ] || leader=0
  [ "${was%.*}" = "$boot" ] || leader=0
  known=" " inside=
  # Without /proc there is nothing to verify by.
  [ -e /proc/self/stat ] || { hit TERM; nap "$grace"; hit KILL; say unchecked; return; }
  look
  if [ "$known" = " " ]; then say absent; return; fi
  hit TERM
  wait_empty $((grace * 10)) || {
    hit KILL
    say killed
    wait_empty 20
  }
  look
  for entry in $known; do
    pid=${entry%%:*}
    { read -r name <"/proc/$pid/comm"; } 2>/dev/null && say survivor "$pid" "$(stat -c %U "/proc/$pid" 2>/dev/null)" "$name"
  done
  # Where others' processes are hidden (hidepid) a child of another user would be overlooked.
  if [ -r /proc/1/stat ]; then say "done"; else say unchecked; fi
}
# In the group by one signal, which no new child escapes; then whoever is in another group of the session.
hit() {
  [ "$leader" = 0 ] || kill -s "$1" -- "-$leader" 2>/dev/null
  for pid in $inside; do kill -s "$1" "$pid" 2>/dev/null; done
}
wait_empty() {
  tries=0
  while look; [ -n "$inside" ]; do
    [ "$tries" -lt "$1" ] || return 1
    nap 0.1
    tries=$((tries + 1))
  done
}
# Finds what is left of the job: its session, what descends from it, and what carries its mark in the environment. Each
# process once found is remembered by pid and start time, since a child whose parent has gone is told by nothing else.
look() {
  marked=" $(grep -lF "COUNTERSIGN_JOB=$id" /proc/[0-9]*/environ 2>/dev/null | tr "\n" " ")"
  table=$(
    for file in /proc/[0-9]*/stat; do
      read -r line <"$file" || continue
      pid=${line%% *}
      # shellcheck disable=SC2086 # the fields are meant to be split
      set -- ${line##*) }
      [ "$1" = Z ] || echo "$pid:$2:$4:${20}"
    done 2>/dev/null
  )
  found=" " last=
  until [ "$found" = "$last" ]; do
    last=$found found=" " inside=
    for entry in $table; do
      pid=${entry%%:*} started=${entry##*:} entry=${entry#*:}
      parent=${entry%%:*} entry=${entry#*:}
      session=${entry%%:*}
      if [ "$leader" != 0 ] && [ "$session" = "$leader" ]; then
        inside="$inside $pid"
      else
        case $known in *" $pid:$started "*) ;; *)
          case $last in *" $parent:"*) ;; *)
            case $marked in *"/proc/$pid/"*) ;; *) continue ;; esac ;;
          esac ;;
        esac
      fi
      found="$found$pid:$started "
    done
  done
  known=$found
}

# --- status: id. gc: what ended, or was lost, more than a day ago.
status() {
  is_claimed || { say absent; exit; }
  follow
}
gc() {
  find "$base" ! -path "$base" -prune -type d -mmin +1440 2>/dev/null | while read -r old; do
    alive "$old/sup" || alive "$old/pid" || rm -rf "$old"
  done
}

case $act in
start | supervise | run) hard=$3 grace=$4 chunk=$5 command=$6 offset=0 ;;
kill) grace=$3 ;;
gc) ;;
*) offset=${3:-0} ;;
esac
case $act in
supervise | run) ;;
*) open_base ;;
esac
case $act in
kill) end_it ;;
follow)
  [ -d "$job" ] || { say absent; exit; }
  follow
  ;;
*) "$act" ;;
esac
