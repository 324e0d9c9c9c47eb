import Diagnostics

@testable import CommandLine

/// A command line, one argument a line.
///
/// It is understood, or it is told why it is not. Nothing is carried out.
struct ArgumentsCase {
    private let arguments: [String]

    init(_ bytes: [UInt8]) {
        arguments = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    func run() {
        FuzzRun.declared
        var parser = ArgumentParser(arguments)
        if let problem = parser.problem() { return expectWords(problem) }
        guard let name = parser.typed.command,
            parser.typed.operands.count >= CommandTable.definition(of: name).operands.count(where: \.isRequired)
        else { return }
        // What it needs of files is left alone.
        guard !arguments.contains(where: { $0.contains("/") || $0.hasPrefix("--invariants") }) else { return }
        do { _ = try CommandTable.type(of: name).init(parser.typed) } catch { expectWords(error) }
    }

    private func expectWords(_ error: any Error) {
        let diagnostics = ExitStatus.diagnostics(of: error, in: nil)
        require(!diagnostics.isEmpty, "a problem without words: \(error)")
        for diagnostic in diagnostics {
            require(!diagnostic.message.isEmpty && diagnostic.code != "internal", "\(diagnostic)")
        }
    }
}
