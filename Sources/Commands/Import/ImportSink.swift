/// Writes the lines of an import as they come; keeps a write error until the caller asks for it.
final class ImportSink {
    private let output: JournalOutput
    private var failure: (any Error)?

    init(_ output: JournalOutput) { self.output = output }

    /// Writes lines; does nothing after a failure.
    func take(_ lines: [UInt8]) {
        guard failure == nil else { return }
        do { try output.append(lines) } catch { failure = error }
    }

    /// Writes lines.
    ///
    /// - Throws: why these, or ones before them, could not be written.
    func append(_ lines: [UInt8]) throws {
        take(lines)
        try check()
    }

    func check() throws {
        if let failure { throw failure }
    }
}
