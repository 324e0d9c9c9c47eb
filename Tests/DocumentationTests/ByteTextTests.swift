import Foundation
import TestSupport
import Testing

/// Texts of a journal are compared by their bytes: what Swift's `String` does otherwise is not written where such texts are met.
struct ByteTextTests {
    /// The modules that journals, logs and what is typed about them go through.
    private static let modules = [
        "JournalFormat", "JournalReading", "TimeTravel", "Interchange", "QueryLanguage", "CommandLine", "Commands",
        "Debugger", "ReportPage", "AgentServer", "StoreCore/Recording",
    ]

    /// What compares by canonical equivalence, or by characters, and what is written instead.
    private static let banned = [
        ("Set<String>", "Set<ByteName>"), ("[String:", "NameTable, or ByteName as the key"),
        ("Dictionary<String", "NameTable, or ByteName as the key"),
        ("Dictionary(grouping", "ByteName, where the key is a text"),
        (".hasPrefix", "UTF8Order.begins(_:with:)"), (".hasSuffix", "UTF8Order.ends(_:with:)"),
    ]

    /// Files whose texts are words of this package, never names of a journal; or that hide more, not less, where two are one.
    private static let reasons = [
        "TimeTravel/Verifying/RepairedLines.swift": "members of the format",
        "Interchange/JSONLines/ImportWarning.swift": "our options",
        "QueryLanguage/Regex/RegexParser+Escapes.swift": "a sign of the pattern's own syntax",
        "QueryLanguage/Regex/RegexNode.swift": "names of classes",
        "QueryLanguage/Values/NumberText.swift": "digits",
        "QueryLanguage/Syntax/Token.swift": "keywords", "QueryLanguage/Syntax/Parser+Operators.swift": "operators",
        "QueryLanguage/Syntax/SyntaxProblem+Diagnostic.swift": "identifiers, which are ASCII",
        "QueryLanguage/Compile/Compiler+Expressions.swift": "identifiers, which are ASCII",
        "QueryLanguage/Compile/Compiler.swift": "signatures of the prelude",
        "QueryLanguage/Compile/Scope.swift": "identifiers, which are ASCII",
        "QueryLanguage/Builtins/JSONTextReader.swift": "a sign of a number's text",
        "QueryLanguage/Builtins/ValueFunctions.swift": "our functions",
        "QueryLanguage/Builtins/Prelude.swift": "our functions",
        "QueryLanguage/Builtins/MathFunctions.swift": "our functions",
        "QueryLanguage/Builtins/Builtins.swift": "our functions",
        "CommandLine/Files/ImportAdvice.swift": "our formats",
        "CommandLine/Program/CommandGuess.swift": "our commands",
        "CommandLine/Rendering/DiagnosticRenderer.swift": "our codes",
        "AgentServer/ToolCommandLine.swift": "our arguments",
        "StoreCore/Recording/Recorder.swift": "labels as the app gives them",
        "StoreCore/Recording/JournalComposer.swift": "redacted by name: either form is hidden",
        "StoreCore/Recording/Protection.swift": "redacted by name: either form is hidden",
        "StoreCore/Recording/PayloadRedaction.swift": "redacted by name: either form is hidden",
    ]

    @Test("no text of a journal is compared as Swift compares strings", arguments: modules)
    func module(_ module: String) throws {
        let folder = SharedFolder.packageRoot.appendingPathComponent("Sources/" + module)
        var found: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
            if Self.reasons["\(module)/\(path)"] != nil { continue }
            let text = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            found += Self.findings(in: text).map { "Sources/\(module)/\(path):\($0)" }
        }
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    }

    @Test("each file that is left out is there, and needs it")
    func reasonsHold() throws {
        for (path, reason) in Self.reasons {
            let file = SharedFolder.packageRoot.appendingPathComponent("Sources/" + path)
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(!Self.findings(in: text).isEmpty, "\(path) (\(reason)) compares nothing any more")
        }
    }

    private static func findings(in text: String) -> [String] {
        var source = SourceText(bytes: Array(text.utf8))
        let lines = source.withoutStrings().split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().flatMap { index, line in
            let code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
            return banned.filter { code.contains($0.0) }.map { "\(index + 1): '\($0.0)': write \($0.1)" }
        }
    }
}
