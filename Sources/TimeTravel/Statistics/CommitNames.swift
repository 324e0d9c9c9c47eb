import JSONCore
import JournalFormat

/// The names of commits that were met lately, by their texts, with their slots in the tables of ``JournalStatistics``.
///
/// A slot is its name's own as long as its table is exact.
struct CommitNames: Sendable {
    /// What the text of a member `at` says.
    struct Source: Sendable {
        let location: Int
        let function: Int
    }

    /// A store.
    struct Store: Sendable {
        let slot: Int
        /// The pointer to it in the whole state.
        let pointer: [UInt8]
    }

    var sources = RecentTexts<Source>(capacity: 512)
    var stores = RecentTexts<Store>(capacity: 64)
    /// By the pointers into the whole state as they are written, not folded.
    var paths = RecentTexts<Int>(capacity: 4096)
    /// A buffer for such pointers.
    var pointer: [UInt8] = []
}

extension SourceLocation {
    /// The source line as it is counted.
    var place: String { "\(file):\(line)" }
}

extension JSONPointer {
    /// The name of a path by its text: the pattern of ``folded(inserting:)``.
    static func folded(_ text: UnsafeRawBufferPointer, inserting: Bool) -> CountedName {
        let text = String(decoding: text, as: UTF8.self)
        return CountedName((try? JSONPointer(parsing: text))?.folded(inserting: inserting) ?? text)
    }

    /// The path as a pattern, in which segments that may be indices are `*` and a key that is literally `*` is `~2`.
    ///
    /// - Parameter inserting: whether something is put there: only then may a last `-` be the end of an array.
    func folded(inserting: Bool) -> String {
        var text = ""
        for (place, segment) in segments.enumerated() {
            text += "/"
            // The first one is the store's name.
            let isEnd = inserting && place == segments.count - 1 && segment == "-"
            if place > 0, isEnd || JSONPointer.arrayIndex(segment) != nil {
                text += "*"
            } else if UTF8Order.equal(segment, "*") {
                text += "~2"
            } else {
                JSONPointer.appendEscaped(segment, to: &text)
            }
        }
        return text
    }
}
