import Foundation
import TestSupport
import Testing

/// The recorders in other languages, and the kit that judges them.
@Suite(.timeLimit(.minutes(10)))
struct RecorderKitTests {
    private static let folder = BuiltProducts.samples.appendingPathComponent("recorders")
    private static let hasPython = ProgramRun.isThere("python3", "--version")

    /// A language, and the command that shows that it is installed.
    enum Language: String, CaseIterable, Sendable {
        case python, typescript, redux, zustand, go, rust

        var isThere: Bool {
            switch self {
            case .python: ProgramRun.isThere("python3", "--version")
            case .typescript, .redux, .zustand: ProgramRun.isThere("node", "--version")
            case .go: ProgramRun.isThere("go", "version")
            case .rust: ProgramRun.isThere("rustc", "--version")
            }
        }
    }

    private static func judge(_ arguments: String..., kit: String? = nil, in folder: TemporaryFolder) async throws
        -> ProgramRun
    {
        try await ProgramRun.of(
            kit ?? Self.folder.appendingPathComponent("kit/judge").path, arguments, in: folder,
            environment: ["STATE_INSPECT": BuiltProducts.stateInspect])
    }

    @Test("a recorder passes every script of the kit", arguments: Language.allCases)
    func passes(_ language: Language) async throws {
        guard language.isThere else {
            print("skipped: the recorder in \(language), since its language is not installed here")
            return
        }
        let run = try await Self.judge(language.rawValue, in: TemporaryFolder())
        #expect(run.status == 0 && run.text.contains(", 0 failed, "), "\(run)")
    }

    @Test("a recorder has at most 200 lines")
    func lines() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
            .filter { $0.hasPrefix("recorder.") }
        #expect(files.contains("recorder.py") && files.contains("recorder.ts"))
        for file in files {
            let text = try String(contentsOf: Self.folder.appendingPathComponent(file), encoding: .utf8)
            #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 201, "\(file)")
        }
    }

    /// A mistake, as an edit of the recorder, and the scripts that see it.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let from: String
        let to: String
        let scripts: String
    }

    private static let mistakes = [
        Mistake(
            testDescription: "the old value is the new one", from: #""value": new, "old": old}"#,
            to: #""value": new, "old": new}"#, scripts: "02-one"),
        Mistake(
            testDescription: "a store that closes is not recorded", from: #"journal._write("close""#,
            to: #"(lambda *a, **b: None)("close""#, scripts: "45-close"),
        Mistake(testDescription: "a sum is wrong", from: "0x82F63B78", to: "0xEDB88320", scripts: "02-one"),
        Mistake(
            testDescription: "a key is not escaped", from: #"key.replace("~", "~0").replace("/", "~1")"#, to: "key",
            scripts: "25-escapes"),
        Mistake(
            testDescription: "a delivery is not a cause", from: "run(DELIVERED.set, number)",
            to: "run(DELIVERED.set, None)", scripts: "49-cause"),
        Mistake(
            testDescription: "the program's own objects are kept", from: "self.tree = number, self.version + 1, tree",
            to: "self.tree = number, self.version + 1, state", scripts: "43-in-place"),
        Mistake(
            testDescription: "a secret is recorded", from: "if secret(path):", to: "if False:", scripts: "55-redact"),
        Mistake(
            testDescription: "a line that does not fit is left torn", from: "os.ftruncate(self._file, self._size)",
            to: "pass", scripts: "66-full-disk"),
        Mistake(
            testDescription: "the place is the recorder's own", from: "!= __file__)", to: "!= '')",
            scripts: "08-places"),
        Mistake(
            testDescription: "NaN is written as it is", from: "abs(value) < 2**53 else named",
            to: "abs(value) < 2**53 else value", scripts: "36-not-finite"),
    ]

    @Test("the kit sees what a recorder does wrong", .enabled(if: hasPython), arguments: mistakes)
    func mistake(_ mistake: Mistake) async throws {
        let folder = TemporaryFolder()
        let copy = folder.path("recorders")
        try FileManager.default.copyItem(atPath: Self.folder.path, toPath: copy)
        let recorder = copy + "/recorder.py"
        let text = try String(contentsOfFile: recorder, encoding: .utf8)
        #expect(text.contains(mistake.from))
        try text.replacingOccurrences(of: mistake.from, with: mistake.to)
            .write(toFile: recorder, atomically: true, encoding: .utf8)
        let run = try await Self.judge(
            "python", "--only", mistake.scripts, kit: copy + "/kit/judge", in: folder)
        #expect(run.status == 1 && run.text.contains("FAILED"), "\(run)")
        let right = try await Self.judge("python", "--only", mistake.scripts, in: folder)
        #expect(right.status == 0, "\(right)")
    }
}
