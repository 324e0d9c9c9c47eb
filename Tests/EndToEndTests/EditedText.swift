import StateStore

/// A text as its lines, and what an editor's status bar tells of it.
struct EditedText: Encodable, Equatable, Sendable {
    var lines = [""]
    /// How many braces are open at the end of the text.
    var openBraces = 0

    /// The whole text.
    var text: String { lines.joined(separator: "\n") }

    /// Replaces some characters; positions and lengths count the text's bytes, which are all ASCII in what is played here.
    mutating func replace(at position: Int, _ length: Int, with inserted: String) {
        let start = place(of: position)
        let end = place(of: position + length)
        let head = lines[start.line].utf8.prefix(start.column)
        let tail = lines[end.line].utf8.dropFirst(end.column)
        let old = lines[start.line...end.line].joined(separator: "\n")
        let new = String(decoding: head, as: UTF8.self) + inserted + String(decoding: tail, as: UTF8.self)
        openBraces += Self.openBraces(in: new) - Self.openBraces(in: old)
        lines.replaceSubrange(
            start.line...end.line, with: new.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    private func place(of position: Int) -> (line: Int, column: Int) {
        var left = position
        for (index, line) in lines.enumerated() {
            if left <= line.utf8.count { return (index, left) }
            left -= line.utf8.count + 1
        }
        return (lines.count - 1, lines[lines.count - 1].utf8.count)
    }

    private static func openBraces(in text: String) -> Int {
        text.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: "{") ? 1 : $1 == UInt8(ascii: "}") ? -1 : 0) }
    }
}

/// An editor whose every edit is a commit.
final class Editor: Sendable {
    let store: Store<EditedText>

    init(recorder: Recorder?) { store = Store(EditedText(), name: "text", recorder: recorder) }

    func apply(_ edits: [EditingTrace.Edit]) {
        store.commit { text in
            for edit in edits { text.replace(at: edit.position, edit.deleted, with: edit.inserted) }
        }
    }
}
