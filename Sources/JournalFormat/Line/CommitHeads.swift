import JSONCore

/// The text of a commit's line that only its store and its place in the source decide, for those that came last.
///
/// A program commits from few places, again and again: to escape their names each time was a tenth of a recorded commit.
struct CommitHeads: Sendable {
    /// What one place and one store make of a line.
    final class Head: Sendable {
        let store: String
        let location: SourceLocation
        /// From the kind to the version: `,"kind":"commit","store":"cart","version":`.
        let front: [UInt8]
        /// The member `at`.
        let place: [UInt8]
        /// The member `name` of a commit that is called like the function it is in.
        let name: [UInt8]

        init(store: String, location: SourceLocation) {
            self.store = store
            self.location = location
            var text = LineBuilder()
            text.literal(",\"kind\":\"commit\"")
            text.member("store", string: store)
            text.key("version")
            front = text.bytes
            text.removeAll()
            text.at(location)
            place = text.bytes
            text.removeAll()
            text.member("name", string: location.function)
            name = text.bytes
        }

        /// Whether it is the text for a store and a place, byte for byte.
        @inline(__always)
        func isOf(_ store: String, _ location: SourceLocation) -> Bool {
            self.location.line == location.line && self.location.column == location.column
                && UTF8Order.equal(self.store, store) && UTF8Order.equal(self.location.file, location.file)
                && UTF8Order.equal(self.location.function, location.function)
        }
    }

    /// A power of two, and more places than most programs commit from.
    private static let count = 64

    /// Each head has one slot that it may be in; a later head replaces the one there.
    private var heads: [Head?] = []

    /// The text for a store and a place.
    mutating func head(store: String, at location: SourceLocation) -> Head {
        let mixed = location.line &* 31 &+ location.column &+ store.utf8.count &* 7 &+ Int(store.utf8.last ?? 0)
        let slot = mixed & (CommitHeads.count - 1)
        if heads.isEmpty { heads = Array(repeating: nil, count: CommitHeads.count) }
        if let known = heads[slot], known.isOf(store, location) { return known }
        let made = Head(store: store, location: location)
        heads[slot] = made
        return made
    }
}
