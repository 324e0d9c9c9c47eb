import Foundation
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TestSupport
import Testing

@testable import TimeTravel

@Suite("A debug session")
struct SessionTests {
    /// The random sessions that are held against the model.
    static let seeds: [UInt64] = TestSupport.seeds(0..<40)

    @Test("stops where a model does that holds every state, whatever is asked of it", arguments: seeds)
    func likeTheModel(seed: UInt64) throws {
        let run = try seed % 4 == 3 ? RandomRun(damagedWith: seed) : RandomRun(seed: seed, foreign: seed % 4 == 2)
        var walk = try RandomSession(run, seed: seed)
        for _ in 0..<50 { guard try walk.go() else { return } }
    }

    @Test("in a run without some commits it stops where a model does that replayed all others", arguments: seeds)
    func withoutCommits(seed: UInt64) throws {
        let run = try seed % 4 == 3 ? RandomRun(damagedWith: seed) : RandomRun(seed: seed, foreign: seed % 4 == 2)
        var random = SeededGenerator(seed: seed)
        let numbers = run.range.lower.rawValue + 1...run.range.upper.rawValue
        let skipped = Set(
            (0..<Int.random(in: 1...6, using: &random)).map { _ in numbers.randomElement(using: &random)! })
        var walk = try RandomSession(run, seed: seed, without: skipped)
        for _ in 0..<40 { guard try walk.go() else { return } }
    }

