internal import JournalFormat
internal import StoreCore
internal import Synchronization

extension Repository {
    @discardableResult
    func request(_ key: Key, isForced: Bool, at location: CommitLocation) -> Request<Value> {
        let (request, start) = prepare(key, isForced: isForced, at: location)
        start?()
        return request
    }

    /// The running request for a key, or a new one that is as far as it comes without waiting.
    ///
    /// - Returns: the request, and what starts the rest of it; nil if nothing is left to start.
    func prepare(
        _ key: Key, isForced: Bool, at location: CommitLocation
    ) -> (request: Request<Value>, start: (() -> Void)?) {
        let (request, isNew) = table.withLock { $0.join(key, isForced: isForced, at: location) }
        guard isNew else { return (request, nil) }
        let run = RequestRun(repository: self, request: request, key: key)
        let known = part.value[key]
        if !isForced, source.isValid == nil, case .completed(let value)? = known {
            if endUnfetched(request, key, value, isKnown: true) { return (request, nil) }
        } else if !isForced, known?.error == nil, known?.content != nil || known == nil && source.readCache != nil {
            return (request, { request.attach(Task { await run.checkThenFetch(known?.content) }) })
        }
        guard let cause = beginFetch(request, key, cached: nil, named: isForced ? "refresh" : "fetch") else {
            return (request, nil)
        }
        return (request, { request.attach(CommitReference.causing(cause) { Task { await run.fetch() } }) })
    }

    // MARK: Steps of a request. Each is one commit, whose closure decides under the store's lock whether it still counts.

    /// - Parameter cached: what the cache held; nil to show what there was.
    /// - Returns: the commit; nil where the request was superseded.
    func beginFetch(
        _ request: Request<Value>, _ key: Key, cached: Value?, named name: String
    ) -> CommitReference? {
        commitIfCurrent(request, key, named: name) { states, _ in
            states[key] = .loading(content: cached ?? states[key]?.content)
        }
    }

    /// - Parameter isKnown: whether the store held the value, and not the cache.
    /// - Returns: false if another caller asked for a fetch, or the key was removed.
    func endUnfetched(_ request: Request<Value>, _ key: Key, _ value: Value, isKnown: Bool) -> Bool {
        var (ending, value) = (RequestEnding.superseded, value)
        if part.value[key] == .completed(content: value) {
            ending = table.withLock { $0.endUnfetched(request, for: key) }
        } else {
            commitIfCurrent(request, key, named: "readCache") { states, table in
                // A request that begins inside a commit finds the state before it; the state after that commit counts.
                if case .completed(let newer)? = states[key] { value = newer }
                let isRemoved = isKnown && states[key] == nil
                ending = isRemoved ? .mustFetch : table.endUnfetched(request, for: key)
                if ending == .ended { states[key] = .completed(content: value) }
            }
        }
        if ending == .ended { request.result.resolve(.success(value)) }
        return ending != .mustFetch
    }

    func endFetch(_ request: Request<Value>, _ key: Key, _ result: Result<Value, any Error>) async {
        var written: Task<Void, Never>?
        let commit =
            switch result {
            case .success(let value):
                commitIfCurrent(request, key, named: "fetched") { states, table in
                    _ = table.finish(key)
                    written = complete(key, value, &states, &table, at: request.location)
                }
            case .failure(let error):
                commitIfCurrent(request, key, named: "failed") { states, table in
                    _ = table.finish(key)
                    states[key] = .failed(error: LoadingError(error), content: states[key]?.content)
                }
            }
        // A superseded request is resolved by what took its place.
        guard commit != nil else { return }
        await finish(written, of: key)
        request.result.resolve(result)
    }

    func finish(_ write: Task<Void, Never>?, of key: Key) async {
        guard let write else { return }
        await write.value
        table.withLock { $0.endWrite(of: key, write) }
    }

    // MARK: Common steps

