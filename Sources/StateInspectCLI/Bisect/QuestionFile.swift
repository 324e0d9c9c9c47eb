import Platform

/// What a program that is asked reads from its standard input: a file without a name, written anew for each question.
struct QuestionFile: ~Copyable {
    private let file: FileDescriptor

    /// Makes an empty file in the folder that the environment names for such files.
    init(_ environment: Environment) throws(SystemFailure) { file = try TemporaryFile.make(in: environment["TMPDIR"]) }

    /// Open for reading and writing.
    var descriptor: Int32 { file.number }

    /// Writes these bytes and goes back to the first of them.
    func replaceContent(with bytes: [UInt8]) throws(SystemFailure) {
        try file.removeContent()
        try file.write(bytes)
        try file.rewind()
    }
}
