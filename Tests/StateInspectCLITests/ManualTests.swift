import Foundation
import TestSupport
import Testing

@testable import StateInspectCLI

@Suite("The manual page")
struct ManualTests {
    private static let manual: [String] = {
        let url = SharedFolder.packageRoot.appendingPathComponent("man/state-inspect.1")
        let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }()

    /// The lines of one section.
    private static func section(_ name: String) -> [String] {
        let after = manual.drop { $0 != ".Sh " + name }.dropFirst()
        return Array(after.prefix { !$0.hasPrefix(".Sh ") })
    }

    /// The entries of a section's lists: what follows `.It`, as words.
    private static func entries(_ section: String) -> [[String]] {
        self.section(section).filter { $0.hasPrefix(".It ") }.map {
            $0.split(separator: " ").dropFirst().map(String.init)
        }
    }

    @Test("the manual has every command of the table, and no other")
    func commands() {
        let described = Self.entries("COMMANDS").compactMap { $0.first == "Ic" ? $0.dropFirst().first : nil }
        #expect(described == CommandTable.all.map(\.name.rawValue))
    }

    @Test("the manual has every option of the table with its letter, and no other, in the same order")
    func options() {
        let described = Self.entries("OPTIONS").map { words in
            words.filter { $0 != "Fl" && $0 != "," }.prefix { $0 != "Ar" }.joined(separator: " ")
        }
        let declared = OptionTable.all.map { option in
            (option.short.map { "\($0) " } ?? "") + "-" + option.name.rawValue
        }
        #expect(described == declared)
    }

    @Test("the manual says which commands take an option")
    func commandsOfOptions() {
        let lines = Self.section("OPTIONS")
        for option in OptionTable.all where option.commands.count < CommandName.allCases.count {
            let start = lines.firstIndex {
                $0.hasPrefix(".It") && $0.split(separator: " ").contains("-\(option.name.rawValue)")
            }
            let entry = lines[(start ?? 0)...].dropFirst().prefix { !$0.hasPrefix(".It") && !$0.hasPrefix(".El") }
            let words = entry.filter { $0.hasPrefix(".Pq Ic") }.flatMap { $0.split(separator: " ").dropFirst(2) }
            let named = Set(words.map(String.init).filter { CommandName(rawValue: $0) != nil })
            #expect(named == Set(option.commands.map(\.rawValue)), "\(option.name.typed)")
        }
    }

    @Test("every status of the program is in the manual")
    func statuses() {
        #expect(Self.entries("EXIT STATUS").map { $0.joined() } == ExitStatus.allCases.map { "\($0.rawValue)" })
    }

    @Test("the manual's examples are those of the helps")
    func examples() {
        let shown = Set(Self.section("EXAMPLES").filter { $0.hasPrefix(".Dl ") }.map { String($0.dropFirst(4)) })
        let declared = Set(CommandTable.all.flatMap(\.examples).map(\.line))
        #expect(shown.isSubset(of: declared), "\(shown.subtracting(declared))")
    }
}
