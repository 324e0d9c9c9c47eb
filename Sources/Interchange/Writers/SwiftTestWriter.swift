public import JSONCore
import JournalFormat

/// Writes a test in Swift Testing that begins with the state before a commit and expects the state after it.
///
/// It holds a journal of that one commit, which `JournalReader` of the library reads: the values are decoded as the
/// recorder wrote them. What made the commit is a call that the person who takes the test fills in; until then it takes
/// the state as it was recorded, so that the test compiles and holds.
public struct SwiftTestWriter {
    /// The commit.
    public let commit: JSONObject
    /// The state of its store before it.
    public let before: JSONValue
    /// The type of the store's state, as its `store` record names it.
    public let type: String

    /// A test of a commit.
    public init(commit: JSONObject, before: JSONValue, type: String) {
        self.commit = commit
        self.before = before
        self.type = type
    }

    /// The source.
    public var text: String {
        let store = commit["store"]?.string ?? "state"
        let seq = commit["seq"]?.text() ?? "0"
        let at = commit["at"]?.object
        let function = at?["function"]?.string ?? ""
        let file = at?["file"]?.string ?? ""
        let module = file.split(separator: "/").count > 1 ? String(file.split(separator: "/")[0]) : nil
        let place = file.isEmpty ? "" : " (\(Self.comment(file)):\(at?["line"]?.text() ?? ""))"
        return """
            import Foundation
            import StateReplay
            import Testing
            \(Self.importLine(module))
            /// Commit \(seq) of '\(Self.comment(store))': \(Self.comment(function))\(place).
            @Test(\(Self.literal("\(store) after commit \(seq), \(function)")))
            func \(Self.identifier(store))AfterCommit\(Self.identifier(seq))() throws {
                let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".jsonl")
                try Data(journal.utf8).write(to: file)
                defer { try? FileManager.default.removeItem(at: file) }
                let reader = try JournalReader(file.path)
                var state = try reader.state(at: 0, of: \(Self.literal(store)), as: \(Self.typeName(type)).self)
                let expected = try reader.state(at: 1, of: \(Self.literal(store)), as: \(Self.typeName(type)).self)

                // Put in what was done here, as `state.\(Self.comment(function))`, in the place of this line.
                state = expected

                #expect(state == expected)
            }

            private let journal = \(raw)

            """
    }

    private var raw: String {
        let lines = String(decoding: journal, as: UTF8.self)
        // As many signs as no text in it has after a quote.
        var signs = "#"
        while lines.contains("\"" + signs) || lines.contains("\\" + signs) { signs += "#" }
        return signs + "\"\"\"\n" + lines + "\"\"\"" + signs
    }

    private var journal: [UInt8] {
        var lines = LineBuilder()
        let store = commit["store"]?.string ?? "state"
        let time = commit["time"]?.string.flatMap { Timestamp($0) } ?? Timestamp(microseconds: 0)
        let place = SourcePlaceText.location(of: commit["at"] ?? .null)
        let at = place ?? SourceLocation(file: "", line: 0, column: 0, function: "")
        lines.journal(JournalHeader(id: "test", time: time, recorder: "state-inspect export"))
        lines.beginStore(seq: .zero, store: store, type: type, time: time, at: at)
        lines.write { $0.write(before) }
        lines.endRecord()
        lines.beginCommit(seq: CommitNumber(1), store: store, version: 1, time: time, at: at)
        lines.write { $0.write(commit["patch"] ?? []) }
        lines.endRecord()
        return lines.bytes
    }

    private static func importLine(_ module: String?) -> String {
        guard let module, !module.isEmpty, identifier(module) == module else { return "" }
        return "@testable import \(module)\n"
    }

    /// A type's name, if it can be one; a text otherwise that the compiler points at.
    private static func typeName(_ type: String) -> String {
        isTypeName(type) ? (UTF8Order.ends(type, with: "?") ? "(\(type))" : type) : "State"
    }

    /// Whether a text is a type as Swift prints one: names with dots, arguments, brackets and question marks.
    public static func isTypeName(_ type: String) -> Bool {
        guard type.utf8.count <= typeNameLimit else { return false }
        var rest = Substring(type.filter { $0 != " " })
        // A space stands after a comma or a colon only.
        let words = type.split(separator: " ", omittingEmptySubsequences: false).dropLast()
        guard words.allSatisfy({ UTF8Order.ends($0, with: ",") || UTF8Order.ends($0, with: ":") }), takeType(&rest)
        else { return false }
        return rest.isEmpty
    }

    /// No type's name is longer, in bytes: it bounds the recursion of reading one.
    private static let typeNameLimit = 2_000

    private static func takeType(_ rest: inout Substring) -> Bool {
        if rest.first == "[" {
            rest.removeFirst()
            guard takeType(&rest) else { return false }
            if rest.first == ":" {
                rest.removeFirst()
                guard takeType(&rest) else { return false }
            }
            guard rest.first == "]" else { return false }
            rest.removeFirst()
        } else {
            guard takeName(&rest) else { return false }
        }
        while rest.first == "?" { rest.removeFirst() }
        return true
    }

    private static func takeName(_ rest: inout Substring) -> Bool {
        repeat {
            if rest.first == "." { rest.removeFirst() }
            guard let first = rest.unicodeScalars.first, first.properties.isXIDStart || first == "_" else {
                return false
            }
            while let next = rest.unicodeScalars.first, next.properties.isXIDContinue {
                rest.unicodeScalars.removeFirst()
            }
            if rest.first == "<" {
                repeat {
                    rest.removeFirst()
                    guard takeType(&rest) else { return false }
                } while rest.first == ","
                guard rest.first == ">" else { return false }
                rest.removeFirst()
            }
        } while rest.first == "."
        return true
    }

    private static func identifier(_ text: String) -> String {
        let name = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.isXIDContinue ? $0 : "_" }))
        return name.unicodeScalars.first?.properties.isXIDStart == true || text.allSatisfy(\.isNumber)
            ? name : "_" + name
    }

    private static func comment(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }

    private static func literal(_ text: String) -> String {
        var literal = "\""
        for scalar in text.unicodeScalars { literal += scalar.escaped(asASCII: false) }
        return literal + "\""
    }
}
