"""Asks the six questions of changes.sql, in DuckDB or in Spark, and prints each answer as JSON Lines.

    state-inspect export changes run.jsonl -o changes/run.jsonl
    python3 ask_changes.py duckdb 'changes/*.jsonl'
    spark-submit ask_changes.py spark 'changes/*.jsonl'

Files that end with .csv are taken as what 'export changes --csv --raw' writes.
"""

import json
import os
import re
import sys

COLUMNS = {
    "_change_type": "VARCHAR", "_commit_version": "BIGINT", "_commit_timestamp": "TIMESTAMP", "store": "VARCHAR",
    "path": "VARCHAR", "old": "VARCHAR", "new": "VARCHAR", "file": "VARCHAR", "line": "BIGINT", "function": "VARCHAR",
    "name": "VARCHAR", "cause": "BIGINT",
}


def questions():
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "changes.sql"), encoding="utf-8") as file:
        for text in file.read().split(";\n"):
            number = re.search(r"^-- (\d)\. ", text, re.MULTILINE)
            if number:
                yield int(number[1]), text


def duckdb_rows(files):
    import duckdb

    database = duckdb.connect()
    reader = "read_csv" if files.endswith(".csv") else "read_json"
    columns = ", ".join(f"'{name}': '{kind}'" for name, kind in COLUMNS.items())
    form = "header = true" if reader == "read_csv" else "format = 'newline_delimited'"
    quoted = files.replace("'", "''")
    database.execute(
        f"CREATE VIEW changes AS SELECT parse_filename(filename, true) AS run, * "
        f"FROM {reader}('{quoted}', {form}, filename = true, columns = {{{columns}}})")
    for number, text in questions():
        answer = database.sql(text)
        yield from ((number, dict(zip(answer.columns, row))) for row in answer.fetchall())


def spark_rows(files):
    from pyspark.sql import SparkSession, functions as F

    spark = SparkSession.builder.appName("state-inspect changes").getOrCreate()
    kinds = {"VARCHAR": "string", "BIGINT": "bigint", "TIMESTAMP": "timestamp"}
    schema = ", ".join(f"`{name}` {kinds[kind]}" for name, kind in COLUMNS.items())
    reader = spark.read.schema(schema)
    if files.endswith(".csv"):
        read = reader.csv(files, header=True, quote='"', escape='"', multiLine=True, mode="FAILFAST")
    else:
        read = reader.json(files, mode="FAILFAST")
    name = F.regexp_extract(F.input_file_name(), r"([^/]+)\.[a-z]+$", 1)
    read.withColumn("run", name).createOrReplaceTempView("changes")
    for number, text in questions():
        for row in spark.sql(text.replace('"', "`")).collect():
            yield number, row.asDict()
    spark.stop()


def main():
    engine, files = sys.argv[1:]
    for number, row in {"duckdb": duckdb_rows, "spark": spark_rows}[engine](files):
        print(json.dumps({"question": number, **row}, default=str))


if __name__ == "__main__":
    main()
