-- Journals are JSON Lines: a database reads them as they are. Set the variable 'journals' to a path or glob first.

CREATE VIEW records AS
SELECT parse_filename(filename) AS journal, * EXCLUDE (filename)
FROM read_json(
    getvariable('journals'), format = 'newline_delimited', filename = true, ignore_errors = true,
    columns = {
        seq: 'BIGINT', kind: 'VARCHAR', store: 'VARCHAR', time: 'TIMESTAMP', build: 'VARCHAR',
        "at": 'STRUCT("file" VARCHAR, line INTEGER, "column" INTEGER, "function" VARCHAR)',
        text: 'VARCHAR', level: 'VARCHAR',
        patch: 'STRUCT(op VARCHAR, path VARCHAR, "value" JSON, "old" JSON)[]'
    });

CREATE VIEW changes AS
SELECT journal, seq, time, store, "at"."file" || ':' || "at".line AS location, "at"."function" AS "function",
       operation.op, '/' || store || operation.path AS path, operation."value", operation."old"
FROM (SELECT *, unnest(patch) AS operation FROM records WHERE kind = 'commit');

-- How the runs ended, by build

SELECT build, count(*) AS runs, count(*) FILTER (NOT ended) AS without_end, sum(commits)::BIGINT AS commits
FROM (
    SELECT journal, any_value(build) AS build, bool_or(kind = 'end') AS ended,
           count(*) FILTER (kind = 'commit') AS commits
    FROM records GROUP BY journal)
GROUP BY build ORDER BY build;

-- The hottest paths (a number stands for any element)

SELECT regexp_replace(path, '/[0-9]+', '/*', 'g') AS path, count(*) AS changes, count(DISTINCT journal) AS runs
FROM changes GROUP BY 1 ORDER BY changes DESC, 1 LIMIT 8;

-- Commits per source location

SELECT "at"."file" || ':' || "at".line AS location, any_value("at"."function") AS "function", count(*) AS commits,
       round(avg(len(patch)), 1) AS changes_each
FROM records WHERE kind = 'commit' GROUP BY 1 ORDER BY commits DESC, 1;

-- Marks with errors, and where the run was at that moment

SELECT regexp_replace(mark."text", ' of .*', ' of …') AS mark, before."at"."file" || ':' || before."at".line AS after_commit_at,
       count(*) AS marks, count(DISTINCT mark.journal) AS runs, min(mark.time) AS first_seen
FROM records AS mark
JOIN records AS before ON before.journal = mark.journal AND before.seq = mark.seq AND before.kind = 'commit'
WHERE mark.kind = 'mark' AND mark.level = 'error'
GROUP BY 1, 2 ORDER BY marks DESC, 1;

-- totalIsNotNegative: the first commit of each run that wrote a negative total, by location

WITH first_violation AS (
    SELECT journal, arg_min(location, seq) AS location, arg_min("function", seq) AS "function",
           min(seq) AS seq, min(time) AS time
    FROM changes WHERE path = '/cart/total' AND "value"::BIGINT < 0
    GROUP BY journal)
SELECT count(*) AS runs, location, "function", min(time) AS first_seen, arg_min(journal, time) AS example,
       arg_min(seq, time) AS "commit"
FROM first_violation GROUP BY location, "function" ORDER BY runs DESC, location;
