import JSONCore

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

    /// Whether both are one place; texts are compared by their bytes.
    public static func == (a: SourceLocation, b: SourceLocation) -> Bool {
        a.line == b.line && a.column == b.column && UTF8Order.equal(a.file, b.file)
            && UTF8Order.equal(a.function, b.function)
    }

    /// Hashes the bytes of the texts.
    public func hash(into hasher: inout Hasher) {
        UTF8Order.hash(file, into: &hasher)
        hasher.combine(line)
        hasher.combine(column)
        UTF8Order.hash(function, into: &hasher)
    }
}
