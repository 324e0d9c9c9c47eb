import CommandLine
import Diagnostics
import JSONCore

/// Why a call of a tool makes no sense.
struct ToolRefusal: Error {
    let message: String
    var insteadCall: String?
}

struct ToolCommandLine {
    private let call: ToolCall
    private var operands: [String] = []
    private var options: [String] = []
    private var command: CommandName

    private(set) var journals: [String] = []

    private(set) var skipped = 0

    /// - Throws: `ToolRefusal` for an argument that is unknown or of another type, and a journal outside the folders.
    init(_ call: ToolCall, _ folders: JournalFolders) throws(ToolRefusal) {
        self.call = call
        command = call.tool.command
        try checkNames()
        // Also of one that another argument makes useless.
        for argument in call.tool.arguments { _ = try texts(argument.name) }
        skipped = try cursor()
        for name in try texts("journal") + texts("journals") + texts("other") { try add(name, folders) }
        switch call.tool.name {
        case "find": try addRange()
        case "diff": try addPositions()
        case "origin": operands += try texts("path")
        case "why": try addQuestion()
        default: break
        }
        for argument in call.tool.arguments where !handled.contains(argument.name) { try add(argument) }
    }

    func words(asJSON: Bool) -> [String] {
        var words = [command.rawValue] + options
        if OptionTable.options(of: command).contains(.cite) { words.append(Option.cite.typed) }
        if asJSON { words.append(Option.json.typed) }
        return words + ["--"] + operands
    }

    private var handled: Set<String> {
        var names: Set = ["journal", "journals", "other", "cursor", "invariants"]
        switch call.tool.name {
        case "find": names.formUnion(["from", "to"])
        case "diff": names.formUnion(["from", "to", "range"])
        case "origin": names.insert("path")
        case "why": names.formUnion(["at", "why", "define"])
        default: break
        }
        return names.subtracting(call.tool.name == "check" ? ["invariants"] : [])
    }

    // MARK: Names and types

    private func checkNames() throws(ToolRefusal) {
        let known = call.tool.arguments.filter(\.isListed).map(\.name)
        for (name, value) in call.arguments where !call.tool.arguments.contains(where: { $0.name == name }) {
            let near = SimilarNames.nearest(to: name, in: known).first
            let instead = near.map { near in
                var arguments = JSONObject()
                for (other, value) in call.arguments where !UTF8Order.equal(other, name) { arguments[other] = value }
                if arguments[near] == nil { arguments[near] = value }
                return ToolAnswer.call(call.tool.name, arguments)
            }
            throw ToolRefusal(
                message: "'\(call.tool.name)' has no argument '\(ProtocolServer.shown(name))', it has "
                    + known.map { "'\($0)'" }.joined(separator: ", "), insteadCall: instead.flatMap(Self.fitting))
        }
        for argument in call.tool.arguments where argument.isRequired && call.arguments[argument.name] == nil {
            throw ToolRefusal(
                message: "'\(call.tool.name)' needs '\(argument.name)', \(argument.expected)",
                insteadCall: UTF8Order.begins(argument.name, with: "journal") ? "call info {}" : nil)
        }
    }

    private func texts(_ name: String) throws(ToolRefusal) -> [String] {
        guard let value = call.arguments[name], let argument = call.tool.arguments.first(where: { $0.name == name })
        else { return [] }
        if let words = argument.words(of: value) {
            guard !words.contains(where: { $0.utf8.contains(0) }) else {
                throw ToolRefusal(message: "'\(name)' holds a NUL")
            }
            return words
        }
        let typed = ProtocolServer.shown(FittedValue.text(value, limit: 60))
        throw ToolRefusal(message: "'\(name)' is '\(typed)', should be \(argument.expected)")
    }

    private func cursor() throws(ToolRefusal) -> Int {
        guard let text = try texts("cursor").first else { return 0 }
        guard let count = Int(text), count >= 0 else {
            throw ToolRefusal(message: "'cursor' is '\(ProtocolServer.shown(text))', should be one of an answer")
        }
        return count
    }

    private mutating func add(_ name: String, _ folders: JournalFolders) throws(ToolRefusal) {
        do throws(JournalFolders.Refusal) {
            let path = try folders.path(of: name)
            journals.append(path)
            operands.append(path)
        } catch {
            let shown = ProtocolServer.shown(name)
            switch error {
            case .outside:
                throw ToolRefusal(
                    message: "'\(shown)' is not below a folder of this server", insteadCall: "call info {}")
            case .missing(_, let near):
                let instead = near.flatMap { Self.fitting(ToolAnswer.call(call.tool.name, replacing(name, by: $0))) }
                throw ToolRefusal(message: "there is no journal '\(shown)'", insteadCall: instead ?? "call info {}")
            case .several(_, let names):
                throw ToolRefusal(
                    message: "'\(shown)' can be " + Self.listed(names), insteadCall: "call info {}")
            }
        }
    }

    private func replacing(_ name: String, by near: String) -> JSONObject {
        var arguments = call.arguments
        for key in ["journal", "other"] where arguments[key]?.string == name { arguments[key] = .string(near) }
        if case .array(let names)? = arguments["journals"] {
            arguments["journals"] = .array(names.map { $0.string == name ? .string(near) : $0 })
        }
        return arguments
    }

    private static let namedLimit = 10

    private static func listed(_ journals: [String]) -> String {
        let names = journals.prefix(namedLimit).map { "'\(ControlCharacters.escaped($0))'" }
        let more = journals.count - names.count
        return names.joined(separator: ", ") + (more > 0 ? ", or one of \(more) more" : "")
    }

    private static func fitting(_ call: String) -> String? { call.utf8.count <= 1_000 ? call : nil }

    // MARK: Options

    private mutating func add(_ argument: ToolArgument) throws(ToolRefusal) {
        let option = argument.name == "invariants" ? Option.invariant.name : argument.name
        for word in try texts(argument.name) {
            options.append(argument.kind.isFlag ? "--\(option)" : "--\(option)=\(word)")
        }
    }

    private mutating func addRange() throws(ToolRefusal) {
        if let (from, to) = try positions(besides: "range") { options.append("--range=\(from ?? "")..\(to ?? "")") }
    }

    private mutating func addPositions() throws(ToolRefusal) {
        let (from, to) = try positions(besides: "other") ?? (nil, nil)
        if call.arguments["other"] != nil { return }
        guard let range = try texts("range").first else { return operands += [from ?? "start", to ?? "end"] }
        guard from == nil, to == nil else { throw ToolRefusal(message: "'range' stands without 'from' and 'to'") }
        operands.append(range)
    }

    private func positions(besides other: String) throws(ToolRefusal) -> (from: String?, to: String?)? {
        let (from, to) = (try texts("from").first, try texts("to").first)
        guard from != nil || to != nil else { return nil }
        guard call.arguments[other] == nil else {
            throw ToolRefusal(message: "'\(other)' stands without 'from' and 'to'")
        }
        return (from, to)
    }

    private mutating func addQuestion() throws(ToolRefusal) {
        let at = try texts("at")
        guard let name = try texts("why").first else {
            guard call.arguments["define"] == nil else { throw ToolRefusal(message: "'define' stands with 'why'") }
            operands += at
            return
        }
        command = .derived
        options += try ["--why=\(name)"] + at.map { "--at=\($0)" } + texts("define").map { "--define=\($0)" }
    }
}

extension ToolArgument.Kind {
    fileprivate var isFlag: Bool {
        if case .flag = self { return true }
        return false
    }
}
