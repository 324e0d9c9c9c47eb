/// A journal's path, as messages give it.
///
/// An object, so that the lines of a pass can all point at one that their reader holds: a line is made and copied for each
/// record, and counting the references of a text would cost more than looking at most of them.
final class JournalName: Sendable, Equatable {
    let path: String

    init(_ path: String) { self.path = path }

    static func == (a: JournalName, b: JournalName) -> Bool { a === b || a.path == b.path }
}
