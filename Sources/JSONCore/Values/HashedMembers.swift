/// Many members in the order in which they were added, shared by copies.
@usableFromInline
final class HashedMembers: @unchecked Sendable {
    // Unchecked for the same reason as `SortedMembers`: only a sole owner edits it, so no two accesses overlap.
    @safe @exclusivity(unchecked) var table: NameTable<JSONValue>

    init(_ table: NameTable<JSONValue>) { self.table = table }

    convenience init(_ distinct: [JSONObject.Member]) {
        var table = NameTable<JSONValue>()
        for member in distinct { table.append(member.key, member.value) }
        self.init(table)
    }

    func copy() -> HashedMembers { HashedMembers(table) }

    var members: [JSONObject.Member] {
        table.entries.compactMap { entry in entry.value.map { JSONObject.Member(entry.name, $0) } }
    }
}
