import Foundation
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

@Suite("Learning what holds")
struct LearnerTests {
    private func learned(_ journals: [Journal], deriving: [String: String] = [:]) throws -> [LearnedInvariant] {
        var learner = Learner(
            deriving: try deriving.sorted { $0.key < $1.key }.map {
                DerivedMembers.Definition(name: $0.key, query: try Query($0.value), text: $0.value)
            })
        for journal in journals { try learner.survey(journal) }
        for journal in journals { try learner.add(journal) }
        return learner.invariants()
    }

    /// The names of those that 'check' would find to hold at every position.
    private func holding(_ learned: [LearnedInvariant], in journal: Journal) throws -> Set<String> {
        let asked = try learned.map { Invariant(name: $0.name, query: try Query($0.condition)) }
        let range = try #require(try PositionRange(journal.start, journal.lastCommit))
        return Set(
            try InvariantScan.run(journal, range, asked).answers
                .filter { $0.violation == nil && $0.unanswered.failed == 0 }.map(\.invariant.name))
    }

    private func conditions(_ states: [String], functions: [String] = ["f()"]) throws -> [String] {
        try learned([StatesRun(states, functions: functions).journal]).map(\.condition)
    }

    @Test("what is learned of random runs holds at every position of each of them", arguments: seeds(0..<40))
    func holdsWhereLearned(seed: UInt64) throws {
        let runs = try (0..<3).map {
            try RandomRun(seed: seed * 3 + $0, commits: 150, gaps: seed % 2 == 0, foreign: seed % 4 == 3)
        }
        let learned = try learned(runs.map(\.journal))
        for run in runs {
            let holding = try holding(learned, in: run.journal)
            for invariant in learned {
                #expect(holding.contains(invariant.name), "seed \(seed): \(invariant.condition)")
            }
        }
    }

