import TestSupport

/// A script of the debugger, carried out on a journal that is whole.
struct DebugCase {
    private let script: [UInt8]

    /// A small run of every kind of record.
    private static let journal: String = {
        var maker = JournalMaker(seed: 8)
        maker.run(commits: 25, keyframeEvery: 6)
        maker.end()
        return FuzzRun.write(maker.bytes, to: "walked")
    }()

    init(_ bytes: [UInt8]) { script = bytes }

    func run() {
        // These start programs, and read other files.
        for line in script.split(separator: 0x0A) {
            let word = line.drop { $0 == 0x20 || $0 == 0x09 }.prefix { $0 != 0x20 && $0 != 0x09 }
            if word.starts(with: "pi".utf8) || word.starts(with: "so".utf8) { return }
        }
        let path = FuzzRun.write(script, to: "script")
        _ = FuzzRun(["debug", Self.journal, "-x", path, "--batch"])
    }
}
