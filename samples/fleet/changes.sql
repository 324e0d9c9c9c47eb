-- Six questions to the changes that 'state-inspect export changes' writes, in SQL that both DuckDB and Spark take.
-- 'ask_changes.py' makes the view 'changes' of the files first; each answer is what 'stats' or 'check' says of the journals.

-- 1. The hottest paths (a number stands for any element): 'stats.path'

SELECT regexp_replace(path, '/[0-9]+$', '/*') AS path, count(*) AS changes, max(_commit_version) AS last
FROM changes GROUP BY regexp_replace(path, '/[0-9]+$', '/*') ORDER BY changes DESC, path;

-- 2. Commits of each source location: 'stats.location'

SELECT file, line, count(DISTINCT concat(run, ' ', _commit_version)) AS commits, max(_commit_version) AS last
FROM changes GROUP BY file, line ORDER BY commits DESC, file, line;

-- 3. Commits of each function: 'stats.function'

SELECT "function", count(DISTINCT concat(run, ' ', _commit_version)) AS commits, max(_commit_version) AS last
FROM changes GROUP BY "function" ORDER BY commits DESC, "function";

-- 4. Commits of each store: 'stats.store'

SELECT store, count(DISTINCT concat(run, ' ', _commit_version)) AS commits, max(_commit_version) AS last
FROM changes GROUP BY store ORDER BY commits DESC, store;

-- 5. The first commit of each run that wrote a negative total: 'first' of the violation of 'totalIsNotNegative'

SELECT run, min(_commit_version) AS first
FROM changes WHERE path = '/cart/total' AND CAST(new AS BIGINT) < 0 GROUP BY run ORDER BY run;

-- 6. At how many positions it was negative, and how often it became so: 'positions' and 'stretches' of that violation

WITH totals AS (
    SELECT run, _commit_version AS version, CAST(old AS BIGINT) AS old_total, CAST(new AS BIGINT) AS new_total,
           lead(_commit_version) OVER (PARTITION BY run ORDER BY _commit_version) AS next_version
    FROM changes WHERE path = '/cart/total')
SELECT totals.run,
       CAST(sum(coalesce(next_version, ends.last + 1) - version) AS BIGINT) AS positions,
       CAST(sum(CASE WHEN old_total < 0 THEN 0 ELSE 1 END) AS BIGINT) AS stretches
FROM totals JOIN (SELECT run, max(_commit_version) AS last FROM changes GROUP BY run) AS ends ON ends.run = totals.run
WHERE new_total < 0 GROUP BY totals.run ORDER BY totals.run;
