import Foundation
import JSONCore
import JournalFormat
import TestSupport
import Testing

@testable import CommandLine
@testable import Debugger

@Suite("The editor's protocol over a run")
struct DapAdapterTests {
    private let folder = TemporaryFolder()

    init() { _ = tool }

    // MARK: The order of a session

    @Test("what comes too early, twice, or is not offered is refused, and moves nothing")
    func order() {
        let client = DapClient()
        #expect(client.error("threads") == "'initialize' has to be the first request")
        client.body("initialize", ["adapterID": "test"])
        #expect(client.error("initialize", ["adapterID": "test"]).contains("already"))
        #expect(client.error("stackTrace", ["threadId": 1]).contains("'launch' or 'attach'"))
        #expect(client.error("launch", ["journal": "/no/such.jsonl"]).contains("/no/such.jsonl"))
        client.body("launch", ["journal": .string(DapClient.sample)])
        #expect(client.error("next", ["threadId": 1]).contains("configurationDone"))
        client.body("configurationDone")
        #expect(client.error("launch", ["journal": .string(DapClient.sample)]).contains("already"))
        #expect(client.error("setVariable").contains("there is no request"))
        #expect(client.error("next", ["threadId": "1"]) == "'threadId' is not a whole number")
        #expect(client.error("stackTrace") == "'threadId' is missing")
        #expect(client.error("next", ["threadId": 99]) == "there is no thread 99")
        #expect(client.commit == 412)
        #expect(client.events("stopped").count == 1)
    }

    @Test("a launch that cannot be is the error that the person sees, in the words of the command line")
    func launches() {
        let client = DapClient()
        client.body("initialize", ["adapterID": "test"])
        for launch: JSONObject in [
            [:], ["journal": 3], ["journal": "-"], ["journal": .string(DapClient.sample), "stopOnEntry": 900],
            ["journal": .string(DapClient.sample), "stopOnEntry": [1]],
            ["journal": .string(DapClient.sample), "direction": "up"],
            ["journal": .string(DapClient.sample), "define": ["total": ".cart["]],
            ["journal": .string(DapClient.sample), "invariants": "/no/such.jq"],
            ["journal": .string(DapClient.samples)],
        ] {
            let answer = client.send("launch", launch)
            #expect(answer["success"] == false, "\(launch)")
        }
        let answer = client.send("launch", ["journal": .string(DapClient.sample), "stopOnEntry": 900])
        #expect(answer["body"]?.object?["error"]?.object?["showUser"] == true)
        #expect(answer["message"]?.string?.contains("position '900' is past the end") == true)
        // A launch that failed leaves the next one free.
        client.body("launch", ["journal": .string(DapClient.sample), "stopOnEntry": "start", "jurnal": 1, "__x": 2])
        #expect(client.events("output").contains { $0["output"]?.string?.contains("write 'journal'") == true })
        client.body("configurationDone")
        #expect(client.names() == ["start  0"])
        #expect(client.frames().first?["source"] == nil)
    }

    @Test("several journals are merged, and each entry of a launch is understood")
    func launchMembers() {
        let samples = DapClient.samples
        let client = DapClient()
        client.launch([
            "journal": [.string(samples + "/checkout.jsonl"), .string(samples + "/checkout-good.jsonl")],
            "define": ["total": ".cart.total"], "invariants": .string(samples + "/invariants.jq"),
            "stopOnEntry": "end-3",
        ])
        #expect(client.commit ?? 0 > 500)
        let scoped = DapClient.onSample(["store": "cart", "stopOnEntry": "118"])
        #expect(scoped.evaluate(".total") == "-6")
        #expect(scoped.evaluate("/total") == "-6")
        #expect(scoped.variables("State").compactMap { $0["name"]?.string } == ["discounts", "items", "total"])
        #expect(scoped.variables("State").last?["evaluateName"] == ".total")
    }

    @Test("the journal may be called the program, as editors do")
    func program() {
        let client = DapClient()
        client.body("initialize", ["adapterID": "test"])
        #expect(client.error("launch", ["program": 3]).contains("'program' is not a string"))
        #expect(client.error("launch", ["program": "/no/such.jsonl"]).contains("there is no file '/no/such.jsonl'"))
        client.body("launch", ["program": .string(DapClient.sample)])
        client.body("configurationDone")
        #expect(client.commit == 412 && client.events("output").isEmpty)
    }

