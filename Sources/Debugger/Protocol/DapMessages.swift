import CommandLine
import Diagnostics
import JSONCore
import Platform

struct DapRequest: Sendable {
    let seq: Int
    /// Empty where the request does not say.
    let command: String
    let arguments: DapArguments

    enum Fault: Error, Equatable {
        /// It has no number, so that no answer can name it.
        case noNumber(String)
        /// It has a number, and is not a request; with what it says that it wants.
        case notRequest(seq: Int, command: String, String)
        /// An answer to a request that was never sent, or an event: neither is answered.
        case other
    }

    init(_ text: [UInt8]) throws(Fault) {
        let value: JSONValue
        do throws(JSONError) { value = try JSONParser.parse(text) } catch {
            throw .noNumber("a message is not JSON: \(error.message)")
        }
        guard case .object(let object) = value, let seq = object["seq"]?.number?.integerValue else {
            throw .noNumber("a message has no number 'seq'")
        }
        switch object["type"]?.string {
        case "request": break
        case "response", "event": throw .other
        default:
            throw .notRequest(
                seq: seq, command: object["command"]?.string ?? "",
                "a message is neither a request, a response nor an event")
        }
        guard let command = object["command"]?.string else {
            throw .notRequest(seq: seq, command: "", "a request has no 'command'")
        }
        self.init(seq: seq, command, try DapRequest.arguments(object, seq, command))
    }

    init(seq: Int, _ command: String, _ arguments: JSONObject = JSONObject()) {
        self.seq = seq
        self.command = command
        self.arguments = DapArguments(object: arguments)
    }

    private static func arguments(_ object: JSONObject, _ seq: Int, _ command: String) throws(Fault) -> JSONObject {
        switch object["arguments"] {
        case nil, .null?: return JSONObject()
        case .object(let arguments)?: return arguments
        // Some clients write an empty table as an array.
        case .array(let elements)? where elements.isEmpty: return JSONObject()
        default: throw .notRequest(seq: seq, command: command, "'arguments' is not an object")
        }
    }
}

struct DapError: Error, Equatable {
    let text: String
    /// Whether the editor shows it to the person, and not only where the answer was awaited.
    var isShown = false
    var word: String?

    init(_ text: String, isShown: Bool = false, word: String? = nil) {
        self.text = text
        self.isShown = isShown
        self.word = word
    }

    init(_ error: any Error, isShown: Bool = false) {
        if let error = error as? DapError {
            self = error
            return
        }
        let cause = (error as? DebugScriptError)?.cause ?? error
        let problems = ExitStatus.diagnostics(of: DebugInterpreter.facts(of: cause), in: .dap)
        text = problems.map { DapError($0).text }.joined(separator: "; ")
        self.isShown = isShown
    }

    init(_ problem: Diagnostic) {
        text = ([problem.message] + problem.notes + problem.help).map(ControlCharacters.escaped).joined(separator: "; ")
    }

    static let cancelled = DapError("it was cancelled", word: "cancelled")
    static let notStopped = DapError("the run is being searched; pause it first", word: "notStopped")
}

struct DapArguments: Sendable {
    let object: JSONObject

    /// Nil where the member is left out or null.
    private func member<Value>(
        _ name: String, _ expected: String, _ read: (JSONValue) -> Value?
    ) throws(DapError) -> Value? {
        guard let value = object[name], value != .null else { return nil }
        guard let found = read(value) else { throw DapError("'\(name)' is not \(expected)") }
        return found
    }

    func string(_ name: String) throws(DapError) -> String? { try member(name, "a string", \.string) }

    func integer(_ name: String) throws(DapError) -> Int? {
        try member(name, "a whole number") { $0.number?.integerValue }
    }

    func count(_ name: String) throws(DapError) -> Int? {
        _ = try integer(name)
        return try member(name, "a whole number from 0") { $0.number?.integerValue.flatMap { $0 < 0 ? nil : $0 } }
    }

    /// No file has more than 32 bits of lines or columns.
    func place(_ name: String) throws(DapError) -> Int? {
        try integer(name).map { max(0, min($0, Int(Int32.max) - 1)) }
    }

    func bool(_ name: String) throws(DapError) -> Bool? { try member(name, "true or false", \.bool) }

    func arguments(_ name: String) throws(DapError) -> DapArguments? {
        try member(name, "an object") { $0.object.map(DapArguments.init) }
    }

    func list(_ name: String) throws(DapError) -> [DapArguments] {
        guard try member(name, "an array", \.array) != nil else { return [] }
        return try member(name, "an array of objects") { value in
            let objects = value.array?.map(\.object)
            return objects?.contains { $0 == nil } == false ? objects?.compactMap { $0.map(DapArguments.init) } : nil
        } ?? []
    }

