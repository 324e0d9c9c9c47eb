// The kit's driver of recorder.go: `driver JOURNAL < operations`. kit/judge builds it as a module with the recorder beside it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"unicode/utf16"

	"kit/recorder"
)

type operation struct {
	Op, Store, As, Name, Line, Text, Level, App, Key string
	State, Payload                                   json.RawMessage
	Put, Push                                        map[string]json.RawMessage
	Redact                                           []string
	Cause, Times                                     int
	Task                                             bool
	Do                                               []json.RawMessage
}

var (
	journal *recorder.Journal
	lock    sync.Mutex
	stores  = map[string]*recorder.Store{}
	states  = map[string]any{}
	count   atomic.Int64
)

// value is what a value of a script stands for.
func value(text json.RawMessage) any {
	if text == nil {
		return nil
	}
	var decoded any
	if err := json.Unmarshal(text, &decoded); err != nil {
		panic(err)
	}
	return expand(decoded)
}

func expand(decoded any) any {
	switch decoded := decoded.(type) {
	case []any:
		elements := []any{}
		for _, element := range decoded {
			elements = append(elements, expand(element))
		}
		return elements
	case map[string]any:
		if text, there := decoded["$number"].(string); there {
			if signed, err := strconv.ParseInt(text, 10, 64); err == nil && text != "-0" {
				return signed
			} else if unsigned, err := strconv.ParseUint(text, 10, 64); err == nil {
				return unsigned
			}
			float, err := strconv.ParseFloat(text, 64)
			if err != nil {
				panic(err)
			}
			return float
		}
		if units, there := decoded["$units"].([]any); there {
			halves := []uint16{}
			for _, unit := range units {
				halves = append(halves, uint16(unit.(float64)))
			}
			return string(utf16.Decode(halves))
		}
		if text, there := decoded["$text"].(string); there {
			return strings.Repeat(text, int(decoded["times"].(float64)))
		}
		if depth, there := decoded["$nest"].(float64); there {
			var nested any = 0
			for ; depth > 0; depth-- {
				nested = []any{nested}
			}
			return nested
		}
		if decoded["$count"] != nil {
			return count.Load()
		}
		members := map[string]any{}
		for name, member := range decoded {
			members[name] = expand(member)
		}
		return members
	}
	return decoded
}

func run(ctx context.Context, line json.RawMessage) (err error) {
	op := operation{Times: 1}
	if err := json.Unmarshal(line, &op); err != nil {
		return err
	}
	lock.Lock()
	store := stores[op.Store]
	lock.Unlock()
	switch op.Op {
	case "begin":
		var key []byte
		if op.Key != "" {
			key = []byte(op.Key)
		}
		journal, err = recorder.Open(os.Args[1], op.App, key, op.Redact...)
	case "open":
		if op.As == "" {
			op.As = op.Store
		}
		state := value(op.State)
		opened, err := journal.Store(op.Store, state) // kit:open
		if err != nil {
			return err
		}
		lock.Lock()
		stores[op.As], states[op.As] = opened, state
		lock.Unlock()
	case "commit":
		if op.Cause != 0 {
			ctx = recorder.WithCause(ctx, op.Cause)
		}
		state := change(op)
		if op.Line == "b" {
			_, err = store.Commit(ctx, state, op.Name) // kit:b
		} else {
			_, err = store.Commit(ctx, state, op.Name) // kit:a
		}
	case "mark":
		err = journal.Mark(op.Text, op.Level, value(op.Payload)) // kit:mark
	case "subscribe":
		store.Subscribe(func(ctx context.Context, _ any) {
			if op.Times--; op.Times < 0 {
				return
			}
			done := make(chan error)
			if op.Task {
				go func() { done <- all(ctx, op.Do) }()
				<-done
			} else {
				all(ctx, op.Do)
			}
		})
	case "threads":
		var group sync.WaitGroup
		for _, body := range op.Do {
			var operations []json.RawMessage
			json.Unmarshal(body, &operations)
			group.Add(1)
			go func() {
				defer group.Done()
				all(ctx, operations)
			}()
		}
		group.Wait()
	case "repeat":
		for turn := 0; turn < op.Times && err == nil; turn++ {
			count.Add(1)
			err = all(ctx, op.Do)
		}
	case "close":
		err = store.Close()
	case "end":
		err = journal.End()
	case "kill":
		syscall.Kill(syscall.Getpid(), syscall.SIGKILL)
	default:
		err = errors.New("unknown operation " + op.Op)
	}
	return err
}

// change is the state to commit: a new one, or the program's own object, changed in place.
func change(op operation) any {
	lock.Lock()
	defer lock.Unlock()
	if op.State != nil {
		states[op.Store] = value(op.State)
	}
	for name, member := range op.Put {
		states[op.Store].(map[string]any)[name] = value(member)
	}
	for name, element := range op.Push {
		state := states[op.Store].(map[string]any)
		state[name] = append(state[name].([]any), value(element))
	}
	return states[op.Store]
}

func all(ctx context.Context, operations []json.RawMessage) error {
	for _, operation := range operations {
		if err := run(ctx, operation); err != nil {
			return err
		}
	}
	return nil
}

func main() {
	signal.Ignore(syscall.SIGXFSZ) // a file that may not grow is an error, as a full disk is
	script, number := bufio.NewReader(os.Stdin), 0
	for {
		line, err := script.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		number++
		if err := run(context.Background(), line); err != nil {
			fmt.Printf("{\"fault\":%d}\n", number)
			fmt.Fprintf(os.Stderr, "operation %d: %v\n", number, err)
		}
	}
}
