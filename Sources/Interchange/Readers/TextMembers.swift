import JSONCore
import JournalFormat

struct TextMembers {
    let object: JSONObject
    private let prefix: String

    init(_ text: JSONValue, as expected: String) throws(ImportFault) {
        guard case .object(let members) = text else { throw .form(expected: expected) }
        self.init(members)
    }

    init(_ object: JSONObject, prefix: String = "") {
        self.object = object
        self.prefix = prefix
    }

    /// A member; nil where it is not there, or null.
    subscript(name: String) -> JSONValue? {
        guard let value = object[name], !value.isNull else { return nil }
        return value
    }

    func fault(_ name: String, _ expected: String) -> ImportFault {
        .member(prefix + name, expected: expected, isMissing: object[name] == nil)
    }

    func string(_ name: String) throws(ImportFault) -> String {
        guard case .string(let text)? = object[name] else { throw fault(name, "a string") }
        return text
    }

    func array(_ name: String) throws(ImportFault) -> [JSONValue] {
        guard case .array(let elements)? = object[name] else { throw fault(name, "an array") }
        return elements.array
    }

    func time(_ names: String...) throws(ImportFault) -> Timestamp? {
        guard let name = names.first(where: { self[$0] != nil }), let value = self[name] else { return nil }
        guard let moment = SourceTime.moment(of: value) else { throw fault(name, "RFC 3339 or a number since 1970") }
        return moment
    }

    func nested(_ name: String) throws(ImportFault) -> TextMembers {
        guard case .object(let members)? = object[name] else { throw fault(name, "an object") }
        return TextMembers(members, prefix: prefix + name + "/")
    }
}

extension JSONPatch {
    init(ofFile json: JSONValue) throws(ImportFault) {
        do throws(PatchError) { try self.init(json: json) } catch {
            if case .unknownOperation(let name) = error.reason {
                throw .operation(name, known: ["add", "remove", "replace", "move", "copy", "test"])
            }
            throw .noPatch(error, found: json)
        }
    }
}
