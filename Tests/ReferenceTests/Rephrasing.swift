import TestSupport

/// Another way to ask the same question, which has to have the same answer, also where the contract leaves it open.
enum Rephrasing: CaseIterable {
    /// The journal packed by gzip(1).
    case packed
    /// The journal as another writer would have written it: white space, escapes, the order of members, sums.
    case restyled
    /// The journal without its keyframes.
    case withoutKeyframes
    /// The journal with a keyframe behind every commit.
    case withKeyframes
    /// The range as a journal of its own.
    case sliced
    /// Newest first, and turned round.
    case reversed
    /// For people: only the status is the same.
    case human
    /// By halves, where the state turns bad once.
    case halved

    /// Whether it is another way to ask this question about this journal.
    func applies(to question: Question, _ journal: DrawnJournal) -> Bool {
        guard journal.draft.damages.isEmpty else { return false }
        let isWritten = [.slice, .merge, .redact, .minimize, .repair].contains(question.command)
        let isAboutBytes = [.log, .info, .stats, .verify, .marks].contains(question.command)
        switch self {
        case .packed: return !isWritten && question.command != .runs && question.command != .info
        case .restyled, .withoutKeyframes, .withKeyframes:
            return !isWritten && question.command != .runs && !isAboutBytes && journal.draft.torn == 0
        case .sliced:
            return [.log, .replay, .bisect, .history, .derived].contains(question.command) && question.range != nil
                && !question.all && question.needle == nil && question.isAboutStates && question.skip.isEmpty
                && question.without.isEmpty
                && journal.whole.bounds(question.range) != nil
        case .reversed:
            return [.log, .replay, .history, .derived, .marks].contains(question.command) && question.count == nil
                && !question.isReverse && !question.isFinal && !question.isSummary && !question.all
        case .human: return !isWritten
        case .halved:
            return question.command == .bisect && question.needle == nil && !question.isMonotone
                && question.filterPath == nil
                && question.skip.isEmpty && !Question.asksAboutCommits(question.query ?? "")
        }
    }

    /// What the other answer is, and what is wrong with it, given the first; nil where it cannot be asked.
    func fault(_ pair: ReferenceCase, _ first: CommandRun, in folder: TemporaryFolder) -> String? {
        let run = folder.path("run.jsonl")
        let other = folder.path("other.jsonl")
        var question = pair.question
        var draft = pair.draft
        switch self {
        case .packed: folder.write(StoredGzip.packed(pair.journal.text), to: "other.jsonl")
        case .restyled:
            draft.style.spaced.toggle()
            draft.style.shuffled.toggle()
            draft.style.escaped.toggle()
            draft.style.sums.toggle()
        case .withoutKeyframes: draft.events.removeAll { if case .keyframe = $0 { true } else { false } }
        case .withKeyframes:
            draft.events = draft.events.flatMap { event -> [Draft.Event] in
                if case .commit = event { [event, .keyframe] } else { [event] }
            }
        case .sliced:
            guard CommandRun(["slice", run, question.range?.text ?? "..", "-o", other]).status == 0 else { return nil }
            question.range = nil
        case .reversed: question.isReverse = true
        case .human, .halved: break
        }
        switch self {
        case .restyled, .withoutKeyframes, .withKeyframes:
            guard let text = DraftWriter.text(of: draft) else { return nil }
            folder.write(text, to: "other.jsonl")
        case .reversed, .human, .halved: folder.write(pair.journal.text, to: "other.jsonl")
        default: break
        }
        if self == .halved { question.isMonotone = true }
        var arguments = question.arguments(other, output: folder.path("out.jsonl"))
        if self == .human { arguments.insert(contentsOf: ["--format", "human"], at: 1) }
        let second = CommandRun(arguments)
        if self == .human, question.command == .log, question.isFiltering, first.lines.count != second.lines.count {
            return "\(self), there are \(second.lines.count) rows, not \(first.lines.count)"
        }
        return difference(first, second).map { "\(self), \($0)" }
    }

    private func difference(_ first: CommandRun, _ second: CommandRun) -> String? {
        if self == .halved { return halved(first, second) }
        // A slice has none of the names that are elsewhere in the run.
        if self == .sliced, second.status == 4 || first.status == 4 { return nil }
        // Behind a limit nothing is read that could have no answer.
        if first.status != second.status { return "the status is \(second.status), not \(first.status)" }
        if self == .human { return nil }
        var lines = second.lines
        if self == .reversed { lines.reverse() }
        guard lines != first.lines else { return nil }
        return "the answer is\n\(lines.joined(separator: "\n"))\nnot\n\(first.lines.joined(separator: "\n"))"
    }

    /// Where the state turns bad once the search by halves says what the pass says.
    private func halved(_ first: CommandRun, _ second: CommandRun) -> String? {
        guard first.status == 0, let pass = first.objects.first, pass["flips"] == 1, pass["unanswered"] == nil,
            pass["badAtStart"] == false
        else { return nil }
        if second.status != 0 { return "the status is \(second.status), not 0" }
        for key in ["firstBad", "lastGood"] where second.objects.first?[key] != pass[key] {
            return
                "'\(key)' is \(second.objects.first?[key]?.text() ?? "missing"), not \(pass[key]?.text() ?? "missing")"
        }
        return nil
    }
}

extension Question {
    /// Whether no query asks for the commit, which is another at the beginning of a slice.
    fileprivate var isAboutStates: Bool {
        !Self.asksAboutCommits([query, select, condition, only].compactMap { $0 }.joined())
    }
}

extension CommandRun {
    /// The lines of the answer, as values.
    fileprivate var objects: [PlainObject] {
        output.split(separator: 0x0A).compactMap { try? PlainJSON.parse(Array($0)).object }
    }

    /// The lines of the answer in one form, without the name of the file.
    fileprivate var lines: [String] {
        output.split(separator: 0x0A).map { line in
            guard var value = try? PlainJSON.parse(Array(line)) else { return String(decoding: line, as: UTF8.self) }
            if case .object(var members) = value {
                members.removeValue(forKey: "journal")
                members.removeValue(forKey: "sum")
                value = .object(members)
            }
            return value.ascending().text()
        }
    }
}

/// A file as gzip(1) writes it, of one block that is stored as it is (RFC 1952, RFC 1951 §3.2.4).
enum StoredGzip {
    static func packed(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        var rest = bytes[...]
        repeat {
            let block = rest.prefix(65_535)
            rest = rest.dropFirst(block.count)
            packed.append(rest.isEmpty ? 1 : 0)
            for count in [UInt16(block.count), ~UInt16(block.count)] {
                packed += [UInt8(count & 255), UInt8(count >> 8)]
            }
            packed += block
        } while !rest.isEmpty
        for word in [crc(bytes), UInt32(truncatingIfNeeded: bytes.count)] {
            packed += (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
        return packed
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = ~0
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }
}
