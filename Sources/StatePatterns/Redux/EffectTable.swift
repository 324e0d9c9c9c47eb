internal import StoreCore
internal import Synchronization

/// What happens to an effect while another one with its id is running.
public enum EffectPolicy: Sendable, Hashable {
    /// Both run.
    case takeEvery
    /// The running one is cancelled, and its end is not dispatched.
    case takeLatest
    /// The new one is not started.
    case takeLeading
}

/// The effects of one reducer store that are running.
final class EffectTable: Sendable {
    private struct Entry: Sendable {
        let key: EffectKey
        let policy: EffectPolicy
        /// The task that the app was given, which waits for the work; nil until it is made.
        var task: Task<Void, Never>?
        /// The task of the work, which may go on after a cancellation; nil until it is made.
        var work: Task<Void, Never>?
        var isCancelled = false
        /// Whether its last action is being dispatched: then it counts as done.
        var isEnding = false
        /// Resolved when the action that it is dispatching is answered; nil while it dispatches none.
        var dispatch: Promise<Void>?
        let end = Promise<Void>()
    }

    private struct Entries: Sendable {
        var running: [Int: Entry] = [:]
        var count = 0

        /// Marks effects as cancelled, except for those that are ending.
        ///
        /// - Returns: their tasks.
        mutating func cancel(where matches: (Entry) -> Bool) -> [Task<Void, Never>] {
            var tasks: [Task<Void, Never>] = []
            for (number, entry) in running where matches(entry) { tasks += cancel(number) }
            return tasks
        }

        /// The dispatch that an effect has to wait for.
        func dispatch(before number: Int, _ entry: Entry) -> Promise<Void>? {
            if entry.policy != .takeLatest { return nil }
            let ahead = running.first { $0.key < number && $0.value.dispatch != nil && $0.value.key == entry.key }
            return ahead?.value.dispatch
        }

        mutating func cancel(_ number: Int) -> [Task<Void, Never>] {
            guard let entry = running[number], !entry.isEnding else { return [] }
            running[number]?.isCancelled = true
            return [entry.task, entry.work].compactMap(\.self)
        }
    }

    private let entries = Mutex(Entries())

    var count: Int { entries.withLock(\.running.count) }

    /// Adds a new effect, and cancels those that it takes the place of.
    func begin(_ key: EffectKey, _ policy: EffectPolicy) -> Beginning {
        let (beginning, superseded) = entries.withLock { entries -> (Beginning, [Task<Void, Never>]) in
            let leading = entries.running.filter { $1.key == key && !$1.isCancelled && !$1.isEnding }
            if policy == .takeLeading, let (number, entry) = leading.min(by: { $0.key < $1.key }) {
                return (.refused(leading: entry.task ?? waiting(for: number, entry.end)), [])
            }
            let superseded = policy == .takeLatest ? entries.cancel { $0.key == key } : []
            entries.count += 1
            entries.running[entries.count] = Entry(key: key, policy: policy)
            return (.started(entries.count), superseded)
        }
        superseded.forEach { $0.cancel() }
        return beginning
    }

    enum Beginning: Sendable {
        case started(Int)
        /// The effect must not be started; the running effect's task stands for it.
        case refused(leading: Task<Void, Never>)
    }

    /// A task that ends, and is cancelled, with an effect whose own task is still being made.
    private func waiting(for number: Int, _ end: Promise<Void>) -> Task<Void, Never> {
        Task {
            await withTaskCancellationHandler(
                operation: { await end.value },
                onCancel: { cancel(number) })
        }
    }

    private func cancel(_ number: Int) { entries.withLock { $0.cancel(number) }.forEach { $0.cancel() } }

    /// Sets the task of a started effect; one that was cancelled meanwhile is cancelled.
    func attach(_ task: Task<Void, Never>, to number: Int) {
        let isCancelled = entries.withLock { entries -> Bool in
            entries.running[number]?.task = task
            return entries.running[number]?.isCancelled ?? false
        }
        if isCancelled { task.cancel() }
    }

    /// Runs the work of an effect in a task of its own, until it has ended or the calling task is cancelled.
    ///
    /// Work that ignores its cancellation goes on; nothing of it is dispatched after this has returned.
    func run(_ number: Int, _ work: @escaping @Sendable () async -> Void) async {
        let end = Promise<Void>()
        await withTaskCancellationHandler {
            let task = Task {
                await work()
                end.resolve(())
            }
            let isCancelled = entries.withLock { entries -> Bool in
                entries.running[number]?.work = task
                return entries.running[number]?.isCancelled ?? false
            }
            if isCancelled { task.cancel() }
            _ = await end.valueUnlessCancelled
        } onCancel: {
            cancel(number)
        }
        await entries.withLock { $0.running[number]?.dispatch }?.value
        self.end(number)
    }

    /// Dispatches an action of an effect, unless that is cancelled.
    ///
    /// With `takeLatest`, an effect whose predecessor is in the middle of a dispatch waits for that, so that an older
    /// action never comes after a newer one.
    ///
    /// - Parameter isLast: whether the effect counts as done from then on.
    func dispatch(from number: Int, isLast: Bool = false, _ dispatch: () -> Void) async {
        while true {
            let (isClaimed, ahead) = entries.withLock { entries -> (Bool, Promise<Void>?) in
                guard let entry = entries.running[number], !entry.isCancelled else { return (false, nil) }
                let ahead = entries.dispatch(before: number, entry)
                if ahead == nil {
                    entries.running[number]?.dispatch = Promise()
                    entries.running[number]?.isEnding = isLast
                }
                return (ahead == nil, ahead)
            }
            guard let ahead else {
                guard isClaimed else { return }
                dispatch()
                let answered = entries.withLock { $0.running[number]?.dispatch.take() }
                answered?.resolve(())
                return
            }
            await ahead.value
        }
    }

    private func end(_ number: Int) {
        let entry = entries.withLock { $0.running.removeValue(forKey: number) }
        entry?.end.resolve(())
    }

    func cancel(_ key: EffectKey) { entries.withLock { $0.cancel { $0.key == key } }.forEach { $0.cancel() } }

    func cancelAll() { entries.withLock { $0.cancel { _ in true } }.forEach { $0.cancel() } }

    func waitUntilIdle() async {
        while let entry = entries.withLock({ $0.running.values.first }) { await entry.end.value }
    }
}

struct EffectKey: Hashable, Sendable {
    let id: any Hashable & Sendable

    static func == (left: EffectKey, right: EffectKey) -> Bool { AnyHashable(left.id) == AnyHashable(right.id) }

    func hash(into hasher: inout Hasher) { id.hash(into: &hasher) }
}
