/// The place in the app's source that a record came from: the journal's `at`.
public struct SourceLocation: Sendable, Hashable {
    /// `#fileID`: the module's name, a slash, the file's base name.
    public var file: String
    /// Counted from 1.
    public var line: Int
    /// Counted from 1, in UTF-8 bytes.
    public var column: Int
    /// `#function`.
    public var function: String

    /// Names a place in a source file.
    public init(file: String, line: Int, column: Int, function: String) {
        self.file = file
        self.line = line
        self.column = column
        self.function = function
    }
}
