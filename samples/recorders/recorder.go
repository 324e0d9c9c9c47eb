// Package recorder writes state journals with the standard library alone. The format is in state-journal(5).
//
//	journal, err := recorder.Open("run.jsonl", "Shop", nil, "/cart/card")
//	cart, err := journal.Store("cart", Cart{Card: "4111"})
//	seq, err := cart.Commit(ctx, Cart{Total: 5, Card: "4111"}, "add")
package recorder

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A Journal is one run in one file. Its methods, and those of its stores, may be called from any goroutine.
type Journal struct {
	lock                            sync.Mutex
	ended                           bool
	file                            *os.File
	key                             []byte
	secrets, payloadSecrets         *regexp.Regexp
	seq, marks                      int
	size, keyframeSize, keyframeEnd int64
	time                            string
	open                            map[string]*Store
	commits                         map[string]int
}

// A Store is recorded. It holds what the journal says of it, never the program's own objects.
type Store struct {
	journal     *Journal
	base, name  string
	version     int
	tree        any
	subscribers []func(ctx context.Context, state any)
}

type object = map[string]any
type causeKey struct{}

var escape = strings.NewReplacer("~", "~0", "/", "~1").Replace

// WithCause returns a context whose commits have a commit as their cause. Subscribers get one.
func WithCause(ctx context.Context, seq int) context.Context {
	return context.WithValue(ctx, causeKey{}, seq)
}

// Open creates the file; one that an earlier run left there is kept, under the next free number. Secrets are JSON Pointers
// into the whole state, in which * is any segment, ** any number of them, and an index any index. Their hashes compare
// across runs that have the same key, which is random if it is nil.
func Open(path, app string, key []byte, secrets ...string) (j *Journal, err error) {
	payload := []string{} // has no path of its own: a member is redacted by the last name of any pointer
	for _, pointer := range secrets {
		if !strings.HasPrefix(pointer, "/") {
			return nil, fmt.Errorf("the redaction '%s' does not begin with '/'", pointer)
		}
		payload = append(payload, "/**"+pointer[strings.LastIndex(pointer, "/"):])
	}
	if key == nil {
		key = make([]byte, 32)
		rand.Read(key)
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
	for number := 1; os.IsExist(err) && number < 1<<16; number++ {
		if os.Link(path, fmt.Sprintf("%s.%d.jsonl", strings.TrimSuffix(path, ".jsonl"), number)) == nil {
			os.Remove(path) // and where the link's name was taken, nothing is replaced
			file, err = os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL|os.O_APPEND, 0o600)
		}
	}
	if err != nil {
		return nil, err
	}
	j = &Journal{file: file, key: key, open: map[string]*Store{}, commits: map[string]int{}}
	j.secrets, j.payloadSecrets = pattern(secrets), pattern(payload)
	defer j.begin(&err)()
	id := fmt.Sprintf("%d-%d", os.Getpid(), time.Now().UnixNano())
	j.write("journal", 0, "version", 1, "id", id, "time", j.now(), "app", app, "recorder", "recorder.go")
	return j, nil
}

// Store starts to record a store. While another one of that name is open, it is called name_2.
func (j *Journal) Store(base string, state any) (s *Store, err error) {
	defer j.begin(&err)()
	s = &Store{journal: j, base: base, name: base, tree: j.treeOf(state, "/"+escape(base), j.secrets)}
	for number := 2; j.open[s.name] != nil; number++ {
		s.name = fmt.Sprintf("%s_%d", base, number)
	}
	j.write("store", j.seq, "store", s.name, "type", fmt.Sprintf("%T", state), "time", j.now(), "at", caller(), "state", s.tree)
	j.open[s.name] = s
	j.commits[s.name] += 0 // a store that never commits is best in the totals, too
	return s, nil
}

// Mark records something that the program has to say, such as a tapped button. The level may be "", the payload nil.
func (j *Journal) Mark(text, level string, payload any) (err error) {
	defer j.begin(&err)()
	payload = j.treeOf(payload, "", j.payloadSecrets)
	j.write("mark", j.seq, "time", j.now(), "at", caller(), "text", text, "level", optional(level), "payload", payload)
	j.marks++
	return nil
}

