import Diagnostics
import Interchange
import JSONCore
import JournalFormat
import JournalReading
import Testing

/// A file of each format that is a definition: what becomes of it, and of what does not fit among it.
@Suite("Formats that are definitions")
struct FormatTests {
    /// A sample of a format.
    struct Sample: Sendable, CustomTestStringConvertible {
        let format: String
        let text: String
        /// The stores at the end.
        let state: String
        let names: [String]
        var causes: [JSONValue?]?
        var notes: [String] = []
        /// What does not fit, each as a text beside the others, and what is said of it.
        let bad: [(text: String, message: String)]

        var testDescription: String { format }
    }

    @Test("a sample becomes the run that it says", arguments: samples)
    func run(sample: Sample) throws {
        let run = try Imported(
            sample.text, as: defined(sample.format), identities: defined(sample.format).identities)
        #expect(try run.states.last == json(sample.state))
        #expect(try run.records(.commit).compactMap { $0["name"]?.string } == sample.names)
        if let causes = sample.causes { #expect(try run.records(.commit).map { $0["cause"] } == causes) }
        #expect(run.work.notes == sample.notes)
    }

    @Test("what does not fit is counted and named, and nothing else of the file is lost", arguments: samples)
    func bad(sample: Sample) throws {
        for bad in sample.bad + [("{\"zz\":[1]}", "")] {
            let whole = sample.text + "\n" + bad.text + "\n"
            let run = try Imported(whole, as: defined(sample.format), skipsBad: true)
            #expect(run.work.run.problems.count == 1, "\(bad)")
            let message = run.work.run.problems.first.first?.diagnostic.message ?? ""
            #expect(message.hasSuffix(bad.message), "\(message)")
            #expect(try run.states.last == json(sample.state), "\(bad)")
            #expect(fault(of: whole, as: defined(sample.format)) != nil)
        }
    }

    @Test(
        "a file that ends in the middle of a text is told, and what stands before is there",
        arguments: samples.dropLast())
    func truncated(sample: Sample) throws {
        let run = try Imported(
            sample.text + "\n" + sample.text.dropLast(sample.text.count / 3), as: defined(sample.format),
            skipsBad: true)
        #expect(run.work.run.problems.count >= 1)
        #expect(run.work.run.totals.commits.count >= 1)
    }

    @Test("a sample is taken for its own format, and for no other", arguments: samples)
    func likeness(sample: Sample) throws {
        guard let first = try? json(sample.text.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? "")
        else {
            return
        }
        #expect(ImportFormat.likeness(of: first) == ImportFormat(rawValue: sample.format).map { .format($0) })
    }

    static let samples: [Sample] = [
        Sample(
            format: "maxwell",
            text: #"""
                {"database":"shop","table":"carts","type":"table-create","ts":1700000000,"sql":"create table","def":{"columns":[]}}
                {"database":"shop","table":"carts","type":"bootstrap-insert","ts":1700000000,"data":{"id":1,"total":5}}
                {"database":"shop","table":"carts","type":"insert","ts":1700000001,"xid":7,"primary_key_columns":["id"],"data":{"id":2,"total":3}}
                {"database":"shop","table":"carts","type":"update","ts":1700000001,"xid":7,"data":{"id":1,"total":-2},"old":{"total":5}}
                {"database":"shop","table":"carts","type":"update","ts":1700000002,"xid":8,"data":{"id":9,"total":-2},"old":{"id":1}}
                {"database":"other","table":"carts","type":"insert","ts":1700000003,"xid":9,"data":{"id":2,"total":3}}
                {"database":"shop","table":"carts","type":"delete","ts":1700000003,"xid":9,"data":{"id":2,"total":3}}
                """#,
            state: #"{"carts":{"9":{"id":9,"total":-2}},"other.carts":{"2":{"id":2,"total":3}}}"#,
            names: [
                "insert carts", "insert carts", "update carts", "update carts", "update carts", "insert carts",
                "delete carts",
            ],
            causes: [nil, nil, 2, nil, 4, nil, 6], notes: ["1 record without a state: table-create"],
            bad: [
                (
                    #"{"database":"shop","table":"carts","type":"upsert","data":{"id":1}}"#,
                    "there is no operation 'upsert'"
                ),
                (
                    #"{"database":"shop","table":"carts","type":"insert","data":{"n":1}}"#,
                    "a row of 'shop.carts' has no 'id'"
                ),
                (#"{"database":"shop","table":"carts","type":"insert","data":5}"#, "'data' should be an object"),
            ]),
        Sample(
            format: "mongodb",
            text: #"""
                {"operationType":"insert","clusterTime":{"$timestamp":{"t":1700000000,"i":1}},"ns":{"db":"shop","coll":"carts"},"documentKey":{"_id":{"$oid":"65a"}},"fullDocument":{"_id":{"$oid":"65a"},"lines":["a","b"],"n":{"$numberLong":"5"},"at":{"$date":"2024-01-01T00:00:00Z"},"deep":{"22":[1,2],"x":1}}}
                {"operationType":"update","wallTime":{"$date":{"$numberLong":"1700000001500"}},"ns":{"db":"shop","coll":"carts"},"documentKey":{"_id":{"$oid":"65a"}},"updateDescription":{"updatedFields":{"lines.1":"c","deep.22.0":9,"n":{"$numberLong":"-1"}},"removedFields":["at","deep.x"],"truncatedArrays":[{"field":"deep.22","newSize":1}]}}
                {"operationType":"createIndexes","ns":{"db":"shop","coll":"carts"}}
                {"operationType":"insert","ns":{"db":"shop","coll":"carts"},"documentKey":{"_id":7},"fullDocument":{"_id":7}}
                {"operationType":"delete","ns":{"db":"shop","coll":"carts"},"documentKey":{"_id":7}}
                """#,
            state: #"{"carts":{"65a":{"_id":"65a","deep":{"22":[9]},"lines":["a","c"],"n":-1}}}"#,
            names: ["insert carts", "update carts", "insert carts", "delete carts"],
            notes: ["1 record without a state: createIndexes"],
            bad: [
                (
                    #"{"operationType":"rename","ns":{"db":"shop","coll":"carts"}}"#,
                    "what it does to collections is not in the journal"
                ),
                (
                    #"{"operationType":"insert","ns":{"db":"shop","coll":"carts"},"documentKey":{"_id":8}}"#,
                    "'fullDocument' is missing, should be an object"
                ),
                (
                    #"{"operationType":"insert","ns":{"db":"shop","coll":"carts"},"documentKey":7,"fullDocument":{}}"#,
                    "'documentKey' should be an object"
                ),
            ]),
        Sample(
            format: "dynamodb",
            text: #"""
                {"Records":[{"eventName":"INSERT","eventSourceARN":"arn:aws:dynamodb:eu:1:table/Orders/stream/2024","dynamodb":{"ApproximateCreationDateTime":1700000000,"Keys":{"id":{"S":"o1"}},"NewImage":{"id":{"S":"o1"},"total":{"N":"5"},"tags":{"SS":["x"]},"lines":{"L":[{"M":{"n":{"N":"1"},"ok":{"BOOL":true},"no":{"NULL":true}}}]}}}}]}
                {"eventName":"MODIFY","tableName":"Orders","dynamodb":{"ApproximateCreationDateTime":1700000001000,"Keys":{"id":{"S":"o1"}},"NewImage":{"id":{"S":"o1"},"total":{"N":"-5"},"lines":{"L":[]}},"OldImage":{}}}
                {"eventName":"INSERT","tableName":"Orders","dynamodb":{"Keys":{"id":{"N":"2"},"at":{"N":"3"}},"NewImage":{}}}
                {"eventName":"REMOVE","tableName":"Orders","dynamodb":{"Keys":{"id":{"S":"o1"}}}}
                """#,
            state: #"{"Orders":{"[2,3]":{}}}"#,
            names: ["INSERT Orders", "MODIFY Orders", "INSERT Orders", "REMOVE Orders"],
            bad: [
                (
                    #"{"eventName":"MODIFY","tableName":"Orders","dynamodb":{"Keys":{"id":{"S":"o2"}}}}"#,
                    "'dynamodb/NewImage' is missing, should be an object"
                ),
                (
                    #"{"eventName":"INSERT","tableName":"Orders","dynamodb":{"Keys":{"id":{"X":"o2"}},"NewImage":{}}}"#,
                    "there is no type 'X'"
                ),
                (#"{"eventName":"PUT","dynamodb":{}}"#, "there is no operation 'PUT'"),
            ]),
        Sample(
            format: "langgraph",
            text: #"""
                [[{"n":2},[],{"configurable":{"thread_id":"t","checkpoint_id":"c2"}},{"source":"loop","step":1,"writes":{"add":{"n":2}}},"2024-01-01T00:00:02+00:00",{"configurable":{"thread_id":"t","checkpoint_id":"c1"}},[]],[{"n":1},["add"],{"configurable":{"thread_id":"t","checkpoint_id":"c1"}},{"source":"input","step":0},"2024-01-01T00:00:01+00:00",null,[]],[{"n":0},["add"],{"configurable":{"thread_id":"t","checkpoint_id":"c0"}},{"source":"input","step":-1},"2024-01-01T00:00:00+00:00",null,[]]]
                {"values":{"n":-3},"next":[],"config":{"configurable":{"thread_id":"t","checkpoint_id":"c3"}},"metadata":{"source":"loop","step":2},"created_at":"2024-01-01T00:00:03+00:00","parent_config":{"configurable":{"thread_id":"t","checkpoint_id":"c2"}}}
                {"type":"task","timestamp":"2024-01-01T00:00:04+00:00","step":3,"payload":{"id":"x","name":"add"}}
                {"type":"checkpoint","timestamp":"2024-01-01T00:00:04+00:00","step":3,"payload":{"values":{"n":4},"config":{"configurable":{"thread_id":"u"}},"metadata":{"source":"loop","step":3}}}
                """#,
            state: #"{"state":{"n":-3},"u.state":{"n":4}}"#, names: ["input 0", "loop 1", "loop 2"],
            causes: [nil, 1, 2],
            notes: ["1 record without a state: task"],
            bad: [
                (#"{"next":[],"metadata":{}}"#, "'values' is missing, should be the state"),
                ("5", "this is not a checkpoint, an object with 'values'"),
            ]),
        Sample(
            format: "temporal",
            text: #"""
                {"events":[{"eventId":"6","eventTime":"2024-01-01T00:00:05Z","eventType":"EVENT_TYPE_TIMER_FIRED","timerFiredEventAttributes":{"timerId":"1","startedEventId":"5"}},{"eventId":"5","eventTime":"2024-01-01T00:00:04Z","eventType":"TimerStarted","timerStartedEventAttributes":{"timerId":"1"}},{"eventId":"4","eventTime":"2024-01-01T00:00:03Z","eventType":"EVENT_TYPE_ACTIVITY_TASK_COMPLETED","activityTaskCompletedEventAttributes":{"result":{"payloads":[{"metadata":{"encoding":"anNvbi9wbGFpbg=="},"data":"NQ=="}]},"scheduledEventId":"3"}},{"eventId":"3","eventTime":"2024-01-01T00:00:02Z","eventType":"EVENT_TYPE_ACTIVITY_TASK_SCHEDULED","activityTaskScheduledEventAttributes":{"activityType":{"name":"charge"}}},{"eventId":"1","eventTime":"2024-01-01T00:00:00Z","eventType":"EVENT_TYPE_WORKFLOW_EXECUTION_STARTED","workflowExecutionStartedEventAttributes":{"workflowType":{"name":"order"}}}]}
                {"eventId":"7","eventTime":"2024-01-01T00:00:06Z","eventType":"EVENT_TYPE_WORKFLOW_EXECUTION_FAILED","workflowExecutionFailedEventAttributes":{"failure":{"message":"no"}}}
                {"eventId":"8","eventTime":"2024-01-01T00:00:06Z","eventType":"EVENT_TYPE_NEW_THING"}
                """#,
            state:
                #"{"workflow":{"activities":{"3":{"activityType":{"name":"charge"},"result":5,"status":"completed"}},"failure":{"message":"no"},"status":"failed","timers":{"5":{"status":"fired","timerId":"1"}},"workflowType":{"name":"order"}}}"#,
            names: [
                "WorkflowExecutionStarted", "ActivityTaskScheduled", "ActivityTaskCompleted", "TimerStarted",
                "TimerFired", "WorkflowExecutionFailed",
            ],
            causes: [nil, nil, 2, nil, 4, nil], notes: ["1 record without a state: NewThing"],
            bad: [
                (#"{"eventId":"9","eventType":5}"#, "'eventType' should be a string"),
                (#"{"eventType":"TimerFired"}"#, "'eventId' is missing, should be a number"),
            ]),
        Sample(
            format: "xstate",
            text: #"""
                {"type":"@xstate.actor","sessionId":"x:0","createdAt":"1700000000000","snapshot":{"status":"active","value":"idle","context":{"n":0}}}
                {"type":"@xstate.event","sessionId":"x:0","createdAt":"1700000001000","event":{"type":"ADD","n":2}}
                {"type":"@xstate.snapshot","actorRef":{"xstate$$type":1,"id":"x:0"},"event":{"type":"ADD","n":2},"snapshot":{"status":"active","value":"busy","context":{"n":2}}}
                {"type":"service.register","sessionId":"x:1","machine":"{}","id":"m"}
                {"type":"service.state","sessionId":"x:1","state":"{\"value\":\"a\",\"context\":{\"k\":1},\"event\":{\"type\":\"GO\"}}"}
                {"type":"service.stop","sessionId":"x:1"}
                {"type":"@xstate.snapshot","sessionId":"x:0","event":{"type":"DONE"},"snapshot":{"status":"done","value":"end","context":{"n":2}}}
                """#,
            state: #"{"x:0":{"context":{"n":2},"status":"done","value":"end"}}"#, names: ["ADD", "DONE"],
            notes: ["1 record without a state: @xstate.event", "1 record without a state: service.register"],
            bad: [
                (
                    #"{"type":"@xstate.snapshot","sessionId":"x:0"}"#,
                    "'snapshot' is missing, should be the actor's state"
                ),
                (#"{"type":"ADD"}"#, "there is no event 'ADD'"),
            ]),
        Sample(
            format: "redux-logger",
            text: #"""
                {"startedTime":"2024-01-01T00:00:00Z","action":{"type":"ADD","payload":2},"prevState":{"n":0},"nextState":{"n":2}}
                {"startedTime":"2024-01-01T00:00:01Z","action":{"type":"BUG"},"prev state":{"n":2},"next state":{"n":-1}}
                {"action":{"type":"THROWS"},"error":"boom"}
                {"type":"SET","n":4,"prev":{"n":-1},"next":{"n":4}}
                """#,
            state: #"{"state":{"n":4}}"#, names: ["ADD", "BUG", "SET"],
            bad: [(#"{"level":"info"}"#, "this is not an entry of redux-logger, an object with 'nextState'")]),
        Sample(
            format: "bloc",
            text: """
                flutter: onTransition -- CounterBloc, Transition { currentState: 0, event: Increment, nextState: 1 }
                2024-01-01T00:00:01Z CartCubit Change { currentState: CartState(total: 1), nextState: CartState(total: -2) }
                {"bloc":"CounterBloc","event":{"type":"Decrement"},"currentState":1,"nextState":0}
                hello
                """,
            state: #"{"CartCubit":"CartState(total: -2)","CounterBloc":0}"#,
            names: ["Increment", "change", "Decrement"],
            notes: ["1 record without a state: line of other text"],
            bad: [(#"{"currentState":1}"#, "this is not a transition, an object with 'currentState' and 'nextState'")]),
    ]
}
