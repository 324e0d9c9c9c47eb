public import JSONCore
public import JournalFormat
import JournalReading

/// The journal that an import makes, as it grows: stores that open, commits, marks, and what a journal needs besides.
///
/// It knows the state of every store, so a reader says either what a store is now or what changed; patches of other tools get
/// the values that they replaced, and become such that can be undone. Keyframes, totals, sums and times that never fall are its
/// business. A commit that does not fit leaves it as it was.
public struct ImportedRun {
    /// Where a record comes from, and what is said of it.
    public struct Origin: Sendable {
        /// When; nil for the time of the record before.
        public var time: Timestamp?
        /// The place in the source, or in the file that was imported.
        public var at: SourceLocation
        /// What a commit is called.
        public var name: String?
        /// The action that made a commit.
        public var action: EncodedAction?
        /// The commit that made this one.
        public var cause: CommitNumber?
        /// The trace of OpenTelemetry that it was made in.
        public var trace: String?
        /// The span of that trace.
        public var span: String?

        /// An origin at a place.
        public init(
            at: SourceLocation, time: Timestamp? = nil, name: String? = nil, action: EncodedAction? = nil,
            cause: CommitNumber? = nil
        ) {
            self.at = at
            self.time = time
            self.name = name
            self.action = action
            self.cause = cause
        }
    }

    /// Takes over lines of the journal.
    public typealias Sink = ([UInt8]) -> Void
    private static let portion = 1 << 18
    /// How many bytes of lines wait for the time that says whether one before is right.
    private static let waitingLimit = 1 << 23

    /// The format, which stands as the type of each store.
    public let format: String
    /// The file that is read, as locations name it.
    public private(set) var file: String
    /// What stands before the text that is read in its line, and is cut off.
    var prefix = ""
    /// The time of the record written last.
    public private(set) var time: Timestamp
    /// How many records had a time before that of the one before them; they got that one's.
    public private(set) var fallenTimes = 0
    /// How many records had a time that those around them contradict; they got that of the record before.
    public private(set) var oddTimes = 0
    /// Whether the format has records in any order of their times, so that an earlier one is nothing to report.
    var isUnordered = false
    /// What did not fit.
    public internal(set) var problems: ImportProblems
    /// By which members the elements of arrays are matched where states are compared.
    public var identities = ["id"]
    private(set) var times = TimeOrder()
    /// Whether a time was given to any record.
    public var hasTime: Bool { times.first != nil }
    /// Whether a record came before the first time.
    private(set) var isUntimed = false

    private var lines = LineBuilder()
    private var state = PositionState(start: .zero)
    private var written = WrittenTotals(start: .zero)
    private var copies = CopyBudget()
    private var sink: Sink?
    private(set) var hasHeader = false
    private var jump: TimeJump?
    /// The time of records before the first that says one.
    var fallback: Timestamp

    /// Begins a journal.
    ///
    /// - Parameters:
    ///   - format: what the file is called as a format.
    ///   - file: the file's path, for locations and messages.
    ///   - time: of the records before the first that says one.
    ///   - skipsBad: whether what does not fit is left out and counted.
    ///   - sink: takes lines over as soon as there are enough of them; what is left is to be taken by ``takeLines()``.
    public init(format: String, file: String, time: Timestamp, skipsBad: Bool, sink: Sink? = nil) {
        self.sink = sink
        self.format = format
        self.file = file
        self.time = Timestamp(microseconds: .min)
        fallback = time
        problems = ImportProblems(file: file, isSkipping: skipsBad)
    }

    mutating func begin(_ file: String, time: Timestamp) { (self.file, fallback) = (file, time) }

    /// The last commit.
    public var lastCommit: CommitNumber { written.lastCommit }

    /// What the journal holds so far.
    public var totals: Totals { written.totals }

    /// Whether a store is there, and not about to end.
    public func isOpen(_ store: String) -> Bool { state.isOpen(store) }

    /// What a store is; nil where there is none of that name.
    public func state(of store: String) -> JSONValue? { isOpen(store) ? state.stores[store] : nil }

    /// A line of the file as a place.
    public func location(line: Int) -> SourceLocation {
        SourceLocation(file: file, line: line, column: 1, function: "")
    }

    /// Takes out the lines composed so far.
    ///
    /// Those from a time on that is not known to be right stay.
    public mutating func takeLines() -> [UInt8] {
        let bytes = lines.bytes
        lines.removeAll()
        guard let start = jump?.start else { return bytes }
        lines.bytes = Array(bytes[start...])
        jump?.start = 0
        return Array(bytes[..<start])
    }

    /// Hands over the lines so far, and from now on.
    mutating func handOver(to sink: Sink?) {
        self.sink = sink
        if let sink { sink(takeLines()) }
    }

    // MARK: Records

