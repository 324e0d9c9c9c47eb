package import JSONCore

/// Takes typed members out of a record, or says which one is not what it should be.
package struct RecordMembers {
    let object: JSONObject
    /// In front of every name in a fault: the path of a nested object.
    let prefix: String

    package init(object: JSONObject, prefix: String = "") {
        self.object = object
        self.prefix = prefix
    }

    func fault(_ member: String, _ expected: String) -> RecordFault {
        RecordFault(member: prefix + member, expected: expected, isMissing: object[member] == nil)
    }

    func string(_ member: String) throws(RecordFault) -> String {
        guard case .string(let text)? = object[member] else { throw fault(member, "a string") }
        return text
    }

    func optionalString(_ member: String) throws(RecordFault) -> String? {
        isPresent(member) ? try string(member) : nil
    }

    func integer(_ member: String) throws(RecordFault) -> Int {
        guard let number = object[member]?.number?.integerValue else { throw fault(member, "an integer") }
        return number
    }

    /// A number of a commit, or a count of some.
    func count(_ member: String) throws(RecordFault) -> Int {
        guard let number = object[member]?.number?.integerValue, (0...CommitNumber.largest.rawValue).contains(number)
        else { throw fault(member, "a number of commits") }
        return number
    }

    func commit(_ member: String) throws(RecordFault) -> CommitNumber { CommitNumber(try count(member)) }

    func optionalCommit(_ member: String) throws(RecordFault) -> CommitNumber? {
        isPresent(member) ? try commit(member) : nil
    }

    package func time() throws(RecordFault) -> Timestamp {
        guard let moment = Timestamp(try string("time")) else { throw fault("time", "a time of RFC 3339") }
        return moment
    }

    package func location() throws(RecordFault) -> SourceLocation {
        let at = try nested("at")
        return SourceLocation(
            file: try at.string("file"), line: try at.integer("line"), column: try at.integer("column"),
            function: try at.string("function"))
    }

    func optionalLocation() throws(RecordFault) -> SourceLocation? {
        isPresent("at") ? try location() : nil
    }

    func value(_ member: String) throws(RecordFault) -> JSONValue {
        guard let value = object[member] else { throw fault(member, "a value") }
        return value
    }

    func members(_ member: String) throws(RecordFault) -> JSONObject {
        guard case .object(let members)? = object[member] else { throw fault(member, "an object") }
        return members
    }

    package func nested(_ member: String) throws(RecordFault) -> RecordMembers {
        RecordMembers(object: try members(member), prefix: prefix + member + "/")
    }

    func elements(_ member: String) throws(RecordFault) -> [JSONValue] {
        guard case .array(let elements)? = object[member] else { throw fault(member, "an array") }
        return elements.array
    }

    func strings(_ member: String) throws(RecordFault) -> [String] {
        var strings: [String] = []
        for (index, element) in try elements(member).enumerated() {
            guard case .string(let text) = element else {
                throw RecordFault(member: "\(prefix)\(member)/\(index)", expected: "a string")
            }
            strings.append(text)
        }
        return strings
    }

    /// Whether the member is there; a null is as good as none.
    func isPresent(_ member: String) -> Bool { !(object[member]?.isNull ?? true) }
}
