import JournalFormat
import QueryLanguage

extension Session {
    func add(_ specification: StopSpecification) -> SessionEvent {
        breakpointCount += 1
        let stop = SessionBreakpoint(id: breakpointCount, specification)
        breakpoints.append(stop)
        return .stopChanged(stop, .added)
    }

    func remove(_ id: Int) throws(SessionError) -> SessionEvent {
        guard let index = breakpoints.firstIndex(where: { $0.id == id }) else {
            throw .unknown(.breakpoint, String(id))
        }
        return .stopChanged(breakpoints.remove(at: index), .removed)
    }

    func removeAll() -> [SessionEvent] {
        defer { breakpoints = [] }
        return breakpoints.map { .stopChanged($0, .removed) }
    }

    func change(_ id: Int, _ body: (inout SessionBreakpoint) -> Void) throws(SessionError) -> SessionEvent {
        guard let index = breakpoints.firstIndex(where: { $0.id == id }) else {
            throw .unknown(.breakpoint, String(id))
        }
        body(&breakpoints[index])
        return .stopChanged(breakpoints[index], .changed)
    }

    func add(_ query: Query) -> [SessionEvent] {
        displayCount += 1
        let display = SessionDisplay(id: displayCount, query: query)
        displays.append(display)
        return [.displayChanged(display, .added), .displayed(display, outcome(of: query))]
    }

    func removeDisplay(_ id: Int?) throws(SessionError) -> [SessionEvent] {
        guard let id else {
            defer { displays = [] }
            return displays.map { .displayChanged($0, .removed) }
        }
        guard let index = displays.firstIndex(where: { $0.id == id }) else { throw .unknown(.display, String(id)) }
        return [.displayChanged(displays.remove(at: index), .removed)]
    }
}
