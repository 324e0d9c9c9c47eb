import CommandLine
import Diagnostics
import JSONCore
import JournalFormat
import JournalReading
import TimeTravel

/// How a session begins, and what it has at every stop.
extension DapAdapter {
    func initialize(_ arguments: DapArguments) throws -> Answer {
        guard phase == .new else { throw DapError("the session is initialized already") }
        client.firstLine = try arguments.bool("linesStartAt1") ?? true ? 1 : 0
        client.firstColumn = try arguments.bool("columnsStartAt1") ?? true ? 1 : 0
        client.hasPages = try arguments.bool("supportsVariablePaging") ?? false
        client.hasProgress = try arguments.bool("supportsProgressReporting") ?? false
        client.hasInvalidated = try arguments.bool("supportsInvalidatedEvent") ?? false
        phase = .initialized
        return .body(DapCapabilities.json)
    }

    /// Opens a journal; `initialized` comes after it, so that breakpoints can be verified.
    func open(_ arguments: DapArguments, follows: Bool) throws -> Answer {
        guard phase == .initialized else { throw DapError("a run is open already") }
        let launch = try DapLaunch(arguments)
        let run = try DapRun(launch, follows: follows, self)
        run.interpreter.log = { [weak self] in self?.log($0, $1, $2) }
        run.interpreter.grown = { [weak self] in self?.noteGrowth() }
        self.run = run
        phase = .configuring
        return .then {
            for warning in launch.warnings { self.output(warning, category: "important") }
            if let torn = try run.session.journal.tail().torn {
                self.output(torn.diagnostic(path: run.session.journal.path).message, category: "important")
            }
            self.send(event: "initialized")
        }
    }

    func configurationDone() -> Answer {
        guard phase == .configuring else { return .body() }
        phase = .stopped
        return .then {
            guard let run = self.run else { return }
            self.report(run.session.lastStop, DapAdapter.wholeRun, otherwise: "entry")
        }
    }

    /// The run that is open.
    func opened() throws(DapError) -> DapRun {
        guard let run else { throw DapError("no run is open yet: 'launch' or 'attach' opens one") }
        return run
    }

    // MARK: Threads

    /// The run, and the stores that are open where it stands.
    func threads() throws -> [DapThread] {
        let run = try opened()
        let names = run.session.state.object.map { Array($0.keys) } ?? []
        for name in names where number(ofStore: name) == nil { stores.append(name) }
        let open = names.compactMap { name in
            number(ofStore: name).map { DapThread(id: $0, name: ControlCharacters.escaped(name)) }
        }
        return [DapThread(id: DapAdapter.wholeRun, name: "run")] + open
    }

    private func number(ofStore name: String) -> Int? {
        stores.firstIndex { UTF8Order.equal($0, name) }.map { $0 + DapAdapter.wholeRun + 1 }
    }

    /// The store of a thread; nil for the whole run.
    ///
    /// - Throws: `DapError` where there is no such thread.
    func store(ofThread id: Int) throws -> String? {
        if id == DapAdapter.wholeRun { return nil }
        let index = id - DapAdapter.wholeRun - 1
        // A client may ask by a number of an earlier session before it asks for the threads.
        if !stores.indices.contains(index) { _ = try threads() }
        guard stores.indices.contains(index) else { throw DapError("there is no thread \(id)") }
        return stores[index]
    }
}