    @Test(
        "a count that is negative is refused, and moves nothing", arguments: ["startFrame", "levels", "start", "count"])
    func negativeCounts(_ name: String) throws {
        let client = DapClient.onSample()
        let isFrame = name == "startFrame" || name == "levels"
        let scope = client.body("scopes", ["frameId": try #require(client.frames().first?["id"])])["scopes"]?.array
        var arguments: JSONObject = ["threadId": 1]
        arguments["variablesReference"] = scope?.first?.object?["variablesReference"]
        arguments[name] = -1
        #expect(
            client.error(isFrame ? "stackTrace" : "variables", arguments) == "'\(name)' is not a whole number from 0")
        arguments[name] = 1
        client.body(isFrame ? "stackTrace" : "variables", arguments)
        #expect(client.commit == 412)
    }

    @Test("a member without its store is the one of the frame's store, or of the only store that has one")
    func bareMembers() throws {
        let client = DapClient.onSample(["stopOnEntry": "118"])
        let frames = client.frames()
        func evaluate(_ text: String, _ frame: Int, _ context: String) throws -> String? {
            let id = try #require(frames[frame]["id"])
            return client.body(
                "evaluate", ["expression": .string(text), "context": .string(context), "frameId": id])["result"]?.string
        }
        for text in ["total", "self.total", "state.total", "$0.total", "cart.total", ".cart.total", "/cart/total"] {
            #expect(try evaluate(text, 0, "hover") == "-6", "\(text)")
        }
        // The cause is a commit of another store, and only one store has the member.
        #expect(try evaluate("total", 1, "hover") == "12")
        #expect(try evaluate("total", 0, "watch") == "-6" && evaluate("total", 0, "repl") == "-6")
        #expect(try evaluate("discounts[1].percent", 0, "hover") == evaluate(".cart.discounts[1].percent", 0, "hover"))
        #expect(client.error("evaluate", ["expression": "nothing", "context": "hover"]).contains("nothing"))
        #expect(client.body("dataBreakpointInfo", ["name": "total"])["dataId"] == "path:/cart/total")
    }

    @Test("where two stores have a member, a frame's own is meant; a name of source is no function of queries")
    func ambiguousMembers() throws {
        let records = [
            #"{"seq":0,"kind":"journal","version":1,"id":"a","time":"2026-01-01T00:00:00Z","recorder":"test"}"#,
            #"{"seq":0,"kind":"store","store":"a","time":"2026-01-01T00:00:00Z","state":{"length":1,"n":1}}"#,
            #"{"seq":0,"kind":"store","store":"b","time":"2026-01-01T00:00:00Z","state":{"length":5,"m":2}}"#,
            #"{"seq":1,"kind":"commit","store":"b","version":1,"time":"2026-01-01T00:00:00Z","patch":[]}"#,
        ]
        let client = DapClient()
        client.launch([
            "journal": .string(folder.write(records.joined(separator: "\n") + "\n", to: "r.jsonl"))
        ])
        #expect(client.evaluate("length", "hover") == "5" && client.evaluate("length", "watch") == "2")
        #expect(client.evaluate("n", "hover") == "1" && client.evaluate("m", "hover") == "2")
        client.body("evaluate", ["expression": "start"])
        #expect(client.evaluate("n", "hover") == "1" && client.evaluate("length", "hover") == "2")
    }

    // MARK: Motions

    @Test("at either end it stops and says so")
    func ends() {
        let client = DapClient.onSample()
        client.body("next", ["threadId": 1])
        #expect(client.events("stopped").last?["text"] == "the end of the run")
        client.body("continue", ["threadId": 1])
        #expect(client.events("stopped").last?["text"] == "the end of the run")
        client.body("reverseContinue", ["threadId": 1])
        #expect(client.events("stopped").last?["text"] == "the start of the run")
        client.body("stepBack", ["threadId": 1])
        #expect(client.events("stopped").last?["text"] == "the start of the run")
        #expect(client.events("exited").isEmpty && client.events("terminated").isEmpty)
    }

    @Test("a store's thread steps along its own commits, and a stop names the thread that moved")
    func storeThreads() {
        let client = DapClient.onSample()
        let cart = client.body("threads")["threads"]?.array?.compactMap(\.object).first { $0["name"] == "cart" }?["id"]
        let thread = cart?.number?.integerValue ?? 0
        var seen: [Int] = []
        for _ in 0..<3 {
            client.body("stepBack", ["threadId": .number(thread)])
            #expect(client.events("stopped").last?["threadId"]?.number?.integerValue == thread)
            if let commit = client.commit { seen.append(commit) }
            #expect(client.evaluate("$store", "watch") == "\"cart\"")
        }
        #expect(seen == seen.sorted(by: >) && Set(seen).count == 3)
        for commit in seen.reversed().dropFirst() {
            client.body("next", ["threadId": .number(thread)])
            #expect(client.commit == commit)
        }
        client.body("evaluate", ["expression": "goto 200"])
        #expect(client.events("stopped").last?["threadId"]?.number?.integerValue == thread)
    }

    @Test("old frames, variables and targets are refused after a motion")
    func oldReferences() throws {
        let client = DapClient.onSample()
        let frame = try #require(client.frames().first?["id"])
        let scope = try #require(
            client.body("scopes", ["frameId": frame])["scopes"]?.array?.first?.object?["variablesReference"])
        let location = try #require(client.variables("Changed").first?["valueLocationReference"])
        client.body("locations", ["locationReference": location])
        client.body("stepBack", ["threadId": 1])
        #expect(client.error("scopes", ["frameId": frame]).contains("not of this stop"))
        #expect(client.error("variables", ["variablesReference": scope]).contains("not of this stop"))
        #expect(client.error("restartFrame", ["frameId": frame]).contains("not of this stop"))
        #expect(client.error("evaluate", ["expression": ".", "frameId": frame]).contains("not of this stop"))
        #expect(client.error("locations", ["locationReference": location]).contains("not of this stop"))
        #expect(client.error("goto", ["threadId": 1, "targetId": 1]).contains("not of this stop"))
        #expect(client.commit == 411)
    }

