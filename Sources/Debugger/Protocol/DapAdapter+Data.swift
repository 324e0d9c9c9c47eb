import CommandLine
import Diagnostics
import JSONCore
import QueryLanguage
import TimeTravel

/// Data that is watched: how it is named, and what a name means.
extension DapAdapter {
    func dataBreakpointInfo(_ arguments: DapArguments) throws -> JSONValue {
        let run = try opened()
        let name = try arguments.require("name", arguments.string("name"))
        if try arguments.bool("asAddress") == true { return refusal("a run has no addresses") }
        var id = try dataID(name)
        if let reference = try arguments.integer("variablesReference"), reference > 0 {
            switch try references.container(reference) {
            case .value(let place, _):
                guard let path = place.path?.appending(name) else { return refusal("this is not part of the state") }
                id = "path:" + PathPattern(path).text
            case .changed:
                id = "path:" + run.launch.scope.whole(try PathPattern(parsing: name, operand: "PATH")).text
            case .derived: id = "derived:" + name
            case .commit: return refusal("this is not part of the state")
            }
        }
        do { _ = try trigger(ofData: id) } catch { return refusal(DapError(error).text) }
        return [
            "dataId": .string(id), "description": .string(ControlCharacters.escaped(name)), "accessTypes": ["write"],
            "canPersist": true,
        ]
    }

    private func refusal(_ text: String) -> JSONValue { ["dataId": .null, "description": .string(text)] }

    /// What an expression means: a derived value's name, a path or a query.
    private func dataID(_ text: String) throws -> String {
        let run = try opened()
        if run.launch.definitions.contains(where: { UTF8Order.equal($0.name, text) }) { return "derived:" + text }
        return try self.path(text).map { "path:" + $0.text } ?? "query:" + text
    }

    /// What stops where the data of a name changes.
    func trigger(ofData id: String) throws -> StopTrigger {
        let run = try opened()
        let parts = id.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let text = parts.count == 2 ? parts[1] : ""
        switch parts[0] {
        case "path":
            let pattern = try PathPattern(parsing: text, operand: "PATH")
            return .watch(WatchSubject(pattern.text, .places(PathMatcher([pattern.steps]))))
        case "query":
            let query = try ScopedQuery(text, name: "watch", scope: run.launch.scope, asks: .change)
            return .watch(WatchSubject(text, .query(query.whole)))
        case "derived":
            if let known = run.launch.definitions.first(where: { UTF8Order.equal($0.name, text) }),
                case .query(let query) = known.formula
            {
                return .derived(text, query)
            }
            return .derived(text)
        default: throw DapError("'\(ControlCharacters.escaped(id))' names no data")
        }
    }
}
