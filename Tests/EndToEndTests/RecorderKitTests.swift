import Foundation
import TestSupport
import Testing

/// The recorders in other languages, and the kit that judges them.
struct RecorderKitTests {
    private static let folder = BuiltProducts.samples.appendingPathComponent("recorders")
    private static let hasPython = ProgramRun.isThere("python3", "--version")

    private static func judge(_ arguments: String..., kit: String? = nil, in folder: TemporaryFolder) async throws
        -> ProgramRun
    {
        try await ProgramRun.of(
            kit ?? Self.folder.appendingPathComponent("kit/judge").path, arguments, in: folder,
            environment: ["STATE_INSPECT": BuiltProducts.stateInspect])
    }

    /// Redux and Zustand close no stores, and Rust's library has no keyed hash.
    @Test(
        "a recorder passes every script of the kit",
        arguments: zip(["python", "typescript", "redux", "zustand", "go", "rust"], [68, 68, 62, 62, 68, 67]))
    func passes(_ language: String, _ scripts: Int) async throws {
        let run = try await Self.judge(language, in: TemporaryFolder())
        if run.status == 69 { try Test.cancel("\(run.errors)") }
        #expect(run.status == 0 && run.text.contains("\(scripts) of 68 passed, 0 failed"), "\(run)")
    }

    @Test(
        "a recorder is as short as it is said to be",
        arguments: zip(["recorder.py", "recorder.ts", "recorder.go", "recorder.rs"], [200, 200, 331, 309]))
    func lines(_ file: String, _ limit: Int) throws {
        let text = try String(contentsOf: Self.folder.appendingPathComponent(file), encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= limit)
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
