package import JSONCore
import JournalFormat
package import JournalReading

/// What `--path` means to every command.
///
/// Mostly the patch of a commit decides, by the rule of `PathMatcher`; only the state does where a number may be an
/// index or a name, and below a `**` what was moved or taken out.
package struct TouchedCommits {
    private let matcher: PathMatcher
    private let commits: FollowedCommits

    private struct TouchQuestion: FollowedCommits.CommitQuestion {
        let matcher: PathMatcher
        var paths: PathSet { matcher.paths }

        func answer(_ patch: JSONPatch, of store: String) -> Bool? {
            var isKnown = true
            for operation in patch.operations {
                switch matcher.touch(by: operation, below: store) {
                case .touched: return true
                case .unknown: isKnown = false
                case .untouched: break
                }
            }
            return isKnown ? false : nil
        }

        func answer(_ patch: JSONPatch, of store: String, in state: inout JSONValue, holding held: PathSet) -> Bool? {
            matcher.isTouched(by: patch, of: store, in: &state, holding: held)
        }
    }

    package init(_ matcher: PathMatcher) {
        self.matcher = matcher
        commits = FollowedCommits(TouchQuestion(matcher: matcher))
    }

    /// - Parameter range: the commits that will be asked about; nil for all.
    package func follow(_ journal: Journal, _ range: PositionRange?, recover: Bool) {
        commits.follow(journal, range, recover: recover)
    }

    /// Call it before the commit of the line is asked about.
    package func read(_ line: RecordLine) { commits.read(line) }

    /// One that even the states do not decide counts as one.
    package func contains(_ commit: Record) -> Bool { commits.answer(for: commit) ?? true }

    package func contains(_ commit: Record, appliedTo state: JSONValue) -> Bool {
        commits.answer(for: commit, appliedTo: state)
    }

    /// Whether a record of any kind touches a path; a gap does.
    func contains(_ record: OwnedRecord) throws(JournalError) -> Bool {
        switch record.kind {
        case .commit: return contains(try Record(record))
        case .store:
            let store = try record.decode(StoreRecord.init)
            return matcher.touch(at: [store.store], [store.state]) == .touched
        default: return true
        }
    }
}

/// Which paths a record wrote, by the rule of the query language's footprints: what is equal to a path, above it or below it
/// touches it, and adding, removing or moving an element touches its array.
struct CommitTouch: Sendable {
    private enum Extent: Sendable {
        case patch(JSONPatch)
        case store(String)
        case everything
    }

    private let extent: Extent

    /// A line that is not a record of its kind wrote everything, to be on the safe side.
    init(_ record: OwnedRecord) {
        switch record.kind {
        case .commit:
            if let commit = try? record.decode(CommitRecord.init) {
                extent = .patch(commit.patch.inStore(commit.store))
            } else {
                extent = .everything
            }
        case .store:
            let store = try? record.decode(StoreRecord.init)
            extent = store.map { .store($0.store) } ?? .everything
        default: extent = .everything
        }
    }

    /// `state` is what the set reads of the whole state after the record; it decides which numbers are indices.
    func touches(_ set: PathSet, in state: JSONValue) -> Bool {
        switch extent {
        case .everything: return true
        case .store(let name): return set.relation(of: [name]) != .outside
        case .patch(let patch): return patch.operations.contains { set.isTouched(by: $0, in: state) }
        }
    }
}
