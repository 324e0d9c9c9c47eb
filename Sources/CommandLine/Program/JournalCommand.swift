import Diagnostics
package import JournalFormat
package import JournalReading
import QueryLanguage
package import TimeTravel

/// Before the answer the journal is opened, positions are looked up, a store that never was is refused, and what cannot
/// be meant is warned of.
///
/// After it damage, what has no answer and names that occur nowhere are reported, and the worst status counts.
package protocol JournalCommand: Command {
    var subject: JournalSubject { get }

    func answer(_ asked: AskedJournal) throws -> Answered
}

extension JournalCommand {
    package var isPaged: Bool { true }

    package func run(in context: CommandContext) throws -> ExitStatus {
        let asked = try AskedJournal(subject, context)
        return try asked.finish(try answer(asked))
    }
}

package struct JournalSubject {
    package enum Access {
        case random
        case sequential
        /// As it is written, up to the record that ends the run.
        case followed
    }

    package enum Extent {
        case range(RangeText)
        case commit(PositionText)
        /// One position; for a part of the state there the store that is named has to be open.
        case position(PositionText, isState: Bool)
        case whole
    }

    package enum FilterUse {
        case followed
        /// About commits, and states that the command makes.
        case asked
        case none
    }

    package let path: String
    package var part: Extent
    package var access = Access.random
    package let filter: CommitFilter
    package var filterUse = FilterUse.followed
    package var queries: [ScopedQuery] = []
    package let recovers: Bool

    package init(_ typed: TypedArguments, _ part: Extent? = nil, journal place: Int = 0) throws {
        path = typed.operands[place]
        recovers = typed.has(.recover)
        let range = try typed.value(.range).map { try RangeText(parsing: $0) }
        self.part = part ?? .range(range ?? RangeText())
        filter = try CommitFilter(typed)
        if case .position? = part { filterUse = .none }
    }

    package var scope: StoreScope { filter.scope }
}

package struct AskedJournal {
    package let subject: JournalSubject
    package let context: CommandContext
    package let input: JournalInput
    private let found: (range: PositionRange?, position: CommitNumber?)

    /// - Precondition: the subject's part is a range.
    package var range: PositionRange {
        guard let range = found.range else { preconditionFailure("'range' of a subject whose part is none") }
        return range
    }

    /// - Precondition: the subject's part is a position.
    package var position: CommitNumber {
        guard let position = found.position else { preconditionFailure("'position' of a subject whose part is none") }
        return position
    }

    package var journal: Journal { input.journal }
    package var messages: MessageWriter { context.messages }

    fileprivate init(_ subject: JournalSubject, _ context: CommandContext) throws {
        (self.subject, self.context) = (subject, context)
        input =
            switch subject.access {
            case .random: try .random(subject.path, recovers: subject.recovers, in: context)
            case .sequential: try .sequential(subject.path, recovers: subject.recovers, in: context)
            case .followed: try .followed(subject.path, in: context)
            }
        switch subject.part {
        case .range(let text):
            found = (try input.range(text), nil)
            try prepare(range)
        case .commit(let text):
            let commit = try input.position(text)
            _ = try input.journal.record(of: commit)
            found = (try PositionRange(commit.previous, commit) ?? input.range(RangeText()), nil)
            try prepare(range)
        case .position(let text, let isState):
            let position = try input.position(text)
            found = (nil, position)
            if isState { try subject.scope.checkStore(in: journal, isOpenAt: position) }
        case .whole:
            found = (nil, nil)
            subject.filter.begin(journal)
        }
    }

    private func prepare(_ range: PositionRange) throws {
        try subject.scope.checkStore(in: journal, near: range.upper)
        let warnings = QueryWarnings(journal, range, subject.scope)
        for query in subject.queries { warnings.report(of: query, messages) }
        guard case .followed = subject.filterUse else { return }
        try subject.filter.follow(journal, range, recovers: subject.recovers, messages)
    }

    /// Refuses names that occur nowhere, for a command that has read all before it writes.
    package func checkNames() throws { try subject.filter.checkNames(in: journal) }

    fileprivate func finish(_ answered: Answered) throws -> ExitStatus {
        for damage in answered.damages { messages.report(damage.warning) }
        input.report(answered.torn)
        let unanswered = answered.unanswered
        let lost =
            switch answered.lost {
            case .positions(let meaning): unanswered.lostWarning(in: subject.path, meaning)
            case .commits(let meaning): unanswered.lostCommitsWarning(in: subject.path, meaning)
            case .nothing: Diagnostic?.none
            }
        if let lost { messages.report(lost) }
        if let (query, one, several) = answered.failed,
            let failed = unanswered.failureWarning(of: query, one: one, several: several)
        {
            messages.report(failed)
        }
        var status = answered.status
        if unanswered.count > 0, answered.isIncompleteWithout { status = status.or(.inconclusive) }
        if case .none = subject.filterUse { return status }
        return status.or(try subject.filter.finish(journal, messages))
    }
}

package struct Answered {
    package enum Lost {
        case positions(String)
        case commits(String)
        case nothing
    }

    fileprivate let status: ExitStatus
    fileprivate let damages: [JournalError]
    fileprivate let torn: TornTail?
    fileprivate let unanswered: Unanswered
    fileprivate let lost: Lost
    /// The query that may have failed at positions, and what one of them or several mean.
    fileprivate let failed: (query: ScopedQuery, one: String, several: String)?
    /// Whether what was lost may have been part of the answer.
    fileprivate let isIncompleteWithout: Bool

    package init(
        _ status: ExitStatus = .done, damages: [JournalError], torn: TornTail? = nil, unanswered: Unanswered,
        lost: Lost, failed: (query: ScopedQuery, one: String, several: String)? = nil, isIncompleteWithout: Bool = true
    ) {
        (self.status, self.damages, self.torn, self.unanswered) = (status, damages, torn, unanswered)
        (self.lost, self.failed, self.isIncompleteWithout) = (lost, failed, isIncompleteWithout)
    }

    /// An answer that was looked up, where damage would have ended the command.
    package static func lookedUp(_ status: ExitStatus) -> Answered {
        Answered(status, damages: [], unanswered: Unanswered(), lost: .nothing)
    }
}
