internal import JournalFormat

/// Hashes what is redacted, and remembers a few of the texts: what an action or a derived value may repeat.
final class RedactedTexts {
    private static let latestLimit = 64
    /// A longer text is more than a scalar that an action would repeat.
    private static let latestLength = 1024

    let key: RedactionKey
    /// The canonical texts of what was redacted, while they are collected.
    private var found: [[UInt8]]?
    /// The latest of them, each once, from any time.
    private(set) var latest: [[UInt8]] = []

    init(key: RedactionKey) { self.key = key }

    /// Appends what stands for a redacted part with this canonical text.
    func append(_ canonical: [UInt8], to bytes: inout [UInt8]) {
        note(canonical)
        key.appendRedacted(canonical, to: &bytes)
    }

    /// Notes the canonical text of a secret.
    func note(_ canonical: [UInt8]) {
        found?.append(canonical)
        if canonical.count > RedactedTexts.latestLength || latest.contains(canonical) { return }
        if latest.count == RedactedTexts.latestLimit { latest.removeFirst() }
        latest.append(canonical)
    }

    /// Begins to collect what is redacted.
    func collect() { found = [] }

    /// Ends it.
    func takeFound() -> [[UInt8]] {
        defer { found = nil }
        return found ?? []
    }
}
