import Foundation
import TestSupport
import Testing

/// `debug --tui` of the built program, in a terminal: what shows, and that the terminal is given back whatever happens.
@Suite(.serialized)
struct FullScreenTests {
    private let folder = TemporaryFolder()

    // MARK: In tmux

    /// A terminal of tmux with a server of its own, in which a shell runs.
    private struct Terminal {
        let folder: TemporaryFolder
        let socket: String

        /// Starts it.
        init(_ columns: Int, _ rows: Int, _ command: String, environment: [String: String] = [:]) async throws {
            folder = TemporaryFolder()
            socket = folder.path + "/tmux"
            let variables = environment.map { "\($0.key)='\($0.value)' " }.sorted().joined()
            try await tmux(
                "-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
                "unset NO_COLOR COLUMNS; export STATE_INSPECT_HISTORY= PS1='$ '; cd '\(BuiltProducts.samples.path)/..'; \(variables)\(command)"
            )
        }

        /// Runs tmux without the descriptors and the blocked signals that it inherits: its server would hold open what the end of
        /// a program is waited for by, and hand on that nobody stops or resizes.
        @discardableResult
        private func tmux(_ arguments: String...) async throws -> ProgramRun {
            let plain = """
                import os, signal, sys
                os.closerange(3, 4096)
                signal.pthread_sigmask(signal.SIG_SETMASK, [])
                for number in signal.SIGTSTP, signal.SIGCONT, signal.SIGWINCH: signal.signal(number, signal.SIG_DFL)
                os.execvp("tmux", ["tmux"] + sys.argv[1:])
                """
            return try await ProgramRun.of("python3", ["-c", plain, "-S", socket] + arguments, in: folder)
        }

        /// Presses keys, by their names in tmux.
        func press(_ keys: String...) async throws { for key in keys { try await tmux("send-keys", key) } }

        func resize(_ columns: Int, _ rows: Int) async throws {
            try await tmux("resize-window", "-x", "\(columns)", "-y", "\(rows)")
        }

        /// What shows, once it shows a text, and begins with another; with looks where asked for.
        func shows(_ text: String, first: String = "", looks: Bool = false) async throws -> String {
            var screen = ""
            for _ in 0..<6_000 {
                screen = try await looks ? tmux("capture-pane", "-p", "-e").text : tmux("capture-pane", "-p").text
                if screen.contains(text), screen.hasPrefix(first) { return screen }
                try await Task.sleep(for: .milliseconds(100))
            }
            Issue.record("'\(text)' never shows:\n\(screen)")
            return screen
        }

        func end() async { _ = try? await tmux("kill-server") }
    }

    private static let hasTmux =
        ProgramRun.isThere("tmux", "-V") && ProgramRun.isThere("python3", "--version")
    private static let debug = "'\(BuiltProducts.stateInspect)' debug samples/checkout.jsonl --source-root samples"
    private static let screen = debug + " --tui"

    @Test(
        "it shows the commit at every size, before and after a change of it",
        .enabled(if: hasTmux, "tmux is not there"))
    func sizes() async throws {
        let terminal = try await Terminal(80, 24, Self.screen)
        _ = try await terminal.shows("q quit")
        try await terminal.press("118g")
        _ = try await terminal.shows(" 118 of")
        for (columns, rows) in [(80, 24), (120, 40), (20, 5), (200, 60), (80, 24)] {
            try await terminal.resize(columns, rows)
            let shown = try await terminal.shows(columns > 20 ? "q quit" : "▶118", first: " 118 of ")
            let lines = shown.split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[0].hasPrefix(" 118 of "), "\(shown)")
            #expect(lines.count == rows + 1 && lines.allSatisfy { $0.count <= columns }, "\(shown)")
            if columns > 20 { #expect(shown.contains(" state ") && shown.contains(" change "), "\(shown)") }
        }
        try await terminal.press("q")
        await terminal.end()
    }

