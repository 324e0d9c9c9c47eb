public import JSONCore

/// Writes the Informal Trace Format of model checkers: a state for each commit, its stores the variables.
///
/// Integers that a double does not hold exactly are big integers. An object whose only member could be taken for a form of ITF
/// is a map.
public struct ITFWriter: ExportWriter {
    private var buffer = JSONWriter()
    private var count = 0
    private var variables = NameTable<Bool>()

    /// Begins with a state.
    public init(from state: JSONValue, source: String) {
        buffer.text("{\"#meta\":{\"format\":\"ITF\",\"source\":")
        buffer.write(.string(source))
        buffer.text("},\"states\":[")
        write(state)
    }

    /// Adds the state after a commit.
    public mutating func add(_ commit: ExportedCommit) { write(commit.state) }

    /// Ends the document.
    public mutating func finish() {
        buffer.text("\n],\"vars\":")
        buffer.write(.array(variables.names.map(JSONValue.string)))
        buffer.text("}\n")
    }

    /// Takes out what was composed.
    public mutating func take() -> [UInt8] { buffer.take() }

    private mutating func write(_ state: JSONValue) {
        let members = state.object ?? ["state": state]
        var line: JSONObject = ["#meta": ["index": .number(JSONNumber(count))]]
        for (key, value) in members {
            variables[key] = true
            line[key] = Self.form(of: value)
        }
        buffer.text(count == 0 ? "\n" : ",\n")
        buffer.write(.object(line))
        count += 1
    }

    static func form(of value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number) where number.isInteger:
            if let whole = number.integerValue, whole.magnitude < 1 << 53 { return value }
            return ["#bigint": .string(number.text)]
        case .array(let elements): return .array(elements.map(form))
        case .object(let members):
            if members.count == 1, let (key, inner) = members.first(where: { UTF8Order.begins($0.key, with: "#") }) {
                return ["#map": [[.string(key), form(of: inner)]]]
            }
            return .object(JSONObject(members.map { (key: $0.key, value: form(of: $0.value)) }))
        default: return value
        }
    }
}

extension JSONNumber {
    fileprivate var isInteger: Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D } }
}