// End ends the run. A journal without this was cut short by a crash.
func (j *Journal) End() (err error) {
	defer j.begin(&err)()
	if !j.ended {
		j.write("end", j.seq, "time", j.now(), "totals", j.totals())
		j.ended = true
		return j.file.Close()
	}
	return nil
}

// Subscribe calls a function with each new state. What it commits with its context has that commit as its cause.
func (s *Store) Subscribe(subscriber func(ctx context.Context, state any)) {
	defer s.journal.begin(new(error))()
	s.subscribers = append(s.subscribers, subscriber)
}

// Commit records a new state, then delivers it. An equal state is recorded too. The name may be "".
func (s *Store) Commit(ctx context.Context, state any, name string) (int, error) {
	seq, subscribers, err := s.record(ctx.Value(causeKey{}), state, name)
	for _, subscriber := range subscribers {
		subscriber(WithCause(ctx, seq), state)
	}
	return seq, err
}

func (s *Store) record(cause, state any, name string) (seq int, to []func(context.Context, any), err error) {
	j := s.journal
	defer j.begin(&err)()
	if j.open[s.name] != s {
		return 0, nil, fmt.Errorf("the store '%s' is closed", s.name)
	}
	tree := j.treeOf(state, "/"+escape(s.base), j.secrets)
	j.write("commit", j.seq+1, "store", s.name, "version", s.version+1, "time", j.now(), "at", caller(),
		"name", optional(name), "cause", cause, "patch", differences([]any{}, s.tree, tree, ""))
	j.seq, s.version, s.tree, j.commits[s.name] = j.seq+1, s.version+1, tree, j.commits[s.name]+1
	if grown := j.size - j.keyframeEnd; grown > 1<<16 && grown > 4*j.keyframeSize {
		before, states := j.size, object{}
		for name, store := range j.open {
			states[name] = store.tree
		}
		j.keyframeEnd = j.size // if it cannot be written, the next one is tried as much later
		j.write("keyframe", j.seq, "states", states, "totals", j.totals())
		j.keyframeSize, j.keyframeEnd = j.size-before, j.size
	}
	return j.seq, s.subscribers, nil
}

// Close ends the recording of the store.
func (s *Store) Close() (err error) {
	defer s.journal.begin(&err)()
	if s.journal.open[s.name] == s {
		s.journal.write("close", s.journal.seq, "store", s.name, "time", s.journal.now())
		delete(s.journal.open, s.name)
	}
	return nil
}

type failure struct{ error }

// begin takes the lock. What it returns releases it, and makes an error of a failure, as encoding/json does.
func (j *Journal) begin(err *error) func() {
	j.lock.Lock()
	return func() {
		j.lock.Unlock()
		if caught := recover(); caught != nil {
			*err = caught.(failure).error // traps where it is another panic
		}
	}
}

// write appends a line by one write, so that a kill leaves whole lines. One that does not fit is taken back.
func (j *Journal) write(kind string, seq int, members ...any) {
	if j.ended {
		panic(failure{os.ErrClosed})
	}
	line := []byte(fmt.Sprintf(`{"seq":%d,"kind":"%s"`, seq, kind))
	for i := 0; i < len(members); i += 2 {
		if members[i+1] != nil || members[i] == "state" {
			line = append(line, fmt.Sprintf(`,"%s":%s`, members[i], text(members[i+1]))...)
		}
	}
	sum := crc32.Checksum(line, crc32.MakeTable(crc32.Castagnoli))
	line = append(line, fmt.Sprintf(",\"sum\":\"%08x\"}\n", sum)...)
	if _, err := j.file.Write(line); err != nil {
		j.file.Truncate(j.size)
		panic(failure{err})
	}
	j.size += int64(len(line))
}

func (j *Journal) totals() object {
	open := []string{}
	for name := range j.open {
		open = append(open, name)
	}
	return object{"commits": j.commits, "open": open, "derived": open[:0], "marks": j.marks, "gaps": 0, "aborts": 0}
}

func (j *Journal) now() string {
	if now := time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"); now > j.time {
		j.time = now // a clock that steps back repeats the last time
	}
	return j.time
}