    func holding(of key: Key) -> RepositoryHolding {
        let states = part.value
        let time = table.withLock { $0.time(of: key) }
        return RepositoryHolding(
            age: time.map { source.now() - $0 }, count: states.count + (states[key] == nil ? 1 : 0))
    }

    /// Makes a value the state of its key, and queues its write to the cache.
    func complete(
        _ key: Key, _ value: Value, _ states: inout States, _ table: inout RequestTable<Key, Value>,
        at location: CommitLocation
    ) -> Task<Void, Never>? {
        states[key] = .completed(content: value)
        table.setShowsGuess(false, of: key)
        if source.isValid != nil { table.setTime(source.now(), of: key) }
        guard let writeCache = source.writeCache else { return nil }
        return table.enqueueWrite(of: key) { [weak self, part, source] in
            do {
                try await writeCache(key, value)
                self?.table.withLock { $0.trustCache(of: key) }
            } catch {
                source.report(RepositoryCacheError(key: key, operation: .write, error: error), to: part, at: location)
            }
        }
    }

    @discardableResult
    func write(
        named name: String, at location: CommitLocation,
        _ body: (inout States, inout RequestTable<Key, Value>) -> Void
    ) -> CommitReference {
        part.write(
            { states in
                table.withLock { table in
                    body(&states, &table)
                    table.forgetSurplus(of: &states)
                }
            }, named: name, at: location
        ).commit
    }

    /// - Returns: the commit; nil where the request was superseded.
    @discardableResult
    private func commitIfCurrent(
        _ request: Request<Value>, _ key: Key, named name: String,
        _ body: (inout States, inout RequestTable<Key, Value>) -> Void
    ) -> CommitReference? {
        guard table.withLock({ $0.isCurrent(request, for: key) }) else { return nil }
        var isCurrent = false
        let commit = write(named: name, at: request.location) { states, table in
            // Checked again under the store's lock; a request that was superseded just now leaves a commit without
            // changes.
            isCurrent = table.isCurrent(request, for: key)
            if isCurrent { body(&states, &table) }
        }
        return isCurrent ? commit : nil
    }
}

/// The steps of one request, which do not keep the repository alive while they wait for the source.
private struct RequestRun<
    Key: Hashable & Codable & Sendable, Value: Encodable & Equatable & Sendable
>: Sendable {
    weak let repository: Repository<Key, Value>?
    let source: RepositorySource<Key, Value>
    let part: any StatePart<LoadingStates<Key, Value>>
    let request: Request<Value>
    let key: Key

    init(repository: Repository<Key, Value>, request: Request<Value>, key: Key) {
        self.repository = repository
        source = repository.source
        part = repository.part
        self.request = request
        self.key = key
    }

    /// - Parameter known: what the store holds; if nothing, the cache is read.
    func checkThenFetch(_ known: Value?) async {
        var value = known
        if value == nil { value = await readCache() }
        if let value, await isValid(value) {
            if repository?.endUnfetched(request, key, value, isKnown: known != nil) ?? true { return }
        }
        guard let cause = repository?.beginFetch(request, key, cached: known == nil ? value : nil, named: "fetch")
        else { return }
        await CommitReference.$current.withValue(cause) { await fetch() }
    }

    func fetch() async {
        let result: Result<Value, any Error>
        do { result = .success(try await source.fetch(key)) } catch { result = .failure(error) }
        await repository?.endFetch(request, key, result)
    }

    private func isValid(_ value: Value) async -> Bool {
        guard let isValid = source.isValid else { return true }
        guard let holding = repository?.holding(of: key) else { return false }
        return await isValid(key, value, holding)
    }

    private func readCache() async -> Value? {
        // A write or removal from just now may not have reached the cache yet.
        await repository?.table.withLock { $0.pendingWrite(of: key) }?.value
        guard let repository, repository.table.withLock({ $0.trustsCache(of: key) }) else { return nil }
        do {
            return try await source.readCache?(key)
        } catch {
            let problem = RepositoryCacheError(key: key, operation: .read, error: error)
            source.report(problem, to: part, at: request.location)
            return nil
        }
    }
}
