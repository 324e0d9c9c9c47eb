import Diagnostics
import JSONCore

/// A path that a query reads and that is in none of some states, although what it would be a member of is there.
struct MisspeltPath {
    /// The path, `*` standing for every member or element.
    let segments: [String]

    /// The name that was probably meant in the place of the last one; nil where none is near.
    let nearest: String?

    /// How many values at one path are looked at.
    private static let valueLimit = 10_000

    /// The paths of a set that are in none of the states.
    ///
    /// - Parameter states: pruned to the set with its siblings.
    /// - Complexity: O(*n*) in what the states hold at the paths.
    static func all(of set: PathSet, in states: [JSONValue]) -> [MisspeltPath] {
        var found: [MisspeltPath] = []
        if let root = set.root { collect(root, [], states, into: &found) }
        return found
    }

    /// Whether a path of a set is in none of the states.
    ///
    /// - Parameter states: pruned to the set.
    static func isAnyAbsent(of set: PathSet, in states: [JSONValue]) -> Bool {
        set.root.map { isAnyAbsent(of: $0, in: states) } ?? false
    }

    private static func isAnyAbsent(of node: PathSet.Node, in values: [JSONValue]) -> Bool {
        guard case .branch(let branch) = node, !values.isEmpty else { return false }
        let objects = values.compactMap(\.object)
        for (key, below) in branch.members where !objects.isEmpty {
            let members = objects.compactMap { $0[key] }
            if members.isEmpty || isAnyAbsent(of: below, in: members) { return true }
        }
        guard let each = branch.each else { return false }
        return isAnyAbsent(of: each, in: Array(values.lazy.flatMap(parts).prefix(valueLimit)))
    }

    private static func collect(
        _ node: PathSet.Node, _ path: [String], _ values: [JSONValue], into found: inout [MisspeltPath]
    ) {
        guard case .branch(let branch) = node, !values.isEmpty else { return }
        let objects = values.compactMap(\.object).filter { !$0.isEmpty }
        for (key, below) in branch.members where !objects.isEmpty {
            let members = objects.compactMap { $0[key] }
            if members.isEmpty {
                let names = Set(objects.lazy.flatMap(\.keys).map { ByteName($0) })
                let nearest = SimilarNames.nearest(to: key, in: names.sorted().map(\.text)).first
                found.append(MisspeltPath(segments: path + [key], nearest: nearest))
            } else {
                collect(below, path + [key], members, into: &found)
            }
        }
        guard let each = branch.each else { return }
        collect(each, path + ["*"], Array(values.lazy.flatMap(parts).prefix(valueLimit)), into: &found)
    }

    private static func parts(of value: JSONValue) -> [JSONValue] {
        switch value {
        case .array(let elements): elements
        case .object(let members): members.map(\.value)
        default: []
        }
    }
}