    func strings(_ name: String) throws(DapError) -> [String] {
        try member(name, "a string or an array of strings") { value in
            if let text = value.string { return [text] }
            let texts = value.array?.map(\.string)
            return texts?.contains(nil) == false ? texts?.compactMap(\.self) : nil
        } ?? []
    }

    func require<Value>(_ name: String, _ value: Value?) throws(DapError) -> Value {
        guard let value else { throw DapError("'\(name)' is missing") }
        return value
    }
}

enum DapRequestName: String, CaseIterable {
    case initialize, launch, attach, configurationDone, disconnect, terminate, cancel, pause
    case threads, stackTrace, scopes, variables, locations, evaluate, completions, source, loadedSources
    case setBreakpoints, setFunctionBreakpoints, setDataBreakpoints, setExceptionBreakpoints
    case dataBreakpointInfo, breakpointLocations, gotoTargets, `goto`, restartFrame
    case next, stepBack, stepIn, stepOut, `continue`, reverseContinue

    var needsRun: Bool {
        switch self {
        case .initialize, .launch, .attach, .disconnect, .terminate, .cancel: false
        default: true
        }
    }

    var moves: Bool {
        switch self {
        case .goto, .restartFrame, .next, .stepBack, .stepIn, .stepOut, .continue, .reverseContinue: true
        default: false
        }
    }

    /// Whether it has no answer while something takes long: it asks where the session stands, moves it, or takes long itself.
    var needsStop: Bool {
        switch self {
        case .initialize, .launch, .attach, .configurationDone, .stackTrace, .scopes, .variables, .locations, .evaluate,
            .completions, .loadedSources, .breakpointLocations, .gotoTargets:
            true
        default: moves
        }
    }
}

/// A head of lines, one of which is `Content-Length`, an empty line, and so many bytes of JSON.
struct DapFrames {
    /// No text is longer, in bytes.
    static let lengthLimit = 64 << 20
    /// No head is longer, in bytes.
    private static let headLimit = 4096

    enum Fault: Error, Equatable {
        /// The head has no length that is a number, or does not end.
        case head
        case tooLong(Int)
        case cut
        case unreadable(SystemFailure)
    }

    private var bytes: [UInt8] = []
    /// How many of the bytes belong to frames that were taken.
    private var taken = 0
    /// Nil within a head.
    private var length: Int?

    mutating func add(_ more: some Collection<UInt8>) {
        if taken > 1 << 16, taken * 2 > bytes.count {
            bytes.removeFirst(taken)
            taken = 0
        }
        bytes += more
    }

    /// Nil where more has to be read.
    mutating func next() throws(Fault) -> [UInt8]? {
        if length == nil {
            guard let end = headEnd else {
                // A client of another protocol may wait for an answer before it writes more.
                if bytes.count - taken > DapFrames.headLimit || !isHead { throw .head }
                return nil
            }
            let length = try DapFrames.length(of: bytes[taken..<end])
            if length > DapFrames.lengthLimit { throw .tooLong(length) }
            self.length = length
            taken = end + 4
        }
        guard let length, bytes.count - taken >= length else { return nil }
        defer { taken += length }
        self.length = nil
        return Array(bytes[taken..<taken + length])
    }

    func end() throws(Fault) { if length != nil || taken < bytes.count { throw .cut } }

    private var headEnd: Int? {
        let limit = min(bytes.count, taken + DapFrames.headLimit)
        guard taken + 4 <= limit else { return nil }
        return (taken...limit - 4).first { place in
            bytes[place] == 13 && bytes[place + 1] == 10 && bytes[place + 2] == 13 && bytes[place + 3] == 10
        }
    }

    /// Whether what came may begin a head: a name before its colon, and lines that end as a head's do.
    private var isHead: Bool {
        let rest = bytes[taken...]
        let isNamed = rest.prefix { $0 != UInt8(ascii: ":") }.allSatisfy { byte in
            byte == UInt8(ascii: "-") || UnicodeScalar(byte).properties.isAlphabetic && byte < 0x80
        }
        return isNamed
            && rest.split(separator: 10, omittingEmptySubsequences: false).dropLast().allSatisfy { $0.last == 13 }
    }

    private static func length(of head: ArraySlice<UInt8>) throws(Fault) -> Int {
        var found: Int?
        for line in String(decoding: head, as: UTF8.self).split(separator: "\r\n" as Character) {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw .head }
            guard parts[0].lowercased() == "content-length" else { continue }
            let digits = parts[1].drop { $0 == " " }
            guard found == nil, !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { throw .head }
            // More digits than a number has are too many bytes in any case.
            found = Int(digits) ?? .max
        }
        guard let found else { throw .head }
        return found
    }

    static func frame(_ text: [UInt8]) -> [UInt8] { Array("Content-Length: \(text.count)\r\n\r\n".utf8) + text }
}
