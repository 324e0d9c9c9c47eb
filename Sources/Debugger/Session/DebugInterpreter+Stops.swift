import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage
import TimeTravel

extension DebugInterpreter {
    /// False where the line sets no stop or display.
    func setStop(_ line: DebugLine) throws -> Bool {
        switch line.verb {
        case .break, .tbreak: try addBreakpoint(line)
        case .watch: try addWatchpoint(line)
        case .catch: try addCatchpoint(line)
        case .delete: try each(line, all: .removeAll) { .remove($0) }
        case .disable: try each(line) { .setEnabled($0, false) }
        case .enable: try each(line) { .setEnabled($0, true) }
        case .condition: try setCondition(line)
        case .ignore:
            let words = line.words
            guard words.count == 2, let id = Int(words[0]), let count = Int(words[1]), count >= 0 else {
                throw line.usage("'ignore' needs the number of a stop, and how often to pass it")
            }
            try perform(.ignore(id, count))
        case .display:
            guard !line.rest.isEmpty else {
                for display in session.displays {
                    try write(printer.line(display, session.outcome(of: display.query)))
                }
                return true
            }
            let path = try pattern(line.rest, of: line)?.pointer
            let text = path.map { BarePath.query(of: $0, in: session.state) } ?? line.rest
            try perform(.display(try query(text, of: line)))
        case .undisplay:
            let numbers = try line.numbers()
            if numbers.isEmpty { try perform(.removeDisplay(nil)) }
            for number in numbers { try perform(.removeDisplay(number)) }
        default: return false
        }
        return true
    }

    private func each(
        _ line: DebugLine, all: SessionAction? = nil, _ action: (Int) -> SessionAction
    ) throws {
        let numbers = try line.numbers()
        if numbers.isEmpty, let all { return try perform(all) }
        for number in numbers.isEmpty ? session.breakpoints.map(\.id) : numbers { try perform(action(number)) }
    }

    private func addBreakpoint(_ line: DebugLine) throws {
        let (place, condition) = try line.condition(of: line.rest)
        let query = try condition.map { try self.condition($0, of: line) }
        let trigger = try trigger(place, line)
        try perform(.add(SessionBreakpoint(trigger, condition: query, isTemporary: line.verb == .tbreak)))
        if query == nil { try checkPlace(trigger) }
    }

