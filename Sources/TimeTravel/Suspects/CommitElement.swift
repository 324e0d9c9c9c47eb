import JSONCore
import JournalReading

struct CommitElement: Hashable {
    enum Sign: Hashable {
        case place
        case paths(Int)
        case path(Int)
        case cause(Int)
        case value(Int, class: Int)
        /// Of two numbers that a commit wrote, how the first compares with the second: -1, 0 or 1.
        case pair(Int, Int, order: Int)
    }

    let place: Int
    let sign: Sign
}

struct CommitElements {
    /// Of the values of a commit so many are looked at; one path in it counts so often.
    private static let mostValues = 64
    private static let mostOfPath = 3
    /// So many numbers of a commit are compared with one another.
    private static let mostCompared = 12
    /// The elements of a longer array are not looked at: there are others in each commit.
    private static let longestArray = 4
    /// A longer text is not one of a few that an app chooses from.
    private static let longestWord = 24

    private(set) var texts = Numbered<ByteName>()

    private struct Leaf {
        let path: Int
        let value: JSONValue
    }

    /// - Complexity: O(v + n²) in the values that it writes and the numbers among them, both bounded.
    mutating func elements(of record: Record, at place: Int, causedBy cause: Int?) -> [CommitElement] {
        var signs: [CommitElement.Sign] = [.place]
        if let cause { signs.append(.cause(cause)) }
        var (written, changes): ([ByteName], [Leaf]) = ([], [])
        var values: [Leaf] = []
        for operation in record.patch?.operations ?? [] {
            let path = Self.template([record.store ?? ""] + operation.path.segments)
            written.append(ByteName(path))
            switch operation {
            case .add(_, let value): add(value, at: path, to: &values)
            case .replace(_, let value, let old):
                add(value, at: path, to: &values)
                if let new = value.number?.doubleValue, let old = old?.number?.doubleValue,
                    let path = number(of: "the change of " + path)
                {
                    changes.append(Leaf(path: path, value: .number(JSONNumber(new - old))))
                }
            case .remove(_, let old?): add(old, at: "the removed " + path, to: &values)
            case .remove, .move, .copy, .test: break
            }
        }
        if let payload = record.action?.payload { add(payload, at: "the payload", to: &values) }
        let paths = Set(written).sorted()
        if let all = number(of: paths.map(\.text).joined(separator: ", ")) { signs.append(.paths(all)) }
        for path in paths { if let path = number(of: path.text) { signs.append(.path(path)) } }
        signs += classes(of: values) + comparisons(of: values + changes)
        return signs.map { CommitElement(place: place, sign: $0) }
    }

    private mutating func number(of text: String) -> Int? { texts.number(of: ByteName(text)) }

    /// A path in which array indexes and generated keys, which differ in each run, are `*`.
    private static func template(_ segments: [String]) -> String {
        segments.map { segment in
            let isGenerated = segment.utf8.contains { $0 &- 48 < 10 } || segment.utf8.elementsEqual("-".utf8)
            return "/" + (isGenerated ? "*" : segment)
        }.joined()
    }

    private mutating func add(_ value: JSONValue, at path: String, to leaves: inout [Leaf]) {
        guard leaves.count < Self.mostValues else { return }
        switch value {
        case .object(let members):
            for member in members { add(member.value, at: path + Self.template([member.key]), to: &leaves) }
        case .array(let elements):
            add(.number(JSONNumber(elements.count)), at: "the length of " + path, to: &leaves)
            guard elements.count <= Self.longestArray else { return }
            for element in elements { add(element, at: path + "/*", to: &leaves) }
        case .null, .bool, .number, .string:
            if let path = number(of: path) { leaves.append(Leaf(path: path, value: value)) }
        }
    }

    private mutating func classes(of values: [Leaf]) -> [CommitElement.Sign] {
        var counts: [Int: Int] = [:]
        return values.compactMap { leaf in
            counts[leaf.path, default: 0] += 1
            guard counts[leaf.path, default: 0] <= Self.mostOfPath, let name = Self.className(of: leaf.value),
                let number = number(of: name)
            else { return nil }
            return .value(leaf.path, class: number)
        }
    }

    private static func className(of value: JSONValue) -> String? {
        switch value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let number):
            number.doubleValue == 0 ? "zero" : number.doubleValue < 0 ? "a negative number" : "a positive number"
        case .string(let text):
            text.utf8.count < longestWord && !text.utf8.contains { $0 &- 48 < 10 } ? "'\(text)'" : nil
        case .array, .object: nil
        }
    }

    private func comparisons(of values: [Leaf]) -> [CommitElement.Sign] {
        let counts = values.reduce(into: [:]) { $0[$1.path, default: 0] += 1 }
        let numbers = values.filter { counts[$0.path] == 1 }
            .compactMap { leaf in leaf.value.number.map { (path: leaf.path, value: $0.doubleValue) } }
            .prefix(Self.mostCompared)
        var signs: [CommitElement.Sign] = []
        for (index, left) in numbers.enumerated() {
            for right in numbers.dropFirst(index + 1) {
                let order = left.value < right.value ? -1 : left.value > right.value ? 1 : 0
                let isInOrder = left.path < right.path
                signs.append(
                    .pair(
                        isInOrder ? left.path : right.path, isInOrder ? right.path : left.path,
                        order: isInOrder ? order : -order))
            }
        }
        return signs
    }
}
