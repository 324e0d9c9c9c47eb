package import Diagnostics
package import JSONCore
package import JournalFormat
package import JournalReading
import Platform
package import QueryLanguage
import TimeTravel

/// Under `--store NAME` a query begins at that store, `$old` too; it is compiled a second time below that, so that its
/// footprint is one of the whole state.
///
/// Messages show what was typed.
package struct ScopedQuery {
    package let typed: Query
    package let whole: Query
    package let purpose: Purpose

    package enum Purpose {
        case condition
        case value
        case change
    }

    package init(_ text: String, name: String, scope: StoreScope, asks purpose: Purpose = .value) throws {
        typed = try Query(text, name: name, in: scope.environment)
        self.purpose = purpose
        guard let store = scope.store else {
            whole = typed
            return
        }
        whole = try Query(text, name: name, in: scope.environment, below: store)
    }

    /// A condition of whole states that was compiled elsewhere.
    package init(condition query: Query) {
        (typed, whole, purpose) = (query, query, .condition)
    }

    package var footprint: Footprint { whole.footprint }

    package func context(
        at position: CommitNumber, _ record: Record?, old: () throws -> JSONValue
    ) rethrows -> QueryContext {
        let before = footprint.usesOld ? try old() : .null
        guard footprint.usesCommit, let record else { return QueryContext(old: before, seq: position.rawValue) }
        return QueryContext(seq: position, record: record, old: before)
    }
}

extension QueryError {
    package func diagnostic(of query: ScopedQuery, at position: CommitNumber) -> Diagnostic {
        var diagnostic = diagnostic
        diagnostic.place = .source(
            SourceExcerpt(
                name: query.typed.name, text: query.typed.text, marks: [.init(0..<query.typed.text.utf8.count)],
                suffix: ", at commit \(position.rawValue)"))
        return diagnostic
    }
}

/// `NAME=QUERY` as it is typed after an option, taken apart: what `--invariant` and `--define` take.
package struct NamedQuery {
    /// A letter or `_`, then letters, digits and `_`.
    package let name: String
    package let query: String

    /// A name is an identifier of the query language, so that a query without one is not cut at the `=` of its `>=`.
    package init(
        parsing text: String, of option: Option, example: String, taken: [String]
    ) throws(UsageError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard Self.isNamed(text) else {
            throw .value(option, text, expected: "a name and a query, such as '\(example)'")
        }
        guard parts[1].contains(where: { !$0.isWhitespace }) else {
            throw .value(option, text, expected: "a query after the '=', such as '\(example)'")
        }
        name = String(parts[0])
        query = String(parts[1])
        if taken.contains(name) {
            throw .value(option, text, expected: "a name that is new: '\(name)' was given before")
        }
    }

    /// Whether a text has a name before its query; the first sign of `total==1` compares.
    package static func isNamed(_ text: String) -> Bool {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return parts.count == 2 && isIdentifier(parts[0]) && !UTF8Order.begins(parts[1], with: "=")
    }

    private static func isIdentifier(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, !isDigit(first) else { return false }
        return text.utf8.allSatisfy { isDigit($0) || isLetter($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "_") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

extension QueryEnvironment {
    package static let valueLimit = 1 << 28

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
        case .rawfile:
            let bytes = try InputFile.whole(named.text, limit: valueLimit, code: "input.unreadable", isRaw: true)
            return .string(String(decoding: bytes, as: UTF8.self))
        case .slurpfile:
            var texts = JSONTexts()
            texts.bytes = try InputFile.whole(named.text, limit: valueLimit, code: "input.unreadable")
            do { return .array(try texts.rest()) } catch { throw error.commandFailure(in: named.text) }
        default: return .string(named.text)
        }
    }

    private static func json(_ text: String, of option: Option) throws(UsageError) -> JSONValue {
        do throws(JSONError) {
            // What '$(cat FILE)' gives may begin with a byte order mark.
            return try JSONParser.parse(String(text.unicodeScalars.drop { $0 == "\u{FEFF}" }))
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
