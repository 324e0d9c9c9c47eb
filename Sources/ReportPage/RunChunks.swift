import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// The page builds any state from the state that a chunk begins with and its lines.
///
/// The journal's own keyframes are left out, and so are the sums of lines, which do not compress. A chunk is cut
/// directly before a commit: what belongs to a position is in one chunk.
struct RunChunks {
    /// What the page has to know of a chunk before it reads it.
    struct Entry: Equatable {
        let start: Int
        var last: Int
        var rows = 0
        var commits = 0
        /// How many bytes the text of its beginning stands for.
        var beginningByteCount = 0
        /// How many bytes the text of its lines stands for.
        var byteCount = 0
        var source = BeginningChain.Source.whole
    }

    struct Limits {
        /// The fewest bytes of lines in a chunk; more where its state is large.
        var leastLength = 512 << 10
        /// How many times the length of its state a chunk has, packed, so that states are a small part of the page.
        var lengthPerState = 24
        /// The most bytes of lines in a chunk, since a browser reads a chunk whole; more where its state is large.
        var mostLength = 16 << 20
        /// The fewest bytes of a run's first states that are a chunk of their own.
        var openingLength = 64 << 10
        var chain = BeginningChain.Limits()
    }

    private(set) var entries: [Entry] = []
    private(set) var beginnings: [[UInt8]] = []
    private(set) var texts: [[UInt8]] = []
    private(set) var places: [ByteName: Set<Int>] = [:]
    private(set) var damages: [JournalError] = []
    private(set) var leftOut: [String] = []
    private(set) var moreDamages = 0
    private(set) var torn: TornTail?

    private let packer: GzipPacker?
    private let limits: Limits
    private var state: PositionState
    private var chain: BeginningChain
    private var lines: [UInt8] = []
    private var entry: Entry
    /// In bytes; nil until it is first needed.
    private var length: Int?
    /// How many bytes one byte of lines has come to, packed.
    private var packing = 1.0
    /// The packer at work on the chunk before, while the next one is read.
    private var job: (packer: GzipPacker.Job, length: Int)?

    /// Without `packer` chunks are carried as they are; `outcomes` are what derived values that were typed did.
    ///
    /// - Throws: `JournalError` where the part is damaged: also where a patch does not fit.
    static func of(
        _ journal: Journal, _ range: PositionRange, packer: GzipPacker?, recover: Bool, listsPlaces: Bool = false,
        outcomes: DefinedOutcomes? = nil, limits: Limits = Limits()
    ) throws -> RunChunks {
        let state =
            range.lower > journal.start
            ? try journal.state(at: range.lower) : PositionState(start: journal.start)
        var chunks = try RunChunks(state, packer, limits)
        var reader = try journal.records(after: range.lower, through: range.upper, recover: recover)
        var next = try reader.next()
        while let line = next {
            if line.resumed { chunks.appendDamage(reader.damages, line, after: reader.lastBeforeDamage, in: journal) }
            if line.kind == .commit { try chunks.append(outcomes?.take(before: line.seq)) }
            try chunks.makeRoom(for: line)
            do throws(JournalError) {
                try chunks.take(line)
                if listsPlaces, let place = try Record(line).place, let file = place.file, let number = place.line {
                    chunks.places[ByteName(file), default: []].insert(number)
                }
                next = try reader.next()
            } catch {
                next = try reader.recover(from: error, at: line)
            }
        }
        try chunks.append(outcomes?.take(before: nil))
        chunks.torn = reader.tornTail
        if reader.endsInDamage { chunks.appendDamage(reader.damages, nil, after: reader.lastBeforeDamage, in: journal) }
        chunks.leaveOut(reader.damages, upTo: nil, in: journal)
        chunks.moreDamages = reader.damageCount - chunks.damages.count
        try chunks.close()
        try chunks.takeTextOfLast()
        return chunks
    }

    private init(_ state: PositionState, _ packer: GzipPacker?, _ limits: Limits) throws {
        self.state = state
        self.packer = packer
        self.limits = limits
        chain = BeginningChain(limits.chain, packer)
        entry = Entry(start: state.position.rawValue, last: state.position.rawValue)
        open(with: try chain.next(state))
    }

    var commitCount: Int { entries.reduce(0) { $0 + $1.commits } }

    // MARK: Lines

    private mutating func makeRoom(for line: RecordLine) throws {
        guard line.kind == .commit else { return }
        if entries.isEmpty, entry.commits == 0, lines.count >= limits.openingLength {
            try goOn()
        } else if try isFull() {
            try close()
            open(with: try chain.next(state))
        }
    }

    /// Takes a line that is proven to be what the page reads without looking.
    private mutating func take(_ line: RecordLine) throws(JournalError) {
        _ = try line.token()
        try checkMembers(line)
        try state.apply(line)
        entry.last = line.seq.rawValue
        switch line.kind {
        // The page shows none of a kind that is not known, and has one of its own for damage.
        case .journal, .keyframe, .end, .other: return
        case .commit:
            entry.commits += 1
            entry.rows += 1
        case .store, .close, .mark, .abort, .gap: entry.rows += 1
        case .derived, .outcome: break
        }
        append(line.bytes)
    }

