internal import JournalFormat

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The file that one test is recorded in.
struct JournalFile: Sendable {
    let path: String

    /// Finds a name that nobody has in a folder, by default the one that `TMPDIR` names.
    init(folder: String?) {
        let folder = folder ?? getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        path = "\(folder)/\(JournalHeader.freshID()).jsonl"
    }

    /// What was written so far; nothing where it cannot be read.
    var bytes: [UInt8] {
        guard let file = fopen(path, "rb") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    func remove() { unlink(path) }
}
