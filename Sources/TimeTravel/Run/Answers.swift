import JSONCore
import JournalFormat
import JournalReading
import QueryLanguage

/// What a condition is found to be along a run: its verdict on each position, where that turned and by which record.
///
/// Where several records change the state between two positions, the states between are judged too, and the last record
/// at which the verdict turned is its author.
struct Answers: Sendable {
    /// How many candidates are listed at the most; a longer list helps no reader.
    static let candidateLimit = 1_000
    /// How many turns are kept at the most, where they are wanted; all are counted.
    static let turnLimit = 20_000

    enum Author: Sendable, Hashable {
        case commit(CommitNumber)
        case line(ByteOffset)
    }

    struct Turn: Sendable {
        let author: Author
        let lastGood: CommitNumber
        let candidates: [CommitNumber]
        let crossesGap: Bool
        let badBefore: Author?
    }

    let condition: Condition
    private let lower: CommitNumber
    private let skip: CommitList
    private let keepsTurns: Bool
    private(set) var tested = 0
    private(set) var skipped = 0
    private(set) var unanswered = Unanswered()

    private(set) var isBadAtStart: Bool?
    private(set) var firstMended: CommitNumber?
    private(set) var firstTurn: Turn?
    /// The turn that began the bad positions up to the last one; nil where they began with the start, or the last one is good.
    private(set) var lastTurn: Turn?
    private(set) var flips = 0

    private(set) var firstBad: (position: CommitNumber, author: Author)?
    private(set) var firstBadJudgement: Condition.Judgement?
    private(set) var lastBad: CommitNumber?
    private(set) var badPositions = 0
    private(set) var badRanges = 0
    private(set) var turns: [(position: CommitNumber, author: Author)] = []

    /// The steps that do not only repeat the verdict before them; nil where they are not kept.
    private var steps: [(step: Run.Step, judgement: Condition.Judgement)]?
    private var verdicts: [(first: CommitNumber, verdict: Condition.Verdict)]?
    private(set) var isBad: Bool?
    /// The verdict of which the next position has only to be counted; nil where more is to be recorded.
    private var steady: Bool?
    /// From where on positions are not counted yet, and whether they are bad; nil for those that were not judged.
    private var uncounted: (since: CommitNumber, isBad: Bool?)?
    private var unjudged: [CommitNumber] = []
    /// The last position that was kept, where commits were lost since.
    private var keptUpTo: CommitNumber?
    /// The verdict on the positions that are not asked about, and up to where the one that was asked for held; nil
    /// where they are the same.
    private var passedOver: (isBad: Bool?, author: Author, knownUpTo: CommitNumber)?
    /// Verdicts on states inside one position, of which only the last one counts, and their records.
    private var between: [(author: Author, isBad: Bool?)] = []
    /// A verdict that holds from a skipped position on, until the next one is recorded.
    private var deferred: (position: CommitNumber, verdict: Condition.Verdict)?

    /// `keepsSteps`: whether it is to be appended to others.
    init(
        _ condition: Condition, from lower: CommitNumber, _ options: BisectOptions = BisectOptions(),
        keepsSteps: Bool = false, keepsVerdicts: Bool = false
    ) {
        (self.condition, self.lower, skip, keepsTurns) = (condition, lower, options.skip, options.keepsTurns)
        if keepsSteps { steps = [] }
        if keepsVerdicts { verdicts = [] }
    }

    // MARK: Judging

    mutating func begin(_ run: Run, _ question: Int) {
        let judgement = condition.judge(run.state, run.startContext, run.memo(of: question), wantsValue: true)
        record(judgement, at: lower, by: .commit(lower))
        noteSteady()
    }

    /// - Parameter isAsked: whether its position is asked about; else only whether it is bad is remembered.
    @inline(__always)
    mutating func judge(
        _ step: Run.Step, _ state: JSONValue, _ context: QueryContext, _ run: Run, _ question: Int,
        isAsked: Bool = true
    ) {
        if let steady, step.isComplete, !step.isJump, isAsked, condition.isBad(plainly: state) == steady {
            tested += 1
        } else {
            judge(step, state, context, run.memo(of: question), isAsked)
        }
    }

    @inline(never)
    private mutating func judge(
        _ step: Run.Step, _ state: JSONValue, _ context: QueryContext, _ memo: QueryMemo?, _ isAsked: Bool
    ) {
        if isAsked {
            let wantsValue = step.isComplete && firstBad == nil
            return record(step, condition.judge(state, context, memo, wantsValue: wantsValue))
        }
        if step.isJump { lose(step) }
        if step.isComplete {
            let isBad = condition.judge(state, context, memo, wantsValue: false).verdict.isBad
            passOver(isBad, at: step.seq, by: step.author)
        }
        noteSteady()
    }

    mutating func append(_ part: Answers) {
        // The state at its start was judged as the end of the part before.
        let sum = tested + part.tested - 1
        steps = nil
        for (step, judgement) in part.steps ?? [] { record(step, judgement) }
        tested = sum
    }

    mutating func finish(_ range: PositionRange, lost: ClosedRange<CommitNumber>?) {
        let end = lost?.lowerBound ?? range.upper.next
        recordDeferred(before: end)
        count(before: end)
        unanswered.finish(range, lost: lost)
        if let lost { keptUpTo = lost.lowerBound.previous }
    }