    /// `FILE:LINE`, `FILE` or `FUNCTION`; nothing is the place of the present commit.
    private func trigger(_ text: String, _ line: DebugLine) throws -> StopTrigger {
        if text.isEmpty {
            guard let place = try session.commitPlace() else {
                throw line.usage("there is no commit here whose place could be taken")
            }
            return .source(file: place.file, line: place.line)
        }
        if let colon = text.lastIndex(of: ":"), colon > text.startIndex {
            let digits = text[text.index(after: colon)...]
            if let number = Int(digits), number > 0 { return .source(file: String(text[..<colon]), line: number) }
            if !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) {
                throw line.usage("'\(digits)' is no line of a file", help: ["lines count from 1"])
            }
        }
        return text.contains("/") || UTF8Order.ends(text, with: ".swift")
            ? .source(file: text, line: nil) : .function(text)
    }

    private static let sampleCount = 2000

    /// Warns of a place that none of the commits nearby was made at, with the nearest one.
    private func checkPlace(_ trigger: StopTrigger) throws {
        let count = DebugInterpreter.sampleCount
        let records = try session.records(around: session.position.commit, before: count, after: count)
        let made = records.compactMap { try? Record($0) }
        let places = made.compactMap { SourcePlace($0) }
        let (typed, names): (String, [String]) =
            switch trigger {
            case .source(let file, let line):
                (
                    file + (line.map { ":\($0)" } ?? ""),
                    places.flatMap { place in
                        let base = place.file.split(separator: "/").last.map(String.init) ?? place.file
                        let number = line == nil ? "" : place.line.map { ":\($0)" } ?? ""
                        return [base + number, place.file + number]
                    }
                )
            case .function(let name):
                (
                    name,
                    places.compactMap(\.function).flatMap { [$0, String($0.prefix { $0 != "(" })] }
                        + made.compactMap(\.name)
                )
            default: ("", [])
            }
        guard !names.isEmpty, !names.contains(where: { UTF8Order.equal($0, typed) }) else { return }
        let (here, bounds) = (session.position.commit.rawValue, session.bounds)
        let isWhole = here - bounds.lower.rawValue <= count && bounds.upper.rawValue - here <= count
        try warn(
            Diagnostic(
                .warning, code: "debug.no-such-place",
                "no commit \(isWhole ? "of this run" : "near here") was made in '\(typed)'",
                notes: isWhole ? [] : ["commits farther than \(count) from here were not read"],
                help: SimilarNames.nearest(to: typed, in: Set(names.map { ByteName($0) }).sorted().map(\.text)).map {
                    "write 'break \($0)'"
                }))
    }

    private func addWatchpoint(_ line: DebugLine) throws {
        let text = try line.argument("a path or a query")
        // In a query an 'if' may be its own: what is a query as a whole has no condition.
        let isWhole = (try? ScopedQuery(text, name: "watch", scope: naming)) != nil
        let (path, condition) = try isWhole ? (text, nil) : line.condition(of: text)
        let query = try condition.map { try self.condition($0, of: line) }
        let watch = try subject(path, of: line)
        try perform(.add(SessionBreakpoint(.watch(watch), condition: query)))
    }

    private func addCatchpoint(_ line: DebugLine) throws {
        let rest = try line.argument("what to catch: 'derived', 'mark', 'abort' or 'violation'")
        let word = rest.prefix { !$0.isWhitespace }
        let argument = String(DebugLine.trimmed(rest.dropFirst(word.count)))
        let trigger: StopTrigger
        switch word {
        case "mark" where argument.isEmpty: trigger = .mark()
        case "abort" where argument.isEmpty: trigger = .abort
        case "violation" where !argument.isEmpty: trigger = .violation(try condition(argument, of: line))
        case "derived" where !argument.isEmpty: trigger = try derived(argument)
        default: throw line.usage("'\(rest)' cannot be caught")
        }
        try perform(.add(SessionBreakpoint(trigger)))
    }

    private func derived(_ name: String) throws -> StopTrigger {
        if let known = surroundings.definitions.first(where: { UTF8Order.equal($0.name, name) }),
            case .query(let query) = known.formula
        {
            return .derived(name, query)
        }
        let names = try session.declaredDerivedNames(calls)
        if !names.contains(where: { UTF8Order.equal($0, name) }) {
            let known = names + surroundings.definitions.map(\.name)
            throw CommandFailure(
                .notThere,
                Diagnostic(
                    code: "debug.no-such-derived", "there is no derived value '\(name)'",
                    help: SimilarNames.nearest(to: name, in: known).map { "write 'catch derived \($0)'" }
                        + ["'info derived' lists them"]))
        }
        return .derived(name)
    }

    private func setCondition(_ line: DebugLine) throws {
        let word = line.rest.prefix { !$0.isWhitespace }
        guard let id = Int(word) else { throw line.usage("'condition' needs the number of a stop") }
        let text = String(DebugLine.trimmed(line.rest.dropFirst(word.count)))
        try perform(.setCondition(id, text.isEmpty ? nil : try condition(text, of: line)))
    }

    // MARK: What is typed

    /// Warns of what the query names that is not there.
    func condition(_ text: String, of line: DebugLine) throws -> Query {
        try query(text, of: line, asks: .condition)
    }

    /// Warns of what the query names that is not there.
    func query(
        _ text: String, of line: DebugLine, asks purpose: ScopedQuery.Purpose = .value
    ) throws -> Query {
        let query = try ScopedQuery(text, name: line.verb.rawValue, scope: naming, asks: purpose)
        if purpose == .condition, !surroundings.follows, session.skipped.isEmpty {
            try QueryWarnings(session.journal, session.bounds, scope).check(query, warn: warn)
        } else {
            let warnings = QueryWarnings([(session.position.commit, session.state)], scope)
            for warning in warnings.diagnostics(of: query.typed, asks: purpose) { try warn(warning) }
        }
        return query.whole
    }

    var naming: StoreScope { scope.naming(session.state) }

    /// The pattern that an argument is: one with '/', or a bare `cart.total`, as long as no query reads so; nil for a query.
    func pattern(_ text: String, of line: DebugLine) throws -> PathPattern? {
        if UTF8Order.begins(text, with: "/") {
            // A pointer with a space in it is a path only where something is there.
            if BarePath.isQuery(text, naming) { return nil }
            return scope.whole(try PathPattern(parsing: text, operand: "PATH"))
        }
        guard let pattern = BarePath.pattern(text, scope.part(of: session.state)),
            (try? ScopedQuery(text, name: line.verb.rawValue, scope: scope.naming(nil))) == nil
        else { return nil }
        return scope.whole(pattern)
    }

    /// A path, or a query; warns of a path at which nothing is here.
    func subject(_ text: String, of line: DebugLine) throws -> WatchSubject {
        guard let pattern = try pattern(text, of: line) else {
            return WatchSubject(text, .query(try query(text, of: line, asks: .change)))
        }
        if pattern.matches(in: session.state).isEmpty {
            let (notes, help) = (
                NearestPath.notes(for: pattern, in: session.state, scope),
                NearestPath.help(for: pattern, in: session.state, scope)
            )
            try warn(
                Diagnostic(
                    .warning, code: "debug.nothing-there", "nothing is at '\(text)' here", notes: notes, help: help))
        }
        return WatchSubject(pattern)
    }
}
