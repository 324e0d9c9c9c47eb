import JournalFormat
package import JournalReading

/// What was typed, taken apart but not yet understood: a command's own `Options` say what it means.
package struct TypedArguments: Sendable {
    /// The command; nil where none was typed.
    package var command: CommandName?

    /// Whether a journal was typed without a command.
    package var isJournalAlone = false

    /// Everything that is not an option, in order.
    package var operands: [String] = []

    /// The values of each option in the order typed; a switch has its spelling.
    private var values: [Option: [String]] = [:]

    /// What followed an option that takes every argument after it.
    package private(set) var rest: [String] = []

    /// A value that an option gives to queries by a name.
    package struct NamedValue: Sendable, Equatable {
        let option: Option
        let name: String
        let text: String
    }

    /// The named values, in the order typed.
    package private(set) var named: [NamedValue] = []

    /// A value without a name, after `--args` or `--jsonargs`.
    package struct PositionalValue: Sendable, Equatable {
        let text: String
        let isJSON: Bool
    }

    /// The values without a name, in the order typed.
    private(set) var positional: [PositionalValue] = []

    /// Nothing so far.
    package init() {}

    /// Whether the option was typed.
    package func has(_ option: Option) -> Bool { values[option] != nil }

    /// The option's value: of several the last.
    package func value(_ option: Option) -> String? { values[option]?.last }

    /// Every value of a repeatable option, in the order typed.
    package func all(_ option: Option) -> [String] { values[option] ?? [] }

    /// Notes an option that was typed; `--json` is short for `--format json`, so that the last of the two counts, and so are
    /// jq's two for values of `--color`.
    package mutating func add(_ option: Option, _ value: String) {
        if option == .json { add(.format, OutputFormat.json.rawValue) }
        if option == .colorOutput { add(.color, ColorChoice.always.rawValue) }
        if option == .monochromeOutput { add(.color, ColorChoice.never.rawValue) }
        if option == .args || option == .jsonargs { valueKind = option }
        values[option, default: []].append(value)
    }

    /// Takes an option away that was another way to type an operand.
    package mutating func remove(_ option: Option) { values[option] = nil }

    /// Notes an option of two values, the first of which is a name.
    package mutating func add(_ option: Option, named name: String, _ text: String) {
        add(option, name)
        named.append(NamedValue(option: option, name: name, text: text))
    }

    /// Notes what is not an option: after `--args` and `--jsonargs`, all that follows the query are values.
    mutating func addOperand(_ text: String) {
        let hasQuery = !operands.isEmpty || has(.fromFile)
        guard hasQuery, let kind = valueKind else { return operands.append(text) }
        positional.append(PositionalValue(text: text, isJSON: kind == .jsonargs))
    }

    /// The one of `--args` and `--jsonargs` that was typed last.
    private var valueKind: Option?

    /// Takes over the options of a file: a value for each that was not typed, and all of those that add up, first.
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

    /// Notes an option and everything after it.
    package mutating func add(_ option: Option, rest: [String]) {
        add(option, "")
        self.rest = rest
    }

    /// The option as a whole number that is at least `minimum`.
    ///
    /// - Throws: `UsageError` if it is not such a number.
    package func number(_ option: Option, atLeast minimum: Int) throws(UsageError) -> Int? {
        guard let text = value(option) else { return nil }
        guard let number = Int(text), number >= minimum else {
            throw .value(option, text, expected: "a whole number from \(minimum)")
        }
        return number
    }

    /// The option as one of a closed set of words.
    ///
    /// - Throws: `UsageError` where it is none of them.
    package func word<Word: RawRepresentable & CaseIterable>(
        _ option: Option, as type: Word.Type
    ) throws(UsageError) -> Word? where Word.RawValue == String {
        guard let text = value(option) else { return nil }
        guard let word = Word(rawValue: text) else {
            throw .value(option, text, expected: Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", "))
        }
        return word
    }
}

extension TypedArguments {
    /// The position that is asked about: an operand, or what `--at` says; nil where neither was typed.
    ///
    /// - Throws: `UsageError` if both were typed, `PositionError` if the text is not a position.
    package func position(operand index: Int) throws -> PositionText? {
        guard operands.count > index else { return try value(.at).map { try PositionText(parsing: $0) } }
        if has(.at), let command { throw UsageError.extraOperand(command, operands[index]) }
        return try PositionText(parsing: operands[index])
    }
}
