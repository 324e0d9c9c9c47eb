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
    private var known: [Known] = []

    /// A secret that was met before.
    private struct Known {
        let canonical: [UInt8]
        /// What stands for it in the journal; nil where that was not asked for yet.
        var replacement: [UInt8]?
    }

    /// What was redacted by key paths, which members of values may repeat.
    private(set) var remembered = RememberedSecrets()

    init(key: RedactionKey) { self.key = key }

    /// Hides by what another pass remembers.
    func remember(as other: RedactedTexts?) { if let other { remembered = other.remembered } }

    /// The latest texts that were redacted, each once, from any time.
    var latest: [[UInt8]] { known.map(\.canonical) }

    /// Appends what stands for a redacted part with this canonical text.
    ///
    /// - Complexity: one hash of the text; none for a short one that was met lately, as a secret beside a property that
    ///   changes is met with each commit.
    func append(_ canonical: [UInt8], to bytes: inout [UInt8]) {
        guard let index = place(of: canonical) else { return key.appendRedacted(canonical, to: &bytes) }
        if let replacement = known[index].replacement { return bytes.append(contentsOf: replacement) }
        var replacement: [UInt8] = []
        key.appendRedacted(canonical, to: &replacement)
        known[index].replacement = replacement
        bytes.append(contentsOf: replacement)
    }

    /// Notes the canonical text of a secret.
    func note(_ canonical: [UInt8]) { _ = place(of: canonical) }

    /// Notes a text; gives its place among the latest, nil where it is too long to be one.
    private func place(of canonical: [UInt8]) -> Int? {
        found?.append(canonical)
        if canonical.count > RedactedTexts.latestLength { return nil }
        if let index = known.firstIndex(where: { $0.canonical == canonical }) { return index }
        if known.count == RedactedTexts.latestLimit { known.removeFirst() }
        known.append(Known(canonical: canonical))
        return known.count - 1
    }

    /// Begins to collect what is redacted.
    func collect() { found = [] }

    /// Ends it.
    func takeFound() -> [[UInt8]] {
        defer { found = nil }
        return found ?? []
    }
}
