import JSONCore
import TimeTravel

/// What `set` changes.
struct DebugSettings {
    /// Which way motions without `reverse` in their names go.
    var direction = SessionDirection.forward
    /// How many characters of a string, elements of an array and members of an object are printed; nil for all.
    var elements: Int?
    /// Whether long output is shown a screen at a time.
    var isPaging = true

    /// How many are printed where a person reads, as in gdb.
    static let usualElements = 200

    /// A value as far as it is printed, and whether that is not all of it.
    func shown(_ value: JSONValue) -> (value: JSONValue, isCut: Bool) {
        guard let elements else { return (value, false) }
        var isCut = false
        let shown = cut(value, elements, &isCut)
        return (isCut ? shown : value, isCut)
    }

    private func cut(_ value: JSONValue, _ limit: Int, _ isCut: inout Bool) -> JSONValue {
        func more(_ count: Int) -> JSONValue { .string("… \(count - limit) more") }
        switch value {
        case .string(let text):
            let count = text.unicodeScalars.count
            guard count > limit else { return value }
            isCut = true
            return .string(String(text.unicodeScalars.prefix(limit)) + "… \(count - limit) more")
        case .array(let elements):
            var shown = elements.prefix(limit).map { cut($0, limit, &isCut) }
            if elements.count > limit {
                isCut = true
                shown.append(more(elements.count))
            }
            return .array(shown)
        case .object(let object):
            var shown = JSONObject()
            for (key, member) in object.prefix(limit) { shown[key] = cut(member, limit, &isCut) }
            if object.count > limit {
                isCut = true
                shown["…"] = more(object.count)
            }
            return .object(shown)
        case .null, .bool, .number: return value
        }
    }
}

extension DebugInterpreter {
    /// Carries out `set` and `exec-direction`.
    func change(_ line: DebugLine) throws {
        let words = (line.verb == .set ? [] : ["exec-direction"]) + line.words
        switch (words.first, words.count) {
        case ("exec-direction", 1):
            try write("exec-direction is \(settings.direction == .forward ? "forward" : "reverse")")
        case ("exec-direction", 2) where words[1] == "forward": settings.direction = .forward
        case ("exec-direction", 2) where words[1] == "reverse": settings.direction = .backward
        case ("exec-direction", _): throw line.usage("a session goes 'forward' or 'reverse'")
        case ("print", 3) where words[1] == "elements", ("p", 3) where words[1] == "elements":
            if words[2] == "unlimited" || words[2] == "0" {
                settings.elements = nil
            } else if let count = Int(words[2]), count > 0 {
                settings.elements = count
            } else {
                throw line.usage("'\(words[2])' is not a number of elements")
            }
        case ("pagination", 2) where ["on", "off"].contains(words[1]): settings.isPaging = words[1] == "on"
        case ("var", _), ("variable", _):
            throw line.usage(
                "a run is recorded and cannot be changed", help: ["'skip N' leaves a commit out", "write 'print'"])
        default: throw line.usage("there is nothing of that name to set")
        }
    }
}
