import JSONCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension Journal {
    /// Opens a journal and checks its first line.
    ///
    /// A file that begins with the gzip or zstd magic is read through the program of that name.
    ///
    /// - Parameter path: a path, or `-` for standard input.
    /// - Throws: ``JournalError`` where there is nothing to read, or it is no journal, or one of a newer version.
    public static func open(_ path: String, access: Access) throws(JournalError) -> Journal {
        var source = try JournalOpening(path: path).source()
        try source.keepFirstLine(limit: headerLengthLimit)
        var journal = try FirstLineCheck(path: path, source: source).journal()
        if access == .random, source.size == nil {
            var size = 0
            let file = try TemporaryFile.spool(source, path: path, size: &size)
            source = ByteSource(path: path, file: file, size: size)
            journal = Journal(path: path, source: source, header: journal.headerLine, version: journal.version)
        }
        return journal
    }
}

/// Finds out what a path leads to, and how its bytes are read.
private struct JournalOpening {
    let path: String

    func source() throws(JournalError) -> ByteSource {
        let file = try descriptor()
        let status: stat
        do throws(SystemFailure) { status = try file.status() } catch { throw JournalError(path: path, error) }
        if status.isDirectory { throw JournalError(path: path, .directory) }
        guard status.isRegularFile else { return try pipeSource(file) }
        let base = path == "-" ? max(0, Int(lseek(file.number, 0, SEEK_CUR))) : 0
        var magic = [UInt8](repeating: 0, count: Packing.magicLength)
        let count = pread(file.number, &magic, magic.count, off_t(base))
        if let packing = Packing(magic: magic.prefix(max(0, count))) { return try unpacked(file, packing) }
        return ByteSource(path: path, file: file, base: base, size: max(0, Int(status.st_size) - base))
    }

    private func descriptor() throws(JournalError) -> FileDescriptor {
        if path == "-" {
            let number = fcntl(0, F_DUPFD_CLOEXEC, 3)
            guard number >= 0 else { throw JournalError(path: path, SystemFailure("dup")) }
            return FileDescriptor(owning: number)
        }
        do throws(SystemFailure) { return try FileDescriptor.open(path, flags: O_RDONLY | O_NOCTTY) } catch {
            switch error.code {
            case ENOENT, ENOTDIR: throw JournalError(path: path, .missing)
            case EACCES, EPERM: throw JournalError(path: path, .notPermitted)
            default: throw JournalError(path: path, error)
            }
        }
    }

    private func pipeSource(_ file: consuming FileDescriptor) throws(JournalError) -> ByteSource {
        var prefix: [UInt8] = []
        var block = [UInt8](repeating: 0, count: Packing.magicLength)
        while prefix.count < Packing.magicLength {
            let count = systemRead(file.number, &block, Packing.magicLength - prefix.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw JournalError(path: path, SystemFailure("read")) }
            if count == 0 { break }
            prefix += block[..<count]
        }
        let stream = ByteSource(path: path, pipe: file, prefix: prefix)
        guard let packing = Packing(magic: prefix) else { return stream }
        // The program wants the front too, which was read already.
        var size = 0
        return try unpacked(try TemporaryFile.spool(stream, path: path, size: &size), packing)
    }

    private func unpacked(_ file: borrowing FileDescriptor, _ packing: Packing) throws(JournalError) -> ByteSource {
        var output: FileDescriptor?
        let unpacker = try Unpacker.start(packing, reading: file, path: path, output: &output)
        guard let output = output.take() else { throw JournalError(path: path, SystemFailure("pipe", code: EPIPE)) }
        return ByteSource(path: path, pipe: output, unpacker: unpacker)
    }
}

/// Tells a journal by its first line.
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
            let begins = line.starts(with: #"{"seq":"#.utf8) && line.count < Journal.headerLengthLimit
            throw notAJournal(!isTerminated && begins ? .torn : .notJSON)
        }
        throw notAJournal(.notARecord)
    }

    /// The first bytes, up to the first newline at least, or to the limit of a first line.
    private func front() throws(JournalError) -> [UInt8] {
        var front: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 14)
        while front.count < Journal.headerLengthLimit {
            let count = try block.withUnsafeMutableBufferPointer { (buffer) throws(JournalError) in
                try source.read(into: UnsafeMutableRawBufferPointer(buffer), at: front.count)
            }
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