    @Test(
        "what is learned of the samples holds at every position of each",
        arguments: ["checkout", "checkout-good", "checkout-flipping"])
    func holdsInSamples(name: String) throws {
        let path = SharedFolder.packageRoot.appendingPathComponent("samples/\(name).jsonl").path
        let journal = try Journal.open(path, access: .random)
        let learned = try learned([journal])
        #expect(learned.count > 4)
        let holding = try holding(learned, in: journal)
        for invariant in learned { #expect(holding.contains(invariant.name), "\(invariant.condition)") }
    }

    @Test("numbers that are equal, sums and counts are found")
    func numbers() throws {
        let states = (0..<30).map { step -> String in
            let (a, b, c) = (step * 7 % 11, step * 5 % 13, step * 3 % 17)
            let items = (0..<(step % 5)).map { #"{"price":\#(3 + $0 * step % 7),"quantity":\#(1 + ($0 + step) % 4)}"# }
            let total = (0..<(step % 5)).reduce(0) { $0 + (3 + $1 * step % 7) * (1 + ($1 + step) % 4) }
            return #"{"a":\#(a),"b":\#(b),"sum":\#(a + b),"c":\#(c),"d":\#(c),"#
                + #""items":[\#(items.joined(separator: ","))],"total":\#(total),"next":\#(step % 5 + 1)}"#
        }
        let found = try conditions(states)
        #expect(found.contains(".s.c == .s.d"))
        #expect(found.contains(".s.sum == .s.a + .s.b"))
        #expect(found.contains(".s.total == ([.s.items[] | .price * .quantity] | add // 0)"), "\(found)")
        #expect(found.contains(".s.next == (.s.items | length) + 1"))
    }

    @Test("what is made of the state is looked at as a member is, and written with its query")
    func derived() throws {
        let states = (0..<60).map { step -> String in
            let items = (0..<(step % 5)).map { #"{"p":\#(3 + $0 * step % 7),"q":\#(1 + ($0 + step) % 4)}"# }
            let total = (0..<(step % 5)).reduce(0) { $0 + (3 + $1 * step % 7) * (1 + ($1 + step) % 4) }
            return #"{"items":[\#(items.joined(separator: ","))],"total":\#(total),"clock":\#(step * 3)}"#
        }
        let queries = [
            "sum": ".s.items | map(.p * .q) | add // 0", "twice": ".s.clock * 2 # not a sign", "none": "empty",
            "fails": ".s.clock | keys", "mood": "if .s.clock % 2 == 0 then \"even\" else \"odd\" end",
            "both": "{count: (.s.items | length), all: [.s.items[].p]}",
        ]
        let journal = try StatesRun(states, functions: ["f()"]).journal
        let learned = try learned([journal], deriving: queries)
        let found = learned.map(\.condition)
        #expect(found.contains(".s.total == (.s.items | map(.p * .q) | add // 0)"), "\(found)")
        let clock = "(.s.clock * 2 # not a sign\n)"
        #expect(found.contains { $0.contains("\(clock) >= ($old | \(clock))") }, "\(found)")
        #expect(learned.contains { $0.name.contains("mood") && $0.kind == .oneOf }, "\(found)")
        #expect(learned.contains { $0.paths.contains("both/count") }, "\(found)")
        #expect(!learned.contains { $0.paths.contains { $0.hasPrefix("none") || $0.hasPrefix("fails") } }, "\(found)")
        // A derived value equals its own formula by definition.
        #expect(!found.contains { $0.contains("map(.p * .q)") && $0.contains(".s.items[]") })
        #expect(try holding(learned, in: journal).count == learned.count, "\(found)")
    }

    @Test(
        "what is derived of random runs holds where it was learned, and changes nothing else", arguments: seeds(0..<12))
    func derivedHolds(seed: UInt64) throws {
        let runs = try (0..<2).map {
            try RandomRun(seed: seed * 2 + $0, commits: 120, gaps: seed % 2 == 0, foreign: seed % 4 == 3)
        }
        let queries = [
            "count": "length", "names": "keys", "first": "[.. | numbers] | first", "sum": "[.. | numbers] | add",
        ]
        let learned = try learned(runs.map(\.journal), deriving: queries)
        for run in runs {
            let holding = try holding(learned, in: run.journal)
            for invariant in learned {
                #expect(holding.contains(invariant.name), "seed \(seed): \(invariant.condition)")
            }
        }
    }

    @Test("values, signs, absence and what follows what are found")
    func members() throws {
        let states = (0..<150).map { step -> String in
            let user = step % 3 == 0 ? "null" : #""u\#(step)""#
            let voucher = step % 3 == 1 ? "\(step % 7 + 5)" : "null"
            let step2 = ["away", "choosing", "paying"][step % 3]
            let ids = (0..<(step % 4)).map { #"{"id":"i\#(($0 * 5 + step) % 23)"}"# }.joined(separator: ",")
            let stock = (0..<(23 + step % 2)).map { #""i\#($0)":\#(step * $0 % 29)"# }.joined(separator: ",")
            return
                #"{"user":\#(user),"voucher":\#(voucher),"step":"\#(step2)","count":\#(step),"rest":\#(step * 10 % 130),"#
                + #""ids":[\#(ids)],"stock":{\#(stock)},"zero":0}"#
        }
        let found = try conditions(states)
        #expect(found.contains(#".s.step | IN("away", "choosing", "paying")"#), "\(found)")
        #expect(found.contains(".s.user != null or .s.voucher == null"))
        #expect(found.contains("$old.s == null or .s.count >= $old.s.count"))
        #expect(found.contains(".s.zero | . == 0"))
        #expect(found.contains { $0.hasPrefix("all(") && $0.contains(".s.stock[]") && $0.hasSuffix("; . >= 0)") })
        #expect(found.contains { $0.contains("[.s.ids[].id] | length == (unique | length)") })
        let next = #"$old.s.step != "away" or (.s.step | IN("away", "choosing"))"#
        #expect(found.contains { $0.contains(next) }, "\(found)")
    }

    @Test("members of large objects and members with long names are looked at like others")
    func largeObjects() throws {
        let name = "aNameThatIsLongerThanWhatIsFoundAtOnce"
        let states = (0..<60).map { step -> String in
            let members = (0..<40).map {
                #""m\#($0)":\#($0 == 7 ? step % 9 : $0 == 8 ? step % 9 + step / 39 : step % 5)"#
            }
            return #"{\#(members.joined(separator: ",")),"\#(name)":\#(step % 9),"text":"x"}"#
        }
        let learned = try learned([StatesRun(states).journal])
        let found = learned.map(\.condition)
        #expect(found.contains(".s.\(name) == .s.m7"), "\(found)")
        #expect(!found.contains { $0.contains(".s.m7 == .s.m8") || $0.contains(".s.\(name) == .s.m8") })
        #expect(found.contains { $0.contains(".s.m30") && $0.hasSuffix("IN(0, 1, 2, 3, 4))") }, "\(found)")
    }

    @Test("few samples say nothing, and neither does a run without commits", arguments: [1, 2, 4])
    func few(count: Int) throws {
        #expect(try conditions((0..<count).map { #"{"a":\#($0),"b":\#($0),"c":"x"}"# }).isEmpty)
    }

    @Test("a refuting state anywhere takes an invariant away")
    func refuted() throws {
        var states = (0..<40).map { #"{"a":\#($0 % 6),"b":\#($0 % 6)}"# }
        #expect(try conditions(states).contains(".s.a == .s.b"))
        states[23] = #"{"a":3,"b":4}"#
        #expect(try !conditions(states).contains(".s.a == .s.b"))
    }

    @Test("what one run of many refutes takes along what is no better supported")
    func leftOut() throws {
        func runs(_ odd: Int?) throws -> [Journal] {
            try (0..<10).map { run in
                try StatesRun(
                    (0..<20).map { step in
                        let difference = run == odd && step == 12 ? 1 : 0
                        return
                            #"{"a":\#(step * 7 % 11),"b":\#(step * 7 % 11 + difference),"c":\#(step % 4 * 9),"d":\#(step % 4 * 9)}"#
                    }
                ).journal
            }
        }
        let all = try learned(try runs(nil))
        #expect(all.contains { $0.condition == ".s.a == .s.b" && $0.runs == 10 }, "\(all)")
        #expect(all.contains { $0.condition == ".s.c == .s.d" })
        // All but the fourth run would have taught both, and the fourth would have been a false alarm.
        let without = try learned(try runs(3))
        #expect(!without.contains { $0.kind == .equal }, "\(without)")
    }

    @Test("a value that few of many runs have is no sign that there are no others")
    func rareValues() throws {
        func conditions(rareIn count: Int) throws -> [String] {
            try learned(
                try (0..<12).map { run in
                    try StatesRun(
                        (0..<12).map { #"{"step":"\#(run < count && $0 == 5 ? "rare" : $0 % 2 == 0 ? "on" : "off")"}"# }
                    )
                    .journal
                }
            ).map(\.condition)
        }
        #expect(try conditions(rareIn: 12).contains(#".s.step | IN("off", "on", "rare")"#))
        #expect(try !conditions(rareIn: 2).contains { $0.contains("IN(") && !$0.contains("$old") })
    }

    @Test("a patch that moves elements and changes one of them is looked at as it leaves them")
    func shifted() throws {
        func run(_ last: String) throws -> [String] {
            let steps = (1..<60).map { #"{"op":"add","path":"/l/0","value":{"a":\#($0),"b":\#($0)}}"# } + [last]
            let lines = [Lines.store(#"{"l":[]}"#)] + steps.enumerated().map { Lines.commit($0 + 1, $1) }
            let folder = TemporaryFolder()
            let path = folder.write(Lines.journal(lines), to: "run.jsonl")
            return try learned([try Journal.open(path, access: .random)]).map(\.condition)
        }
        let condition = "all(.s.l[]; .a == .b)"
        #expect(try run(#"{"op":"add","path":"/l/0","value":{"a":9,"b":9}}"#).contains(condition))
        let both = #"{"op":"replace","path":"/l/0/b","value":0},{"op":"add","path":"/l/0","value":{"a":9,"b":9}}"#
        #expect(try !run(both).contains(condition))
    }

    @Test("a hash in the place of a value that was left out is in no condition")
    func redacted() throws {
        let states = (0..<80).map { step in
            #"{"token":{"$redacted":"\#(step % 2 == 0 ? "af5d8713fbb68347" : "bf5d8713fbb68347")"},"n":\#(step)}"#
        }
        let found = try conditions(states)
        #expect(!found.isEmpty)
        #expect(
            found.allSatisfy { !$0.contains("redacted") && !$0.contains("f5d87") && !$0.contains("token") }, "\(found)")
    }

    @Test("paths that never come twice are one, and memory stays bounded")
    func changingPaths() throws {
        let states = (0..<300).map { #"{"by":{"k\#($0)":{"v":\#($0 % 3)}},"\#("m\($0)")":1}"# }
        var learner = Learner()
        let journal = try StatesRun(states).journal
        try learner.survey(journal)
        #expect(learner.places < 400)
        try learner.add(journal)
        let learned = learner.invariants()
        #expect(try holding(learned, in: journal).count == learned.count)
    }

    @Test("names are new, and are functions of the language even where members are not")
    func names() throws {
        let odd = (0..<60).map { ##"{"a b":\##($0 % 4),"é":\##($0 % 4),"\\(x)":\##($0 % 4),"#":\##($0 % 4)}"## }
        let learned = try learned([StatesRun(odd).journal])
        #expect(Set(learned.map(\.name)).count == learned.count)
        let text = learned.map { "def \($0.name): \($0.condition);" }.joined(separator: "\n")
        let definitions = try Definitions(text: text, name: "learned.jq")
        #expect(definitions.zeroArgumentNames == learned.map(\.name))
        #expect(!learned.isEmpty)
    }
}