    /// Opens a store; one that is open already becomes this by a commit.
    ///
    /// - Parameter value: its state, members in ascending order.
    public mutating func open(_ store: String, _ value: JSONValue, _ origin: Origin) {
        guard !isOpen(store) else { return set(store, to: value, origin) }
        let moment = begin(origin.time)
        lines.beginStore(seq: lastCommit, store: store, type: format, time: moment, at: origin.at)
        lines.write { $0.write(value) }
        lines.endRecord()
        count()
        state.open(store, value)
    }

    /// Says what a store is now: it is opened, or a commit has what differs.
    ///
    /// - Parameter value: members in ascending order.
    public mutating func set(_ store: String, to value: JSONValue, _ origin: Origin) {
        guard isOpen(store) else { return open(store, value, origin) }
        let identities = identities
        let patch = state.modifyStore(store) { state in
            let patch = JSONPatch.difference(from: state, to: value, identities: identities)
            // Applied, not put in its place: numbers keep the text that the journal has of them.
            let done: Void? = try? patch.apply(to: &state, order: .ascending)
            precondition(done != nil, "a difference applies to what it was made of")
            return patch
        }
        if let patch { append(patch, to: store, origin) }
    }

    /// Adds a commit of an open store.
    ///
    /// - Parameters:
    ///   - patch: of any operations of RFC 6902, values in ascending order. What it writes over is added to it.
    ///   - checksOld: whether an `old` in it has to be what stands there.
    ///   - isNarrowed: whether an object that is put over another one becomes what differs.
    /// - Throws: ``ImportFault`` where it does not fit; nothing has changed then.
    public mutating func commit(
        _ patch: JSONPatch, to store: String, checksOld: Bool = false, isNarrowed: Bool = false, _ origin: Origin
    ) throws(ImportFault) {
        guard isOpen(store) else { throw .storeNotOpen(store) }
        var recorded = RecordedPatch(
            checksOld: checksOld, narrowing: isNarrowed ? identities : nil, copies: copies)
        let fault = state.modifyStore(store) { recorded.apply(patch, to: &$0, of: store) }
        if let fault = fault ?? nil { throw fault }
        copies = recorded.copies
        append(JSONPatch(recorded.operations), to: store, origin)
    }

    private mutating func append(_ patch: JSONPatch, to store: String, _ origin: Origin) {
        let moment = begin(origin.time)
        let seq = lastCommit.next
        state.begin(seq)
        let cause = origin.cause.flatMap { $0 < seq ? $0 : nil }
        lines.beginCommit(
            seq: seq, store: store, version: totals.commits(of: store) + 1, time: moment, at: origin.at,
            name: origin.name, action: origin.action, cause: cause, trace: origin.trace, span: origin.span)
        lines.write { $0.write(patch) }
        lines.endRecord()
        count()
        if written.needsKeyframe { addKeyframe() }
    }

    /// Ends a store, with the next commit.
    ///
    /// - Throws: ``ImportFault`` where it is not open.
    public mutating func close(_ store: String, _ origin: Origin) throws(ImportFault) {
        guard isOpen(store) else { throw .storeNotOpen(store) }
        let moment = begin(origin.time)
        lines.close(seq: lastCommit, store: store, time: moment)
        count()
        state.close(store)
    }

    /// Adds a mark.
    public mutating func mark(_ text: String, level: MarkLevel? = nil, _ origin: Origin) {
        let moment = begin(origin.time)
        lines.mark(seq: lastCommit, time: moment, at: origin.at, text: text, level: level)
        count()
    }

    /// Adds a commit that failed and changed nothing.
    public mutating func abort(_ store: String, error: String, _ origin: Origin) {
        let moment = begin(origin.time)
        lines.abort(seq: lastCommit, store: store, time: moment, at: origin.at, name: origin.name, error: error)
        count()
    }

    /// Ends the journal.
    public mutating func finish() {
        jump = nil
        let moment = begin(nil)
        lines.end(seq: lastCommit, time: moment, totals: totals)
        count()
    }

    mutating func markProblems() {
        guard let text = problems.takeUnmarked() else { return }
        mark(text.text, level: .warning, Origin(at: location(line: text.line)))
    }

    /// Takes one item of a text that has many, called `name` in messages: where what does not fit is left out, only that item is.
    mutating func item(
        _ name: @autoclosure () -> String, line: Int, _ body: (inout ImportedRun) throws(ImportFault) -> Void
    ) throws(ImportFault) {
        markProblems()
        do throws(ImportFault) { try body(&self) } catch {
            let fault = ImportFault.item(name(), error)
            guard problems.isSkipping else { throw fault }
            problems.leaveOut(ImportError(file: file, line: line, fault: fault), line: line)
        }
    }

    /// Takes items of a text one after another, each as ``item(_:line:_:)`` does, called by its number.
    mutating func items(
        _ elements: [JSONValue], _ name: String, line: Int,
        _ body: (inout ImportedRun, JSONValue) throws(ImportFault) -> Void
    ) throws(ImportFault) {
        for (index, element) in elements.enumerated() {
            try item("\(name) \(index)", line: line) { (run) throws(ImportFault) in try body(&run, element) }
        }
    }

    // MARK: What a journal needs besides

