public import JournalFormat

extension Recorder {
    /// When a commit of a recorded store returns.
    public enum Durability: Sendable, Equatable {
        /// When its line is with the kernel.
        case synchronous
        /// When its state is in a queue in memory; a thread encodes and writes that.
        case background
    }

    /// Settings that most apps leave alone.
    public struct Options: Sendable {
        /// When the file is brought to the disk.
        public var sync = JournalWriter.FileSync.never
        /// Whether an existing file of that name is replaced; otherwise it is an error.
        public var replacesFile = false
        /// The run's name; a random UUID if nil.
        public var id: String?
        /// The app's name.
        public var app: String?
        /// The app's build.
        public var build: String?
        /// The key under which redacted and omitted values are hashed; a random one for each run if nil.
        ///
        /// With a key of the app's, the hashes of two runs can be compared. It is as secret as what it hides: anyone
        /// who has it can try values. At least 16 bytes.
        public var redactionKey: [UInt8]?
        /// The longest JSON text of a single string or datum, in bytes; a longer one is written as its size and hash.
        ///
        /// Nil writes all of every value.
        public var valueLimit: Int?
        /// Where the times come from.
        ///
        /// With a fixed clock and a fixed `id`, two equal runs write the same bytes. It is called with each record, for a
        /// commit under the store's lock, so it must not call the recorder, nor commit: that traps.
        public var clock: @Sendable () -> Timestamp = Timestamp.now
        /// How long the recorder waits after a failed write before it tries again.
        public var retryInterval = Duration.seconds(1)

        /// Whether the encoder reads the memory layout of values, to see at once what a commit left alone.
        ///
        /// Without it, values of the app's own types are encoded at each commit, and compared by what they encode:
        /// slower, with the same journal except for the form of some patches. Read only where the library knows the
        /// layout; the environment turns it off for all recorders with `STATE_STORE_LAYOUT_READERS=off`.
        public var readsLayouts = true

        /// Whether each state is also encoded from scratch, and compared with what was made of the one before.
        ///
        /// This finds an `encode(to:)` that depends on more than its value. A difference is reported like a state that
        /// has no
        /// JSON form, with its place, and leaves a `gap`. Costs an encoding of the whole state for each commit.
        public var verifiesEncoding = false

        /// The defaults: a new file, the system's clock, whole values.
        public init() {}
    }
}