    @Test("what is asked of a frame is asked after its commit")
    func frames() throws {
        let client = DapClient.onSample(["stopOnEntry": 118])
        let cause = try #require(client.frames().last?["id"])
        let here = client.body("evaluate", ["expression": ".cart.total", "context": "watch"])
        let before = client.body("evaluate", ["expression": ".cart.total", "context": "watch", "frameId": cause])
        #expect(here["result"] == "-6")
        #expect(before["result"] == "12")
        #expect(
            client.body("evaluate", ["expression": "$seq", "context": "watch", "frameId": cause])["result"] == "117")
    }

    // MARK: Stops

    @Test("a breakpoint moves to the nearest line that committed, and says so")
    func lines() {
        let client = DapClient.onSample()
        let source: JSONValue = ["path": .string(DapClient.samples + "/shop/Cart.swift")]
        let set = client.body(
            "setBreakpoints",
            ["source": source, "breakpoints": [["line": 37], ["line": 39], ["line": 37, "condition": "["]]])
        let points = set["breakpoints"]?.array?.compactMap(\.object) ?? []
        #expect(points.map { $0["verified"] } == [true, true, false])
        #expect(points.map { $0["line"]?.number?.integerValue } == [37, 37, nil])
        #expect(points[1]["message"] == "no commit was made at line 39; the nearest is 37")
        #expect(points[2]["message"]?.string?.isEmpty == false)
        client.body("reverseContinue", ["threadId": 1])
        #expect(client.commit == 118)
        #expect(client.events("stopped").last?["hitBreakpointIds"]?.array?.count == 2)
        client.body("setBreakpoints", ["source": source, "breakpoints": []])
        client.body("reverseContinue", ["threadId": 1])
        #expect(client.events("stopped").last?["text"] == "the start of the run")
        let locations = client.body("breakpointLocations", ["source": source, "line": 1, "endLine": 1000])
        #expect(locations["breakpoints"]?.array?.contains(["line": 37]) == true)
    }

    @Test("a condition or a log message that names what the run never has is said as a line of the debugger says it")
    func absentNames() throws {
        let client = DapClient.onSample()
        let source: JSONValue = ["path": .string(DapClient.samples + "/shop/Cart.swift")]
        let set = client.body(
            "setBreakpoints",
            [
                "source": source,
                "breakpoints": [
                    ["line": 37, "condition": ".cart.totl < 0"], ["line": 37, "condition": "(.cart.totl? // 0) < 0"],
                    ["line": 37, "logMessage": "it is {.cart.totl}"],
                ],
            ])
        let points = set["breakpoints"]?.array?.compactMap(\.object) ?? []
        #expect(points.map { $0["verified"] } == [false, true, true])
        let text = "nothing was ever at '/cart/totl'; it is null at every position; write '.cart.total'"
        #expect(points.first?["message"]?.string == text)
        #expect(client.events("output").contains { $0["output"]?.string == text + "\n" })
        let filter = client.body(
            "setExceptionBreakpoints",
            ["filters": [], "filterOptions": [["filterId": "violation", "condition": ".cart.totl >= 0"]]])
        #expect(filter["breakpoints"]?.array?.first?.object?["message"]?.string == text)
    }

    @Test("hits count from the setting on, in both directions")
    func hits() {
        func stops(_ hits: String, back: Bool) -> [Int] {
            let client = DapClient.onSample(["stopOnEntry": back ? "end" : "start"])
            client.body(
                "setFunctionBreakpoints", ["breakpoints": [["name": "refresh*", "hitCondition": .string(hits)]]])
            var commits: [Int] = []
            while true {
                client.body(back ? "reverseContinue" : "continue", ["threadId": 1])
                guard client.events("stopped").last?["reason"] == "function breakpoint" else { return commits }
                commits.append(client.commit ?? 0)
            }
        }
        let all = stops(">= 1", back: false)
        #expect(all.count >= 3)
        #expect(stops("3", back: false) == [all[2]])
        #expect(stops("== 3", back: true) == [all[all.count - 3]])
        #expect(stops("> 2", back: false) == Array(all.dropFirst(2)))
        #expect(stops("<3", back: false) == Array(all.prefix(2)))
        let client = DapClient.onSample()
        let bad = client.body("setFunctionBreakpoints", ["breakpoints": [["name": "refresh", "hitCondition": "x"]]])
        #expect(bad["breakpoints"]?.array?.first?.object?["verified"] == false)
    }

    @Test("a log message is written at each hit with its queries, and nothing stops")
    func logs() {
        let client = DapClient.onSample(["stopOnEntry": "start"])
        client.body("setFunctionBreakpoints", ["breakpoints": []])
        let source: JSONValue = ["path": .string(DapClient.samples + "/shop/Cart.swift")]
        client.body(
            "setBreakpoints",
            [
                "source": source,
                "breakpoints": [["line": 37, "logMessage": "total {.cart.total} of {.cart | {a: .items | length}}"]],
            ])
        client.body("continue", ["threadId": 1])
        #expect(client.events("stopped").last?["text"] == "the end of the run")
        let texts = client.events("output").compactMap { $0["output"]?.string }
        #expect(texts.contains { $0.hasPrefix("118  total -6 of {\"a\":") }, "\(texts)")
    }

    @Test("a function that never committed is not verified, and one that did is, by name and by pattern")
    func functions() {
        let client = DapClient.onSample()
        let set = client.body(
            "setFunctionBreakpoints",
            ["breakpoints": [["name": "applyDiscount"], ["name": "apply*"], ["name": "nothing"]]])
        let points = set["breakpoints"]?.array?.compactMap(\.object) ?? []
        #expect(points.map { $0["verified"] } == [true, true, false])
        #expect(points.last?["reason"] == "failed")
    }

    @Test("an invariant, a mark and an aborted commit stop as exceptions")
    func exceptions() {
        let client = DapClient.onSample(["invariants": .string(DapClient.samples + "/invariants.jq")])
        client.body("setExceptionBreakpoints", ["filters": ["violation", "mark", "abort"]])
        client.body("reverseContinue", ["threadId": 1])
        #expect(client.events("stopped").last?["reason"] == "exception")
        let other = DapClient.onSample(["stopOnEntry": "start"])
        other.body(
            "setExceptionBreakpoints",
            ["filters": [], "filterOptions": [["filterId": "violation", "condition": ".cart.total >= 0"]]])
        other.body("continue", ["threadId": 1])
        #expect(other.commit == 118)
        other.body(
            "setExceptionBreakpoints",
            ["filters": [], "filterOptions": [["filterId": "mark", "condition": "$text | length > 0"]]])
        other.body("evaluate", ["expression": "start"])
        other.body("continue", ["threadId": 1])
        #expect(other.events("stopped").last?["reason"] == "exception")
        let bad = other.body("setExceptionBreakpoints", ["filters": ["nothing"]])
        #expect(bad["breakpoints"]?.array?.first?.object?["verified"] == false)
    }

    @Test("a mark stops by its level, and by a condition on its text")
    func marks() {
        func stops(_ filter: JSONObject) -> [String] {
            let client = DapClient()
            let folder = TemporaryFolder()
            client.launch(["journal": .string(folder.write(Self.marked, to: "run.jsonl")), "stopOnEntry": "start"])
            client.body("setExceptionBreakpoints", filter)
            var texts: [String] = []
            while true {
                client.body("continue", ["threadId": 1])
                guard client.events("stopped").last?["reason"] == "exception" else { return texts }
                texts.append(client.events("stopped").last?["text"]?.string ?? "")
            }
        }
        #expect(stops(["filters": ["mark"]]) == ["a mark: broken"])
        #expect(
            stops(["filters": [], "filterOptions": [["filterId": "mark", "condition": "$level == \"info\""]]]) == [
                "a mark: begun"
            ])
        #expect(
            stops(["filters": [], "filterOptions": [["filterId": "mark", "condition": "$text | test(\"b\")"]]]).count
                == 2)
        #expect(stops(["filters": ["abort"]]) == ["a commit was aborted: no stock"])
    }

    private static let marked: [UInt8] = Array(
        ([
            #"{"seq":0,"kind":"journal","version":1,"id":"m","time":"2026-11-21T12:00:00.000000Z","recorder":"hand"}"#,
            #"{"seq":0,"kind":"store","store":"a","type":"A","time":"2026-11-21T12:00:00.000000Z","at":{"file":"M/A.swift","line":1,"column":1,"function":"f()"},"state":{"n":0}}"#,
        ]
            + (1...4).flatMap { number in
                let commit =
                    #"{"seq":\#(number),"kind":"commit","store":"a","version":\#(number),"time":"2026-11-21T12:00:0\#(number).000000Z","at":{"file":"M/A.swift","line":\#(number + 1),"column":1,"function":"f()"},"patch":[{"op":"replace","path":"/n","value":\#(number),"old":\#(number - 1)}]}"#
                let more = [
                    1: #"{"seq":1,"kind":"mark","time":"2026-11-21T12:00:01.000000Z","text":"begun","level":"info"}"#,
                    2: #"{"seq":2,"kind":"mark","time":"2026-11-21T12:00:02.000000Z","text":"broken","level":"error"}"#,
                    3:
                        #"{"seq":3,"kind":"abort","store":"a","time":"2026-11-21T12:00:03.000000Z","at":{"file":"M/A.swift","line":9,"column":1,"function":"f()"},"error":"no stock"}"#,
                ]
                return [commit] + (more[number].map { [$0] } ?? [])
            }).map { $0 + "\n" }.joined().utf8)

    // MARK: Values

    @Test("a long array opens by pages, asked for by number or not")
    func pages() throws {
        let elements = (0..<100_000).map { "\($0)" }.joined(separator: ",")
        let text = """
            {"seq":0,"kind":"journal","version":1,"id":"l","time":"2026-11-21T12:00:00.000000Z","recorder":"hand"}
            {"seq":0,"kind":"store","store":"a","type":"A","time":"2026-11-21T12:00:00.000000Z","at":{"file":"M/A.swift","line":1,"column":1,"function":"f()"},"state":{"list":[\(elements)],"text":"\(String(repeating: "é", count: 5000))"}}
            {"seq":1,"kind":"commit","store":"a","version":1,"time":"2026-11-21T12:00:01.000000Z","at":{"file":"M/A.swift","line":2,"column":1,"function":"f()"},"patch":[{"op":"replace","path":"/list/70001","value":-1,"old":70001}]}

            """
        let client = DapClient()
        client.launch(["journal": .string(folder.write(text, to: "run.jsonl"))])
        let store = try #require(client.variables("State").first?["variablesReference"])
        let members = client.children(store)
        let list = try #require(members.first { $0["name"] == "list" })
        #expect(list["indexedVariables"] == 100_000)
        let reference = try #require(list["variablesReference"])
        let page = client.children(reference, ["filter": "indexed", "start": 70_000, "count": 3])
        #expect(page.map { $0["name"]?.string } == ["70000", "70001", "70002"])
        #expect(page.map { $0["value"]?.string } == ["70000", "-1", "70002"])
        #expect(page[1]["presentationHint"]?.object?["attributes"]?.array?.contains("changed") == true)
        #expect(page[0]["presentationHint"]?.object?["attributes"]?.array?.contains("changed") == false)
        #expect(page[1]["type"] == "number, was 70001")
        #expect(page[1]["evaluateName"] == ".a.list[70001]")
        let parts = client.children(reference)
        #expect(parts.count == 100)
        #expect(client.children(try #require(parts.last?["variablesReference"])).last?["value"] == "99999")
        #expect(client.children(reference, ["start": 99_999, "count": 5]).count == 1)
        #expect(client.children(reference, ["start": 999_999, "count": 5]).isEmpty)
        #expect(client.children(reference, ["filter": "named"]).isEmpty)
        let cut = members.first { $0["name"] == "text" }?["value"]?.string
        #expect(cut?.hasSuffix("… 10000 bytes") == true)
        let whole = client.body("evaluate", ["expression": ".a.text", "context": "clipboard"])["result"]?.string
        #expect(whole == "\"" + String(repeating: "é", count: 5000) + "\"")
    }

    @Test("a value leads to the line that last wrote it")
    func locations() throws {
        let client = DapClient.onSample()
        let cart = try #require(client.variables("State").first { $0["name"] == "cart" }?["variablesReference"])
        let total = try #require(client.children(cart).first { $0["name"] == "total" })
        let place = client.body("locations", ["locationReference": try #require(total["valueLocationReference"])])
        #expect(place["source"]?.object?["name"] == "Cart.swift")
        #expect(place["line"] == 37)
        #expect(total["evaluateName"] == ".cart.total")
    }

    @Test("the scopes have what changed, what fired and the commit")
    func scopes() {
        let client = DapClient.onSample(["stopOnEntry": 118, "define": ["isBad": ".cart.total < 0"]])
        let changed = client.variables("Changed")
        #expect(changed.contains { $0["name"] == "/cart/total" && $0["value"] == "12 → -6" })
        let commit = client.variables("Commit")
        #expect(commit.first { $0["name"] == "number" }?["value"] == "118")
        #expect(commit.first { $0["name"] == "store" }?["value"] == "\"cart\"")
        let derived = client.variables("Derived")
        let isBad = derived.first { $0["name"] == "isBad" }
        #expect(isBad?["value"] == "true" && client.evaluate(isBad?["evaluateName"]?.string ?? "") == "true")
        #expect(derived.contains { $0["name"] == "total" && $0["value"] == "\"€ 12\" → \"€ -6\"" })
        #expect(derived.contains { $0["name"] == "greeting" && $0["value"] == "untouched" })
        #expect(Set(derived.map { $0["name"]?.string }).count == derived.count)
    }

    // MARK: The console

    @Test("the console takes queries and every line of the line session, and a watch never moves")
    func console() {
        let client = DapClient.onSample()
        #expect(client.evaluate(".cart.total", "repl") == "-6")
        #expect(client.evaluate("/cart/total", "hover") == "-6")
        #expect(client.evaluate("cart.total", "hover") == "-6")
        client.send("evaluate", ["expression": "last /cart/total", "context": "watch"])
        #expect(client.commit == 412)
        #expect(client.evaluate("last /cart/total", "repl")?.contains("commit 118") == true)
        #expect(client.commit == 118)
        #expect(client.events("stopped").count == 2)
        #expect(client.evaluate("why", "repl")?.contains("117") == true)
        #expect(client.evaluate("skip 118", "repl")?.contains("without commit 118") == true)
        #expect(client.evaluate(".cart.total", "watch") == "12")
        #expect(client.evaluate("unskip", "repl") != nil)
        #expect(client.evaluate("goto 118", "repl") != nil)
        #expect(client.evaluate("!echo to the console", "repl") == "to the console")
        #expect(client.evaluate("pipe .cart.total | cat", "repl") == "-6")
        #expect(client.error("evaluate", ["expression": "goto 9000"]).contains("past the end"))
        #expect(client.error("evaluate", ["expression": ".cart["]).isEmpty == false)
        #expect(client.commit == 118)
        #expect(client.evaluate("break applyDiscount", "repl") != nil)
        #expect(client.events("breakpoint").last?["reason"] == "new")
        #expect(client.evaluate("delete", "repl") != nil)
        #expect(client.events("breakpoint").last?["reason"] == "removed")
        #expect(client.evaluate("quit", "repl") != nil)
        #expect(client.events("terminated").count == 1)
    }

    @Test("'exec-direction reverse' turns continue, next and step into around, in the console and in the launch")
    func direction() {
        for client in [DapClient.onSample(["direction": "reverse"]), DapClient.onSample()] {
            client.body("evaluate", ["expression": "exec-direction reverse"])
            client.body("next", ["threadId": 1])
            #expect(client.commit == 411)
            client.body("stepIn", ["threadId": 1])
            #expect(client.commit == 410)
            client.body("continue", ["threadId": 1])
            #expect(client.events("stopped").last?["text"] == "the start of the run")
            client.body("evaluate", ["expression": "exec-direction forward"])
            client.body("next", ["threadId": 1])
            #expect(client.commit == 1)
        }
    }

    @Test("a line is completed with where the word begins")
    func completions() {
        let client = DapClient.onSample()
        let query = client.body("completions", ["text": ".cart.to", "column": 9])["targets"]?.array ?? []
        #expect(query == [["label": ".cart.total", "text": ".cart.total", "start": 0, "length": 8]])
        let path = client.body("completions", ["text": "last /cart/t", "column": 13])["targets"]?.array ?? []
        #expect(path == [["label": "/cart/total", "text": "/cart/total", "start": 5, "length": 7]])
    }

    // MARK: Sources

    @Test("a file that is not there has a text made of the journal")
    func sources() throws {
        let client = DapClient.onSample(["sourceRoot": "/no/such/folder"])
        let sources = client.body("loadedSources")["sources"]?.array ?? []
        let cart = try #require(sources.compactMap(\.object).first { $0["name"] == "Cart.swift" })
        #expect(cart["sourceReference"]?.number != nil)
        let reference = try #require(cart["sourceReference"])
        let text =
            client.body("source", ["sourceReference": reference, "source": .object(cart)])["content"]?.string ?? ""
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[36].contains("applyDiscount(_:)") && lines[36].contains("118"))
        let set = client.body("setBreakpoints", ["source": .object(cart), "breakpoints": [["line": 37]]])
        #expect(set["breakpoints"]?.array?.first?.object?["verified"] == true)
        client.body("reverseContinue", ["threadId": 1])
        #expect(client.commit == 118)
    }

    // MARK: What takes long

    /// A client of a run that takes a while to be scanned, with a stop that is nowhere met.
    private static func longRun(seed: UInt64, in folder: TemporaryFolder) -> DapClient {
        let maker = JournalMaker(seed: seed, commits: 20_000, keyframeEvery: 500, gaps: false)
        let client = DapClient()
        client.launch(["journal": .string(folder.write(maker.bytes, to: "run.jsonl"))])
        client.body("setDataBreakpoints", ["breakpoints": [["dataId": "query:.no.where"]]])
        return client
    }

    @Test(
        "a scan answers what comes in between, and pause and cancel end it where it is",
        arguments: ["pause", "cancel", "disconnect"])
    func between(ending: String) throws {
        let client = Self.longRun(seed: 5, in: folder)
        var polls = 0
        client.onPoll = {
            polls += 1
            if polls == 5 {
                client.queue = [client.request("threads"), client.request("stackTrace", ["threadId": 1])]
            }
            if polls == 8 {
                client.queue = [
                    client.request(ending, ending == "cancel" ? ["requestId": .number(client.lastContinue)] : [:])
                ]
            }
        }
        client.lastContinue = client.nextNumber
        client.send("reverseContinue", ["threadId": 1])
        client.onPoll = {}
        let kinds = client.received.suffix(6).compactMap(\.object).map {
            $0["event"]?.string ?? $0["command"]?.string ?? ""
        }
        if ending == "disconnect" {
            #expect(kinds.last == "terminated")
        } else {
            #expect(client.events("stopped").last?["reason"] == "pause")
            #expect(client.commit ?? 0 > 0)
        }
        let answers = client.received.compactMap(\.object)
        #expect(answers.contains { $0["command"] == "threads" && $0["success"] == true })
        #expect(answers.contains { $0["command"] == "stackTrace" && $0["message"] == "notStopped" })
    }

    @Test("a breakpoint that is set while a scan goes on stops it")
    func setBetween() throws {
        let client = Self.longRun(seed: 6, in: folder)
        var polls = 0
        client.onPoll = {
            polls += 1
            if polls == 4 {
                client.queue = [client.request("setFunctionBreakpoints", ["breakpoints": [["name": "*"]]])]
            }
        }
        client.body("reverseContinue", ["threadId": 1])
        #expect(client.events("stopped").last?["reason"] == "function breakpoint")
    }

    @Test("a request that waits can be taken back")
    func cancelWaiting() {
        let client = DapClient.onSample()
        let request = client.request("next", ["threadId": 1])
        client.queue = [client.request("cancel", ["requestId": .number(request.seq)])]
        client.adapter.receive(request)
        let answer = client.received.compactMap(\.object).first {
            $0["request_seq"]?.number?.integerValue == request.seq
        }
        #expect(answer?["success"] == false && answer?["message"] == "cancelled")
        #expect(client.commit == 412)
    }

    @Test("an attached run goes on as its journal grows")
    func attach() throws {
        let lines = String(decoding: Self.marked, as: UTF8.self).split(separator: "\n").map { $0 + "\n" }
        // The last commit is made in a file that was not known.
        let grown = lines.dropLast().joined() + (lines.last ?? "").replacing("M/A.swift", with: "Other/B.swift")
        let path = folder.write(lines.prefix(4).joined(), to: "run.jsonl")
        let client = DapClient()
        client.launch(["journal": .string(path)], "attach")
        #expect(client.commit == 1)
        let set = client.body("setBreakpoints", ["source": ["path": "M/A.swift"], "breakpoints": [["line": 4]]])
        #expect(set["breakpoints"]?.array?.first?.object?["reason"] == "pending")
        let elsewhere = client.body(
            "setBreakpoints", ["source": ["path": "/x/Other/B.swift"], "breakpoints": [["line": 5]]])
        #expect(elsewhere["breakpoints"]?.array?.first?.object?["verified"] == false)
        let named = client.body("setFunctionBreakpoints", ["breakpoints": [["name": "later"]]])
        #expect(named["breakpoints"]?.array?.first?.object?["reason"] == "pending")
        var polls = 0
        client.onPoll = {
            polls += 1
            if polls == 10 { folder.write(grown, to: "run.jsonl") }
            if polls == 60 { client.queue = [client.request("pause", ["threadId": 1])] }
        }
        client.body("continue", ["threadId": 1])
        #expect(client.commit == 3)
        #expect(client.events("stopped").last?["reason"] == "breakpoint")
        client.body("continue", ["threadId": 1])
        #expect(client.commit == 4)
        #expect(client.events("stopped").last?["reason"] == "breakpoint")
        #expect(client.events("breakpoint").contains { $0["breakpoint"]?.object?["verified"] == true })
        client.body("continue", ["threadId": 1])
        #expect(client.events("stopped").last?["reason"] == "pause")
    }
}