    // MARK: Answers

    var isBadAtEnd: Bool? {
        if let passedOver { return passedOver.isBad }
        return unjudged.isEmpty && keptUpTo == nil ? isBad : nil
    }

    func verdict(at position: CommitNumber) -> Condition.Verdict {
        let verdicts = verdicts ?? []
        return verdicts[max(0, verdicts.prefixCount { $0.first <= position } - 1)].verdict
    }

    // MARK: Recording

    private mutating func record(_ step: Run.Step, _ judgement: Condition.Judgement) {
        if let steady, step.isComplete, !step.isJump, judgement.verdict.isBad == steady {
            tested += 1
            return
        }
        steps?.append((step, judgement))
        recordDeferred(before: step.before.next)
        if step.isJump { lose(step) } else { recordDeferred(before: step.seq) }
        deferred = nil
        if step.isComplete {
            record(judgement, at: step.seq, by: step.author)
            between.removeAll()
        } else {
            tested += 1
            between.append((step.author, judgement.verdict.isBad))
        }
        noteSteady()
    }

    private mutating func record(
        _ judgement: Condition.Judgement, at position: CommitNumber, by author: Author
    ) {
        tested += 1
        let verdict = judgement.verdict
        if verdict != verdicts?.last?.verdict { verdicts?.append((position, verdict)) }
        if skip.contains(position) {
            count(before: position)
            unanswered.note(nil, at: position)
            leaveUnjudged(position)
            deferred = (position, verdict)
            return
        }
        if verdict == .bad, firstBad == nil { firstBadJudgement = judgement }
        record(verdict, at: position, by: turningAuthor(of: verdict.isBad, last: author))
    }

    private mutating func record(_ verdict: Condition.Verdict, at position: CommitNumber, by author: Author) {
        count(before: position)
        unanswered.note(verdict.error, at: position)
        guard let bad = verdict.isBad else { return leaveUnjudged(position) }
        uncounted = (position, bad)
        if position == lower { isBadAtStart = bad }
        if bad {
            if firstBad == nil { firstBad = (position, author) }
            if isBad != true {
                badRanges += 1
                if keepsTurns, turns.count < Self.turnLimit { turns.append((position, author)) }
            }
        } else if isBadAtStart == true, firstMended == nil {
            firstMended = position
        }
        if let isBad, isBad != bad {
            flips += 1
            lastTurn = bad ? turn(at: position, by: author) : nil
            firstTurn = firstTurn ?? lastTurn
        }
        isBad = bad
        unjudged.removeAll()
        keptUpTo = nil
        passedOver = nil
    }

    /// The last of a position's records at which the verdict turned to what it is at the end.
    private func turningAuthor(of isBad: Bool?, last: Author) -> Author {
        var author = last
        for step in between.reversed() {
            if step.isBad != isBad { return author }
            author = step.author
        }
        return author
    }

    /// A position on the skip list is not judged, but the next one that is not on it has the same state and is.
    private mutating func recordDeferred(before limit: CommitNumber) {
        guard let (position, verdict) = deferred else { return }
        var next = position.next
        while next < limit, skip.contains(next) { next = next.next }
        guard next < limit else { return }
        deferred = nil
        record(verdict, at: next, by: .commit(next))
    }

    private mutating func passOver(_ bad: Bool?, at position: CommitNumber, by author: Author) {
        if bad == isBad {
            passedOver = nil
        } else if passedOver == nil || passedOver?.isBad != bad {
            passedOver = (bad, author, passedOver?.knownUpTo ?? position.previous)
        }
    }

    private mutating func lose(_ step: Run.Step) {
        count(before: step.before.next)
        if step.before.next < step.seq { unanswered.lose(step.before.next...step.seq.previous) }
        if keptUpTo == nil { keptUpTo = step.before }
    }

    private mutating func leaveUnjudged(_ position: CommitNumber) {
        uncounted = (position, nil)
        if unjudged.count < Self.candidateLimit { unjudged.append(position) }
    }

    private mutating func count(before position: CommitNumber) {
        guard let (since, isBad) = uncounted.take(), since < position else { return }
        let count = position.rawValue - since.rawValue
        switch isBad {
        case true?: (badPositions, lastBad) = (badPositions + count, position.previous)
        case nil: skipped += count
        case false?: break
        }
    }

    private mutating func noteSteady() {
        let isPending = !unjudged.isEmpty || keptUpTo != nil || passedOver != nil || !between.isEmpty
        steady = isPending || !skip.isEmpty ? nil : isBad
    }

    private func turn(at position: CommitNumber, by author: Author) -> Turn {
        let lastGood = min((unjudged.first ?? position).previous, keptUpTo ?? position)
        return Turn(
            author: author, lastGood: min(lastGood, passedOver?.knownUpTo ?? position),
            candidates: unjudged.isEmpty ? [] : unjudged + [position], crossesGap: keptUpTo != nil,
            badBefore: passedOver.flatMap { $0.isBad == true ? $0.author : nil })
    }
}

extension Run.Step {
    var author: Answers.Author { offset.map { .line($0) } ?? .commit(seq) }
}

extension Journal {
    func record(of author: Answers.Author) throws(JournalError) -> OwnedRecord {
        switch author {
        case .commit(let commit): try record(of: commit)
        case .line(let offset): try record(at: offset)
        }
    }
}
