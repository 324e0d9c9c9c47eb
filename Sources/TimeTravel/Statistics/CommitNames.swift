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
