import JSONCore

/// A journal, and on its first line the secret that must not be in it.
struct RedactCase {
    private let secret: String
    private let journal: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        let end = bytes.firstIndex(of: 0x0A) ?? bytes.endIndex
        secret = String(decoding: bytes[..<end], as: UTF8.self)
        journal = bytes[end...].dropFirst()
    }

    func run() {
        guard secret.utf8.count >= 4, !secret.utf8.contains(0) else { return }
        let path = FuzzRun.write(journal, to: "journal")
        let run = FuzzRun(["redact", path, "--path", "/**/a", "--check", secret])
        guard run.status == 0 else { return }
        expectNone(of: Array(secret.utf8), in: run.output, run)
        for line in run.lines {
            guard let value = try? JSONParser.parse(Array(line)) else { fatalError("no JSON: \(run)") }
            expectNone(in: value, run)
        }
        if FuzzRun(["verify", path]).status == 0 {
            let verified = FuzzRun(["verify", FuzzRun.write(run.output, to: "redacted")])
            require(verified.status == 0, "redacted it is not whole: \(verified)\n\(run)")
        }
    }

    private func expectNone(in value: JSONValue, _ run: FuzzRun) {
        switch value {
        case .string(let text): expectNone(of: Array(secret.utf8), in: Array(text.utf8), run)
        case .array(let elements): for element in elements { expectNone(in: element, run) }
        case .object(let members):
            for (name, value) in members {
                expectNone(of: Array(secret.utf8), in: Array(name.utf8), run)
                expectNone(in: value, run)
            }
        case .number, .bool, .null: break
        }
    }

    private func expectNone(of secret: [UInt8], in bytes: [UInt8], _ run: FuzzRun) {
        guard bytes.count >= secret.count else { return }
        for start in 0...(bytes.count - secret.count) where bytes[start] == secret[0] {
            require(!bytes[start...].starts(with: secret), "the secret is left: \(run)")
        }
    }
}
