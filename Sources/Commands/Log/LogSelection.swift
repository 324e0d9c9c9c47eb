import CommandLine
import JSONCore
import JournalFormat
import JournalReading

struct LogSelection {
    /// Whether records of every kind are printed.
    let isWhole: Bool
    private let filter: CommitFilter
    /// Whether marks are printed; nil: for people where nothing filters.
    private let marks: Bool?

    enum Choice {
        /// It is a commit, or another record that was asked for.
        case counted
        /// It stands among the commits and is not counted.
        case beside
        case nothing
    }

    init(_ typed: TypedArguments, _ filter: CommitFilter) throws(UsageError) {
        isWhole = typed.has(.logAll)
        self.filter = filter
        if typed.has(.marks), typed.has(.noMarks) { throw .exclusive([.marks, .noMarks]) }
        marks = typed.has(.marks) ? true : typed.has(.noMarks) ? false : nil
    }

    /// Whether lost commits need a warning because the list does not show them.
    func isSilent(ofGaps format: OutputFormat) -> Bool { !isWhole && !(format == .human && filter.passesAll) }

    /// Whether a lost commit could have been one that was asked for: the answer may then be incomplete.
    var mayMissCommits: Bool { !filter.passesAll }

    /// Whether a record that is no commit belongs to the store that is named, and nothing else is asked for.
    private func isOfStore(_ line: RecordLine) throws -> Bool {
        guard filter.passesByStore else { return false }
        return try line.kind == .gap || Record(line).store.map(filter.scope.includes) ?? false
    }

    func choice(of line: RecordLine, _ format: OutputFormat) throws -> Choice {
        if line.kind == .commit {
            return try filter.passesAll || filter.passes(try Record(line)) ? .counted : .nothing
        }
        if isWhole { return try filter.passesAll || isOfStore(line) ? .counted : .nothing }
        let isShown = format == .human && filter.passesAll
        switch line.kind {
        case .mark: return marks ?? isShown ? .beside : .nothing
        case .gap, .abort: return isShown ? .beside : .nothing
        case .journal, .store, .derived, .commit, .outcome, .keyframe, .close, .end, .other: return .nothing
        }
    }
}
