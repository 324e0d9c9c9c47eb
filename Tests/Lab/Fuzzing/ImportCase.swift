import Interchange

/// A file of another program: its first byte chooses the format.
struct ImportCase {
    private let options: [String]
    private let text: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        options = Self.options[Int(bytes.first ?? 0) % Self.options.count]
        text = bytes.dropFirst()
    }

    func run() {
        let path = FuzzRun.write(text, to: "text")
        let run = FuzzRun(["import", options[0], path] + options[1...])
        guard run.status == 0, !options.contains("--suggest") else { return }
        // Whatever was taken is a whole journal.
        let verified = FuzzRun(["verify", FuzzRun.write(run.output, to: "imported")])
        require(verified.status == 0, "\(verified)\n\(run)")
    }

    static let options: [[String]] =
        ImportFormat.allCases.flatMap { format -> [[String]] in
            format == .jsonl ? [] : [[format.rawValue], [format.rawValue, "--skip-bad"]]
        } + [
            ["jsonl", "--suggest"], ["jsonl", "--state", "."], ["jsonl", "--set", "/a=.a", "--skip-bad"],
            ["jsonl", "--patch", ".patch", "--time", ".time", "--store", ".store"],
            ["jsonl", "--merge", ".", "--cause", ".cause", "--id", ".id", "--at", ".at", "--prefix"],
        ]
}
