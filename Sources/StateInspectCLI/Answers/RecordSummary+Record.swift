import JSONCore

extension RecordSummary {
    /// The record of a journal line, as far as it says something; what is missing or of another type stays out.
    ///
    /// - Parameters:
    ///   - object: the whole record.
    ///   - scope: how paths are printed.
    init(_ object: JSONObject, scope: StoreScope) {
        self.init(seq: object["seq"]?.integer ?? 0, time: object["time"]?.string ?? "")
        store = object["store"]?.string
        name = object["name"]?.string
        cause = object["cause"]?.integer
        if case .object(let place)? = object["at"] {
            function = place["function"]?.string
            if let file = place["file"]?.string {
                location = file + (place["line"]?.integer.map { ":\($0)" } ?? "")
            }
        }
        read(object, kind: object["kind"]?.string ?? "", scope)
    }

    private mutating func read(_ object: JSONObject, kind: String, _ scope: StoreScope) {
        switch kind {
        case "store":
            self.kind = .store
            let path = scope.text(of: JSONPointer([store ?? ""]))
            changes = object["state"].map { [Change(path: path, effect: .added($0))] } ?? []
        case "gap":
            self.kind = .gap(lost: object["lost"]?.integer ?? 0, reason: object["reason"]?.string ?? "")
        case "keyframe": self.kind = .keyframe
        default:
            if let json = object["patch"], let patch = try? JSONPatch(json: json) {
                changes = Change.all(of: patch, store: store ?? "", scope: scope)
            }
        }
    }
}

extension JSONValue {
    /// The exact value of a whole number.
    var integer: Int? {
        guard case .number(let number) = self else { return nil }
        return number.integerValue
    }
}
