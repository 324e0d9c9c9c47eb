import JournalFormat
package import JournalReading

/// What was typed, taken apart but not yet understood: a command's own `Options` say what it means.
package struct TypedArguments: Sendable {
    package var command: CommandName?
    package var isJournalAlone = false
    package var operands: [String] = []
    /// Values are in the order typed; a switch has its spelling.
    private var values: [Option: [String]] = [:]
    /// What followed an option that takes every argument after it.
    package private(set) var rest: [String] = []

    package struct NamedValue: Sendable, Equatable {
        let option: Option
        let name: String
        let text: String
    }

    package private(set) var named: [NamedValue] = []

    /// A value without a name, after `--args` or `--jsonargs`.
    package struct PositionalValue: Sendable, Equatable {
        let text: String
        let isJSON: Bool
    }

    private(set) var positional: [PositionalValue] = []

    package init() {}

    package func has(_ option: Option) -> Bool { values[option] != nil }

    /// The last of several values counts.
    package func value(_ option: Option) -> String? { values[option]?.last }
    package func all(_ option: Option) -> [String] { values[option] ?? [] }

    /// `--json` is short for `--format json`, so the last of the two counts; so are jq's two for `--color`.
    package mutating func add(_ option: Option, _ value: String) {
        if option == .json { add(.format, OutputFormat.json.rawValue) }
        if option == .colorOutput { add(.color, ColorChoice.always.rawValue) }
        if option == .monochromeOutput { add(.color, ColorChoice.never.rawValue) }
        if option == .args || option == .jsonargs { valueKind = option }
        values[option, default: []].append(value)
    }

    package mutating func remove(_ option: Option) { values[option] = nil }

    package mutating func add(_ option: Option, named name: String, _ text: String) {
        add(option, name)
        named.append(NamedValue(option: option, name: name, text: text))
    }

    /// After `--args` and `--jsonargs`, all that follows the query are values.
    mutating func addOperand(_ text: String) {
        let hasQuery = !operands.isEmpty || has(.fromFile)
        guard hasQuery, let kind = valueKind else { return operands.append(text) }
        positional.append(PositionalValue(text: text, isJSON: kind == .jsonargs))
    }

    private var valueKind: Option?

    /// A value for each option that was not typed, and all values of those that add up, first.
    package mutating func takeDefaults(from other: TypedArguments) {
        for (option, values) in other.values {
            if option.isRepeatable {
                self.values[option] = values + all(option)
            } else if !has(option) {
                self.values[option] = values
            }
        }
        // Of two values with one name the first counts, which is the typed one.
        named += other.named
    }

    package mutating func add(_ option: Option, rest: [String]) {
        add(option, "")
        self.rest = rest
    }

    package func number(_ option: Option, atLeast minimum: Int) throws(UsageError) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), number >= minimum else {
            throw .value(option, text, expected: "a whole number from \(minimum)")
        }
        return number
    }

    package func word<Word: RawRepresentable & CaseIterable>(
        _ option: Option, as type: Word.Type
    ) throws(UsageError) -> Word? where Word.RawValue == String {
        guard let text = value(option) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw .value(option, text, expected: Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))
        }
        return word
    }

    /// An operand, or what `--at` says; nil where neither was typed.
    package func position(operand index: Int) throws -> PositionText? {
        guard operands.count > index else { return try value(.at).map { try PositionText(parsing: $0) } }
        if has(.at), let command { throw UsageError.extraOperand(command, operands[index]) }
        return try PositionText(parsing: operands[index])
    }
}
