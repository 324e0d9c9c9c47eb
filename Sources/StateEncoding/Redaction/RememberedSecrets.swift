internal import JSONCore

/// What was ever redacted by a key path in the states of one store: a member that repeats it stays hidden when another value has
/// taken its place.
///
/// A part of a state that does not change is not encoded again, and the old side of a patch may be. So what hides a member
/// never changes between two commits, or the patches would lead elsewhere than the next keyframe: what is new is only collected,
/// and hides nothing. Where it would have to, the whole state is encoded again (``StateEncoder``), and hidden by all of
/// it.
final class RememberedSecrets {
    /// So many texts are collected before they are taken over anyway.
    private static let newLimit = 1024

    /// How many texts, and how many members, are remembered; beyond it everything that might repeat one is hidden.
    private let limit: Int

    private var texts = TextSearch()
    /// Members that repeated a secret as a whole, by their names and texts: also a number, or a text that is too short to be
    /// looked for elsewhere.
    private var copies: Set<UInt64> = []
    private var copyNames: Set<UTF8Key> = []
    private var isFull = false

    private var newTexts: [[UInt8]] = []
    /// The forms in which the new texts stand in a patch.
    private var newForms = TextSearch()
    private var newCopies: Set<UInt64> = []
    private var newCopyNames: Set<UTF8Key> = []
    private var isNewMet = false

    init(limit: Int = 1 << 20) { self.limit = limit }

    /// Collects what a secret says.
    func note(_ text: [UInt8]) {
        if text.count < TextSearch.leastLength || texts.has(text) || isFull { return }
        guard newForms.insert(RememberedSecrets.escaped(text)) else { return }
        newTexts.append(text)
        let pointer = RememberedSecrets.pointerEscaped(text)
        _ = newForms.insert(RememberedSecrets.escaped(pointer))
    }

    /// Collects a member that repeats a secret.
    func noteCopy(_ canonical: [UInt8], named name: String) {
        let copy = RememberedSecrets.hash(canonical, name)
        if copies.contains(copy) || isFull { return }
        newCopies.insert(copy)
        newCopyNames.insert(UTF8Key(name))
    }

    /// Whether any member may be hidden.
    var isEmpty: Bool { texts.count == 0 && copies.isEmpty && newCopies.isEmpty && !isFull }

    /// Whether members of a name may be hidden because such a one was.
    func mayHaveCopies(named name: String) -> Bool {
        let key = UTF8Key(name)
        return copyNames.contains(key) || newCopyNames.contains(key)
    }

    /// Whether a member is hidden because one of its name and text was.
    func isCopy(_ canonical: [UInt8], named name: String) -> Bool {
        let copy = RememberedSecrets.hash(canonical, name)
        if isFull || copies.contains(copy) { return true }
        if newCopies.contains(copy) { isNewMet = true }
        return false
    }

    /// Whether a patch has something in clear that is collected, so that the commit must hide more than the one before.
    ///
    /// - Complexity: O(the patch) at most; nothing where nothing is new.
    func mustHideMore(than patch: [UInt8]) -> Bool {
        isNewMet || newTexts.count >= RememberedSecrets.newLimit
            || patch.withUnsafeBufferPointer { newForms.isFound(in: $0) }
    }

    /// Hides members by what was collected, too.
    ///
    /// - Returns: whether that is more than before.
    func hideMore() -> Bool {
        isNewMet = false
        if newTexts.isEmpty && newCopies.isEmpty { return false }
        for text in newTexts { _ = texts.insert(text) }
        copies.formUnion(newCopies)
        copyNames.formUnion(newCopyNames)
        isFull = texts.count > limit || copies.count > limit
        (newTexts, newForms, newCopies, newCopyNames) = ([], TextSearch(), [], [])
        return true
    }

    // MARK: Texts

    /// Whether a text repeats what was redacted at any time, also lately: for what is in no state.
    func isAnywhere(in text: [UInt8]) -> Bool {
        text.withUnsafeBufferPointer { texts.isFound(in: $0) }
            || newTexts.contains { secret in
                text.count >= secret.count
                    && (0...(text.count - secret.count)).contains { text[$0...].starts(with: secret) }
            }
    }

    private static func hash(_ canonical: [UInt8], _ name: String) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(UTF8Key(name))
        canonical.withUnsafeBytes { hasher.combine(bytes: $0) }
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    /// A text as it stands in JSON.
    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        var escaped: [UInt8] = []
        text.withUnsafeBufferPointer { JSONText.appendEscaped(utf8: $0, to: &escaped) }
        return escaped
    }

    /// A text as it stands in a JSON Pointer (RFC 6901 §3).
    private static func pointerEscaped(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "~"): Array("~0".utf8)
            case UInt8(ascii: "/"): Array("~1".utf8)
            default: [byte]
            }
        }
    }
}

extension RememberedSecrets: CopyTest {
    func matches(text: String) -> Bool {
        if isFull { return text.utf8.count >= TextSearch.leastLength }
        var text = text
        return text.withUTF8 { texts.isFound(in: $0) }
    }

    /// A number by itself says too little: it is looked for where a member of its name was hidden before.
    func matches(_ scalar: Scalar) -> Bool { false }
}
