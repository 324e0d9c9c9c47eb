internal import Synchronization

/// The steps that can be taken back, and those that were: what a store reports its commits to.
///
/// A commit appends a version under the store's locks, where no code of the app may run. Whether the version differs
/// from the one before is found out later, by ``sort()``; until then it is in `fresh`.
final class UndoLog<State: Sendable>: Sendable {
    /// A change that is taken back as one.
    struct Step: Sendable {
        let before: Changes<State>
        var after: Changes<State>
        let name: String
        /// The last commit that led to the side of it that the store is at: what the next undo or redo takes back.
        var latest: CommitReference.Entry?
        let group: UndoGroup?
    }

    /// A version that was committed, of which it is not known yet whether it is a step.
    private struct Fresh: Sendable {
        let node: Changes<State>
        let name: String
        let entry: CommitReference.Entry?
        let group: UndoGroup?
    }

    enum Direction: Sendable { case undo, redo }

    private struct Content: Sendable {
        /// The steps in their order, first those that were not taken back.
        var steps: [Step] = []
        /// How many were not taken back.
        var done = 0
        /// What was committed since the steps were sorted.
        var fresh: [Fresh] = []
        /// The version that last counted as a change, which the next one is compared with, so that small steps add up.
        var latest: Changes<State>
        /// What the commit that is being made does.
        var move: Direction?
        /// Versions that are needed no more, to be released outside of all locks: their end is code of the app.
        var released: [Changes<State>] = []
        /// Whether anything differs since this was last asked.
        var isChanged = false

        func place(_ direction: Direction) -> Int? {
            switch direction {
            case .undo: done > 0 ? done - 1 : nil
            case .redo: done < steps.count ? done : nil
            }
        }
    }

    private let content: Mutex<Content>
    private let limit: Int
    /// Whether a version is none that counts as a change of another one.
    private let isSame: @Sendable (State, State) -> Bool

    init(from node: Changes<State>, limit: Int, isSame: @escaping @Sendable (State, State) -> Bool) {
        content = Mutex(Content(latest: node))
        self.limit = limit
        self.isSame = isSame
    }

    // MARK: Under the store's locks

    /// Takes a version that was just committed; the caller holds the store's locks.
    func append(_ node: Changes<State>, named name: @autoclosure () -> String, _ entry: CommitReference.Entry?) {
        let group = UndoGroup.current[ObjectIdentifier(self)]
        content.withLock { content in
            guard let move = content.move, let place = content.place(move) else {
                let name = group?.name ?? name()
                return content.fresh.append(Fresh(node: node, name: name, entry: entry, group: group))
            }
            content.move = nil
            content.steps[place].latest = entry
            content.done += move == .undo ? -1 : 1
            content.released.append(content.latest)
            content.latest = node
            content.isChanged = true
        }
    }

    /// Says that the commit that is being made goes over the next step; called in its closure, with all versions sorted.
    ///
    /// - Returns: the step; nil if there is none.
    func begin(_ direction: Direction) -> Step? {
        content.withLock { content in
            guard let place = content.place(direction) else { return nil }
            content.move = direction
            return content.steps[place]
        }
    }

    // MARK: Outside of them

    /// Makes steps of the versions that differ from the one before.
    ///
    /// - Returns: what is not needed any more: to be released where code of the app may run.
    /// - Complexity: a comparison for each commit since the last call.
    @discardableResult
    func sort() -> some Sendable {
        let (fresh, first) = content.withLock { ($0.fresh, $0.latest) }
        // Compared outside the lock. Another thread may do it as well, and come to the same.
        var last = first
        let changes = fresh.map { fresh in
            let isChange = !isSame(last.current, fresh.node.current)
            if isChange { last = fresh.node }
            return (version: fresh.node.version, isChange: isChange)
        }
        return content.withLock { content -> [Changes<State>] in
            for (version, isChange) in changes where content.fresh.first?.node.version == version {
                let fresh = content.fresh.removeFirst()
                if isChange { add(fresh, to: &content) } else { content.released.append(fresh.node) }
            }
            defer { content.released = [] }
            return content.released
        }
    }

    private func add(_ fresh: Fresh, to content: inout Content) {
        let step = Step(
            before: content.latest, after: fresh.node, name: fresh.name, latest: fresh.entry, group: fresh.group)
        content.latest = fresh.node
        for gone in content.steps[content.done...] { content.released += [gone.before, gone.after] }
        content.steps.removeSubrange(content.done...)
        content.isChanged = true
        if let group = step.group, let last = content.steps.last, last.group === group {
            content.released += [last.after, step.before]
            content.steps[content.done - 1].after = step.after
            content.steps[content.done - 1].latest = step.latest
            return
        }
        content.steps.append(step)
        if content.steps.count > limit {
            let first = content.steps.removeFirst()
            content.released += [first.before, first.after]
        }
        content.done = content.steps.count
    }

    func name(_ direction: Direction) -> String? {
        content.withLock { content in content.place(direction).map { content.steps[$0].name } }
    }

    func takeIsChanged() -> Bool {
        content.withLock { content in
            defer { content.isChanged = false }
            return content.isChanged
        }
    }

    func removeAll() {
        let old = content.withLock { content in
            defer { content = Content(latest: content.fresh.last?.node ?? content.latest, isChanged: true) }
            return content
        }
        withExtendedLifetime(old) {}
    }
}

/// Commits that are taken back as one.
final class UndoGroup: Sendable {
    /// The groups that are open, by the log that they are of.
    @TaskLocal static var current: [ObjectIdentifier: UndoGroup] = [:]

    let name: String

    init(_ name: String) { self.name = name }

    /// The open groups with one for a log: a new one, unless there is one.
    static func opened(_ name: String, of log: AnyObject) -> [ObjectIdentifier: UndoGroup] {
        current.merging([ObjectIdentifier(log): UndoGroup(name)]) { outer, _ in outer }
    }
}
