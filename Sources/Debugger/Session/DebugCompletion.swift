import CommandLine
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

struct DebugCompletion {
    let session: Session
    let definitions: [DerivedValue]

    private static let limit = 500
    private static let nearby = 1000

    func completion(of line: String) -> LineCompletion {
        let characters = Array(line)
        let start = (characters.lastIndex(where: \.isWhitespace) ?? -1) + 1
        let word = String(characters[start...])
        let isFirst = characters[..<start].allSatisfy(\.isWhitespace)
        if isFirst { return LineCompletion(start: start, candidates: begins(DebugVerb.allCases.map(\.rawValue), word)) }
        guard let parsed = try? DebugLine(parsing: line) else { return .none }
        let candidates = candidates(parsed, word)
        return LineCompletion(start: start, candidates: Array(candidates.prefix(DebugCompletion.limit)))
    }

    private func candidates(_ line: DebugLine, _ word: String) -> [String] {
        switch DebugVerbTable.definition(of: line.verb).argument {
        case .none, .file: []
        case .verb: begins(DebugVerb.allCases.map(\.rawValue), word)
        case .position: begins(["start", "end"] + marks, word)
        case .query: UTF8Order.begins(word, with: "/") ? paths(word) : queries(word)
        case .path: UTF8Order.begins(word, with: "/") || word.isEmpty ? paths(word) : queries(word)
        case .place: begins(places, word)
        case .caught:
            line.words.first == "derived" && line.words.count + (word.isEmpty ? 1 : 0) > 1
                ? begins(derivedNames, word)
                : line.words.first == "violation" && line.words.count > 1
                    ? queries(word) : begins(["derived", "mark", "abort", "violation"], word)
        case .stop:
            begins(session.breakpoints.map { String($0.id) }, word)
                + (UTF8Order.begins(word, with: ".") ? queries(word) : [])
        case .topic:
            begins(["breakpoints", "watchpoints", "stores", "derived", "marks", "checkpoints", "display"], word)
        case .checkpoint: begins(session.checkpoints.map(\.name), word)
        }
    }

    private func begins(_ names: [String], _ word: String) -> [String] {
        var seen: Set<ByteName> = []
        return names.filter { UTF8Order.begins($0, with: word) && seen.insert(ByteName($0)).inserted }
    }

    // MARK: The state

    private func paths(_ word: String) -> [String] {
        let end = word.utf8.lastIndex(of: UInt8(ascii: "/")) ?? word.startIndex
        guard let pointer = try? JSONPointer(parsing: String(word[..<end])),
            let value = pointer.value(in: session.state)
        else { return [] }
        let keys: [String] =
            switch value {
            case .object(let object): Array(object.keys)
            case .array(let elements): elements.indices.prefix(DebugCompletion.limit).map(String.init)
            default: []
            }
        return begins(keys.map { JSONPointer(pointer.segments + [$0]).text }, word)
    }

    /// None unless the typed text ends in plain names with dots between them; the first dot may be missing.
    private func queries(_ word: String) -> [String] {
        let tail = String(word.reversed().prefix { $0 == "." || $0 == "_" || $0.isLetter || $0.isNumber }.reversed())
        let head = word.dropLast(tail.count)
        let isBare = !UTF8Order.begins(tail, with: ".")
        if isBare, tail.isEmpty || head.last.map({ "$@\"'\\])?".contains($0) }) ?? false { return [] }
        let parts = ((isBare ? "." : "") + tail).split(separator: ".", omittingEmptySubsequences: false).map(
            String.init
        ).dropFirst()
        guard case .object(let object)? = JSONPointer(Array(parts.dropLast())).value(in: session.state) else {
            return []
        }
        let front = head + (parts.dropLast().map { "." + $0 }.joined() + ".").dropFirst(isBare ? 1 : 0)
        let names = object.keys.filter { key in
            key.first.map { $0.isLetter || $0 == "_" } ?? false
                && key.utf8.allSatisfy { $0 == 0x5F || $0 &- 48 < 10 || ($0 | 0x20) &- 97 < 26 }
        }
        return begins(names.map { front + $0 }, word)
    }

    // MARK: Names

    /// Those that have a definition, and those that the journal declares near its front: what is waited for has to be short.
    private var derivedNames: [String] {
        var calls = SessionCalls()
        calls.isInterrupted = { true }
        return definitions.map(\.name) + ((try? session.declaredDerivedNames(calls)) ?? [])
    }

    private func records(_ kinds: RecordKinds) -> [OwnedRecord] {
        (try? session.records(
            around: session.position.commit, before: DebugCompletion.nearby, after: DebugCompletion.nearby, with: kinds))
            ?? []
    }

    private var marks: [String] {
        records(.mark).filter { $0.kind == .mark }.compactMap { record in
            (try? Record(record).text).map { "mark:" + $0 }
        }
    }

    private var places: [String] {
        let made = records([]).compactMap { try? Record($0) }
        let places = made.compactMap { SourcePlace($0) }
        let functions = places.compactMap { $0.function.map { String($0.prefix { $0 != "(" }) } }
        let names = made.compactMap(\.name).filter { !$0.contains("(") }
        return Set((functions + names + places.map(\.text)).map { ByteName($0) }).sorted().map(\.text)
    }
}
