import Foundation
import TestSupport
import Testing

/// What the commands print as JSON, held against the manual page that lists their answers.
struct AnswerTests {
    /// One kind of answer, as the page has it.
    private struct Listed {
        var members: [(name: String, mayBeMissing: Bool)] = []

        /// Whether an answer may have these members, in this order.
        func allows(_ names: [String]) -> Bool {
            var rest = names[...]
            for member in members {
                if rest.first == member.name { rest.removeFirst() } else if !member.mayBeMissing { return false }
            }
            return rest.isEmpty
        }
    }

    private static func listed() throws -> [String: Listed] {
        let page = SharedFolder.packageRoot.appendingPathComponent("man/state-inspect-answers.7")
        var kinds: [String: Listed] = [:]
        var kind = ""
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix(".Ss ") { kind = String(line.dropFirst(4)) }
            guard line.hasPrefix(".It Cm ") else { continue }
            let words = line.split(separator: " ")
            kinds[kind, default: Listed()].members.append((String(words[2]), words.count > 3))
        }
        return kinds
    }

    /// A command line for each form of an answer; `J` is the sample.
    private static let commands = [
        "info J", "show J 118", "show J end", "state J --select .cart.total", "replay J --range end-3..end",
        "replay J --only .cart.total>0 --final --select .cart.total", "replay J --without 58 --select .cart.total",
        "diff J 117 118", "diff J 117 118 --name-only", "diff J 117 118 --stat", "diff samples/checkout-good.jsonl J",
        "diff samples/checkout-good.jsonl J --final --stat", "bisect J --bad .cart.total<0",
        "bisect J --bad .cart.total<0 --monotone", "bisect J --bad .cart.total<0 --skip 118",
        "bisect J --bad error", "bisect J --run false", "bisect J --bad .cart.total<0 --path /catalogue", "derived J",
        "derived J --all --range 110..120",
        "derived J --summary", "derived J --define total=.cart.total",
        "derived J --define total=.cart.total --why total",
        "derived J --define badge=.cart.total --check", "blame J /cart", "blame J /cart --reverse",
        "history J /cart/total", "history J /cart/*", "history J .cart.total", "why J 118",
        "check J --invariant total=.cart.total>=0 --invariant odd=error",
        "check J samples/checkout-good.jsonl samples/none.jsonl --invariant total=.cart.total>=0",
        "check J --invariant seq=$seq>=0", "stats J", "stats J --path /cart -n 2", "verify J",
        "verify samples/crashed.jsonl", "log J -n 3", "log J --all -n 20",
    ]

    @Test("every line that a command prints has the members that the manual lists, in their order", arguments: commands)
    func members(_ command: String) async throws {
        let folder = TemporaryFolder()
        try folder.copySamples()
        let kinds = try Self.listed()
        let words = command.split(separator: " ").map { $0 == "J" ? "samples/checkout.jsonl" : String($0) }
        let run = try await ProgramRun.of(BuiltProducts.stateInspect, words, in: folder)
        #expect(run.status != nil && run.status != 2, "\(run)")
        for line in run.lines {
            let names = Self.names(line)
            guard let kind = names.kind else { continue }
            // A record stands as it does in the journal.
            if names.members.first == "seq" { continue }
            let listed = try #require(kinds[kind], "no page lists '\(kind)': \(run)")
            #expect(names.members.first == "kind" && listed.allows(Array(names.members.dropFirst())), "\(line)")
        }
    }

    /// The names of an object's members in the order of the line, and its kind.
    private static func names(_ line: String) -> (kind: String?, members: [String]) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
            return (nil, [])
        }
        // Foundation's objects have no order: the names are looked for in the line, outside of what is nested.
        var names: [String] = []
        var (depth, isQuoted, isEscaped, text) = (0, false, false, "")
        for character in line {
            if isQuoted {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\" {
                    isEscaped = true
                } else if character == "\"" {
                    isQuoted = false; continue
                }
                text.append(character)
            } else if character == "\"" {
                (isQuoted, text) = (true, "")
            } else if character == ":", depth == 1 {
                names.append(text)
            } else if "{[".contains(character) {
                depth += 1
            } else if "}]".contains(character) {
                depth -= 1
            }
        }
        return (object["kind"] as? String, names)
    }
}
