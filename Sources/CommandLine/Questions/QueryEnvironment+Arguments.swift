import JSONCore
import Platform
package import QueryLanguage

extension QueryEnvironment {
    package static let valueLimit = 1 << 28

    /// What the options of a command give to each of its queries: named values, and the functions of `--definitions`.
    ///
    /// As in jq, of two values with one name the first counts, and `$ARGS` has them all.
    package init(_ typed: TypedArguments) throws {
        self.init()
        // 'debug' and 'stderr' may spell a value in any way.
        if typed.has(.redact) { messages = { _ in Self.leftOut } }
        try nameValues(typed)
        for path in typed.all(.definitions) { add(try Definitions(path: path, in: self)) }
        BarePath.name(typed, in: &self)
    }

    /// Says once that `debug` and `stderr` print nothing.
    private static let leftOut: Void = FileDescriptor.writeToStandardError(
        "[\"DEBUG:\",\"left out, since it may quote a redacted value\"]\n")

    private mutating func nameValues(_ typed: TypedArguments) throws {
        var named = JSONObject()
        for value in typed.named where named[value.name] == nil { named[value.name] = try Self.value(of: value) }
        for (key, value) in named { name(key, value) }
        let positional = try typed.positional.map { argument in
            argument.isJSON ? try Self.json(argument.text, of: .jsonargs) : .string(argument.text)
        }
        name("ARGS", .object(["positional": .array(positional), "named": .object(named)]))
    }

    private static func value(of named: TypedArguments.NamedValue) throws -> JSONValue {
        switch named.option {
        case .argjson: return try json(named.text, of: .argjson)
        case .rawfile: return .string(String(decoding: try file(named.text), as: UTF8.self))
        case .slurpfile:
            var texts = JSONTexts()
            texts.bytes = try file(named.text)
            do { return .array(try texts.rest()) } catch { throw error.commandFailure(in: named.text) }
        default: return .string(named.text)
        }
    }

    private static func file(_ path: String) throws -> [UInt8] {
        try InputFile.whole(path, limit: valueLimit, code: "input.unreadable")
    }

    private static func json(_ text: String, of option: Option) throws(UsageError) -> JSONValue {
        do throws(JSONError) {
            return try JSONParser.parse(text)
        } catch {
            throw .value(option, text, expected: "JSON: \(error.message)")
        }
    }
}

extension Definitions {
    package static let lengthLimit = 1 << 20

    package init(path: String, in environment: QueryEnvironment) throws {
        let bytes = try InputFile.whole(path, limit: Self.lengthLimit, code: "definitions.unreadable")
        try self.init(text: String(decoding: bytes, as: UTF8.self), name: path, in: environment)
    }
}
