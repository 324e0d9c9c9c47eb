import Foundation
import TestSupport

/// Runs command lines as a person at the root of the checkout would, and tells what the terminal shows.
struct ExampleShell {
    let folder = TemporaryFolder()
    private let programs = TemporaryFolder()

    /// A shell in a folder where `samples` is that of the checkout, and `state-inspect` the built one.
    init() throws {
        try folder.copySamples()
        let program = programs.write(Self.wrapper, to: "state-inspect")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    }

    /// What a command line prints on both outputs, and its status.
    func run(_ command: String) async throws -> (printed: String, status: Int32?) {
        let line = command.replacingOccurrences(of: "swift run state-inspect", with: "state-inspect")
        let path = programs.path + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")
        let run = try await ProgramRun.of(
            "/bin/sh", ["-c", "exec 2>&1\n" + line], in: folder,
            environment: ["PATH": path, "BUILT": BuiltProducts.stateInspect])
        return (run.text.hasSuffix("\n") ? String(run.text.dropLast()) : run.text, run.status)
    }

    /// Answers are for people where standard output would be the terminal, and JSON where it is a pipe, as in real life.
    private static let wrapper = """
        #!/bin/sh
        case "$1" in
            query|completions|help|-*|'') exec "$BUILT" "$@" ;;
        esac
        [ -p /dev/stdout ] && exec "$BUILT" "$@"
        command=$1
        shift
        exec "$BUILT" "$command" --format human "$@"

        """
}
