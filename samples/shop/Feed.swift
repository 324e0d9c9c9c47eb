import StateStore

/// One line of what happened.
struct FeedEntry: Encodable, Equatable, Identifiable, Sendable {
    let id: Int
    let text: String
    var isRead = false
}

/// What happened lately, newest first.
struct FeedState: Encodable, Equatable, Sendable {
    /// The most entries that are kept.
    static let capacity = 12

    var entries: [FeedEntry] = []
    /// The number of the next entry.
    var next = 1
}

/// The store of the feed.
final class Feed: Sendable {
    let store: Store<FeedState>
    /// The number on the feed's icon.
    let unread: Derived<Int>

    init(recorder: Recorder?) {
        store = Store(FeedState(), recorder: recorder)
        unread = store.derived(\.entries, named: "unread") { entries in entries.filter { !$0.isRead }.count }
    }

    func post(_ text: String) {
        store.commit { feed in
            feed.entries.insert(FeedEntry(id: feed.next, text: text), at: 0)
            feed.entries = Array(feed.entries.prefix(FeedState.capacity))
            feed.next += 1
        }
    }

    /// The shopper looked at the feed.
    func readAll() {
        store.commit { feed in
            for index in feed.entries.indices { feed.entries[index].isRead = true }
        }
    }
}
