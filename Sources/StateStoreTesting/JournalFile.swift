internal import JournalFormat
internal import Platform
import Testing

/// The file that one test is recorded in.
struct JournalFile: Sendable {
    /// The variable of the environment that names the folder for the journals of failed tests.
    static let environmentVariable = "STATE_JOURNAL_KEEP"

    let path: String
    let name: String

    /// - Parameters:
    ///   - folder: where; nil for the folder that `STATE_JOURNAL_KEEP` names, else `TMPDIR`.
    ///   - test: the test's name, which the file's begins with.
    ///   - arguments: those of a case of a parameterized test, which follow it.
    init(folder: String?, test: String, arguments: String? = nil) {
        let folder =
            folder ?? Environment.variable(JournalFile.environmentVariable) ?? Environment.variable("TMPDIR") ?? "/tmp"
        FileSystem.makeFolder(folder)
        let words = [String(test.prefix { $0 != "(" })] + (arguments.map { [$0] } ?? [])
        let stem = words.map(JournalFile.plain).joined(separator: "-")
        name = FileSystem.fitting(
            String(stem.prefix(80)), suffix: "-\(JournalHeader.freshID()).jsonl", reserve: SegmentFiles.suffixLength)
        path = "\(folder)/\(name)"
    }

    private static func plain(_ text: String) -> String {
        text.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
    }

    /// The bytes written so far; none if the file cannot be read.
    var bytes: [UInt8] { (try? FileDescriptor.readAll(of: path)) ?? [] }

    func remove() { FileSystem.remove(path) }

    func announce(test: String) {
        let text = "StateStore: the journal of the failed test '\(test)' is '\(path)'\n"
        FileDescriptor.writeToStandardError(text)
    }
}

/// The arguments of a case of a parameterized test, which Swift Testing only shows to reflection.
enum TestArguments {
    /// The arguments as text; nil if there are none, or they are not found.
    static func text(of testCase: Test.Case) -> String? {
        guard testCase.isParameterized, let arguments = find(in: testCase, depth: 4) else { return nil }
        let values = Mirror(reflecting: arguments).children.compactMap { child in
            Mirror(reflecting: child.value).children.first { $0.label == "value" }.map { "\($0.value)" }
        }
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    private static func find(in value: Any, depth: Int) -> Any? {
        if depth == 0 { return nil }
        for child in Mirror(reflecting: value).children {
            if child.label == "arguments" { return child.value }
            if let found = find(in: child.value, depth: depth - 1) { return found }
        }
        return nil
    }
}
