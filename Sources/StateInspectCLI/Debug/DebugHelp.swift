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
        return of(DebugVerbTable.definition(of: try DebugLine.verb(topic)))
    }

    private var list: [String] {
        let column = DebugVerbTable.all.map(\.verb.rawValue.count).max() ?? 0
        var lines: [String] = []
        for group in DebugVerbTable.groups {
            lines.append(style(.heading, group.title))
            for verb in group.verbs {
                let short = verb.short.first.map { ", \($0)" } ?? ""
                let name = DisplayWidth.padded(verb.verb.rawValue + short, to: column + 6)
                lines.append("  " + style(.path, name) + verb.summary)
            }
        }
        return lines + ["'help COMMAND' says more; Enter does a motion again"]
    }

    private func of(_ verb: DebugVerbDefinition) -> [String] {
        var lines = [style(.path, verb.synopsis), "  " + verb.summary]
        if !verb.details.isEmpty { lines += TextWrap.lines(verb.details, width: (width ?? 100) - 2).map { "  " + $0 } }
        if !verb.short.isEmpty { lines.append("  short: " + verb.short.joined(separator: ", ")) }
        return lines
    }
}
