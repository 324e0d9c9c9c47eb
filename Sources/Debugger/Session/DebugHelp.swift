import CommandLine
import Diagnostics

/// The help of the debugger, from its table of commands.
struct DebugHelp {
    let style: Style
    let width: Int?

    /// The list of commands, or all there is to say of one.
    ///
    /// - Throws: `CommandFailure` if there is no such command.
    func lines(_ topic: String) throws(CommandFailure) -> [String] {
        if topic.isEmpty { return list }
        do throws(CommandFailure) { return of(DebugVerbTable.definition(of: try DebugLine.verb(topic))) } catch {
            let word = topic.lowercased()
            let found = DebugVerbTable.all.filter {
                "\($0.synopsis) \($0.summary) \($0.details)".lowercased().contains(word)
            }
            if found.isEmpty { throw error }
            return rows(found)
        }
    }

    private func rows(_ verbs: [DebugVerbDefinition]) -> [String] {
        let column = DebugVerbTable.all.map(\.verb.rawValue.count).max() ?? 0
        return verbs.map { verb in
            let short = verb.short.first.map { ", \($0)" } ?? ""
            let name = DisplayWidth.padded(verb.verb.rawValue + short, to: column + 6)
            return "  " + style(.path, name) + verb.summary
        }
    }

    private var list: [String] {
        DebugVerbTable.groups.flatMap { [style(.heading, $0.title)] + rows($0.verbs) }
            + ["'help COMMAND' says more, 'help WORD' searches; Enter does a motion again"]
    }

    private func of(_ verb: DebugVerbDefinition) -> [String] {
        var lines = [style(.path, verb.synopsis), "  " + verb.summary]
        if !verb.details.isEmpty { lines += verb.details.wrapped(to: (width ?? 100) - 2).map { "  " + $0 } }
        if !verb.short.isEmpty { lines.append("  short: " + verb.short.joined(separator: ", ")) }
        return lines
    }
}
