# The files of a folder in which suggested command lines are run: journals under the names that are suggested first, and inputs of
# every sort under names that a shell would take apart. SAMPLES is the folder of the samples.
set -e
cp "$SAMPLES"/checkout.jsonl "$SAMPLES"/orders.log "$SAMPLES"/invariants.jq .
cp "$SAMPLES"/invariants.jq 'my rules.jq'; cp checkout.jsonl 'the whole.jsonl'; cp orders.log more.log
state-inspect slice checkout.jsonl 100..125 -o c.jsonl
state-inspect slice "$SAMPLES"/checkout-good.jsonl 100..125 -o good.jsonl
for name in 'my shop' "it's" '$HOME' '`id`' 'ünï shop' "$(printf 'a\nb')" run st out whole orders state my array table pods latin1; do
    cp c.jsonl "./$name.jsonl"
done
cp c.jsonl ./-x.jsonl; cp c.jsonl ./-flat.jsonl; cp c.jsonl c-2.jsonl; echo '<p>' > page.html; cp page.html c.html
head -c -20 c.jsonl > torn.jsonl; cp torn.jsonl 'torn run.jsonl'
sed '12s/.*/damage/' c.jsonl > damaged.jsonl; cp damaged.jsonl 'damaged run.jsonl'
state-inspect slice c.jsonl 105..110 -o part.jsonl; state-inspect slice good.jsonl 105..112 -o 'my part.jsonl'
cp 'my part.jsonl' other.jsonl
cat c.jsonl good.jsonl > twice.jsonl; tail -n +2 c.jsonl > headless.jsonl; : > empty.jsonl
: > 'run of segments.jsonl'; cp c.jsonl 'run of segments.1.jsonl'
mkdir states journals logs empty; cp c.jsonl journals/; cp c.jsonl "journals/it's.jsonl"; cp orders.log logs/
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do printf '{"total": %s,\n "n": 1}\n' $n > states/state$n.json; done
tar czf c.tgz c.jsonl; tar cf c.tar c.jsonl; cp orders.log 'my log;x.log'; cp orders.log "it's a log.log"
cp orders.log 'üñí.log'; cp orders.log '$x.log'; cp orders.log "$(printf 'a\nb.log')"
printf 'PK\003\004\024\000\000\000\010\000abcdefghij{"a":1}' > c.zip
printf 'SQLite format 3\000\020\000\001\001\000\100\040\040' > c.db
printf '\3757zXZ\000\000\004\346\326\264F' > c.xz; printf 'BZh91AY&SY\203\315' > c.bz2
printf '\211PNG\r\n\032\n\000\000\000\rIHDR' > pixel.png
printf '\377\376{\000"\000a\000"\000:\0001\000}\000\n\000' > utf16.json
printf '\357\273\277{"state":{"a":1}}\n{"state":{"a":2}}\n' > bom.jsonl
printf '{"a":1}\n{"a":2}\n' > ./-flat.log; state-inspect query --indent 2 . c.jsonl > spread.json
printf '{\n "state": {"n": 1}\n}\n{\n "state": {"n": 2}\n}\n' > pretty.json; printf '{"n":1}\n' > one.json
printf '[{"state":{"n":1}},\n{"state":{"n":2}}]\n' > array.json; echo 12 > number.json
printf 'time,key,value\n2026-01-01T00:00:00Z,total,5\n2026-01-01T00:00:01Z,total,-1\n' > table.csv
cp table.csv other.csv; cp table.csv 'two words.csv'
printf '{"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"n"}}}\n' > pods.json
cp pods.json 'my pods;x.json'
printf '{"actionsById":{"0":{"action":{"type":"@@INIT"}},"1":{"action":{"type":"add"},"timestamp":5}},"computedStates":[{"state":{"n":0}},{"state":{"n":1}}],"stagedActionIds":[0,1]}' > devtools.json
printf 'INFO x {"state":{"n":1}}\nINFO y {"state":{"n":2}}\n' > prefixed.log
printf '{"state":{"n":1}},\n{"state":{"n":2}},\n' > commas.log
printf '{"state":{"n":"a"}}\n{"state":{"n":"\351"}}\n{"state":{"n":"b"}}\n' > latin1.log
printf '{"state":{"n":"\351"}}\n{"state":{"n":"\350"}}\n' > latin1-all.log
printf '{"state":{"n":NaN}}\n{"state":{"n":1}}\n{"state":{"n":NaN}}\n' > nan.log
printf '{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"Metadata","verb":"get","objectRef":{"resource":"pods"}}\n%.0s' 1 2 > audit.log
printf '{"timeUnixNano":"1767225601000000000","body":{"stringValue":"changed"},"attributes":[{"key":"total","value":{"intValue":"5"}}]}\n%.0s' 1 2 > otlp.log
printf '{"type":"ADD","prev":{"total":1},"next":{"total":5}}\n{"type":"BUG","prev":{"total":5},"next":{"total":-6}}\n' > prevnext.log
printf '{"traceEvents":[]}' > trace.json; printf '{"type":4,"data":{"href":"x"},"timestamp":1767225601000}\n' > rrweb.json
printf 'one\ntwo\n' > text.txt; printf '{"a":1,\n"b":' > broken.json
printf '{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"yes"}]}' > chat.json
printf '[{"op":"add","path":"/a","value":1}]\n[{"op":"replace","path":"/a","value":2}]\n' > patches.jsonl
printf '{"action":"I","schema":"public","table":"t","columns":[{"name":"id","type":"integer","value":1}]}\n' > wal.json
printf '{"nodes":{"r":{"id":"r","label":"Root","children":["a","b"],"state":{"type":"checkpoint","val":{"n":0}}},"a":{"id":"a","label":"A","parent":"r","children":[],"state":{"type":"checkpoint","val":{"n":1}}},"b":{"id":"b","label":"B","parent":"r","children":[],"state":{"type":"checkpoint","val":{"n":2}}}},"root":"r","current":"b"}' > trrack.json
cp c.jsonl run-A.jsonl