    @Test("it goes to where one thing changes, whatever else would stop it")
    func changes() throws {
        let run = try RandomRun(seed: 5, gaps: false)
        let session = try Session(run.journal)
        _ = try session.perform(.add(SessionBreakpoint(.function("run"))))
        let subject = WatchSubject("/cart", .places(PathMatcher([try PathSteps(typed: "/cart")])))
        var model = try SessionModel(run)
        _ = try session.perform(.last(subject))
        let last = session.position
        _ = try session.perform(.end)
        for count in [1, 2] {
            var expected: [String] = []
            for _ in 0..<count { expected = model.last(subject) }
            let events = try session.perform(.change(subject, .backward, count: count))
            for case .stopped(let stop) in events { #expect(described(stop) == expected) }
            #expect(session.position == model.place)
        }
        let far = try session.perform(.change(subject, .forward, count: 1000))
        for case .stopped(let stop) in far { #expect(described(stop) == ["noChange"]) }
        #expect(session.position == last)
        #expect(session.breakpoints.count == 1)
    }
}

/// Random actions on a session and the model of it.
private struct RandomSession {
    private var random: SeededGenerator
    private var model: SessionModel
    private let session: Session
    private let states: [Int: JSONValue]
    private let seed: UInt64
    private var log: [String] = []

    init(_ run: RandomRun, seed: UInt64, without skipped: Set<Int> = []) throws {
        random = SeededGenerator(seed: seed &+ 7_000)
        model = try SessionModel(run, without: skipped)
        session = try Session(run.journal)
        states = model.states
        if !skipped.isEmpty {
            let list = try CommitList(parsing: skipped.sorted().map(String.init).joined(separator: ","))
            _ = try session.perform(.skip(list))
        }
        self.seed = seed
    }

    /// Does one thing; false where the two differ.
    mutating func go() throws -> Bool {
        let direction: SessionDirection = Bool.random(using: &random) ? .forward : .backward
        let count = Int.random(in: 1...3, using: &random)
        switch Int.random(in: 0..<17, using: &random) {
        case 0, 1, 2: return try check(.step(direction, count: count)) { $0.step(direction, count) }
        case 3, 4: return try check(.stepChange(direction)) { $0.stepChange(direction) }
        case 5, 6, 7: return try check(.resume(direction, count: count)) { $0.resume(direction, count) }
        case 8:
            let query = try Query(condition())
            return try check(.until(query, direction)) { $0.until(query, direction) }
        case 9:
            let watch = try subject()
            // What a query says in the middle of a commit is a matter of its own.
            if model.place.isInside, case .query = watch.subject { return true }
            return try check(.last(watch)) { $0.last(watch) }
        case 10:
            let position = Int.random(in: 0...model.end, using: &random)
            return try check(.goTo(CommitNumber(position))) { $0.go(to: position) }
        case 11: return try check(.end) { $0.goToEnd() }
        case 12: return try check(direction == .forward ? .forward(count) : .back(count)) { $0.go(direction, count) }
        case 13: return try change()
        default: return try add()
        }
    }

    private mutating func condition() -> String {
        (sampleQueries + ["$seq % 5 == 0", "$old.cart != .cart", "$old == null"]).randomElement(using: &random)!
    }

    private mutating func subject() throws -> WatchSubject {
        if Bool.random(using: &random) {
            let text = condition()
            return WatchSubject(text, .query(try Query(text)))
        }
        let text = ["/cart", "/cart/a", "/user/**", "/feed/0", "/*/a", "/nowhere"].randomElement(using: &random)!
        return WatchSubject(text, .places(PathMatcher([try PathSteps(typed: text)])))
    }

    private mutating func add() throws -> Bool {
        guard model.stops.count < 4 else { return try remove() }
        let trigger: StopTrigger =
            switch Int.random(in: 0..<6, using: &random) {
            case 0: .source(file: "File.swift", line: Bool.random(using: &random) ? 1 : 2)
            case 1: .function(Bool.random(using: &random) ? "run" : "na\"me")
            case 2: .mark()
            case 3: .violation(try Query(condition()))
            default: .watch(try subject())
            }
        let condition = Int.random(in: 0..<3, using: &random) == 0 ? try Query(condition()) : nil
        let isTemporary = Int.random(in: 0..<4, using: &random) == 0
        _ = try session.perform(
            .add(SessionBreakpoint(trigger, condition: condition, isTemporary: isTemporary)))
        model.stops.append(
            .init(id: model.nextStop, trigger: trigger, isTemporary: isTemporary, condition: condition))
        model.nextStop += 1
        return true
    }

    private mutating func remove() throws -> Bool {
        let index = Int.random(in: 0..<model.stops.count, using: &random)
        _ = try session.perform(.remove(model.stops.remove(at: index).id))
        return true
    }

    private mutating func change() throws -> Bool {
        guard let index = model.stops.indices.randomElement(using: &random) else { return true }
        let id = model.stops[index].id
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            model.stops[index].isEnabled.toggle()
            _ = try session.perform(.setEnabled(id, model.stops[index].isEnabled))
        case 1:
            model.stops[index].ignoreCount = Int.random(in: 0...2, using: &random)
            _ = try session.perform(.ignore(id, model.stops[index].ignoreCount))
        default:
            model.stops[index].condition = try Query(condition())
            _ = try session.perform(.setCondition(id, model.stops[index].condition))
        }
        return true
    }

    private mutating func check(
        _ action: SessionAction, _ plain: (inout SessionModel) -> [String]?
    ) throws -> Bool {
        log.append("\(session.position.commit).\(session.position.changes ?? -1): \(action)")
        let expected = plain(&model)
        var found: [String]?
        do throws(SessionError) {
            for case .stopped(let stop) in try session.perform(action) { found = described(stop) }
        } catch {
            if expected != nil { log.append("\(error)") }
            found = nil
        }
        let isSame = found == expected && session.position == model.place
        #expect(found == expected, "seed \(seed)\n\(log.suffix(3).joined(separator: "\n"))")
        #expect(session.position == model.place, "seed \(seed)\n\(log.suffix(3).joined(separator: "\n"))")
        if isSame, !session.position.isInside {
            #expect(session.state == states[session.position.commit.rawValue], "seed \(seed)")
        }
        return isSame
    }
}

@Suite("Scans of a session that are ended, count hits and log")
struct SessionScanTests {
    /// The commits at which a session stops on its way through a run.
    private func stops(
        _ run: RandomRun, _ direction: SessionDirection, endingAtRandom random: inout SeededGenerator, isEnded: Bool
    ) throws -> [Int] {
        let session = try Session(run.journal)
        if direction == .forward { _ = try session.perform(.start) }
        _ = try session.perform(.add(SessionBreakpoint(.violation(try Query("$seq % 97 != 0")))))
        var (found, generator) = ([Int](), random)
        var calls = SessionCalls()
        calls.isInterrupted = { isEnded && Int.random(in: 0..<12, using: &generator) == 0 }
        while true {
            _ = try session.perform(.resume(direction), calls)
            switch session.lastStop.reasons.first {
            case .caught?: found.append(session.position.commit.rawValue)
            case .interrupted?: continue
            default: return found
            }
        }
    }

