/// What holds states and shows none of them: `dump` would print what a recorder keeps out of its journal.
public protocol OpaqueToDump: CustomReflectable {}

extension OpaqueToDump {
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:] as KeyValuePairs<String, Any>) }
}
