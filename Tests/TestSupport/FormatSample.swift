/// A file of a format that is a definition: what becomes of it, and of what does not fit among it.
public struct FormatSample: Sendable, CustomStringConvertible {
    /// The format.
    public let format: String
    /// What wrote it, where several write the format.
    public var writer = ""
    /// The queries that have to be typed besides, by option.
    public var queries: [String: String] = [:]
    /// The file.
    public let text: String
    /// The stores at the end, as JSON.
    public let state: String
    /// What the commits are called.
    public let names: [String]
    /// The numbers of the commits that made them.
    public var causes: [Int?]?
    /// What is said by the way.
    public var notes: [String] = []
    /// What does not fit, each as a text beside the others, and what is said of it.
    public let bad: [(text: String, message: String)]

    /// The format and the writer.
    public var description: String { writer.isEmpty ? format : "\(format) of \(writer)" }

    /// All of them; a format may have several.
    public static let all: [FormatSample] = [
        FormatSample(
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
        FormatSample(
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
        FormatSample(
            format: "elasticsearch",
            text: #"""
                {"index":{"_index":"orders","_id":1}}
                {"@timestamp":"2024-01-01T00:00:00Z","total":5,"user":{"name":"ann","age":7}}
                {"create":{"_index":"orders"}}
                {"index":{"_id":3},"timestamp":1704067201}
                {"update":{"_index":"orders","_id":"1"}}
                {"doc":{"total":-2,"user":{"age":null}}}
                {"update":{"_index":"users","_id":"ann"}}
                {"doc":{"n":2},"upsert":{"n":1}}
                {"update":{"_index":"users","_id":"ann"}}
                {"script":{"source":"ctx._source.n += 1"}}
                {"delete":{"_id":"5"}}
                {"delete":{"_index":"users","_id":"ann"}}
                """#,
            state:
                #"{"orders":{"1":{"@timestamp":"2024-01-01T00:00:00Z","total":-2,"user":{"age":null,"name":"ann"}},"line 3":{"index":{"_id":3},"timestamp":1704067201}},"users":{}}"#,
            names: ["index orders", "create orders", "update orders", "update users", "delete users"],
            notes: [
                "2 changes of rows that the file had not said anything of",
                "1 record without a state: update by a script",
            ],
            bad: [
                (
                    #"{"upsert":{"_index":"orders"}}"#,
                    "this is not an action, an object with 'index', 'create', 'update' or 'delete'"
                ),
                (#"{"index":{"_index":"orders"}}"# + "\n5", "this is not a document, an object"),
                (#"{"update":{"_index":"orders","_id":1}}"# + "\n{}", "'doc' is missing, should be an object"),
                (#"{"index":{"_index":"orders"}}"#, "the document of this action is missing"),
            ]),
        FormatSample(
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
        FormatSample(
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
        FormatSample(
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
        FormatSample(
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
        FormatSample(
            format: "redux-logger",
            text: #"""
                {"startedTime":"2024-01-01T00:00:00Z","action":{"type":"ADD","payload":2},"prevState":{"n":0},"nextState":{"n":2}}
                {"startedTime":"2024-01-01T00:00:01Z","action":{"type":"BUG"},"prev state":{"n":2},"next state":{"n":-1}}
                {"action":{"type":"THROWS"},"error":"boom"}
                {"type":"SET","n":4,"prev":{"n":-1},"next":{"n":4}}
                """#,
            state: #"{"state":{"n":4}}"#, names: ["ADD", "BUG", "SET"],
            bad: [(#"{"level":"info"}"#, "this is not an entry of redux-logger, an object with 'nextState'")]),
        FormatSample(
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
        FormatSample(
            format: "otlp",
            text: #"""
                {"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"cart"}}]},"scopeLogs":[{"scope":{"name":"s"},"logRecords":[{"timeUnixNano":"1700000000000000000","severityText":"INFO","body":{"stringValue":"set"},"traceId":"AAAA","spanId":"B1","attributes":[{"key":"total","value":{"intValue":"9"}},{"key":"tags","value":{"arrayValue":{"values":[{"boolValue":true},{"doubleValue":1.5}]}}}]}]}]}]}
                {"scopeLogs":[{"logRecords":[{"observedTimeUnixNano":"1700000001000000000","timeUnixNano":"0","eventName":"grown","attributes":[{"key":"n","value":{"intValue":1}}]}]}]}
                {"resourceSpans":[]}
                {"timeUnixNano":1700000002000000000,"body":{"kvlistValue":{"values":[{"key":"a","value":{"stringValue":"x"}}]}},"severityText":"WARN","attributes":[{"key":"n","value":{"intValue":"-1"}}]}
                {"resourceLogs":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"cart"}}]},"scopeLogs":[{"logRecords":[{"timeUnixNano":"1700000003000000000","body":{"stringValue":"bug"},"attributes":[{"key":"total","value":{"intValue":"-2"}}]}]}]}]}
                """#,
            state: #"{"cart":{"tags":[true,1.5],"total":-2},"log":{"n":-1}}"#,
            names: ["set", "grown", "WARN", "bug"], notes: ["1 record without a state: spans"],
            bad: [
                (#"{"resourceLogs":5}"#, "'resourceLogs' should be an array"),
                (#"7"#, "this is not an object with 'resourceLogs'"),
                (#"{"logRecords":[7]}"#, "this is not a log record, an object"),
            ]),
        FormatSample(
            format: "docker", queries: ["state": ".state", "name": ".event"],
            text: #"""
                {"log":"{\"state\":{\"n\":1},\"event\":\"start\"}\n","stream":"stdout","time":"2024-01-01T00:00:00.1Z"}
                {"log":"starting\n","stream":"stderr","time":"2024-01-01T00:00:01.1Z"}
                {"log":"{\"state\":{\"n\":","stream":"stdout","time":"2024-01-01T00:00:02.1Z"}
                {"log":"-2},\"event\":\"bug\"}\n","stream":"stdout","time":"2024-01-01T00:00:02.2Z"}
                """#,
            state: #"{"state":{"n":-2}}"#,
            names: ["bug"], notes: ["1 record without a state: line of other text"],
            bad: [
                (#"{"log":5,"stream":"stdout"}"#, "this is not an entry of docker, an object with 'log'"),
                (#"{"log":"{\"state\":\n","stream":"stdout"}"#, "this is no JSON"),
            ]),
        FormatSample(
            format: "cri", queries: ["state": ".state", "name": ".event"],
            text: #"""
                2024-01-01T00:00:00.100000000Z stdout F {"state":{"n":1},"event":"start"}
                2024-01-01T00:00:01.100000000Z stderr F starting
                2024-01-01T00:00:02.100000000Z stdout P {"state":{"n":
                2024-01-01T00:00:02.200000000Z stdout F -2},"event":"bug"}
                2024-01-01T00:00:03.100000000+00:00 stdout F {"state":{"n":3},"event":"end"}
                """#,
            state: #"{"state":{"n":3}}"#,
            names: ["bug", "end"], notes: ["1 record without a state: line of other text"],
            bad: [
                (#"starting"#, "this is not a line with a time before it"),
                (#"2024-01-01T00:00:09Z stdout F {"state":"#, "this is no JSON"),
            ]),
        FormatSample(
            format: "messages", writer: "Claude Code",
            text: #"""
                {"type":"summary","summary":"Mend the cart","leafUuid":"u3"}
                {"type":"user","uuid":"u1","parentUuid":null,"isSidechain":false,"sessionId":"s1","timestamp":"2024-01-01T00:00:00Z","message":{"role":"user","content":"mend it"}}
                {"type":"assistant","uuid":"u2","parentUuid":"u1","isSidechain":false,"sessionId":"s1","timestamp":"2024-01-01T00:00:01Z","message":{"role":"assistant","content":[{"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"Read","input":{"file":"a"}},{"type":"tool_use","id":"t2","name":"Bash","input":{"command":"ls"}}]}}
                {"type":"user","uuid":"u3","parentUuid":"u2","isSidechain":false,"sessionId":"s1","timestamp":"2024-01-01T00:00:02Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t2","content":"b.txt"}]}}
                {"type":"assistant","uuid":"u4","parentUuid":"u3","isSidechain":true,"sessionId":"s1","timestamp":"2024-01-01T00:00:03Z","message":{"role":"assistant","content":"aside"}}
                """#,
            state:
                #"{"run-s1":{"messages":[{"content":"mend it","role":"user"},{"content":[{"text":"I look.","type":"text"},{"id":"t1","input":{"file":"a"},"name":"Read","type":"tool_use"},{"id":"t2","input":{"command":"ls"},"name":"Bash","type":"tool_use"}],"role":"assistant"},{"content":[{"content":"b.txt","tool_use_id":"t2","type":"tool_result"}],"role":"user"}],"tools":{"Bash":"b.txt"}},"run-s1-side":{"messages":[{"content":"aside","role":"assistant"}],"tools":{}}}"#,
            names: ["user", "call Read", "call Bash", "answer Bash", "assistant"], causes: [nil, 1, 2, 3, 4],
            notes: ["1 record without a state: summary"],
            bad: [
                (
                    #"{"type":"user","message":{"role":"user"},"uuid":"u9","sessionId":"s1"}"#,
                    "this is not a message, an object with 'role'"
                ), (#"{"type":"assistant","message":5}"#, "this is not a message, an object with 'role'"),
            ]),
        FormatSample(
            format: "messages", writer: "Codex",
            text: #"""
                {"timestamp":"2024-01-01T00:00:00Z","type":"session_meta","payload":{"id":"c1","cwd":"/w"}}
                {"timestamp":"2024-01-01T00:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"mend it"}]}}
                {"timestamp":"2024-01-01T00:00:02Z","type":"event_msg","payload":{"type":"token_count"}}
                {"timestamp":"2024-01-01T00:00:03Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"k1"}}
                {"timestamp":"2024-01-01T00:00:04Z","type":"response_item","payload":{"type":"function_call_output","call_id":"k1","output":"{\"n\":1}"}}
                """#,
            state:
                #"{"run-c1":{"messages":[{"content":[{"text":"mend it","type":"input_text"}],"role":"user","type":"message"},{"arguments":"{\"command\":[\"ls\"]}","call_id":"k1","name":"shell","type":"function_call"},{"call_id":"k1","output":"{\"n\":1}","type":"function_call_output"}],"tools":{"shell":{"n":1}}}}"#,
            names: ["user", "call shell", "answer shell"], causes: [nil, nil, 2],
            notes: ["1 record without a state: event_msg token_count", "1 record without a state: session_meta"],
            bad: [(#"[5]"#, "this is not a run, an object with 'messages'")]),
        FormatSample(
            format: "messages", writer: "OpenAI",
            text: #"""
                {"id":"o1","messages":[{"role":"system","content":"You mend."},{"role":"user","content":"mend it"},{"role":"assistant","content":null,"tool_calls":[{"id":"k1","type":"function","function":{"name":"look","arguments":"{\"at\":\"a\"}"}},{"id":"k2","type":"function","function":{"name":"list","arguments":"{}"}}]},{"role":"tool","tool_call_id":"k2","content":"[1,2]"},{"role":"tool","tool_call_id":"k1","content":"none"},{"role":"assistant","content":"done"}],"model":"m"}
                """#,
            state:
                #"{"run-o1":{"messages":[{"content":"You mend.","role":"system"},{"content":"mend it","role":"user"},{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{\"at\":\"a\"}","name":"look"},"id":"k1","type":"function"},{"function":{"arguments":"{}","name":"list"},"id":"k2","type":"function"}]},{"content":"[1,2]","role":"tool","tool_call_id":"k2"},{"content":"none","role":"tool","tool_call_id":"k1"},{"content":"done","role":"assistant"}],"result":{"id":"o1","model":"m"},"tools":{"list":[1,2],"look":"none"}}}"#,
            names: ["system", "user", "call look", "call list", "answer list", "answer look", "assistant", "result"],
            causes: [nil, nil, nil, nil, 4, 3, nil, nil],
            bad: [(#"{"messages":[{"role":"user"}]}"#, "this is not a message, an object with 'role'")]),
        FormatSample(
            format: "messages", writer: "Anthropic",
            text: #"""
                {"model":"m","messages":[{"role":"user","content":"mend it"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"look","input":{"at":"a"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":[{"type":"text","text":"{\"n\":1}"}]}]}]}
                """#,
            state:
                #"{"run":{"messages":[{"content":"mend it","role":"user"},{"content":[{"id":"t1","input":{"at":"a"},"name":"look","type":"tool_use"}],"role":"assistant"},{"content":[{"content":[{"text":"{\"n\":1}","type":"text"}],"tool_use_id":"t1","type":"tool_result"}],"role":"user"}],"result":{"model":"m"},"tools":{"look":{"n":1}}}}"#,
            names: ["user", "call look", "answer look", "result"], causes: [nil, nil, 2, nil],
            bad: [(#"{"role":5,"content":"x"}"#, "this is not a message, an object with 'role'")]),
        FormatSample(
            format: "messages", writer: "Gemini",
            text: #"""
                {"contents":[{"role":"user","parts":[{"text":"mend it"}]},{"role":"model","parts":[{"functionCall":{"name":"look","args":{"at":"a"}}}]},{"role":"user","parts":[{"functionResponse":{"name":"look","response":{"n":1}}}]},{"role":"model","parts":[{"text":"done"}]}]}
                """#,
            state:
                #"{"run":{"messages":[{"parts":[{"text":"mend it"}],"role":"user"},{"parts":[{"functionCall":{"args":{"at":"a"},"name":"look"}}],"role":"model"},{"parts":[{"functionResponse":{"name":"look","response":{"n":1}}}],"role":"user"},{"parts":[{"text":"done"}],"role":"model"}],"tools":{"look":{"n":1}}}}"#,
            names: ["user", "call look", "answer look", "model"], causes: [nil, nil, 2, nil],
            bad: [(#"{"role":"model"}"#, "this is not a message, an object with 'role'")]),
        FormatSample(
            format: "messages", writer: "LangChain",
            text: #"""
                {"messages":[{"type":"human","data":{"content":"mend it"}},{"lc":1,"type":"constructor","id":["langchain","schema","messages","AIMessage"],"kwargs":{"content":"","tool_calls":[{"id":"k1","name":"look","args":{"at":"a"}}]}},{"type":"tool","content":"gone","tool_call_id":"k1","name":"look"},{"type":"ai","content":"done"}]}
                """#,
            state:
                #"{"run":{"messages":[{"content":"mend it","role":"user"},{"content":"","role":"assistant","tool_calls":[{"args":{"at":"a"},"id":"k1","name":"look"}]},{"content":"gone","name":"look","role":"tool","tool_call_id":"k1"},{"content":"done","role":"assistant"}],"tools":{"look":"gone"}}}"#,
            names: ["user", "call look", "answer look", "assistant"], causes: [nil, nil, 2, nil],
            bad: [
                (#"{"lc":1,"id":["x"],"kwargs":{}}"#, "this is not a message, an object with 'role'"),
                (
                    #"{"type":"@xstate.event","sessionId":"x:0","event":{"type":"ADD"}}"#,
                    "this is not a message, an object with 'role'"
                ),
            ]),
        FormatSample(
            format: "kubernetes",
            text: #"""
                {"type":"ADDED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"d","creationTimestamp":"2024-01-01T00:00:00Z"},"status":{"phase":"Pending"}}}
                {"type":"MODIFIED","object":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"d"},"status":{"phase":"Running"}}}
                {"type":"BOOKMARK","object":{"kind":"Pod","metadata":{}}}
                """#,
            state:
                #"{"Pod":{"d":{"a":{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"d"},"status":{"phase":"Running"}}}}}"#,
            names: ["ADDED a", "MODIFIED a"], notes: ["1 record without a state: bookmark"],
            bad: [
                (#"{"type":"PUT","object":{"kind":"Pod"}}"#, "there is no operation 'PUT'"),
                (#"{"kind":"Pod","metadata":{}}"#, "'metadata/name' is missing, should be a string"),
            ]),
        FormatSample(
            format: "debezium",
            text: #"""
                {"op":"c","ts_ms":1700000000000,"source":{"schema":"s","table":"t"},"before":null,"after":{"id":1,"n":2}}
                {"ts_ms":1700000000500}
                {"payload":{"op":"u","ts_ms":1700000001000,"source":{"schema":"s","table":"t"},"before":{"id":1},"after":{"id":1,"n":-2}}}
                """#,
            state: #"{"t":{"1":{"id":1,"n":-2}}}"#,
            names: ["insert t", "update t"], notes: ["1 record without a state: heartbeat"],
            bad: [
                (#"{"op":"x","source":{"table":"t"}}"#, "there is no operation 'x'"),
                (#"{"op":"c","source":{"table":"t"},"after":5}"#, "'after' should be a row, an object"),
            ]),
        FormatSample(
            format: "wal2json",
            text: #"""
                {"action":"B","xid":1}
                {"action":"I","schema":"public","table":"t","timestamp":"2024-01-01 00:00:00+00","columns":[{"name":"id","value":1},{"name":"n","value":2}]}
                {"action":"U","schema":"public","table":"t","columns":[{"name":"id","value":1},{"name":"n","value":-2}],"identity":[{"name":"id","value":1}]}
                {"action":"C"}
                {"change":[{"kind":"insert","schema":"public","table":"t","columnnames":["id"],"columnvalues":[2]}]}
                """#,
            state: #"{"t":{"1":{"id":1,"n":-2},"2":{"id":2}}}"#,
            names: ["insert t", "update t", "insert t"], causes: [nil, 1, nil],
            bad: [
                (#"{"action":"Z"}"#, "there is no operation 'Z'"),
                (#"{"action":"I","table":"t","columns":5}"#, "'columns' should be an array"),
            ]),
        FormatSample(
            format: "itf",
            text: #"""
                {"vars":["x"],"states":[{"x":1},{"x":{"#bigint":"2"}},{"x":-3,"action_taken":"bug"}]}
                """#,
            state: #"{"state":{"action_taken":"bug","x":-3}}"#,
            names: ["bug"],
            bad: [
                (#"{"states":5}"#, "'states' should be an array"),
                (#"{"states":[]}"#, "this is not a trace with a state"),
            ]),
        FormatSample(
            format: "trrack",
            text: #"""
                {"nodes":{"r":{"children":["a"],"createdOn":1,"label":"Root","state":{"type":"checkpoint","val":{"n":0}}},"a":{"parent":"r","children":["b","c"],"createdOn":1700000000001,"label":"A","event":"up","state":{"type":"patch","val":[{"op":"replace","path":"/n","value":1}]}},"b":{"parent":"a","children":[],"createdOn":1700000000002,"label":"B","state":{"type":"patch","val":[{"op":"replace","path":"/n","value":2}]}},"c":{"parent":"a","children":[],"createdOn":1700000000003,"label":"C","state":{"type":"checkpoint","val":{"n":9}}}},"root":"r"}
                """#,
            state: #"{"branch1":{"n":2},"branch2":{"n":9}}"#, names: ["A", "A", "B", "C"],
            bad: [
                (#"{"nodes":{"a":5},"root":"a"}"#, "'nodes/a' should be an object"),
                (
                    #"{"nodes":{"a":{"parent":"z","children":[]}}}"#,
                    "'nodes/z' is missing, should be a node, since others are below it"
                ),
                (#"{"nodes":{"a":{"children":[],"state":{"type":"diff"}}}}"#, "there is no operation 'diff'"),
            ]),
    ]
}
