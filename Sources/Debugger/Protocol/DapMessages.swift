import CommandLine
import Diagnostics
import JSONCore

/// A request as it came, taken apart as far as an answer needs it.
struct DapRequest: Sendable {
    /// The number by which the answer names it.
    let seq: Int
    /// What is wanted; empty where the request does not say.
    let command: String
    let arguments: DapArguments

    /// What came in place of a request.
    enum Fault: Error, Equatable {
        /// It has no number, so that no answer can name it.
        case noNumber(String)
        /// It has a number, and is not a request; with what it says that it wants.
        case notRequest(seq: Int, command: String, String)
        /// An answer to a request that was never sent, or an event: neither is answered.
        case other
    }

    /// Reads a message.
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

    /// A request of a client.
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

/// Why a request is refused.
struct DapError: Error, Equatable {
    let text: String
    /// Whether the editor shows it to the person, and not only where the answer was awaited.
    var isShown = false
    /// The short word that the protocol has for it; nil for none.
    var word: String?

    init(_ text: String, isShown: Bool = false, word: String? = nil) {
        self.text = text
        self.isShown = isShown
        self.word = word
    }

    /// What the command line says of an error, on one line.
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

    /// What the command line says of a problem, on one line.
    init(_ problem: Diagnostic) {
        text = ([problem.message] + problem.notes + problem.help).map(ControlCharacters.escaped).joined(separator: "; ")
    }

    static let cancelled = DapError("it was cancelled", word: "cancelled")
    static let notStopped = DapError("the run is being searched; pause it first", word: "notStopped")
}

/// The arguments of a request, each of the type that it has to have.
struct DapArguments: Sendable {
    let object: JSONObject

    private func absent(_ name: String) -> Bool { object[name].map { $0 == .null } ?? true }

    private func fault(_ name: String, _ expected: String) -> DapError { DapError("'\(name)' is not \(expected)") }

    func string(_ name: String) throws(DapError) -> String? {
        if absent(name) { return nil }
        guard let text = object[name]?.string else { throw fault(name, "a string") }
        return text
    }

    func integer(_ name: String) throws(DapError) -> Int? {
        if absent(name) { return nil }
        guard let number = object[name]?.number?.integerValue else { throw fault(name, "a whole number") }
        return number
    }

    /// A number of things, or the place of one among others.
    func count(_ name: String) throws(DapError) -> Int? {
        let count = try integer(name)
        if let count, count < 0 { throw fault(name, "a whole number from 0") }
        return count
    }

    /// A line or a column, which no file has beyond 32 bits.
    func place(_ name: String) throws(DapError) -> Int? {
        try integer(name).map { max(0, min($0, Int(Int32.max) - 1)) }
    }

    func bool(_ name: String) throws(DapError) -> Bool? {
        if absent(name) { return nil }
        guard let value = object[name]?.bool else { throw fault(name, "true or false") }
        return value
    }

    func arguments(_ name: String) throws(DapError) -> DapArguments? {
        if absent(name) { return nil }
        guard let value = object[name]?.object else { throw fault(name, "an object") }
        return DapArguments(object: value)
    }

    /// The objects of an array.
    func list(_ name: String) throws(DapError) -> [DapArguments] {
        if absent(name) { return [] }
        guard let elements = object[name]?.array else { throw fault(name, "an array") }
        var list: [DapArguments] = []
        for element in elements {
            guard let object = element.object else { throw fault(name, "an array of objects") }
            list.append(DapArguments(object: object))
        }
        return list
    }

    /// A text, or an array of them.
    func strings(_ name: String) throws(DapError) -> [String] {
        if absent(name) { return [] }
        if let text = object[name]?.string { return [text] }
        guard let elements = object[name]?.array else { throw fault(name, "a string or an array of strings") }
        var texts: [String] = []
        for element in elements {
            guard let text = element.string else { throw fault(name, "a string or an array of strings") }
            texts.append(text)
        }
        return texts
    }

    func require<Value>(_ name: String, _ value: Value?) throws(DapError) -> Value {
        guard let value else { throw DapError("'\(name)' is missing") }
        return value
    }
}
