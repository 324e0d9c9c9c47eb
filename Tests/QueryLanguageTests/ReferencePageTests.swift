import Foundation
import JSONCore
import Platform
import TestSupport
import Testing

@testable import QueryLanguage

/// The manual page of the language: every built-in is on it, with an example that gives what the page says.
@Suite struct ReferencePageTests {
    private struct Entry {
        var signature: String
        var description: String
        /// A program that needs no input, and its outputs.
        var program: String
        var outputs: [String]

        /// `map(f)` as `map/1`.
        var key: String {
            guard let open = signature.firstIndex(of: "(") else { return signature + "/0" }
            return "\(signature[..<open])/\(signature.filter { $0 == ";" }.count + 1)"
        }
    }

    /// An entry is four lines: `.It Li`, what it does, `.Pp`-less literal lines of the example.
    private static func entries() throws -> [Entry] {
        let page = SharedFolder.packageRoot.appendingPathComponent("man/state-query.7")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
        var entries: [Entry] = []
        for (index, line) in lines.enumerated() where line.hasPrefix(".It Li ") {
            guard index + 5 < lines.count, lines[index + 2] == ".Bd -literal -compact" else { continue }
            let example = plain(lines[index + 3]).components(separatedBy: "  →  ")
            entries.append(
                Entry(
                    signature: plain(String(line.dropFirst(7))).filter { $0 != "\"" }, description: lines[index + 1],
                    program: example[0],
                    outputs: example.count > 1 && !example[1].isEmpty ? example[1].components(separatedBy: "   ") : []))
        }
        return entries
    }

    /// A line of the page's source as it is shown.
    private static func plain(_ line: String) -> String {
        line.replacingOccurrences(of: "\\&", with: "").replacingOccurrences(of: "\\(->", with: "→")
            .replacingOccurrences(of: "\\e", with: "\\")
    }

    @Test("every example gives what the page says")
    func examples() throws {
        let entries = try Self.entries()
        #expect(entries.count > 200)
        for entry in entries {
            var environment = QueryEnvironment.empty
            environment.inputs = ListedInputs([1, 2, 3], named: "<stdin>").inputs
            let program = try Query(entry.program, in: environment)
            let outputs = try LargeStack.run { Result { try program.all(of: .null) } }.get()
            #expect(outputs.map { $0.text() } == entry.outputs, "\(entry.signature): \(entry.program)")
        }
    }

    @Test("every built-in that the compiler knows is on the page, and none that it does not know")
    func complete() throws {
        let listed = try Self.entries().map(\.key)
        let known =
            Builtins.signatures.filter { !$0.name.hasPrefix("_") }.map { "\($0.name)/\($0.arity)" }
            + InputFunctions.signatures
        #expect(Set(known).subtracting(listed).sorted() == [])
        #expect(Set(listed).subtracting(known).sorted() == [])
        #expect(listed.count == Set(listed).count)
    }

    @Test("every built-in is declared once")
    func declaredOnce() {
        let declared = Builtins.nodes.map(\.signature) + Prelude.definitions.keys
        let repeated = Dictionary(grouping: declared) { $0 }.filter { $0.value.count > 1 }
        #expect(repeated.keys.sorted() == [])
    }

    @Test("a built-in of the prelude is listed under its name and arity", arguments: Prelude.definitions.keys.sorted())
    func preludeSignature(_ signature: String) throws {
        let definitions = try Definitions(text: #require(Prelude.definitions[signature]), name: "prelude")
        #expect(definitions.functions.map(\.signature) == [signature])
    }

    @Test("every built-in's example calls it")
    func calls() throws {
        for entry in try Self.entries() {
            let name = String(entry.key.prefix { $0 != "/" })
            #expect(entry.program.contains(name), "\(entry.signature): \(entry.program)")
        }
    }

    @Test("what is left out is on the page too, each with what to do instead")
    func leftOut() throws {
        let page = try String(
            contentsOf: SharedFolder.packageRoot.appendingPathComponent("man/state-query.7"), encoding: .utf8)
        let section = try #require(page.range(of: ".Sh WHAT IS LEFT OUT"))
        let text = page[section.lowerBound...]
        for signature in Builtins.leftOut.keys {
            #expect(text.contains(signature.prefix { $0 != "/" }), "\(signature)")
        }
    }
}
