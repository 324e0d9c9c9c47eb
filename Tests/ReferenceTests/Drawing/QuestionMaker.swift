import TestSupport

/// Draws questions that a journal has answers for: its positions, stores, paths, values and names.
struct QuestionMaker {
    private var random: SeededGenerator
    private var queries: RandomStateQuery
    private let journal: PlainJournal
    /// Whether it makes sense to ask what stands behind damage.
    private let isDamaged: Bool

    init(seed: UInt64, _ journal: PlainJournal, isDamaged: Bool) {
        random = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 17)
        queries = RandomStateQuery(seed: seed)
        self.journal = journal
        self.isDamaged = isDamaged
    }

    private mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }
    private mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
    private mutating func pick<T>(_ list: [T]) -> T { list[below(list.count)] }

    /// A question of one of these commands.
    mutating func question(of commands: [Question.Command]) -> Question {
        var question = Question(command: pick(commands))
        switch question.command {
        case .state:
            question.positions = chance(80) ? [position()] : []
            storeOrNot(&question)
            if chance(60) { question.select = query(question.store) }
        case .log, .replay, .history, .derived: fillPass(&question)
        case .bisect: fillBisect(&question)
        case .check: question.query = query(nil)
        case .blame: fillBlame(&question)
        case .diff:
            question.positions = chance(80) ? [position(), position()] : chance(50) ? [.start, .end] : [position()]
            storeOrNot(&question)
            if chance(15) { question.ignoredPath = PlainPattern(path(question.store).map { .key($0) }) }
            if question.ignoredPath?.steps.isEmpty == true { question.ignoredPath = nil }
        case .why: question.positions = [position()]
        case .runs:
            question.positions = [position()]
            question.isFinal = chance(40)
        case .show:
            if chance(60) { question.positions = [position()] } else { question.range = range() }
            if question.range != nil { storeOrNot(&question) }
        case .marks:
            question.isReverse = chance(50)
            if chance(30) { question.count = 1 + below(3) }
        case .merge: question.positions = [position()]
        case .stats:
            if chance(50) { question.range = range() }
            storeOrNot(&question, 25)
        case .info, .verify, .repair: break
        case .slice: question.range = range()
        case .redact: question.path = PlainPattern(path(nil).map { .key($0) })
        case .minimize:
            // Positions are counted anew, so a question about them has another answer.
            repeat { question.query = query(nil) } while question.query?.contains("$") != false
        }
        let recovering: [Question.Command] = [.log, .replay, .bisect, .derived, .history, .check, .stats, .marks]
        if isDamaged, !question.isMonotone, recovering.contains(question.command) { question.recovers = chance(50) }
        return question
    }

    /// Another way to ask a question, now and then: packed journals take a process each.
    mutating func rephrasing(of question: Question, _ journal: DrawnJournal) -> Rephrasing? {
        let ways = Rephrasing.allCases.filter { $0.applies(to: question, journal) && ($0 != .packed || chance(10)) }
        return chance(40) ? ways.randomElement(using: &random) : nil
    }

    private mutating func fillPass(_ question: inout Question) {
        if question.command == .log, chance(5) {
            question.all = true
            return
        }
        if chance(50) { question.range = range() }
        storeOrNot(&question, 25)
        let isMany = question.command == .log || question.command == .replay
        if chance(isMany ? 25 : 10) { question.filterPath = pattern(question.store) }
        if chance(isMany ? 10 : 5) { question.source = pick(["Test/Cart.swift", "Test/User.swift:11", "Feed.swift"]) }
        if chance(isMany ? 10 : 5) { question.function = pick(["add(_:)", "run()", "remove"]) }
        if chance(isMany ? 10 : 5) { question.name = pick(["add", "*d*", "na\"me", "?", "load*"]) }
        if chance(isMany ? 10 : 5) { question.action = pick(["App.add", "App.*", "*.remove", "App.?dd"]) }
        if chance(isMany ? 25 : 10) { question.condition = query(question.store) }
        if isMany || question.command == .derived, chance(20) { question.count = 1 + below(5) }
        question.isReverse = chance(30)
        switch question.command {
        case .replay:
            if chance(50) { question.select = query(question.store) }
            question.isChanged = chance(25)
            question.isFinal = chance(15)
            if chance(15) {
                question.without = (0...below(3)).map { _ in
                    journal.start + 1 + below(max(1, journal.end - journal.start))
                }
            } else if chance(12) {
                question.only = query(question.store)
            }
            if !question.without.isEmpty || question.only != nil, chance(70) { question.condition = nil }
        case .history:
            if chance(50) {
                question.path =
                    chance(60) ? PlainPattern(path(question.store).map { .key($0) }) : pattern(question.store)
            } else {
                // What names one place would be a path.
                question.query = "(" + query(question.store) + ")"
            }
            if let path = question.path, path.steps.isEmpty { question.path = PlainPattern([.one]) }
            if question.path?.steps.allSatisfy({ $0 != .one && $0 != .any }) != false, chance(20) {
                question.count = 1 + below(3)
            }
        case .derived:
            // A definition says nothing of the commit.
            repeat {
                question.query = question.store == nil ? queries.condition(depth: 2) : query(question.store)
            } while question.query?.contains("$") != false
            question.isSummary = chance(30)
            question.all = !question.isSummary && chance(25)
        default: break
        }
    }

    private mutating func fillBisect(_ question: inout Question) {
        if chance(40) { question.range = range() }
        storeOrNot(&question, 20)
        question.query = query(question.store)
        question.isGood = chance(30)
        if chance(15) {
            question.skip = (0...below(4)).map { _ in journal.start + below(journal.end - journal.start + 1) }
        }
        question.isMonotone = question.skip.isEmpty && chance(15)
        if question.store == nil, chance(6) {
            question.needle = path(nil).last.map { PlainJSON.string($0.text).text() + ":" }
            question.skip = []
            question.isMonotone = false
        }
        if !question.isMonotone, question.needle == nil, chance(15) { question.filterPath = pattern(question.store) }
    }

    private mutating func fillBlame(_ question: inout Question) {
        if chance(60) { question.positions = [position()] }
        question.isReverse = chance(30)
        storeOrNot(&question, 15)
        if chance(50) { question.path = PlainPattern(path(question.store).map { .key($0) }) }
        if question.path?.steps.isEmpty == true { question.path = nil }
    }

    private mutating func storeOrNot(_ question: inout Question, _ percent: Int = 20) {
        if chance(percent) { question.store = pick(journal.stores.sorted()).text }
    }

    // MARK: Positions

    private mutating func position() -> Question.Position {
        switch below(12) {
        case 0: return .start
        case 1: return .end
        case 2: return .beforeEnd(below(journal.end - journal.start + 2))
        case 3: return journal.marks.isEmpty ? .end : .mark(pick(journal.marks)["text"].string ?? "")
        case 4: return .time(pick(journal.records)["time"].string ?? "2026-01-01T00:00:00.000000Z")
        default: return .number(journal.start + below(journal.end - journal.start + 1))
        }
    }

    private mutating func range() -> Question.Range {
        var (from, to) = (
            chance(80) ? position() : nil as Question.Position?, chance(80) ? position() : nil as Question.Position?
        )
        let (first, last) = (journal.position(from ?? .start) ?? 0, journal.position(to) ?? 0)
        if first > last { swap(&from, &to) }
        if journal.bounds(Question.Range(from: from, to: to)) == nil { (from, to) = (nil, nil) }
        return Question.Range(from: from, to: to)
    }

    // MARK: Paths and queries

    /// A path to something that was there at some time.
    private mutating func path(_ store: String?) -> [PlainKey] {
        for _ in 0..<20 {
            guard let state = journal.states[journal.start + below(journal.end - journal.start + 1)] else { continue }
            let places = PlainPointer.places(in: state).filter {
                !$0.path.isEmpty && (store == nil || $0.path[0] == PlainKey(store ?? ""))
            }
            guard let place = places.randomElement(using: &random) else { continue }
            return store == nil ? place.path : Array(place.path.dropFirst())
        }
        return []
    }

    private mutating func pattern(_ store: String?) -> PlainPattern {
        var steps = path(store).map { PlainPattern.Step.key($0) }
        for index in steps.indices where chance(25) { steps[index] = .one }
        if chance(10) { steps = Array(steps.dropLast()) + [.any] }
        if steps.count > 1, chance(8) { steps.insert(.any, at: 1 + below(steps.count - 1)) }
        return PlainPattern(steps)
    }

    private mutating func query(_ store: String?) -> String {
        if store == nil, chance(40) { return queries.condition(depth: 2) }
        let place = path(store)
        // A path is written with `?`, so that a value of another kind on the way is null and no error, mostly.
        var text = "."
        var value = journal.states[journal.end] ?? .null
        if let store { value = PlainJournal.seen(value, store) }
        for key in place {
            let isElement = key.index != nil && PlainPointer.value([key], in: value) != nil && value.array != nil
            text += (isElement ? "[\(key.text)]" : "[\(PlainJSON.string(key.text).text())]") + (chance(85) ? "?" : "")
            value = PlainPointer.value([key], in: value) ?? .null
        }
        let number = String(journal.start + below(journal.end - journal.start + 1))
        switch below(16) {
        case 0: return "\(text) != null"
        case 1, 2: return "(\(text)) == (\(value.text()))"
        case 3: return "(\(text) | length?) > 1"
        case 4: return "\(text) | type == \"\(pick(["object", "array", "number", "string"]))\""
        case 5: return "$seq >= \(number)"
        case 6: return "\(text) | tojson | length > 4"
        case 7: return ". != $old"
        case 8: return "(\(text)) != ($old | \(text))"
        case 9: return "$name == \"add\" or $name == \"run()\""
        case 10: return "$store == \"\(pick(["cart", "user"]))\" and (\(text) | not)"
        case 11: return "$at.line? == 11"
        case 12: return "$time > \"2026-01-01T00:00:1\""
        case 13: return "[.. | numbers] | add // 0 | . > 3"
        case 14: return "[paths] | length % 2 == 0"
        default: return text
        }
    }
}