    @Test("colours show unless they are not wanted", .enabled(if: hasTmux, "tmux is not there"))
    func colors() async throws {
        let colored = try await Terminal(80, 24, Self.screen)
        #expect(try await colored.shows("quit", looks: true).contains("\u{1B}[36m"))
        await colored.end()
        let plain = try await Terminal(80, 24, Self.screen, environment: ["NO_COLOR": "1"])
        let shown = try await plain.shows("quit", looks: true)
        #expect(shown.contains("7m 412 of 412"), "\(shown)")
        for number in 30...37 { #expect(!shown.contains("\u{1B}[\(number)m"), "\(shown)") }
        await plain.end()
    }

    @Test("Ctrl-Z gives the terminal to the shell, and 'fg' takes it back", .enabled(if: hasTmux, "tmux is not there"))
    func stopAndGoOn() async throws {
        let terminal = try await Terminal(80, 24, "bash --norc -i")
        _ = try await terminal.shows("$")
        try await terminal.press(Self.screen, "Enter")
        _ = try await terminal.shows("q quit")
        try await terminal.press("C-z")
        _ = try await terminal.shows("Stopped")
        try await terminal.press("stty -a | grep -ow -e icanon -e echo | sort | tr '\\n' ' '; echo =back=", "Enter")
        _ = try await terminal.shows("echo icanon =back=")
        try await terminal.press("fg", "Enter")
        _ = try await terminal.shows("q quit")
        try await terminal.press("q")
        try await terminal.press("echo still; echo here", "Enter")
        let after = try await terminal.shows("still\nhere")
        #expect(!after.contains("q quit"), "\(after)")
        await terminal.end()
    }

    @Test(
        "a position past the end is refused in words, and 'w' pressed again takes the watchpoint away",
        .enabled(if: hasTmux, "tmux is not there"))
    func wordsAndWatchpoints() async throws {
        let terminal = try await Terminal(100, 30, Self.screen)
        _ = try await terminal.shows("q quit")
        // A count has eight digits at most.
        for (number, position) in [("999g", "999"), ("99999999999999999999g", "99999999")] {
            try await terminal.press("118g")
            _ = try await terminal.shows(" 118 of")
            try await terminal.press(number)
            let refused = try await terminal.shows("position '\(position)'")
            #expect(refused.contains("is past the end of") && !refused.contains("no words"), "\(refused)")
        }
        try await terminal.press("Tab", "w")
        _ = try await terminal.shows("watchpoint 1: /")
        try await terminal.press("w")
        _ = try await terminal.shows("watchpoint 1 is gone")
        await terminal.end()
    }

    @Test("the debugger's own commands are typed behind ':'", .enabled(if: hasTmux, "tmux is not there"))
    func commands() async throws {
        let terminal = try await Terminal(100, 30, Self.screen)
        _ = try await terminal.shows("q quit")
        try await terminal.press(":print .cart.tot", "Tab", "Enter")
        _ = try await terminal.shows(" state ")
        try await terminal.press(":nosuch", "Enter")
        _ = try await terminal.shows("there is no command 'nosuch'")
        try await terminal.press("Escape", ":quit", "Enter")
        await terminal.end()
    }

    @Test("the line session edits and completes what is typed", .enabled(if: hasTmux, "tmux is not there"))
    func lineSession() async throws {
        let terminal = try await Terminal(100, 30, Self.debug)
        _ = try await terminal.shows("(debug)")
        try await terminal.press("gto 118", "Home", "Right", "o", "Enter")
        _ = try await terminal.shows("(debug) goto 118")
        try await terminal.press("Up", "BSpace", "7", "Enter")
        let shown = try await terminal.shows("(debug) goto 117")
        #expect(!shown.contains("no command"), "\(shown)")
        try await terminal.press("q", "Enter")
        await terminal.end()
    }

    @Test(
        "on a terminal that cannot move its cursor lines are read as they come",
        .enabled(if: hasTmux && ProgramRun.isThere("script", "--version"), "tmux or script is not there"))
    func dumbLines() async throws {
        let log = folder.path + "/log"
        let command = "'\(BuiltProducts.stateInspect)' debug samples/checkout.jsonl"
        let terminal = try await Terminal(100, 30, "TERM=dumb script -q -f -c \"\(command)\" '\(log)'")
        _ = try await terminal.shows("(debug)")
        try await terminal.press("goto 118", "Enter")
        _ = try await terminal.shows("commit 118")
        try await terminal.press("q", "Enter")
        let written = try String(contentsOfFile: log, encoding: .utf8)
        #expect(written.contains("commit 118") && !written.contains("\u{1B}"), "\(written)")
        await terminal.end()
    }

    // MARK: A journal that grows

    /// The sample up to a commit, as it is while the app runs; and what is still to come, but for the end of the run.
    private static func growing(
        to commit: Int, in folder: TemporaryFolder
    ) throws -> (path: String, rest: (FileHandle) throws -> Void) {
        let text = try String(contentsOfFile: BuiltProducts.sample("checkout.jsonl"), encoding: .utf8)
        let end = try #require(text.range(of: "{\"seq\":\(commit + 1),")).lowerBound
        let last = try #require(text.range(of: "{\"seq\":412,\"kind\":\"end\"")).lowerBound
        let path = folder.write(text[..<end], to: "growing.jsonl")
        return (path, { try $0.write(contentsOf: Data(text[end..<last].utf8)) })
    }

    private static func append(_ rest: (FileHandle) throws -> Void, to path: String) throws {
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try rest(file)
        try file.close()
    }

    @Test(
        "'continue' waits at the end of a journal that is followed, and Ctrl-C ends the wait and not the session",
        .enabled(if: hasTmux, "tmux is not there"))
    func followsByLine() async throws {
        let (path, rest) = try Self.growing(to: 400, in: folder)
        let terminal = try await Terminal(100, 30, "'\(BuiltProducts.stateInspect)' debug '\(path)' --follow")
        _ = try await terminal.shows("(debug)")
        try await terminal.press("watch /likes", "Enter", "c", "Enter")
        try Self.append(rest, to: path)
        _ = try await terminal.shows("commit 409")
        try await terminal.press("c", "Enter")
        _ = try await terminal.shows("waits for more")
        try await terminal.press("C-c")
        _ = try await terminal.shows("interrupted")
        try await terminal.press("when", "Enter")
        _ = try await terminal.shows("commit 412 of 412")
        try await terminal.press("q", "Enter")
        await terminal.end()
    }

    @Test("the screen shows new commits of a journal that is followed", .enabled(if: hasTmux, "tmux is not there"))
    func followsOnScreen() async throws {
        let (path, rest) = try Self.growing(to: 400, in: folder)
        let terminal = try await Terminal(100, 30, "'\(BuiltProducts.stateInspect)' debug '\(path)' --follow --tui")
        _ = try await terminal.shows("q quit", first: " 400 of 400")
        try Self.append(rest, to: path)
        // What stands at the end stays there; a step back leaves it.
        _ = try await terminal.shows("follows the end", first: " 412 of 412")
        try await terminal.press("h")
        _ = try await terminal.shows("commits", first: " 411 of 412")
        try await terminal.press("c")
        _ = try await terminal.shows("at the end, waits for more", first: " 412 of 412")
        try await terminal.press("Escape")
        _ = try await terminal.shows("stopped on the way")
        try await terminal.press(":c", "Enter")
        _ = try await terminal.shows("at the end, waits for more")
        try await terminal.press("Escape", "q")
        await terminal.end()
    }

    // MARK: In a pseudo-terminal

    @Test(
        "the terminal is given back as it was, whatever ends or befalls the program",
        .enabled("python3 is not there") { ProgramRun.isThere("python3", "--version") },
        arguments: [
            "quit", "interrupt-key", "SIGTERM", "SIGINT", "SIGHUP", "SIGILL", "SIGTRAP", "SIGSEGV", "SIGABRT", "storm",
            "paste", "stop",
        ])
    func restored(_ what: String) async throws {
        let script = SharedFolder.testScript("terminal.py")
        let run = try await ProgramRun.of(
            "python3",
            [script, what, BuiltProducts.stateInspect, "debug", BuiltProducts.sample("checkout.jsonl"), "--tui"],
            in: folder)
        #expect(run.text == "restored\n", "\(run)")
    }

    @Test("without a terminal, or with one that cannot draw, it says what to use instead")
    func refused() async throws {
        let run = try await ProgramRun.inspect("debug", BuiltProducts.sample("checkout.jsonl"), "--tui", in: folder)
        #expect(run.status == 2 && run.errors.contains("'--tui' needs a terminal that it can draw on"), "\(run)")
        #expect(run.errors.contains("state-inspect debug"), "\(run)")
    }

    @Test("TERM=dumb is refused with what to use instead", .enabled(if: hasTmux, "tmux is not there"))
    func dumb() async throws {
        let terminal = try await Terminal(80, 24, Self.screen + "; sleep 20", environment: ["TERM": "dumb"])
        _ = try await terminal.shows("TERM is 'dumb'")
        await terminal.end()
    }
}
