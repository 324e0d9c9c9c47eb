import Diagnostics
import JournalFormat
import JournalReading
import TimeTravel

/// Motions, and places that are remembered.
extension DebugInterpreter {
    /// Carries out a motion; false where the line is none.
    func move(_ line: DebugLine) throws -> Bool {
        switch line.verb {
        case .step: try perform(.step(.forward, count: try line.count()))
        case .reverseStep: try perform(.step(.backward, count: try line.count()))
        case .stepi: try perform(.stepChange(.forward, count: try line.count()))
        case .reverseStepi: try perform(.stepChange(.backward, count: try line.count()))
        case .continue: try perform(.resume(.forward, count: try line.count()))
        case .reverseContinue: try perform(.resume(.backward, count: try line.count()))
        case .until, .reverseUntil:
            let query = try condition(try line.argument("a query"), of: line)
            try perform(.until(query, line.verb == .until ? .forward : .backward))
        case .last: try perform(.last(try subject(try line.argument("a path or a query"), of: line)))
        case .goto: try goTo(try line.argument("a position"))
        case .start:
            try line.checkAlone()
            try perform(.start)
        case .end:
            try line.checkAlone()
            try perform(.end)
        case .back: try perform(.back(try line.count()))
        case .forward: try perform(.forward(try line.count()))
        default: return false
        }
        return true
    }

    private func goTo(_ text: String) throws {
        let position = try position(text)
        try perform(.goTo(position))
        if session.position.commit < position { try write("commit \(position) is left out of this run") }
    }

    /// The position that a text names; reports which one is meant if there are several.
    func position(_ text: String) throws -> CommitNumber {
        let typed = try PositionText(parsing: text)
        // The journal may have grown since it was looked at.
        if (try? session.journal.position(typed)) == nil { try perform(.refresh) }
        var notes: [String] = []
        let position = try session.journal.position(typed) { notes.append($0.text) }
        for note in notes { try write("note: " + ControlCharacters.escaped(note)) }
        return position
    }

    /// Carries out what remembers a place or changes the run; false where the line is none of that.
    func remember(_ line: DebugLine) throws -> Bool {
        switch line.verb {
        case .checkpoint: try perform(.checkpoint(line.rest.isEmpty ? nil : line.rest))
        case .restart: try perform(.restart(try line.argument("the name of a checkpoint")))
        case .skip: try perform(.skip(try CommitList(parsing: try line.argument("a list of commits"))))
        case .unskip: try perform(.unskip(line.rest.isEmpty ? nil : try CommitList(parsing: line.rest)))
        default: return false
        }
        return true
    }
}