    @Test(
        "a scan that is ended on its way and goes on meets what it would have met", arguments: seeds(0..<4))
    func goesOn(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, commits: 1200, gaps: false)
        var random = SeededGenerator(seed: seed)
        for direction in [SessionDirection.forward, .backward] {
            let whole = try stops(run, direction, endingAtRandom: &random, isEnded: false)
            let parts = try stops(run, direction, endingAtRandom: &random, isEnded: true)
            #expect(whole.count > 10)
            #expect(parts == whole, "seed \(seed), \(direction)")
        }
    }

    @Test(
        "the hits of a stop count by their number, in both directions, and those that log are reported in place of a stop"
    )
    func hits() throws {
        let run = try RandomRun(seed: 3, commits: 200, gaps: false)
        for direction in [SessionDirection.forward, .backward] {
            let session = try Session(run.journal)
            if direction == .forward { _ = try session.perform(.start) }
            var stop = SessionBreakpoint(.violation(try Query("$seq % 7 != 0")))
            stop.hits = HitCondition(parsing: ">= 4")
            stop.log = [try Query("$seq")]
            _ = try session.perform(.add(stop))
            var logged: [Int] = []
            var calls = SessionCalls()
            calls.log = { _, commit, outcomes in
                #expect(outcomes == [.value(.number(JSONNumber(commit.rawValue)))])
                logged.append(commit.rawValue)
            }
            _ = try session.perform(.resume(direction), calls)
            let all = Array(stride(from: 7, through: 199, by: 7))
            let expected = (direction == .forward ? all : all.reversed()).dropFirst(3)
            #expect(logged == Array(expected), "\(direction)")
            #expect(session.breakpoints.first?.hitCount == all.count)
        }
    }

    @Test(
        "the number of hits that counts is read from its text",
        arguments: [
            ("3", [3]), ("== 3", [3]), (" >=3 ", [3, 4, 5]), (">3", [4, 5]), ("< 3", [1, 2]),
        ])
    func conditions(text: String, counted: [Int]) throws {
        let condition = try #require(HitCondition(parsing: text))
        #expect((1...5).filter(condition.includes) == counted)
    }

    @Test(
        "a text that is not a number of hits is refused", arguments: ["", "x", "3 3", "=3", "<= 3", "-1", ">", "1.5"])
    func badConditions(text: String) { #expect(HitCondition(parsing: text) == nil) }

    @Test(
        "the lines of source have each commit once, also where the journal is read in parts", arguments: seeds(0..<6))
    func sourceLines(seed: UInt64) throws {
        let run = try RandomRun(seed: seed, commits: 700, gaps: false)
        var lines = try SourceLines(run.journal)
        while !lines.isComplete { try lines.advance() }
        var expected: [String: (count: Int, first: Int, last: Int)] = [:]
        var reader = run.journal.records()
        while let line = try reader.next() {
            guard line.kind == .commit, let place = try Record(line).place, let file = place.file,
                let number = place.line
            else { continue }
            let seq = line.seq.rawValue
            let known = expected["\(file):\(number)"]
            expected["\(file):\(number)"] = ((known?.count ?? 0) + 1, known?.first ?? seq, seq)
        }
        #expect(lines.lines.count == expected.count)
        for line in lines.lines {
            let known = expected["\(line.file):\(line.line)"]
            #expect(known?.count == line.commits && known?.first == line.first.rawValue, "seed \(seed)")
            #expect(known?.last == line.last.rawValue, "seed \(seed)")
        }
    }
}
