public import JSONCore
public import JournalFormat
import Platform

extension PositionPass {
    /// A record that changed the state, just applied.
    public struct Step: Sendable, Equatable {
        /// A commit, a store or a gap; a keyframe where reading went on behind damage.
        public let kind: RecordKind
        /// The position that it belongs to.
        public let seq: CommitNumber
        /// Where its line begins; nil for a commit that only made an earlier `close` take effect.
        public let offset: ByteOffset?
        /// Whether nothing more changes the state at that position.
        public let isComplete: Bool
        /// The last position before it that has a state: not the number before where commits were lost.
        public let before: CommitNumber

        /// Whether commits were lost directly before it.
        public var isJump: Bool { kind == .gap || kind == .keyframe }
        /// The positions directly before it that have no state; nil where there are none.
        public var lost: ClosedRange<CommitNumber>? {
            isJump && before.next < seq ? before.next...seq.previous : nil
        }
    }

    /// What a pass keeps besides the state.
    public struct Options: Sendable {
        /// Whether commits that touch nothing of what is read are reported too.
        public var everyCommit = false
        /// Whether the first commit of the range, and the first behind each jump, is reported, whatever it touches.
        public var firstCommits = false
        /// Whether each record's line is kept for ``PositionPass/record``.
        public var keepsRecords = false
        /// Records that change no state but are kept for ``PositionPass/companions``.
        public var companions: RecordKinds = []
        /// Whether reading goes on behind damage.
        public var recover = false
        /// What several questions read that share the pass, for ``PositionPass/touched``.
        public var interests: [PathSet] = []
        /// Whether a record is reported before it is known to be its position's last, where the next one has to be waited for.
        public var tellsEarly = false
        /// The places of which each record's changes are wanted, for ``PositionPass/placeChanges``.
        package var places: PathMatcher?
        /// Whether ``PositionPass/before`` is wanted.
        package var before = false
        /// How many threads may look through a long range ahead of the pass.
        public var threads = ProcessorCount.available
        /// About how many bytes each of them takes at a time.
        package var partLength = RecordReader.partLength

        /// Nothing besides the state.
        public init() {}
    }
}
