import JSONCore
package import JournalFormat
package import Platform

extension Journal {
    /// Opens a journal and checks its first line.
    ///
    /// A file that begins with the gzip or zstd magic is read through the program of that name.
    ///
    /// - Parameters:
    ///   - path: a path, or `-` for standard input.
    ///   - spoolLimit: how many bytes a packed file may have when it is unpacked into a temporary one.
    ///   - recover: whether a first line that is damaged, and read all the same, is left for a pass to report.
    ///   - progress: called with how far reading has come, here and later.
    /// - Throws: ``JournalError`` where there is nothing to read, or it is not a journal, or one of a newer version, or its first
    ///   line is damaged.
    public static func open(
        _ path: String, access: Access, spoolLimit: Int = defaultSpoolLimit, recover: Bool = false,
        progress: Progress? = nil
    ) throws(JournalError) -> Journal {
        try open(path, access: access, spoolLimit: spoolLimit, recover: recover, until: nil, progress: progress)
    }

    /// Opens a journal as ``open(_:access:spoolLimit:recover:progress:)`` does.
    ///
    /// - Parameter stop: ends all reading, of the journal that is returned, too: with ``JournalError/Fact/stopped``.
    package static func open(
        _ path: String, access: Access, spoolLimit: Int = defaultSpoolLimit, recover: Bool = false,
        until stop: StopRequest?, progress: Progress? = nil
    ) throws(JournalError) -> Journal {
        var source = try JournalOpening(path: path, progress: progress, stop: stop).source()
        try source.keepFirstLine(limit: headerLengthLimit)
        var journal = try FirstLineCheck(path: path, source: source).journal()
        var isWhole = true
        do throws(JournalError) { try journal.checkFirstLine() } catch {
            guard recover else { throw error }
            isWhole = false
        }
        if access == .random, source.size == nil {
            let limit = source.isUnpacked ? spoolLimit : .max
            let spooled = try SpooledFile.holding(source, path: path, limit: limit)
            let size = spooled.size
            source = ByteSource(path: path, file: spooled.descriptor, size: size, stop: stop, progress: progress)
            journal = Journal(path: path, source: source, header: journal.headerRecord, version: journal.version)
        }
        guard !isWhole else { return journal }
        return Journal(
            path: path, source: source, header: journal.headerRecord, version: journal.version,
            start: RunStart.find(in: journal))
    }

    /// Opens a journal that is read from front to back once, as it is written: its reader waits for more, up to the record that
    /// ends the run.
    ///
    /// - Parameters:
    ///   - awaitsFile: whether the end of a file is waited beyond, too, not only that of what a pipe holds.
    ///   - stop: ends a wait; what was read is then all there is.
    package static func follow(
        _ path: String, awaitsFile: Bool, until stop: StopRequest, progress: Progress? = nil
    ) throws(JournalError) -> Journal {
        let source = try JournalOpening(
            path: path, progress: progress, stop: stop, isFollowed: true, awaitsFile: awaitsFile
        ).source()
        try source.keepFirstLine(limit: headerLengthLimit)
        let journal = try FirstLineCheck(path: path, source: source).journal()
        try journal.checkFirstLine()
        return journal
    }
}

/// Finds out what a path leads to, and how its bytes are read.
struct JournalOpening {
    let path: String
    let progress: Journal.Progress?
    /// Ends the wait for what is written where the journal is followed, else all reading.
    var stop: StopRequest?
    var isFollowed = false
    var awaitsFile = false
    var mayRotate = false

    func source() throws(JournalError) -> ByteSource {
        let file = try descriptor()
        let status: FileStatus
        do throws(SystemFailure) { status = try file.status() } catch { throw JournalError(path: path, error) }
        if status.kind == .directory { throw JournalError(path: path, .directory) }
        // A file whose size is 0 may have content all the same, as those of '/proc' do.
        let isFile = status.kind == .regular
        let isGrowing = isFollowed && (!isFile || awaitsFile)
        let growth = isGrowing ? stop.map { ByteSource.Growth(stop: $0, isFile: isFile, mayRotate: mayRotate) } : nil
        if let growth, growth.isFile, status.byteCount == 0 {
            return ByteSource(path: path, pipe: file, growth: growth, progress: progress)
        }
        guard status.kind == .regular, status.byteCount > 0 else { return try pipeSource(file, growth) }
        let base = path == "-" ? file.offset() : 0
        var magic = [UInt8](repeating: 0, count: Packing.magicLength)
        var room = magic.mutableSpan
        let count = (try? file.read(into: &room, at: base)) ?? 0
        if let packing = Packing(magic: magic.prefix(count)) { return try unpacked(file, packing) }
        if let growth { return ByteSource(path: path, pipe: file, growth: growth, progress: progress) }
        return ByteSource(
            path: path, file: file, base: base, size: max(0, status.byteCount - base), stop: end, progress: progress)
    }

    private var end: StopRequest? { isFollowed ? nil : stop }

    private func descriptor() throws(JournalError) -> FileDescriptor {
        do throws(SystemFailure) {
            return try path == "-" ? FileDescriptor.duplicating(0) : FileDescriptor.reading(path)
        } catch {
            switch error.code {
            case Errno.noSuchFileOrDirectory, Errno.notDirectory: throw JournalError(path: path, .missing)
            case Errno.permissionDenied, Errno.notPermitted: throw JournalError(path: path, .notPermitted)
            default: throw JournalError(path: path, error)
            }
        }
    }

