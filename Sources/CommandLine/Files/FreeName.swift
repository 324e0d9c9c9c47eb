import Platform

package enum FreeName {
    /// The name itself where it is free, or what is there is no file; otherwise the first free one of `run-2.jsonl`, `run-3.jsonl` ….
    package static func of(_ name: some StringProtocol) -> String {
        let name = String(name)
        guard isTaken(name) else { return name }
        let base = name.lastIndex(of: "/").map(name.index(after:)) ?? name.startIndex
        // What a name begins with is no ending.
        let dot = name[base...].dropFirst().lastIndex(of: ".") ?? name.endIndex
        var number = 2
        while isTaken(name[..<dot] + "-\(number)" + name[dot...]) { number += 1 }
        return name[..<dot] + "-\(number)" + name[dot...]
    }

    /// A link counts as a file, also one that leads nowhere; a device is written without taking the place of anything.
    private static func isTaken(_ name: some StringProtocol) -> Bool {
        (try? FileStatus(notFollowing: String(name))) != nil && (try? FileStatus(String(name)))?.kind != .other
    }
}
