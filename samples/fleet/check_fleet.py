"""Holds invariants against any number of journals on Apache Spark, and tells where in the source they broke.

    spark-submit [--master URL] --files state-inspect,invariants.jq check_fleet.py \\
        --invariants invariants.jq --output ANSWER 'journals/*.jsonl'

One task checks a slice of the journals, one `state-inspect check` a journal; only verdicts travel, never journals.
"""

import argparse
import glob
import json
import os
import shlex
import shutil
import subprocess

from pyspark import SparkFiles
from pyspark.sql import SparkSession, functions as F

VERDICT = """journal string, outcome string, invariant string, location string, function string, time string, seq long,
             positions long, stretches long, value string, message string"""
OUTCOMES = {0: "held", 1: "violated", 3: "unreadable", 4: "absent", 5: "inconclusive"}  # 4: a name that the run never had
MESSAGE_LIMIT = 500


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("journals", nargs="*", help="paths or globs that the driver can list")
    parser.add_argument("--list", help="a file of paths or URLs, one a line, instead of globs")
    parser.add_argument("--cat", help="a command that prints the journal whose name follows it: 'hdfs dfs -cat'")
    parser.add_argument("--invariants", required=True, help="the name of a file sent with --files, or a path")
    parser.add_argument("--program", default="state-inspect", help="the name of a file sent with --files, or on PATH")
    parser.add_argument("--slices", type=int, help="tasks; four a core unless told")
    parser.add_argument("--output", help="a folder for the verdicts, as JSON Lines")
    parser.add_argument("--answer", help="a file for the table by source location, as JSON Lines")
    return parser.parse_args()


def listed(options):
    """The journals' names, without a look at their contents."""
    if options.list:
        with open(options.list, encoding="utf-8") as names:
            return [name for name in names.read().splitlines() if name]
    return sorted(path for pattern in options.journals for path in glob.glob(os.path.abspath(pattern)))


def shipped(name):
    """Where this machine has a file: sent with --files, else as named, else on PATH."""
    sent = SparkFiles.get(os.path.basename(name))
    if os.path.exists(sent):
        return sent
    return os.path.abspath(name) if os.path.exists(name) else shutil.which(name) or name


def check(journal, program, invariants, cat):
    """Runs one check; yields a row for each violation and failure, and one for the journal itself."""
    command = [program, "check", "--json", "--invariants", invariants, "--", "-" if cat else journal]
    source = subprocess.Popen(shlex.split(cat) + [journal], stdout=subprocess.PIPE) if cat else None
    run = subprocess.run(command, stdin=source.stdout if source else subprocess.DEVNULL, capture_output=True)
    if source:
        source.stdout.close()
    outcome = OUTCOMES.get(run.returncode)
    message = run.stderr.decode("utf-8", "replace").strip()[:MESSAGE_LIMIT]
    if outcome is None:
        # A usage error or a crash is the job's mistake: it must not pass for a verdict on the journal.
        raise RuntimeError(f"{program} ended with {run.returncode} for {journal}: {message}")
    if source and source.wait() != 0:
        outcome = "unreadable"
    row = {"journal": journal, "outcome": outcome, "message": message if outcome in ("unreadable", "absent", "inconclusive") else None}
    yield row
    for line in run.stdout.splitlines():
        verdict = json.loads(line)
        if verdict["kind"] == "violation":
            first = verdict["first"] or {}
            place = first.get("at") or {}
            yield {**row, "invariant": verdict["invariant"], "time": first.get("time"), "seq": first.get("seq"),
                   "location": f"{place.get('file', '?')}:{place.get('line', '?')}" if place else "nowhere",
                   "function": place.get("function"), "positions": verdict["positions"],
                   "stretches": verdict["stretches"], "value": json.dumps(verdict.get("value"))}


def by_location(verdicts):
    """Violations by invariant and by the place that began them, the most frequent first."""
    violations = verdicts.where("invariant is not null")
    return (
        violations.groupBy("invariant", "location", "function")
        .agg(
            F.countDistinct("journal").alias("runs"),
            F.sum("positions").alias("positions"),
            F.min("time").alias("first_seen"),
            F.min_by(F.struct("journal", "seq"), F.struct("time", "journal")).alias("example"))
        .select("runs", "invariant", "location", "function", "positions", "first_seen",
                F.col("example.journal").alias("example"), F.col("example.seq").alias("commit"))
        .orderBy(F.desc("runs"), "invariant", "location"))


def main():
    options = arguments()
    spark = SparkSession.builder.appName("state-inspect check").getOrCreate()
    journals = listed(options)
    if not journals:
        raise SystemExit("check_fleet.py: no journals there")
    slices = options.slices or min(len(journals), 4 * spark.sparkContext.defaultParallelism)
    program, invariants, cat = options.program, options.invariants, options.cat

    def check_slice(names):
        found = shipped(program), shipped(invariants)
        for name in names:
            yield from check(name, *found, cat)

    rows = spark.sparkContext.parallelize(journals, slices).mapPartitions(check_slice)
    columns = [field.split()[0] for field in VERDICT.split(",")]
    verdicts = spark.createDataFrame(rows.map(lambda row: tuple(row.get(name) for name in columns)), VERDICT).cache()

    print(f"\n{len(journals)} journals, {slices} slices\n")
    verdicts.where("invariant is null").groupBy("outcome").agg(F.count("*").alias("runs")).orderBy(F.desc("runs")).show()
    answer = by_location(verdicts).cache()
    shown = answer.withColumn("example", F.element_at(F.split("example", "/"), -1))
    shown.show(100, truncate=False)
    verdicts.where("message is not null").select("journal", "outcome", "message").show(20, truncate=120, vertical=True)
    if options.output:
        verdicts.write.mode("overwrite").json(options.output)
    if options.answer:
        with open(options.answer, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in answer.toJSON().collect())
    spark.stop()


if __name__ == "__main__":
    main()
