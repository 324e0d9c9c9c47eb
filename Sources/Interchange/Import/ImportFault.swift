public import Diagnostics
public import JSONCore
public import QueryLanguage

/// Why something in a file that is imported does not fit.
public enum ImportFault: Error, Sendable, Equatable {
    /// There is nothing in the file.
    case empty
    /// The file is in another encoding than UTF-8, or no text at all.
    case encoding(String)
    /// The newest record stands first, and what follows is not there yet or does not fit into memory.
    case newestFirst
    /// Text is not JSON.
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
    /// A definition of the format says what does not fit.
    case definition(String)
    /// The text at the end is not what the file says that it is.
    case otherEnd(expected: String)
    /// The inverse patches do not lead back.
    case notInverse
    /// The file is of another format, as far as its first text shows.
    case otherFormat(ImportFormat, looksLike: ImportFormat.Likeness?)
    /// Something in a file of one text.
    indirect case item(String, ImportFault)

    var concernsFile: Bool {
        switch self {
        case .otherFormat, .encoding, .newestFirst: true
        default: false
        }
    }

    var concernsForm: Bool {
        switch self {
        case .form, .member, .noPatch, .definition: true
        case .item(_, let fault): fault.concernsForm
        default: false
        }
    }

    var code: String {
        switch self {
        case .empty: "empty"
        case .encoding: "encoding"
        case .newestFirst: "newest-first"
        case .json: "json"
        case .tooLong: "too-long"
        case .query, .output: "query"
        case .member, .form, .definition: "form"
        case .patch: "patch"
        case .noPatch: "no-patch"
        case .otherOld: "other-old"
        case .storeNotOpen: "no-such-store"
        case .operation: "unknown-operation"
        case .otherEnd: "other-end"
        case .notInverse: "not-inverse"
        case .otherFormat: "other-format"
        case .item(_, let fault): fault.code
        }
    }

    var sentence: String {
        switch self {
        case .empty: "there is nothing in it"
        case .encoding(let name): "this is \(name), should be UTF-8"
        case .newestFirst: "the newest record stands first, and a journal begins with the oldest"
        case .json(let error): "this is no JSON: \(error.message)"
        case .tooLong(let limit): "this is longer than \(limit) bytes"
        case .query(let option, let error): "'\(option)' fails: \(error.message)"
        case .output(let option, let value, let expected):
            "'\(option)' gives \(Self.preview(value)), should be \(expected)"
        case .member(let name, let expected, true): "'\(name)' is missing, should be \(expected)"
        case .member(let name, let expected, false): "'\(name)' should be \(expected)"
        case .form(let expected): "this is not \(expected)"
        case .patch(let error, let store, _, _): "the patch does not apply to '\(store)': \(error.diagnostic.message)"
        case .noPatch(let error, _): "this is no patch: \(error.diagnostic.message)"
        case .otherOld(let path, let said, let found):
            "'\(path.text)' is said to be \(Self.preview(said)), "
                + (found.map { "there is \(Self.preview($0))" } ?? "there is nothing")
        case .storeNotOpen(let store): "the store '\(store)' is not open here"
        case .operation(let name, _): "there is no operation '\(name)'"
        case .definition(let words): words
        case .otherEnd(let expected): "the text at the end is not that of '\(expected)'"
        case .notInverse: "the inverse patches do not lead back to the state before"
        case .otherFormat(let format, _): "this is not '\(format.rawValue)'"
        case .item(let item, let fault): "\(item): \(fault.sentence)"
        }
    }

    var notes: [String] {
        switch self {
        case .patch(_, _, let nearest, let found):
            [(nearest.segments.isEmpty ? "the whole state" : "'\(nearest.text)'") + " is \(Self.preview(found))"]
        case .noPatch(_, let found): ["it is \(Self.preview(found))"]
        case .operation(_, let known): ["known are " + known.map { "'\($0)'" }.joined(separator: ", ")]
        case .otherFormat(_, let likeness?): ["this looks like \(likeness.name)"]
        case .otherFormat(let format, nil): ["a file of that format is \(format.form)"]
        case .item(_, let fault): fault.notes
        default: []
        }
    }

    var help: [String] {
        switch self {
        // The definitions of rows name the table first.
        case .definition(let words) where UTF8Order.begins(words, with: "a row of "):
            ["'--key COLUMN' names the primary key"]
        case .tooLong: ["\"state-inspect query '.[]' FILE\" makes a line of each element of an array"]
        case .item(_, let fault): fault.help
        default: []
        }
    }

    static func preview(_ value: JSONValue) -> String {
        let text = value.text()
        return text.utf8.count <= 80 ? text : String(text.prefix(77)) + "…"
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

extension ImportError: DiagnosticConvertible {
    /// The error in words.
    public var diagnostic: Diagnostic {
        var diagnostic = Diagnostic(code: "import." + fault.code, fault.sentence, notes: fault.notes)
        diagnostic.place = line.map { .file(path: file, line: $0, byte: nil, length: nil) }
        if line == nil { diagnostic.message = "'\(file)': " + diagnostic.message }
        diagnostic.help = fault.help
        return diagnostic
    }
}
