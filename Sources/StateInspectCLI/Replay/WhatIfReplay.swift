import JSONCore
import JournalFormat
import TimeTravel

/// The lines of a stretch as if some of its commits had not been.
struct WhatIfReplay {
    private enum Line {
        case conflict(WhatIf.Conflict)
        case position(OwnedRecord, ReplayQuestion.Answer)
    }

    private let choice: WhatIf.Choice
    private let question: ReplayQuestion
    private let rules: ReplayRules
    private let isReversed: Bool

    /// A replay of what stays by a choice.
    init(_ choice: WhatIf.Choice, _ question: ReplayQuestion, _ rules: ReplayRules, isReversed: Bool) {
        self.choice = choice
        self.question = question
        self.rules = rules
        self.isReversed = isReversed
    }

    /// Hands the answer at each position to the printer; in reverse all are made first, since what was left out is known
    /// from the front only.
    ///
    /// - Returns: the damage that was jumped over.
    func run(
        _ journal: Journal, _ range: PositionRange, _ printer: inout ReplayPrinter
    ) throws -> [JournalError] {
        var run = try WhatIf(journal, range, choice, recover: rules.recovers)
        let start = try question.answer(run.state.value, at: range.lower, nil, old: .null)
        try printer.takeStart(start, at: range.lower)
        var lines: [Line] = []
        var last: JSONValue?
        while !printer.isFull || isReversed, let event = try run.next() {
            let line: Line
            switch event {
            case .conflict(let conflict): line = .conflict(conflict)
            case .position(let record):
                let object = question.needsRecord ? try record.object() : nil
                let answer = try question.answer(run.state.value, at: record.seq, object, old: run.old)
                if rules.isChanged, case .value(let value) = answer {
                    if value == last { continue }
                    last = value
                }
                line = .position(record, answer)
            }
            if isReversed { lines.append(line) } else { try take(line, &printer) }
        }
        for line in lines.reversed() where !printer.isFull { try take(line, &printer) }
        return run.damages
    }

    private func take(_ line: Line, _ printer: inout ReplayPrinter) throws {
        switch line {
        case .conflict(let conflict): try printer.printConflict(conflict)
        case .position(let record, let answer):
            try printer.take(answer, at: record.seq, .line(record), isChangeKnown: true)
        }
    }
}
