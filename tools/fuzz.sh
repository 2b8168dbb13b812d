#!/usr/bin/env bash
# Runs fuzz targets one after the other and prints how often each was tried.
#
#     tools/fuzz.sh SECONDS [TARGET...]
#
# Without names, all targets; the parsers' are built apart, in a minute. What a target learned is kept in fuzz/corpus, what breaks it in fuzz/artifacts, and what
# libFuzzer says in the folder that FUZZ_LOGS names (fuzz/logs). FUZZ_BUILD= (empty) runs what was built before.
set -u
cd "$(dirname "$0")/.." || exit 1
seconds=${1:?how many seconds for each target}
shift
logs=${FUZZ_LOGS:-fuzz/logs}
mkdir -p "$logs"
targets() {
    sed -n 's|^path = "fuzz_targets/\(.*\)\.rs"|\1|p' "$1/Cargo.toml"
}
parsers=" $(targets fuzz/parsers | tr '\n' ' ')"
if [ $# -eq 0 ]; then
    set -- $(targets fuzz/parsers) $(targets fuzz)
fi
built() {
    case $parsers in
        *" $1 "*) ls -d fuzz/parsers/target/*/release ;;
        *) ls -d fuzz/target/*/debug ;;
    esac | grep -v '/target/\(debug\|release\)$' | head -1
}
if [ -n "${FUZZ_BUILD-yes}" ]; then
    for target in "$@"; do
        case $parsers in
            *" $target "*) (cd fuzz/parsers && RUSTC_BOOTSTRAP=1 cargo fuzz build --fuzz-dir . -s none "$target") ;;
            *) RUSTC_BOOTSTRAP=1 cargo fuzz build --dev -s none "$target" ;;
        esac || exit 1
    done
fi
total=0
broken=0
for target in "$@"; do
    mkdir -p "fuzz/corpus/$target" "fuzz/artifacts/$target"
    seeds="fuzz/seeds/$target"
    dictionary="fuzz/dictionaries/$target.dict"
    case $parsers in
        *" $target "*) dictionary=fuzz/dictionaries/reply.dict ;;
    esac
    arguments=(-max_total_time="$seconds" -max_len=4096 -timeout=30 -rss_limit_mb=3000 -print_final_stats=1)
    arguments+=(-verbosity=0 -artifact_prefix="fuzz/artifacts/$target/")
    [ -e "$dictionary" ] && arguments+=(-dict="$dictionary")
    folders=("fuzz/corpus/$target")
    [ -d "$seeds" ] && folders+=("$seeds")
    nice -n 10 "$(built "$target")/$target" "${arguments[@]}" "${folders[@]}" >"$logs/$target.log" 2>&1
    ended=$?
    times=$(sed -n 's/^stat::number_of_executed_units: *//p' "$logs/$target.log" | tail -1)
    total=$((total + ${times:-0}))
    said=""
    if [ $ended -ne 0 ]; then
        broken=1
        said="  broke: see $logs/$target.log"
    fi
    printf '%-16s %12s times%s\n' "$target" "${times:-?}" "$said"
done
printf '%-16s %12s times\n' "all" "$total"
exit $broken
