internal import JournalFormat
internal import Platform

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
            folder ?? Environment.variable(JournalFile.environmentVariable) ?? Environment.variable("TMPDIR") ?? "/tmp"
        FileSystem.makeFolder(folder)
        let name = test.prefix { $0 != "(" }.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
        path = "\(folder)/\(name.prefix(80))-\(JournalHeader.freshID()).jsonl"
    }

    /// What was written so far; nothing where it cannot be read.
    var bytes: [UInt8] { (try? FileDescriptor.readAll(of: path)) ?? [] }

    func remove() { FileSystem.remove(path) }

    /// Says on standard error where it is.
    func announce(test: String) {
        let text = "StateStore: the journal of the failed test '\(test)' is '\(path)'\n"
        FileDescriptor.writeToStandardError(text)
    }
}
