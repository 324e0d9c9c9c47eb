#!/usr/bin/env bash
# Asks a fleet of runs where in the source they broke: once with Apache Spark, once with SQL in DuckDB.
#
#   samples/fleet/run.sh [COUNT]     makes COUNT journals (200) and asks them; everything goes into a temporary folder
#   samples/fleet/run.sh --prepare   only installs, and tells whether this machine can run the sample
#
# STATE_INSPECT  the program (else on PATH, else built)      FLEET_VENV    keeps the installed packages in that folder
# FLEET_FOLDER   keeps journals and answers in that folder   SPARK_MASTER  another master than 'local[*]'
# The status is 69 where Python, Java or the packages are missing.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

scratch=$(mktemp -d "${TMPDIR:-/tmp}/fleet-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
venv=${FLEET_VENV:-$scratch/venv}
folder=${FLEET_FOLDER:-$scratch}

unavailable() {
    printf 'run.sh: %s\n' "$1" >&2
    exit 69
}

install_packages() {
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || unavailable "'python3' 3.10 or newer is missing"
    java -version 2>&1 | grep -Eq 'version "(1[7-9]|[2-9][0-9])' || unavailable "'java' 17 or newer is missing"
    if ! cmp -s "$here/requirements.txt" "$venv/installed.txt"; then
        python3 -m venv "$venv" || unavailable "'python3 -m venv' does not work (on Debian: python3-venv)"
        "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$here/requirements.txt" >&2 ||
            unavailable 'the packages of requirements.txt could not be installed'
        cp "$here/requirements.txt" "$venv/installed.txt"
    fi
    # 'spark-submit' takes the first python3 on PATH.
    export PATH="$venv/bin:$PATH" PYSPARK_PYTHON=$venv/bin/python3
}

find_program() {
    program=${STATE_INSPECT:-$(command -v state-inspect || true)}
    if [ -z "$program" ]; then
        (cd "$here" && swift build -c release --product state-inspect >&2)
        program=$(cd "$here" && swift build -c release --show-bin-path)/state-inspect
    fi
    # Shipped under its own name, whatever it is called here.
    mkdir -p "$scratch/shipped"
    cp "$program" "$scratch/shipped/state-inspect"
    program=$scratch/shipped/state-inspect
}

check_journals() {
    local journal
    for journal in "$folder"/journals/run-*.jsonl; do
        "$program" verify "$journal" 2>"$scratch/verify" || { cat "$scratch/verify" >&2; return 1; }
    done
}

ask_spark() {
    local master=${SPARK_MASTER:-local[*]}
    # A laptop's own name may not resolve; nobody looks at the page of a job this short.
    case $master in local*) export SPARK_LOCAL_IP=${SPARK_LOCAL_IP:-127.0.0.1} ;; esac
    spark-submit --master "$master" --conf spark.ui.enabled=false --conf spark.log.level=ERROR \
        --files "$program,$here/../invariants.jq" "$here/check_fleet.py" \
        --invariants invariants.jq --output "$folder/verdicts" --answer "$folder/locations.jsonl" \
        "$folder/journals/*.jsonl" 2>"$scratch/spark" || { cat "$scratch/spark" >&2; return 1; }
}

# Every change of every journal as a row, and the questions of changes.sql to them in both engines.
ask_changes() {
    local master=${SPARK_MASTER:-local[*]} journal name
    mkdir -p "$folder/changes"
    for journal in "$folder"/journals/run-*.jsonl; do
        name=$(basename "$journal")
        "$program" export changes "$journal" -o "$folder/changes/$name" 2>"$scratch/export" ||
            { cat "$scratch/export" >&2; return 1; }
    done
    python3 "$here/ask_changes.py" duckdb "$folder/changes/*.jsonl" >"$folder/changes-duckdb.jsonl"
    case $master in local*) export SPARK_LOCAL_IP=${SPARK_LOCAL_IP:-127.0.0.1} ;; esac
    spark-submit --master "$master" --conf spark.ui.enabled=false --conf spark.log.level=ERROR \
        --conf spark.sql.session.timeZone=UTC "$here/ask_changes.py" spark "$folder/changes/*.jsonl" \
        >"$folder/changes-spark.jsonl" 2>"$scratch/spark" || { cat "$scratch/spark" >&2; return 1; }
    cmp "$folder/changes-duckdb.jsonl" "$folder/changes-spark.jsonl"
    cat "$folder/changes-spark.jsonl"
}

[ "${1:-}" = -h ] || [ "${1:-}" = --help ] && { sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0; }
install_packages
[ "${1:-}" != --prepare ] || exit 0
find_program

count=${1:-200}
python3 "$here/make_journals.py" "$count" "$folder/journals"
check_journals
printf '== Spark: state-inspect check over %s journals, by source location\n' "$count"
ask_spark
printf '== DuckDB: the same journals in SQL\n'
python3 "$here/ask.py" "$here/journals.sql" "$folder/journals/*.jsonl"
python3 "$here/ask.py" "$here/journals.sql" "$folder/journals/*.jsonl" --json >"$folder/queries.jsonl"
printf '== DuckDB and Spark: the changes that "export changes" wrote\n'
ask_changes
