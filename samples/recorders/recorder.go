// Package recorder writes state journals with the standard library alone. The format is in state-journal(5).
//
//	journal, err := recorder.Open("run.jsonl", "Shop", nil, "/cart/card")
//	cart, err := journal.Store("cart", Cart{Card: "4111"})
//	seq, err := cart.Commit(ctx, Cart{Total: 5, Card: "4111"}, "add")
package recorder

import (
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
	file                            *os.File // nil after the end
	key                             []byte
	secrets                         *regexp.Regexp
	seq, marks                      int
	size, keyframeSize, keyframeEnd int64
	time                            string
	open                            map[string]*Store
	commits                         map[string]int
}

// A Store is recorded. Its tree is what the journal has of it, never the program's own objects.
type Store struct {
	journal     *Journal
	name, path  string
	version     int
	tree        any
	subscribers []func(ctx context.Context, state any)
}

type object = map[string]any
type causeKey struct{}
type failure struct{ error }

var escape = strings.NewReplacer("~", "~0", "/", "~1").Replace

// WithCause returns a context whose commits have a commit as their cause. Subscribers get one.
func WithCause(ctx context.Context, seq int) context.Context {
	return context.WithValue(ctx, causeKey{}, seq)
}

// Open creates the file; one that an earlier run left there is kept, under the next free number. Secrets are JSON
// Pointers into the whole state, in which * is any segment, ** any number of them, and an index any index. Their hashes
// compare across runs that have the same key, which is random if it is nil.
func Open(path, app string, key []byte, secrets ...string) (*Journal, error) {
	patterns := []string{}
	for _, pointer := range secrets {
		if !strings.HasPrefix(pointer, "/") {
			return nil, fmt.Errorf("the redaction '%s' does not begin with '/'", pointer)
		}
		// A payload has no path of its own: a member is redacted by the last name of any pointer.
		last := pointer[strings.LastIndex(pointer, "/"):]
		patterns = append(patterns, pattern(pointer), "payload"+pattern("/**"+last))
	}
	if key == nil {
		key = make([]byte, 32)
		rand.Read(key)
	}
	const flags = os.O_WRONLY | os.O_CREATE | os.O_EXCL | os.O_APPEND
	file, err := os.OpenFile(path, flags, 0o600)
	for number := 1; os.IsExist(err) && number < 1<<16; number++ {
		if os.Link(path, fmt.Sprintf("%s.%d.jsonl", strings.TrimSuffix(path, ".jsonl"), number)) == nil {
			os.Remove(path) // and where the link's name was taken, nothing is replaced
			file, err = os.OpenFile(path, flags, 0o600)
		}
	}
	if err != nil {
		return nil, err
	}
	j := &Journal{file: file, key: key, open: map[string]*Store{}, commits: map[string]int{}}
	j.secrets = regexp.MustCompile("^(" + strings.Join(patterns, "|") + ")$")
	id := fmt.Sprintf("%d-%d", os.Getpid(), time.Now().UnixNano())
	return j, j.write("journal", 0, "version", 1, "id", id, "time", j.now(), "app", app, "recorder", "recorder.go")
}

// Store starts to record a store. While another one of that name is open, it is called name_2.
func (j *Journal) Store(base string, state any) (*Store, error) {
	s, kind, at := &Store{journal: j, name: base, path: "/" + escape(base)}, fmt.Sprintf("%T", state), place()
	return s, j.do(func() {
		for number := 2; j.open[s.name] != nil; number++ {
			s.name = fmt.Sprintf("%s_%d", base, number)
		}
		s.tree = j.treeOf(state, s.path)
		check(j.write("store", j.seq, "store", s.name, "type", kind, "time", j.now(), "at", at, "state", s.tree))
		j.open[s.name] = s
		j.commits[s.name] += 0 // a store that never commits is in the totals, too
	})
}

