public import JSONCore
public import QueryLanguage

/// Why something in a file that is imported does not fit.
public enum ImportFault: Error, Sendable, Equatable {
    /// There is nothing in the file.
    case empty
    /// The file is in another encoding than UTF-8.
    case encoding(String)
    /// A text is no JSON.
    case json(JSONError)
    /// A text is longer than the limit.
    case tooLong(limit: Int)
    /// A query of an option fails.
    case query(option: String, QueryError)
    /// A query of an option gives what is not wanted.
    case output(option: String, JSONValue, expected: String)
    /// A member is not there or is of another type.
    case member(String, expected: String, isMissing: Bool)
    /// The text is of another form than the format's.
    case form(expected: String)
    /// A patch does not apply; `found` stands at `nearest`, the deepest part of the path that is there.
    case patch(PatchError, store: String, nearest: JSONPointer, found: JSONValue)
    /// A patch is none; `found` stands in its place.
    case noPatch(PatchError, found: JSONValue)
    /// A change says that something else was there than there is; nil where nothing is.
    case otherOld(JSONPointer, said: JSONValue, found: JSONValue?)
    /// A store ends, or changes, that is not there.
    case storeNotOpen(String)
    /// The format has no operation of this name.
    case operation(String, known: [String])
    /// A row has no value in a column of its key.
    case noKey(table: String, columns: [String])
    /// The text at the end is not what the file says that it is.
    case otherEnd(expected: String)
    /// The inverse patches do not lead back.
    case notInverse
    /// The file is of another format, as far as its first text shows.
    case otherFormat(ImportFormat, looksLike: ImportFormat.Likeness?)
    /// Something in a file of one text.
    indirect case item(String, ImportFault)
}

extension ImportFault {
    var concernsFile: Bool {
        switch self {
        case .otherFormat, .encoding: true
        default: false
        }
    }

    var concernsForm: Bool {
        switch self {
        case .form, .member, .noPatch: true
        case .item(_, let fault): fault.concernsForm
        default: false
        }
    }
}

/// Something in a file that does not fit, with its place.
public struct ImportError: Error, Sendable, Equatable {
    /// The file.
    public var file: String
    /// The line that the text begins in, from 1; nil for the file as a whole.
    public var line: Int?
    /// What is wrong.
    public var fault: ImportFault

    /// An error at a line, or of the file as a whole.
    public init(file: String, line: Int?, fault: ImportFault) {
        self.file = file
        self.line = line
        self.fault = fault
    }
}
