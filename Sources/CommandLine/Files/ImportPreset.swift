import Diagnostics
import Interchange
import Platform
import QueryLanguage

/// Options that a team uses daily, in a file, or a definition in jq.
///
/// A line is an option and its value, which needs no quotes (`--where .tag == "trace"`); `#` begins a comment line.
/// What is typed counts more; of an option that may be repeated both count.
package enum ImportPreset {
    /// The folder in which a preset is looked up if its name is not a path.
    static let folder = ".state-inspect"
    static let lengthLimit = 1 << 20

    package static func applied(to typed: TypedArguments) throws -> TypedArguments {
        guard let (path, text) = try file(of: typed), !isDefinition(text) else { return typed }
        var parser = ArgumentParser([CommandName.import.rawValue] + arguments(text))
        if let problem = parser.problem() {
            var diagnostic = problem.diagnostic
            diagnostic.notes.append("it stands in the preset '\(path)'")
            throw CommandFailure(.usage, diagnostic)
        }
        if let operand = parser.typed.operands.first {
            throw CommandFailure(
                .usage, code: "usage.preset", "the preset '\(path)' has '\(operand)', which is no option",
                help: ["begin each line with an option, such as '--state .state'"])
        }
        var whole = typed
        whole.takeDefaults(from: parser.typed)
        return whole
    }

    static func definition(
        of typed: TypedArguments, keys: RowKeys, _ environment: QueryEnvironment
    ) throws -> FormatDefinition? {
        guard let (path, text) = try file(of: typed), isDefinition(text) else { return nil }
        return try FormatDefinition(text, name: path, keys: keys, in: environment)
    }

    private static func file(of typed: TypedArguments) throws -> (path: String, text: String)? {
        guard let name = typed.value(.preset) else { return nil }
        let path = try path(of: name)
        let bytes = try InputFile.whole(path, limit: lengthLimit, code: "preset.unreadable")
        return (path, String(decoding: bytes, as: UTF8.self))
    }

    /// Options begin with a dash, definitions with the word 'def'.
    private static func isDefinition(_ text: String) -> Bool {
        let lines = text.split(whereSeparator: \.isNewline).map { $0.drop { $0.isWhitespace } }
        return lines.first { !$0.isEmpty && $0.first != "#" }?.prefix(4) == "def "
    }

    /// A file of that name, else one in the nearest folder `.state-inspect`, from here upwards, or in that of the home folder.
    private static func path(of name: String) throws(CommandFailure) -> String {
        let folders = folders().map { $0 + "/" + folder }
        for place in [name] + folders.map({ $0 + "/" + name }) {
            if let status = try? FileStatus(place), status.kind != .directory { return place }
        }
        let known = folders.flatMap { (try? FileSystem.names(in: $0)) ?? [] }
        throw CommandFailure(
            .usage, code: "usage.no-preset", "there is no preset '\(name)'",
            notes: [
                "it is a file of that name, here, or in '\(folder)' of this folder, one above it, or the home folder"
            ], help: SimilarNames.nearest(to: name, in: known).map { "write '\($0)'" })
    }

    private static func folders() -> [String] {
        var folders: [String] = ["."]
        var above = ".."
        for _ in 0..<32 {
            folders.append(above)
            above += "/.."
        }
        if let home = Environment.variable("HOME") { folders.append(home) }
        return folders
    }

    private static func arguments(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).flatMap { line -> [String] in
            let words = line.drop { $0.isWhitespace }
            guard let first = words.first, first != "#" else { return [] }
            // '--where=.a == 1' is one word here.
            guard let space = words.firstIndex(where: \.isWhitespace), !words[..<space].contains("=") else {
                return [String(words)]
            }
            let option = String(words[..<space])
            let value = unquoted(words[space...].drop { $0.isWhitespace })
            let takesTwo = OptionTable.options(of: .import).first { $0.typed == option }?.second != nil
            guard takesTwo, let gap = value.firstIndex(where: \.isWhitespace) else { return [option, value] }
            return [option, String(value[..<gap]), unquoted(value[gap...].drop { $0.isWhitespace })]
        }
    }

    /// A value without the quotes that a shell would have taken off; a query never begins with one.
    private static func unquoted(_ value: Substring) -> String {
        value.count > 1 && value.first == "'" && value.last == "'"
            ? String(value.dropFirst().dropLast()) : String(value)
    }
}
