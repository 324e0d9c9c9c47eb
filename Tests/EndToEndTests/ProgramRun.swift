import Foundation
import JSONCore
import TestSupport
import Testing

/// One run of a program, to its end.
///
/// Outputs go to files: a pipe that nobody empties would stop the program.
struct ProgramRun: Sendable, CustomTestStringConvertible {
    let command: String
    /// The exit status; nil if a signal ended it.
    let status: Int32?
    /// The signal that ended it.
    let signal: Int32?
    let output: Data
    let errors: String

    /// The text on standard output.
    var text: String { String(decoding: output, as: UTF8.self) }

    /// The lines on standard output.
    var lines: [String] { text.split(separator: "\n").map(String.init) }

    /// Everything about the run, as a failed expectation prints it.
    var testDescription: String {
        """

        $ \(command)
        \(text.count > 4000 ? String(text.prefix(4000)) + "…" : text)
        -- standard error --
        \(errors.prefix(4000))
        -- \(status.map { "status \($0)" } ?? "signal \(signal ?? 0)") --
        """
    }

    /// Runs a program by its path, or by its name on `PATH`.
    ///
    /// - Parameters:
    ///   - input: what it reads on standard input; the end of a file at once unless given.
    ///   - output: where its standard output goes, if not to a file that is read afterwards.
    static func of(
        _ program: String, _ arguments: [String], in folder: TemporaryFolder, input: Data = Data(),
        output: String? = nil, environment: [String: String] = [:]
    ) async throws -> ProgramRun {
        let run = UUID().uuidString
        let inputPath = folder.write(input, to: "\(run).input")
        let outputPath = output ?? folder.write("", to: "\(run).output")
        let errorPath = folder.write("", to: "\(run).errors")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program.hasPrefix("/") ? program : "/usr/bin/env")
        process.arguments = program.hasPrefix("/") ? arguments : [program] + arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = ProcessInfo.processInfo.environment.merging(quiet) { $1 }.merging(environment) { $1 }
        let files = [
            try FileHandle(forReadingFrom: URL(fileURLWithPath: inputPath)),
            try FileHandle(forWritingTo: URL(fileURLWithPath: outputPath)),
            try FileHandle(forWritingTo: URL(fileURLWithPath: errorPath)),
        ]
        // A process that ended keeps them: with some thousand of them the next one cannot be started.
        defer { for file in files { try? file.close() } }
        await Turns.programs.begin()
        (process.standardInput, process.standardOutput, process.standardError) = (files[0], files[1], files[2])
        do {
            try await finish(process)
        } catch {
            await Turns.programs.end()
            throw error
        }
        await Turns.programs.end()
        let wasKilled = process.terminationReason == .uncaughtSignal
        return ProgramRun(
            command: ([program] + arguments).joined(separator: " "),
            status: wasKilled ? nil : process.terminationStatus, signal: wasKilled ? process.terminationStatus : nil,
            output: output == nil ? try Data(contentsOf: URL(fileURLWithPath: outputPath)) : Data(),
            errors: String(decoding: try Data(contentsOf: URL(fileURLWithPath: errorPath)), as: UTF8.self))
    }

    /// Runs the command under test.
    static func inspect(
        _ arguments: String..., in folder: TemporaryFolder, input: Data = Data(), output: String? = nil
    ) async throws -> ProgramRun {
        try await of(BuiltProducts.stateInspect, arguments, in: folder, input: input, output: output)
    }

    /// What keeps the terminal and the settings of whoever runs the tests out of the answers.
    private static let quiet = ["NO_COLOR": "1", "COLUMNS": "", "PAGER": "cat", "STATE_INSPECT_PAGER": "cat"]

    /// How long a program may take: one that hangs fails its test, and not the run of all.
    private static let limit = Duration.seconds(1_800)

    /// A program that was killed for it did not end in time.
    private struct Hang: Error, CustomStringConvertible { let description: String }

    private static func finish(_ process: Process) async throws {
        let (ends, told) = AsyncStream.makeStream(of: Bool.self)
        process.terminationHandler = { _ in told.yield(true) }
        try process.run()
        let clock = Task {
            try await Task.sleep(for: limit)
            told.yield(false)
        }
        defer { clock.cancel() }
        // A run of tests that is cancelled ends the stream.
        if await ends.first(where: { _ in true }) == true { return }
        Self.kill(process.processIdentifier)
        throw Hang(description: "killed, for it did not end: \(process.arguments?.joined(separator: " ") ?? "")")
    }

    /// Ends a program, with what it has started where that is one group.
    private static func kill(_ number: pid_t) {
        _ = Foundation.kill(getpgid(number) == number ? -number : number, SIGKILL)
    }

    /// Whether a program is on `PATH` and does its work; tests that need it are skipped where it does not.
    static func isThere(_ program: String, _ arguments: String...) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        let end = Date().addingTimeInterval(30)
        while process.isRunning {
            guard Date() < end else {
                kill(process.processIdentifier)
                return false
            }
            usleep(5000)
        }
        return process.terminationStatus == 0
    }
}

/// Lets few programs run at once: beside a hundred others none would end in any time that shows a hang.
private actor Turns {
    static let programs = Turns(max(2, ProcessInfo.processInfo.activeProcessorCount))

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    private init(_ count: Int) { free = count }

    /// Waits until a program may run.
    func begin() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    /// Lets the next one run, in the order in which they came.
    func end() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}

/// The programs that were built together with this test bundle, or those in the folder that the environment's
/// `STATE_INSPECT_PRODUCTS` names: an optimised build is tested so.
enum BuiltProducts {
    /// The folder that the programs lie in.
    static let folder =
        ProcessInfo.processInfo.environment["STATE_INSPECT_PRODUCTS"].map { URL(fileURLWithPath: $0) } ?? bundleFolder

    private static let bundleFolder: URL = {
        #if os(macOS)
        for bundle in Bundle.allBundles where bundle.bundlePath.hasSuffix(".xctest") {
            return bundle.bundleURL.deletingLastPathComponent()
        }
        #endif
        return Bundle.main.bundleURL
    }()

    static let stateInspect = folder.appendingPathComponent("state-inspect").path
    static let shop = folder.appendingPathComponent("shop").path
    /// A program of the tests' own, which is built with them.
    static let crashing = bundleFolder.appendingPathComponent("crashing").path

    /// The folder of the sample journals.
    static let samples = SharedFolder.packageRoot.appendingPathComponent("samples")

    /// The path of a sample journal.
    static func sample(_ name: String) -> String { samples.appendingPathComponent(name).path }
}

extension JSONValue {
    /// The object, if it is one.
    var objectValue: JSONObject? { if case .object(let members) = self { members } else { nil } }

    /// The text, if it is a string.
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// The exact integer, if it is one.
    var integer: Int? { if case .number(let number) = self { number.integerValue } else { nil } }
}

extension TemporaryFolder {
    /// Writes bytes into it and returns its path.
    @discardableResult
    func write(_ data: Data, to name: String) -> String { write([UInt8](data), to: name) }

    /// Makes `samples` in it a copy of the samples, as at the root of the checkout: no source is read that a link leads out to.
    func copySamples() throws {
        try FileManager.default.copyItem(atPath: BuiltProducts.samples.path, toPath: path("samples"))
    }
}