// treeOf is a copy of a value as JSON has it, with hashes in the place of what is redacted. NaN and infinities are texts
// in maps and slices of any; in other types encoding/json refuses them.
func (j *Journal) treeOf(value any, path string, secrets *regexp.Regexp) any {
	if strings.Count(path, "/") > 512 {
		panic(failure{fmt.Errorf("the state is nested more than 512 deep")})
	}
	if secrets != nil && secrets.MatchString(path) {
		hash := hmac.New(sha256.New, j.key)
		hash.Write(text(j.treeOf(value, "", nil)))
		return object{"$redacted": fmt.Sprintf("%x", hash.Sum(nil)[:8])}
	}
	switch value := value.(type) {
	case nil, bool, string, json.Number:
		return value
	case float64:
		if value-value != 0 {
			return strings.NewReplacer("+Inf", "Infinity", "-Inf", "-Infinity").Replace(fmt.Sprint(value))
		}
	case object:
		members := object{}
		for name, member := range value {
			members[name] = j.treeOf(member, path+"/"+escape(name), secrets)
		}
		return members
	case []any:
		elements := make([]any, len(value))
		for i := range value {
			elements[i] = j.treeOf(value[i], fmt.Sprint(path, "/", i), secrets)
		}
		return elements
	}
	encoded, err := json.Marshal(value)
	if err != nil {
		panic(failure{err})
	}
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(encoded))
	decoder.UseNumber()
	decoder.Decode(&tree)
	return j.treeOf(tree, path, secrets)
}

// differences appends the JSON Patch (RFC 6902) from one tree to another, as deep as possible, with what is replaced.
func differences(patch []any, old, value any, path string) []any {
	a, isObject := old.(object)
	b, areObjects := value.(object)
	if isObject && areObjects && a["$redacted"] == nil && b["$redacted"] == nil {
		for name := range a {
			if member, there := b[name]; there {
				patch = differences(patch, a[name], member, path+"/"+escape(name))
			} else {
				patch = append(patch, object{"op": "remove", "path": path + "/" + escape(name), "old": a[name]})
			}
		}
		for name := range b {
			if _, there := a[name]; !there {
				patch = append(patch, object{"op": "add", "path": path + "/" + escape(name), "value": b[name]})
			}
		}
		return patch
	}
	x, isArray := old.([]any)
	y, areArrays := value.([]any)
	if !isArray || !areArrays {
		if !reflect.DeepEqual(old, value) {
			patch = append(patch, object{"op": "replace", "path": path, "value": value, "old": old})
		}
		return patch
	}
	start, end, shorter := 0, 0, len(x)
	if len(y) < shorter {
		shorter = len(y)
	}
	for start < shorter && reflect.DeepEqual(x[start], y[start]) {
		start++
	}
	for end < shorter-start && reflect.DeepEqual(x[len(x)-1-end], y[len(y)-1-end]) {
		end++
	}
	for i := start; i < shorter-end; i++ {
		patch = differences(patch, x[i], y[i], fmt.Sprint(path, "/", i))
	}
	for i := len(x) - end - 1; i >= shorter-end; i-- {
		patch = append(patch, object{"op": "remove", "path": fmt.Sprint(path, "/", i), "old": x[i]})
	}
	for i := shorter - end; i < len(y)-end; i++ {
		patch = append(patch, object{"op": "add", "path": fmt.Sprint(path, "/", i), "value": y[i]})
	}
	return patch
}

func pattern(pointers []string) *regexp.Regexp {
	if len(pointers) == 0 {
		return nil
	}
	quoted := regexp.QuoteMeta(strings.Join(pointers, "\n"))
	quoted = strings.NewReplacer(`/\*\*`, "(/[^/]*)*", `/\*`, "/[^/]*").Replace(quoted)
	indices := regexp.MustCompile(`/\d+\b`).ReplaceAllString(quoted, "/[0-9]+")
	return regexp.MustCompile("^(?s:" + strings.ReplaceAll(indices, "\n", "|") + ")$")
}

// caller is the nearest place outside of this file.
func caller() object {
	_, own, _, _ := runtime.Caller(0)
	for depth := 1; ; depth++ {
		if pc, file, line, ok := runtime.Caller(depth); file != own || !ok {
			return object{"file": file, "line": line, "column": 1, "function": runtime.FuncForPC(pc).Name()}
		}
	}
}

func optional(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func text(value any) []byte {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	encoder.Encode(value)
	return bytes.TrimSpace(buffer.Bytes())
}
