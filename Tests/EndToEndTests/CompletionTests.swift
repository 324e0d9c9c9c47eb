import Foundation
import TestSupport
import Testing

/// The completion scripts, each in its own shell, on what a journal has.
struct CompletionTests {
    /// What is typed before the tab, and what is offered; a journal's name may have a space.
    struct Line: Sendable, CustomTestStringConvertible {
        let words: [String]
        let offers: [String]
        var testDescription: String { words.joined(separator: " ") }
    }

    private static let lines = [
        Line(words: ["log", "run.jsonl", "--store", "ca"], offers: ["cart", "catalogue"]),
        Line(words: ["log", "my run.jsonl", "-p", "--store", "ch"], offers: ["checkout"]),
        Line(words: ["state", "my run.jsonl", "sta"], offers: ["start"]),
        Line(words: ["state", "run.jsonl", "--at", "mark:at the t"], offers: ["mark:at the till with an empty cart"]),
        Line(words: ["blame", "run.jsonl", "/cart/i"], offers: ["/cart/items"]),
        Line(words: ["history", "run.jsonl", "--store", "cart", "/items/0/pr"], offers: ["/items/0/price"]),
        Line(words: ["log", "--path", "/cart/d"], offers: []), Line(words: ["info", "my"], offers: ["my run.jsonl"]),
        Line(words: ["log", "run.jsonl", "--rec"], offers: ["--recover"]),
        Line(words: ["info", "run.jsonl", "--format", "sa"], offers: []),
        Line(words: ["bisect", "run.jsonl", "--format", "ju"], offers: []),
        Line(words: ["check", "run.jsonl", "--format", "sa"], offers: ["sarif"]),
        Line(words: ["export", "c"], offers: ["chrome-trace", "changes", "csv"]),
        Line(words: ["import", "red"], offers: ["redux-devtools", "redux-logger"]),
        Line(words: ["completions", "zs"], offers: ["zsh"]),
        Line(words: ["export", "csv", "ru"], offers: ["run.jsonl"]),
        Line(words: ["export", "csv", "run.jsonl", "--path", "/cart/d"], offers: ["/cart/discounts"]),
        Line(words: ["diff", "run.jsonl", "mark:at the t"], offers: ["mark:at the till with an empty cart"]),
    ]

    /// A folder with a journal under two names, and the command on `PATH` as a person has it.
    private func folder() throws -> TemporaryFolder {
        let folder = TemporaryFolder()
        let manager = FileManager.default
        for name in ["run.jsonl", "my run.jsonl"] {
            try manager.copyItem(atPath: BuiltProducts.sample("checkout.jsonl"), toPath: folder.path + "/" + name)
        }
        try manager.createDirectory(atPath: folder.path + "/bin", withIntermediateDirectories: true)
        try manager.createSymbolicLink(
            atPath: folder.path + "/bin/state-inspect", withDestinationPath: BuiltProducts.stateInspect)
        return folder
    }

    private func run(_ shell: String, _ script: String, _ words: [String]) async throws -> Set<String> {
        let folder = try folder()
        let path = folder.path + "/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let options = shell == "zsh" ? ["-f"] : []
        let script = folder.write(script, to: "script")
        let run = try await ProgramRun.of(
            shell, options + [script, "state-inspect"] + words, in: folder,
            environment: ["PATH": path, "HOME": folder.path, "TERM": "xterm"])
        return Set(run.lines.map { $0.split(separator: "\t")[0].replacingOccurrences(of: "\\", with: "") })
    }

    @Test(
        "bash offers stores, positions and paths of the journal on the line",
        .enabled("bash is not there") { ProgramRun.isThere("bash", "--version") },
        arguments: sampled(lines))
    func bash(_ line: Line) async throws {
        // bash hands over what was typed, the space behind its backslash, and cuts it at ':'.
        let script = #"""
            source <(state-inspect completions bash)
            COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
            for word; do
                word=${word// /\\ }
                [[ $word == mark:* ]] && COMP_WORDS+=(mark : "${word#mark:}") || COMP_WORDS+=("$word")
            done
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _state_inspect 2>/dev/null
            printf '%s\n' "${COMPREPLY[@]}"
            """#
        let offers = line.offers.map { $0.hasPrefix("mark:") ? String($0.dropFirst(5)) : $0 }
        #expect(try await run("bash", script, line.words) == Set(offers))
    }

    @Test(
        "fish offers stores, positions and paths of the journal on the line",
        .enabled("fish is not there") { ProgramRun.isThere("fish", "--version") }, arguments: sampled(lines))
    func fish(_ line: Line) async throws {
        let script = #"""
            state-inspect completions fish | source
            complete -C (string join ' ' -- (string escape -- $argv))
            """#
        #expect(try await run("fish", script, line.words) == Set(line.offers))
    }

    @Test(
        "zsh offers stores, positions and paths of the journal on the line",
        .enabled("zsh is not there") { ProgramRun.isThere("zsh", "--version") }, arguments: sampled(lines))
    func zsh(_ line: Line) async throws {
        // A shell of its own on a terminal; what it offers goes to a file as well.
        let script = #"""
            zmodload zsh/zpty
            state-inspect completions zsh > script.zsh
            zpty -b z zsh -f -i
            zpty -w z "PROMPT=; autoload -Uz compinit; compinit -u -D; source $PWD/script.zsh; bindkey '^I' complete-word
            compadd () {
                if [[ \${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
                    local -a h; builtin compadd -A h \"\$@\"; (( \$#h )) && print -rl -- \$h >> $PWD/hits
                fi
                builtin compadd \"\$@\"
            }
            touch $PWD/ready"
            repeat 100; do [[ -e ready ]] && break; sleep 0.1; done
            words=("$@"); words[-1]=${words[-1]// /\\ }
            zpty -w -n z "${(j: :)${(@)words[1,-2]// /\\ }} $words[-1]"$'\t'"; touch $PWD/done"$'\n'
            repeat 100; do [[ -e done ]] && break; sleep 0.1; done
            zpty -d z
            [[ -e hits ]] && cat hits
            """#
        #expect(try await run("zsh", script, line.words) == Set(line.offers))
    }
}
