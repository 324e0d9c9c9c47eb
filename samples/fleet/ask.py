"""Runs a file of SQL over journals and prints each answer under the comment that stands above its query.

Statements end with a semicolon at the end of a line.

    python3 ask.py journals.sql 'journals/*.jsonl' [--json]
"""

import json
import sys

import duckdb


def main():
    script, journals, *options = sys.argv[1:]
    database = duckdb.connect()
    database.execute("SET VARIABLE journals = $1", [journals])
    with open(script, encoding="utf-8") as file:
        text = file.read()
    for query in text.split(";\n"):
        if not query.strip():
            continue
        titles = [line[3:] for line in query.splitlines() if line.startswith("-- ")]
        (statement,) = duckdb.extract_statements(query)
        if statement.type != duckdb.StatementType.SELECT:
            database.execute(query)
            continue
        answer = database.sql(query)
        if options == ["--json"]:
            for row in answer.fetchall():
                print(json.dumps({"query": titles[-1], **dict(zip(answer.columns, row))}, default=str))
        else:
            print(f"\n{titles[-1]}")
            answer.show(max_rows=100, max_width=160)


if __name__ == "__main__":
    main()