    private func checkMembers(_ line: RecordLine) throws(JournalError) {
        switch line.kind {
        case .derived: _ = try line.decode { (o) throws(RecordFault) in try DerivedRecord(o) }
        case .outcome: _ = try line.decode { (o) throws(RecordFault) in try OutcomeRecord(o) }
        case .abort: _ = try line.decode { (o) throws(RecordFault) in try AbortRecord(o) }
        case .mark: _ = try line.decode { (o) throws(RecordFault) in try MarkRecord(o) }
        case .gap: _ = try line.decode { (o) throws(RecordFault) in try GapRecord(o) }
        case .journal, .store, .commit, .keyframe, .close, .end, .other: break
        }
    }

    private mutating func append(_ line: ByteView) {
        if case .none = LineSum.check(line) {
            lines.append(contentsOf: line)
        } else {
            lines.append(contentsOf: line[..<(line.count - LineSum.tailLength)])
            lines.append(UInt8(ascii: "}"))
        }
        lines.append(UInt8(ascii: "\n"))
    }

    /// Ends at the line at which reading goes on, or at the end; `found` is the damage that the reader has met so far.
    private mutating func appendDamage(
        _ found: [JournalError], _ line: RecordLine?, after last: CommitNumber, in journal: Journal
    ) {
        leaveOut(found, upTo: line, in: journal)
        var object = JSONObject()
        object["seq"] = .number((line?.seq ?? state.position).rawValue)
        object["kind"] = .string("damage")
        object["last"] = .number(last.rawValue)
        // A gap says its states itself, and is listed.
        if let line, line.kind == .keyframe, (try? state.apply(line)) != nil {
            object["states"] = .object(state.stores)
        }
        append(object)
        entry.rows += 1
    }

    /// Ends at the line at which reading goes on; nil for the end.
    private mutating func leaveOut(_ found: [JournalError], upTo line: RecordLine?, in journal: Journal) {
        for error in found.dropFirst(damages.count) {
            let error = journal.numbered(error)
            damages.append(error)
            let next = line.flatMap { $0.number ?? (try? journal.lineNumber(at: $0.offset)) }
            leftOut.append(Self.sentence(error, upTo: next))
        }
    }

    private static func sentence(_ error: JournalError, upTo next: LineNumber?) -> String {
        var lines = "Lines are left out"
        if case .damage(let damage) = error.fact, let first = damage.line?.rawValue {
            lines =
                switch next?.rawValue {
                case nil: "Line \(first) and what follows it are left out"
                // A keyframe has the whole state.
                case first?: "Line \(first) does not fit the lines before it"
                case (first + 1)?: "Line \(first) is left out"
                case let next?: "Lines \(first) to \(next - 1) are left out"
                }
        }
        let diagnostic = error.diagnostic
        return ([lines, diagnostic.message] + diagnostic.notes).joined(separator: ": ")
    }

    private mutating func append(_ objects: [JSONObject]?) {
        for object in objects ?? [] { append(object) }
    }

    private mutating func append(_ object: JSONObject) {
        var writer = JSONWriter()
        writer.write(.object(object))
        lines += writer.bytes
        lines.append(UInt8(ascii: "\n"))
    }

    // MARK: Chunks

    private mutating func open(with beginning: BeginningChain.Beginning) {
        entry = Entry(start: state.position.rawValue, last: state.position.rawValue)
        entry.beginningByteCount = beginning.content.count
        entry.source = beginning.source
        beginnings.append(SeptetText.encoded(beginning.content))
        length = nil
    }

    private mutating func goOn() throws {
        let length = lines.count
        try close()
        try takeTextOfLast()
        open(with: chain.goOn(with: state, after: (length, entries[0].byteCount)))
    }

    private mutating func isFull() throws -> Bool {
        guard lines.count >= limits.leastLength else { return false }
        let length = try self.length ?? fullLength()
        self.length = length
        return lines.count >= length
    }

    /// A state may compress far worse than the lines after it, as random texts do, which lines only repeat.
    private mutating func fullLength() throws -> Int {
        try takeTextOfLast()
        // Each chunk bears its own patch, and its share of the whole state before it.
        let state = max(entry.beginningByteCount, chain.shareOfWhole)
        let wanted = Double(limits.lengthPerState * state) / packing
        let most = max(limits.mostLength, limits.lengthPerState * chain.whole.plain)
        return max(limits.leastLength, min(Int(wanted), most))
    }

    /// The packer works on the chunk while the next one is read.
    private mutating func close() throws {
        try takeTextOfLast()
        entries.append(entry)
        if let packer { job = (try packer.begin(lines), lines.count) } else { append(content: lines) }
        lines.removeAll(keepingCapacity: true)
    }

    private mutating func takeTextOfLast() throws {
        guard let packer, let (job, length) = job else { return }
        let content = try packer.finish(job)
        packing = max(0.001, Double(content.count) / Double(length))
        append(content: content)
        self.job = nil
    }

    private mutating func append(content: [UInt8]) {
        entries[texts.count].byteCount = content.count
        texts.append(SeptetText.encoded(content))
    }
}
