import CommandLine
import Interchange
import Platform

/// An import without a format: that of the file that stands first.
struct ImportRecognition {
    private(set) var typed: TypedArguments
    /// What is said of it; nil where a format was typed, or none is recognised.
    private(set) var note: String?

    init(_ typed: TypedArguments) {
        self.typed = typed
        let known = ImportFormat.allCases.map(\.rawValue)
        guard let first = typed.operands.first, FormatNames.format(first, known) == nil, !known.contains(first),
            (try? FileStatus(first))?.kind == .regular
        else { return }
        if typed.operands.count > 1 {
            if ImportAdvice.areSnapshots(typed.operands) { use(.snapshots, []) }
            return
        }
        guard let plain = FileLook(first)?.plainImport else { return }
        // Queries that were typed say all of what a line means.
        let isMeant = ImportOptions.lineOptions.contains { ![.strict, .suggest].contains($0) && typed.has($0) }
        use(plain.format, isMeant ? [] : plain.options)
    }

    private mutating func use(_ format: ImportFormat, _ options: [String]) {
        var parser = ArgumentParser([CommandName.import.rawValue, format.rawValue] + options)
        guard parser.problem() == nil else { return }
        typed.operands.insert(format.rawValue, at: 0)
        typed.takeDefaults(from: parser.typed)
        let words = ShellQuoting.line([format.rawValue] + options)
        note = "no format is typed, so this is read by: \(CommandName.import.rawValue) \(words)"
    }
}
