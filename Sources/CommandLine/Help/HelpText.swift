package struct HelpText {
    package enum Length { case short, long }

    package static let width = 80

    private let length: Length

    package init(_ length: Length) { self.length = length }

    package func text(of command: CommandName?) -> String {
        guard let command else { return programHelp() }
        return commandHelp(CommandTable.definition(of: command))
    }

    private func programHelp() -> String {
        var lines = ["state-inspect: what a state was, when it changed, and which line changed it", ""]
        lines += ["usage: state-inspect COMMAND [OPTIONS] JOURNAL"]
        let width = CommandName.allCases.map(\.rawValue.utf8.count).max() ?? 0
        for group in CommandTable.groups {
            let commands = group.commands.map { ($0.rawValue, CommandTable.definition(of: $0).summary) }
            lines += ["", group.title + ":"] + rows(commands, width: width)
        }
        lines += ["", "options of every command:"]
        lines += optionLines(OptionTable.options(of: nil))
        if length == .long { for topic in HelpTopic.manual { lines += [""] + topic.lines } }
        lines += ["", "'state-inspect COMMAND -h' says what a command takes, 'help COMMAND' says more,"]
        lines += ["'help WORD' searches: 'state-inspect help positions'"]
        return joined(lines)
    }

    private func commandHelp(_ command: CommandDefinition) -> String {
        let name = command.name.rawValue
        var lines = ["state-inspect \(name): \(command.summary)", ""]
        for (index, synopsis) in command.synopsis.enumerated() {
            lines.append((index == 0 ? "usage: " : "       ") + "state-inspect \(name) \(synopsis)")
        }
        if length == .long {
            for paragraph in command.details { lines += [""] + wrapped(paragraph, indent: 0) }
        }
        let own = OptionTable.options(of: command.name).filter { !$0.isCommon }
        if !own.isEmpty { lines += ["", "options:"] + optionLines(own) }
        lines += ["", "options of every command:"] + optionLines(OptionTable.options(of: nil))
        if length == .long { lines += ["", "examples:"] + command.examples.flatMap(exampleLines) }
        if length == .short { lines += ["", "'state-inspect help \(name)' says more"] }
        return joined(lines)
    }

    private func optionLines(_ options: [Option]) -> [String] {
        guard length == .long else { return rows(options.map { (typed($0), $0.summary) }) }
        return options.flatMap { option in
            let sentence = option.summary.prefix(1).uppercased() + option.summary.dropFirst() + "."
            let said = [sentence, option.details, option.isRepeatable ? "May be repeated." : ""].filter { !$0.isEmpty }
            return ["  " + typed(option)] + wrapped(said.joined(separator: " "), indent: 10)
        }
    }

    /// `-n, --max-count K`, with room for the letter where there is none.
    private func typed(_ option: Option) -> String {
        (option.short.map { "-\($0), " } ?? "    ") + option.synopsis
    }

    private func exampleLines(_ example: CommandDefinition.Example) -> [String] {
        ["  " + example.line, "          " + example.purpose]
    }

    package func text(about word: String) -> String? {
        let search = HelpSearch(word)
        var parts = search.topics.map(\.lines)
        // A name that is longer than others does not push every line to the right.
        parts += search.sections.map { [$0.title] + rows($0.rows, width: min(30, $0.rows.map(\.0.count).max() ?? 0)) }
        return parts.isEmpty ? nil : joined(Array(parts.joined(separator: [""])))
    }

    private func rows(_ rows: [(String, String)], width: Int? = nil) -> [String] {
        let width = width ?? rows.map { $0.0.count }.max() ?? 0
        return rows.flatMap { name, summary in
            let lines = wrapped(summary, indent: width + 4)
            guard name.count <= width else { return ["  " + name] + lines }
            return ["  " + name + lines[0].dropFirst(name.count + 2)] + lines.dropFirst()
        }
    }

    private func wrapped(_ text: String, indent: Int) -> [String] {
        text.wrapped(to: Self.width - indent).map { String(repeating: " ", count: indent) + $0 }
    }

    private func joined(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
}

extension String {
    /// The lines of a paragraph, none longer than `width` characters but for words that are.
    package func wrapped(to width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        if !line.isEmpty { lines.append(line) }
        return lines
    }
}