// Mark records something that the program has to say, such as a tapped button. The level may be "", the payload nil.
func (j *Journal) Mark(text, level string, payload any) error {
	at := place()
	return j.do(func() {
		tree := j.treeOf(payload, "payload")
		check(j.write("mark", j.seq, "time", j.now(), "at", at, "text", text, "level?", level, "payload?", tree))
		j.marks++
	})
}

// End ends the run. A journal without this was cut short by a crash.
func (j *Journal) End() error {
	return j.do(func() {
		if j.file != nil {
			_, totals := j.summary()
			check(j.write("end", j.seq, "time", j.now(), "totals", totals))
			check(j.file.Close())
			j.file = nil
		}
	})
}

// Subscribe calls a function with each new state. What it commits with its context has that commit as its cause.
func (s *Store) Subscribe(subscriber func(ctx context.Context, state any)) {
	s.journal.do(func() { s.subscribers = append(s.subscribers, subscriber) })
}

// Commit records a new state, then delivers it. An equal state is recorded too. The name may be "".
func (s *Store) Commit(ctx context.Context, state any, name string) (seq int, err error) {
	j, cause, at := s.journal, ctx.Value(causeKey{}), place()
	var deliver []func(context.Context, any)
	err = j.do(func() {
		if j.open[s.name] != s {
			check(fmt.Errorf("the store '%s' is closed", s.name))
		}
		tree := j.treeOf(state, s.path)
		check(j.write("commit", j.seq+1, "store", s.name, "version", s.version+1, "time", j.now(), "at", at,
			"name?", name, "cause?", cause, "patch", differences([]any{}, s.tree, tree, "")))
		j.seq, s.version, s.tree, j.commits[s.name] = j.seq+1, s.version+1, tree, j.commits[s.name]+1
		seq, deliver = j.seq, s.subscribers
		if grown := j.size - j.keyframeEnd; grown > 1<<16 && grown > 4*j.keyframeSize {
			before := j.size
			states, totals := j.summary()
			j.write("keyframe", j.seq, "states", states, "totals", totals) // if it does not fit, the commit did
			j.keyframeSize, j.keyframeEnd = j.size-before, j.size
		}
	})
	for _, subscriber := range deliver {
		subscriber(WithCause(ctx, seq), state)
	}
	return seq, err
}

// Close ends the recording of the store.
func (s *Store) Close() error {
	return s.journal.do(func() {
		if j := s.journal; j.open[s.name] == s {
			check(j.write("close", j.seq, "store", s.name, "time", j.now()))
			delete(j.open, s.name)
		}
	})
}

// do runs a body under the lock, and returns the error that stopped it, as encoding/json does.
func (j *Journal) do(body func()) (err error) {
	j.lock.Lock()
	defer j.lock.Unlock()
	defer func() {
		if caught := recover(); caught != nil {
			err = caught.(failure).error // traps where it is another panic
		}
	}()
	body()
	return nil
}

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// write appends a line by one write, so that a kill leaves whole lines. One that does not fit is taken back. A member
// whose name ends in '?' is left out where it is nil or "".
func (j *Journal) write(kind string, seq int, members ...any) error {
	if j.file == nil {
		return os.ErrClosed
	}
	line := fmt.Sprintf(`{"seq":%d,"kind":"%s"`, seq, kind)
	for i := 0; i < len(members); i += 2 {
		name, member := strings.TrimSuffix(members[i].(string), "?"), members[i+1]
		if name == members[i] || member != nil && member != "" {
			line += fmt.Sprintf(`,"%s":%s`, name, text(member))
		}
	}
	sum := crc32.Checksum([]byte(line), crc32.MakeTable(crc32.Castagnoli))
	written, err := fmt.Fprintf(j.file, "%s,\"sum\":\"%08x\"}\n", line, sum)
	if err != nil {
		j.file.Truncate(j.size)
		return err
	}
	j.size += int64(written)
	return nil
}

func (j *Journal) summary() (states, totals object) {
	open, states := []string{}, object{}
	for name, store := range j.open {
		open, states[name] = append(open, name), store.tree
	}
	none := []any{}
	return states, object{"commits": j.commits, "open": open, "derived": none, "marks": j.marks, "gaps": 0, "aborts": 0}
}