    /// The time of the next record; before the first one the first line is written.
    private mutating func begin(_ moment: Timestamp?) -> Timestamp {
        if let moment {
            if jump != nil { checkJump(by: moment) }
            let isEarlier = hasTime && moment < time
            if isEarlier, !isUnordered { fallenTimes += 1 }
            if !hasTime || moment.microseconds - time.microseconds > Self.jumpLength {
                jump = TimeJump(moment: moment, before: hasTime ? time : nil, start: lines.bytes.count)
            }
            // What came before the first time that was said had none of its own.
            time = max(time, moment)
            if !isEarlier || !isUnordered { times.append(moment) }
        } else if !hasTime {
            time = max(time, fallback)
            isUntimed = true
        }
        guard !hasHeader else { return time }
        hasHeader = true
        let labels = [
            JournalHeader.Label(name: "format", value: format), JournalHeader.Label(name: "source", value: file),
        ]
        lines.journal(JournalHeader(time: time, recorder: "state-inspect import", labels: labels))
        count()
        return time
    }

    // MARK: Times that others contradict

    /// A time that is the first, or more than an hour after that of the record before, until a later one says whether it is right.
    private struct TimeJump {
        let moment: Timestamp
        let before: Timestamp?
        /// Where the lines begin that have it.
        var start: Int
        /// What followed the first time of all, and was far before it.
        var after: Timestamp?
    }

    private static let jumpLength = 3_600_000_000

    /// Takes a time back that the next one is far before: that one is nearer to the time before it.
    private mutating func checkJump(by moment: Timestamp) {
        guard let jump, jump.moment.microseconds - moment.microseconds > Self.jumpLength else { return self.jump = nil }
        if let before = jump.before {
            let isOdd = moment.microseconds - before.microseconds < jump.moment.microseconds - moment.microseconds
            isOdd ? takeBack(jump, for: before) : (self.jump = nil)
        } else if let after = jump.after {
            // Times that go on falling are those of a file that is newest first.
            guard moment >= after else { return self.jump = nil }
            fallenTimes -= isUnordered ? 0 : 1
            times.replaceFirst(by: after)
            takeBack(jump, for: after)
        } else {
            self.jump?.after = moment
        }
    }

    /// Says that lines are written that wait for a later time: one of tomorrow is not right then.
    mutating func endJump() {
        let tomorrow = Timestamp.now().microseconds + 24 * Self.jumpLength
        if let jump, let before = jump.before, jump.moment.microseconds > tomorrow { takeBack(jump, for: before) }
        jump = nil
    }

    private mutating func takeBack(_ jump: TimeJump, for right: Timestamp) {
        let old = Array("\"time\":\"\(jump.moment.text)\"".utf8)
        let new = Array("\"time\":\"\(right.text)\"".utf8)
        let kind = Array("\"kind\":\"".utf8)
        var changed = LineBuilder()
        for line in lines.bytes[jump.start...].split(separator: UInt8(ascii: "\n")) {
            var line = Array(line)
            // The time of a record stands before all that a file says; a keyframe has none.
            let isKeyframe = line.firstRange(of: kind).map { line[$0.upperBound...].starts(with: "keyframe".utf8) }
            if isKeyframe == false, let place = line.firstRange(of: old) { line.replaceSubrange(place, with: new) }
            line.withBytes { changed.resummed($0) }
        }
        lines.bytes.replaceSubrange(jump.start..., with: changed.bytes)
        time = right
        oddTimes += 1
        self.jump = nil
    }

    private mutating func addKeyframe() {
        lines.beginKeyframe(seq: lastCommit)
        for (name, value) in state.openStores {
            lines.stateKey(name)
            lines.write { $0.write(value) }
        }
        lines.endKeyframe(totals: totals)
        count()
    }

    private mutating func count() {
        if let record = lines.records.last { written.count(record) }
        guard let sink, lines.bytes.count >= Self.portion else { return }
        if jump != nil {
            guard lines.bytes.count >= Self.waitingLimit else { return }
            endJump()
        }
        sink(takeLines())
    }
}

/// In which order the times of records are.
struct TimeOrder {
    private(set) var first: Timestamp?
    private(set) var last: Timestamp?
    private var (rises, falls) = (0, 0)

    mutating func append(_ moment: Timestamp) {
        if let last {
            if moment > last { rises += 1 }
            if moment < last { falls += 1 }
        }
        first = first ?? moment
        last = moment
    }

    mutating func replaceFirst(by moment: Timestamp) { first = moment }

    var hasFallen: Bool { falls > 0 }
    /// A few records of a list that falls may be out of its order.
    var isRising: Bool { rises * 10 > falls }
    /// One time that falls is rather a clock that was set.
    var isFalling: Bool { falls > 1 && !isRising }
}

extension LineBuilder {
    /// Lets JSON be written at the end of the lines.
    mutating func write(_ body: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        swap(&writer.bytes, &bytes)
        body(&writer)
        swap(&writer.bytes, &bytes)
    }
}