    private func pipeSource(
        _ file: consuming FileDescriptor, _ growth: ByteSource.Growth?
    ) throws(JournalError) -> ByteSource {
        var prefix: [UInt8] = []
        var block = [UInt8](repeating: 0, count: Packing.magicLength)
        while Packing.mayBegin(with: prefix) {
            let wanted = Packing.magicLength - prefix.count
            let count: Int
            do throws(SystemFailure) {
                var room = block.mutableSpan
                count = try file.read(into: &room, atMost: wanted)
            } catch {
                throw JournalError(path: path, error)
            }
            if count == 0 { break }
            prefix += block[..<count]
        }
        let stream = ByteSource(path: path, pipe: file, prefix: prefix, growth: growth, stop: end, progress: progress)
        guard let packing = Packing(magic: prefix) else { return stream }
        // The program wants the front too, which was read already.
        return try unpacked(try SpooledFile.holding(stream, path: path, limit: .max).descriptor, packing)
    }

    private func unpacked(_ file: borrowing FileDescriptor, _ packing: Packing) throws(JournalError) -> ByteSource {
        var output: FileDescriptor?
        let unpacker = try Unpacker.start(packing, reading: file, path: path, output: &output)
        guard let output = output.take() else { throw JournalError(path: path, .notSeekable) }
        return ByteSource(path: path, pipe: output, unpacker: unpacker, stop: end, progress: progress)
    }
}

private struct FirstLineCheck {
    let path: String
    let source: ByteSource

    func journal() throws(JournalError) -> Journal {
        let front = try front()
        if front.isEmpty { throw JournalError(path: path, .empty) }
        if front.starts(with: [0xEF, 0xBB, 0xBF]) { throw notAJournal(.byteOrderMark) }
        let end = front.firstIndex(of: UInt8(ascii: "\n"))
        let line = Array(front[..<(end ?? front.count)])
        let object = try object(line, isTerminated: end != nil)
        guard case .string(let kind)? = object["kind"], let number = object["seq"]?.number?.integerValue,
            (0...CommitNumber.largest.rawValue).contains(number)
        else { throw notAJournal(.notARecord) }
        guard kind == "journal" else { throw notAJournal(.otherKind(kind)) }
        guard let version = object["version"]?.number?.integerValue else { throw notAJournal(.noVersion) }
        guard version <= JournalHeader.currentVersion else { throw JournalError(path: path, .newerVersion(version)) }
        let header = OwnedRecord(
            seq: CommitNumber(number), kind: .journal, offset: .zero, number: .first, bytes: line,
            hasNewline: end != nil, journal: JournalName(path))
        return Journal(path: path, source: source, header: header, version: version)
    }

    private func object(_ line: [UInt8], isTerminated: Bool) throws(JournalError) -> JSONObject {
        do throws(JSONError) {
            if case .object(let object) = try JSONParser.parse(line) { return object }
        } catch {
            guard isTerminated || line.count < Journal.headerLengthLimit else { throw notAJournal(.tooLong) }
            throw notAJournal(!isTerminated && line.starts(with: #"{"seq":"#.utf8) ? .torn : .notJSON)
        }
        throw notAJournal(.notARecord)
    }

    /// The first bytes, up to the first newline at least, or to the limit of a first line.
    private func front() throws(JournalError) -> [UInt8] {
        var front: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 14)
        while front.count < Journal.headerLengthLimit {
            var room = block.mutableSpan
            let count = try source.read(into: &room, at: front.count)
            if count == 0 { break }
            front += block[..<count]
            if block[..<count].contains(UInt8(ascii: "\n")) { break }
            // A pipe gives its front only as far as it was kept.
            if source.size == nil, front.count >= Journal.headerLengthLimit { break }
        }
        return front
    }

    private func notAJournal(_ line: JournalError.FirstLine) -> JournalError {
        JournalError(path: path, .notAJournal(line))
    }
}

/// Where a run begins whose first line may be wrong about that.
package enum RunStart {
    private static let asked = 64

    /// What the first line says, as long as the first records go on from it; else what most go on from, if no commits
    /// are lost before.
    package static func find(in journal: Journal) -> CommitNumber {
        let stated = try? journal.headerRecord.withLine { (line) throws(JournalError) in try line.statedStart() }
        let number = journal.headerRecord.seq
        let claims = [stated, number].compactMap(\.self)
        let votes = votes(in: journal)
        if let best = claims.max(by: { votes[$0, default: 0] < votes[$1, default: 0] }), votes[best] != nil {
            return best
        }
        let most = votes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        if let most, claims.allSatisfy({ most < $0 }) { return most }
        return stated ?? number
    }

    private static func votes(in journal: Journal) -> [CommitNumber: Int] {
        var votes: [CommitNumber: Int] = [:]
        guard journal.isSeekable else { return votes }
        var reader = journal.records(recover: true, checksSums: false)
        var commits = 0
        for _ in 0..<asked {
            do throws(JournalError) {
                guard let line = try reader.nextOfAnyNumber() else { break }
                if line.kind == .gap { break }
                if line.kind == .commit { commits += 1 }
                if line.kind == .journal || line.seq.rawValue < commits { continue }
                if case .wrong = LineSum.check(line.bytes) { continue }
                votes[CommitNumber(line.seq.rawValue - commits), default: 0] += 1
            } catch { continue }
        }
        return votes
    }
}
