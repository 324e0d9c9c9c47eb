import Foundation
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import StateStore
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Which derived values would have fired")
struct DerivedFiringsTests {
    private let folder = TemporaryFolder()
    private static let definitions = """
        def first: .cart.a;
        def size: .user | length;
        def hasFirst: first != null;
        def both: [first, size];
        def fails: .feed.a.b.c;
        """

    private static func values(of file: Definitions) throws -> [DerivedValue] {
        try file.zeroArgumentNames.map { name in
            DerivedValue(
                name: name, query: try Query(name, in: QueryEnvironment(definitions: [file])),
                inputs: file.ownPaths(of: name),
                from: file.callees(of: name))
        }
    }

    @Test("what is passed over is untouched: asking every commit gives as many of all else", arguments: seeds(0..<10))
    func outcomes(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, gaps: false)
        func counts(everyCommit: Bool) throws -> [String: Int] {
            let values = try Self.values(of: Definitions(text: Self.definitions, name: "defs.jq"))
            let firings = try DerivedFirings(run.journal, run.range, values: values, everyCommit: everyCommit)
            var counts: [String: Int] = [:]
            while let position = try firings.next() {
                for firing in position where firing.counted != .untouched {
                    counts["\(firing.name) \(firing.counted)", default: 0] += 1
                }
            }
            return counts
        }
        let some = try counts(everyCommit: false)
        #expect(try some == counts(everyCommit: true), "seed \(seed)")
        #expect(!some.isEmpty, "seed \(seed)")
    }

    @Test("a definition whose callee has the same value is unchanged, not computed again")
    func unchangedBehindSame() throws {
        let patches = [
            Lines.replace("/a", 3, old: 1), Lines.replace("/a", -1, old: 3), Lines.replace("/a", -1, old: -1), "",
        ]
        let lines =
            [Lines.store(#"{"a":1,"b":{"c":2}}"#, "cart")]
            + patches.enumerated().map { Lines.commit($0 + 1, $1, "cart") }
        let journal = try Journal.open(folder.write(Lines.journal(lines), to: "run.jsonl"), access: .random)
        let file = try Definitions(
            text: "def positive: .cart.a > 0; def sign: if positive then 1 else 2 end;", name: "d")
        let values = try Self.values(of: file)
        let firings = try DerivedFirings(journal, try journal.range(RangeText()), values: values, everyCommit: true)
        var outcomes: [[DerivedFiring.Outcome]] = []
        while let position = try firings.next() { outcomes.append(position.map(\.outcome)) }
        #expect(
            outcomes == [
                [.same, .unchanged], [.fired, .fired], [.unchanged, .unchanged], [.untouched, .untouched],
            ])
    }

    @Test("what the app recorded goes with its own commit, also where it stands after a later one")
    func lateOutcomes() throws {
        func outcome(_ seq: Int, of commit: Int, _ value: Int) -> String {
            #"{"seq":\#(seq),"kind":"outcome","commit":\#(commit),"derived":[{"name":"d","outcome":"fired","value":\#(value)}]}"#
        }
        func commit(_ seq: Int) -> String { Lines.commit(seq, Lines.replace("/a", seq, old: seq - 1)) }
        let lines = [
            Lines.store(#"{"a":0}"#), commit(1), outcome(1, of: 1, 1), commit(2), commit(3), outcome(3, of: 2, 2),
            outcome(3, of: 3, 4),
        ]
        let journal = try Journal.open(folder.write(Lines.journal(lines), to: "run.jsonl"), access: .random)
        let values = [DerivedValue(name: "d", query: try Query(".s.a"))]
        let firings = try DerivedFirings(journal, try journal.range(RangeText()), values: values, comparing: true)
        var reported: [DerivedFiring] = []
        while let position = try firings.next() { reported += position }
        #expect(reported.map(\.seq.rawValue) == [1, 2, 3, 2])
        #expect(reported.map { $0.recorded?.value?.text() } == ["1", nil, "4", "2"])
        #expect(reported.map(\.differsFromRecorded) == [false, nil, true, false])
        #expect(firings.incomparable("d") == 0)
    }

    // MARK: Several threads

    private struct Count: Codable, Equatable, Sendable { var n = 0 }

    /// A journal of eight threads that commit to two stores and an atom, which one value is derived of.
    private static func threads(_ path: String) async throws {
        let recorder = try Recorder(path)
        let (a, b) = (Store(Count(), name: "a", recorder: recorder), Store(Count(), name: "b", recorder: recorder))
        let atom = Atom(0, name: "c", recorder: recorder)
        let both = Derived(a[\.n], b[\.n], atom, named: "both") { [$0, $1, $2] }
        let subscription = both.subscribe { _ in }
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            for _ in 0..<40 {
                switch thread % 3 {
                case 0: a.commit { $0.n += 1 }
                case 1: b.commit { $0.n += 1 }
                default: atom.update { $0 += 1 }
                }
            }
        }
        // What one thread commits another may be delivering still.
        await a.waitUntilDelivered()
        await b.waitUntilDelivered()
        await atom.store.waitUntilDelivered()
        subscription.cancel()
        withExtendedLifetime(both) {}
        recorder.close()
    }

    /// What the check of a journal comes to.
    private static func check(_ journal: Journal) throws -> (compared: Int, differences: Int, incomparable: Int) {
        let values = [DerivedValue(name: "both", query: try Query("[.a.n, .b.n, .c]"))]
        let firings = try DerivedFirings(
            journal, try journal.range(RangeText()), values: values, everyCommit: true, comparing: true)
        var (compared, differences) = (0, 0)
        while let position = try firings.next() {
            for firing in position {
                guard let differs = firing.differsFromRecorded else { continue }
                compared += 1
                if differs { differences += 1 }
            }
        }
        return (compared, differences, firings.incomparable("both"))
    }

    @Test("outcomes of eight threads are held against the versions that they saw, and none is called wrong")
    func threads() async throws {
        for round in 0..<20 {
            let folder = TemporaryFolder()
            try await Self.threads(folder.path("run.jsonl"))
            let journal = try Journal.open(folder.path("run.jsonl"), access: .random)
            let found = try Self.check(journal)
            #expect(found.differences == 0 && found.compared + found.incomparable == 320, "round \(round): \(found)")
            #expect(found.compared >= 300, "round \(round): \(found)")
            #expect(try RunFixtures.problems(of: journal) == [], "round \(round)")
        }
    }

    @Test("'verify' reports a version that a value cannot have seen")
    func impossibleVersions() async throws {
        try await Self.threads(folder.path("run.jsonl"))
        var lines = try String(contentsOfFile: folder.path("run.jsonl"), encoding: .utf8).split(separator: "\n")
        let place = try #require(lines.firstIndex { $0.contains(#""kind":"outcome""#) })
        let sound = lines[place].replacing(/,"versions":{[^}]*}|,"sum":"[0-9a-f]+"/, with: "")
        for (versions, message) in [
            (#"{"a":100000}"#, "'both' is said to have seen version 100000 of 'a', which has"),
            (#"{"z":0}"#, "'both' is said to have seen the store 'z', which never was open"),
            (#"{"a":"1"}"#, "lacks what its kind needs"),
        ] {
            lines[place] = Substring(sound.replacing("}]}", with: #","versions":\#(versions)}]}"#))
            let path = folder.write(lines.joined(separator: "\n") + "\n", to: "wrong.jsonl")
            let problems = try RunFixtures.verification(of: Journal.open(path, access: .random))
            #expect(problems.count == 1 && problems[0].message.contains(message), "\(problems)")
        }
    }

    @Test("a value that is wrong is found, whatever versions it saw")
    func wrongValues() async throws {
        try await Self.threads(folder.path("run.jsonl"))
        var lines = try String(contentsOfFile: folder.path("run.jsonl"), encoding: .utf8).split(separator: "\n")
        let outcomes = lines.indices.filter {
            lines[$0].contains(#""kind":"outcome""#) && lines[$0].contains(#""value":["#)
        }
        let seeing = outcomes.filter { lines[$0].contains(#""versions":{"#) }
        for place in Set([outcomes.first, outcomes.last, seeing.first, seeing.last].compactMap(\.self)) {
            let sound = lines[place]
            lines[place] = Substring(
                sound.replacing(#""value":["#, with: #""value":[1000,"#).replacing(/,"sum":"[0-9a-f]+"/, with: ""))
            let path = folder.write(lines.joined(separator: "\n") + "\n", to: "wrong.jsonl")
            #expect(try Self.check(Journal.open(path, access: .random)).differences == 1, "\(sound)")
            lines[place] = sound
        }
    }

    @Test("in a journal that names no versions, a difference that another thread explains is not compared")
    func withoutVersions() throws {
        func lines(late: Bool) -> [String] {
            func outcome(_ seq: Int, of commit: Int, _ value: String) -> String {
                #"{"seq":\#(seq),"kind":"outcome","commit":\#(commit),"derived":[{"name":"both","outcome":"fired","value":\#(value)}]}"#
            }
            let first = outcome(late ? 2 : 1, of: 1, "[1,0,0]")
            let stores = [Lines.store(#"{"n":0}"#, "a"), Lines.store(#"{"n":0}"#, "b"), Lines.store("0", "c")]
            // The second one saw 'a' as it was before the first commit.
            return stores + [Lines.commit(1, Lines.replace("/n", 1, old: 0), "a")] + (late ? [] : [first]) + [
                Lines.commit(2, Lines.replace("/n", 1, old: 0), "b"), outcome(2, of: 2, "[0,1,0]"),
            ] + (late ? [first] : [])
        }
        for (late, compared, differences, incomparable) in [(true, 1, 0, 1), (false, 2, 1, 0)] {
            let text = Lines.journal(lines(late: late))
            let journal = try Journal.open(folder.write(text, to: "run-\(late).jsonl"), access: .random)
            #expect(try Self.check(journal) == (compared, differences, incomparable), "\(late)")
        }
    }
}

@Suite("What was there before a record")
struct StateBeforeTests {
    /// Whether what is read is the same, by the way back over a patch and by both states; nil where the patch does not apply.
    private func isSame(_ patch: JSONPatch, _ state: JSONValue, _ node: PathSet.Node) throws -> (Bool, Bool)? {
        var after = state.pruned(to: node)
        let before = after
        guard case .object(let stores) = before, var store = stores["s"], let part = node.node(forKey: "s") else {
            return nil
        }
        var patched = PatchedValue(taking: &store, keepsUndo: true)
        guard (try? patch.apply(to: &patched, pruning: part, order: .ascending)) != nil else { return nil }
        let undo = PositionUndo.patch(patched.wayBack, store: "s", .zero)
        _ = after.setMember("s", to: patched.take())
        return (StateBefore(undo).isSame(in: after, reading: node), after.equals(before, reading: node))
    }

    @Test("is the same as after where both states are, whatever a patch did", arguments: seeds(0..<300))
    func agrees(seed: UInt64) throws {
        var made = ForeignJournal(seed: seed)
        made.run(commits: 12)
        for (position, state) in made.states.sorted(by: { $0.key < $1.key }) {
            guard case .object(let stores) = state, var store = stores["s"] else { continue }
            let paths = made.random.chance(30) ? .everything : PathMatcher([made.random.pattern(in: state)]).paths
            var patch = JSONPatch()
            for _ in 0...made.random.below(3) {
                let operation = made.operation(on: store)
                if (try? JSONPatch([operation]).apply(to: &store, order: .ascending)) == nil { continue }
                patch.operations.append(operation)
            }
            guard let (found, expected) = try isSame(patch, state, paths.pruningNode) else { continue }
            #expect(found == expected, "seed \(seed), position \(position), \(patch.json.text()) on \(state.text())")
        }
    }

    @Test(
        "is the same where elements come, go and move to among equal ones",
        arguments: [
            (#"[{"op":"move","from":"/a/0","path":"/a/2"}]"#, true),
            (#"[{"op":"move","from":"/a/0","path":"/a/3"}]"#, false),
            (#"[{"op":"move","from":"/a/3","path":"/a/0"}]"#, false),
            (#"[{"op":"add","path":"/a/0","value":1},{"op":"remove","path":"/a/3"}]"#, true),
            (#"[{"op":"add","path":"/a/0","value":1},{"op":"remove","path":"/a/4"}]"#, false),
            (#"[{"op":"add","path":"/a/-","value":3},{"op":"replace","path":"/n","value":1}]"#, false),
            (#"[{"op":"remove","path":"/a/3"},{"op":"replace","path":"/a","value":[1,1,1,2]}]"#, true),
            (#"[{"op":"add","path":"/b/0","value":[]},{"op":"remove","path":"/b/0"}]"#, true),
            (#"[{"op":"remove","path":"/b/0"},{"op":"add","path":"/b/0/0","value":0}]"#, false),
        ])
    func arrays(patch: String, isSame: Bool) throws {
        let state = try JSONParser.parse(#"{"s":{"a":[1,1,1,2],"b":[[],[0],[0]],"n":0}}"#)
        let patch = try JSONPatch(json: JSONParser.parse(patch))
        let (found, expected) = try #require(try self.isSame(patch, state, PathSet.everything.pruningNode))
        #expect(found == isSame && expected == isSame)
    }
}
