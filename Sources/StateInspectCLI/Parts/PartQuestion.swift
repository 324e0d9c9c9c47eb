import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// What a command line asks, without the journals: two that ask the same of one run have the same.
struct PartQuestion: Equatable {
    /// As JSON: the command, its operands after the journal, and its options, of files what they hold.
    let value: JSONValue

    /// A question as a part has it.
    init(_ value: JSONValue) { self.value = value }

    /// How many operands follow the journal.
    var operandCount: Int { value.member("operands")?.array?.count ?? 0 }

    /// What was typed.
    ///
    /// - Parameter journals: how many operands are journals, or parts.
    /// - Throws: `CommandFailure` where a file that an option names cannot be read.
    init(_ typed: TypedArguments, journals: Int) throws {
        var options = JSONObject()
        for (option, values) in typed.options where !Self.isBeside(option) {
            let texts = try values.map { JSONValue.string(try Self.text($0, of: option)) }
            options.insertAscending(.array(texts), forKey: option.name)
        }
        let named = try typed.named.map { value -> JSONValue in
            let text = try Self.text(value.text, of: value.option)
            return [.string(value.option.name), .string(value.name), .string(text)]
        }
        self.value = [
            "command": .string(typed.command?.rawValue ?? ""),
            "operands": .array(typed.operands.dropFirst(journals).map { .string($0) }), "options": .object(options),
            "named": .array(named),
        ]
    }

    /// Whether an option changes nothing of an answer in JSON.
    private static func isBeside(_ option: Option) -> Bool {
        [.part, .parts, .format, .json, .messages, .color, .noPager, .sourceRoot, .jobs].contains(option)
    }

    /// A value; of an option that names a file to read, the hash of what stands in it.
    private static func text(_ text: String, of option: Option) throws -> String {
        guard ["definitions", "invariants", "slurpfile", "rawfile"].contains(option.name) else { return text }
        return PartHash.text(of: try InputFile.whole(text, limit: 1 << 26, code: "part.file"))
    }
}
