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
    /// The variable of the environment that names the folder for the journals of failed tests.
    static let environmentVariable = "STATE_JOURNAL_KEEP"

    let path: String

    /// Finds a name that nobody has, and makes the folder if it is not there.
    ///
    /// - Parameters:
    ///   - folder: where; nil for the folder that `STATE_JOURNAL_KEEP` names, else `TMPDIR`.
    ///   - test: the test's name, which the file's begins with.
    init(folder: String?, test: String) {
        let folder =
            folder ?? JournalFile.variable(JournalFile.environmentVariable) ?? JournalFile.variable("TMPDIR") ?? "/tmp"
        mkdir(folder, 0o700)
        let name = test.prefix { $0 != "(" }.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
        path = "\(folder)/\(name.prefix(80))-\(JournalHeader.freshID()).jsonl"
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
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

    /// Says on standard error where it is.
    func announce(test: String) {
        var text = "StateStore: the journal of the failed test '\(test)' is '\(path)'\n"
        _ = text.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