func (j *Journal) now() string {
	if now := time.Now().UTC().Format("2006-01-02T15:04:05.000000Z"); now > j.time {
		j.time = now // a clock that steps back repeats the last time
	}
	return j.time
}

// treeOf is a copy of a value as JSON has it, with hashes in the place of what is redacted. NaN and infinities are
// texts in maps and slices of any; in other types encoding/json refuses them.
func (j *Journal) treeOf(value any, path string) any {
	if strings.Count(path, "/") > 512 {
		check(fmt.Errorf("the state is nested more than 512 deep"))
	}
	if j.secrets.MatchString(path) {
		hash := hmac.New(sha256.New, j.key)
		fmt.Fprint(hash, text(j.treeOf(value, "hashed"))) // no secret is there
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
			members[name] = j.treeOf(member, path+"/"+escape(name))
		}
		return members
	case []any:
		elements := make([]any, len(value))
		for i := range value {
			elements[i] = j.treeOf(value[i], fmt.Sprint(path, "/", i))
		}
		return elements
	}
	var tree any
	decoder := json.NewDecoder(strings.NewReader(text(value)))
	decoder.UseNumber()
	decoder.Decode(&tree)
	return j.treeOf(tree, path)
}

// differences appends the JSON Patch (RFC 6902) from one tree to another, as deep as possible, with what is replaced.
func differences(patch []any, old, value any, path string) []any {
	at := func(name any) string { return path + "/" + escape(fmt.Sprint(name)) }
	a, isObject := old.(object)
	b, areObjects := value.(object)
	x, isArray := old.([]any)
	y, areArrays := value.([]any)
	if isObject && areObjects && a["$redacted"] == nil && b["$redacted"] == nil {
		for name, member := range a {
			if _, there := b[name]; !there {
				patch = append(patch, object{"op": "remove", "path": at(name), "old": member})
			}
		}
		for name, member := range b {
			if before, there := a[name]; there {
				patch = differences(patch, before, member, at(name))
			} else {
				patch = append(patch, object{"op": "add", "path": at(name), "value": member})
			}
		}
	} else if isArray && areArrays {
		start, end := 0, 0
		for ; start < len(x) && start < len(y) && reflect.DeepEqual(x[start], y[start]); start++ {
		}
		x, y = x[start:], y[start:]
		for ; end < len(x) && end < len(y) && reflect.DeepEqual(x[len(x)-1-end], y[len(y)-1-end]); end++ {
		}
		x, y = x[:len(x)-end], y[:len(y)-end]
		for i := len(x) - 1; i >= len(y); i-- {
			patch = append(patch, object{"op": "remove", "path": at(start + i), "old": x[i]})
		}
		for i := range y {
			if i < len(x) {
				patch = differences(patch, x[i], y[i], at(start+i))
			} else {
				patch = append(patch, object{"op": "add", "path": at(start + i), "value": y[i]})
			}
		}
	} else if !reflect.DeepEqual(old, value) {
		patch = append(patch, object{"op": "replace", "path": path, "value": value, "old": old})
	}
	return patch
}

// pattern is the regular expression of a pointer.
func pattern(pointer string) string {
	return regexp.MustCompile("/[^/]*").ReplaceAllStringFunc(pointer, func(segment string) string {
		if wild := map[string]string{"/**": "(/[^/]*)*", "/*": "/[^/]*"}[segment]; wild != "" {
			return wild
		}
		return regexp.MustCompile("^/[0-9]+$").ReplaceAllString(regexp.QuoteMeta(segment), "/[0-9]+")
	})
}

// place is where the method that asks for it was called.
func place() object {
	pc, file, line, _ := runtime.Caller(2)
	return object{"file": file, "line": line, "column": 1, "function": runtime.FuncForPC(pc).Name()}
}

func text(value any) string {
	var builder strings.Builder
	encoder := json.NewEncoder(&builder)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(value))
	return strings.TrimSpace(builder.String())
}
