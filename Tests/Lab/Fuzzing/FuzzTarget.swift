/// A reader of foreign bytes.
///
/// Besides traps, hangs and growth, which the driver sees, each target has laws of its own, and ends the program where one does
/// not hold.
enum FuzzTarget: String, CaseIterable {
    /// A program of the query language, and what it is given.
    case query
    /// A regular expression, and the text that it is held against.
    case pattern
    /// A JSON text, by the parser, the writer and the scanner of compact text.
    case json
    /// A JSON Patch, and the value that it is applied to.
    case patch
    /// A JSON Pointer, or a path as it is typed.
    case pointer
    /// A journal, given to one of the commands.
    case journal
    /// A journal, asked the same by two roads.
    case roads
    /// A journal, repaired.
    case repair
    /// A journal and a secret, redacted.
    case redact
    /// A file of another program, imported.
    case importing = "import"
    /// A command line.
    case arguments
    /// A script of the debugger.
    case debug

    func run(_ bytes: [UInt8]) {
        switch self {
        case .query: QueryCase(bytes).run()
        case .pattern: PatternCase(bytes).run()
        case .json: JSONCase(bytes).run()
        case .patch: PatchCase(bytes).run()
        case .pointer: PointerCase(bytes).run()
        case .journal: JournalCase(bytes).run()
        case .roads: RoadsCase(bytes).run()
        case .repair: RepairCase(bytes).run()
        case .redact: RedactCase(bytes).run()
        case .importing: ImportCase(bytes).run()
        case .arguments: ArgumentsCase(bytes).run()
        case .debug: DebugCase(bytes).run()
        }
    }
}

/// Ends the program where a law does not hold, and says which: an optimised build drops the words of a precondition.
func require(_ condition: Bool, _ words: @autoclosure () -> String) {
    if !condition { fatalError(words()) }
}
