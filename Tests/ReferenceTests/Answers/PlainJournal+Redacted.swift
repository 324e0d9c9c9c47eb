/// `redact`: what must be gone, and what must be as it was.
extension PlainJournal {
    func redact(_ question: Question) -> Expectation {
        guard let pattern = question.path, !pattern.steps.isEmpty else { return .unspecified }
        let secrets = secrets(at: pattern)
        if secrets.isEmpty { return Expectation(output: .anything, status: [4]) }
        let output = Expectation.Output.journal { journal in
            if journal.start != start || journal.end != end { return "it goes from \(journal.start) to \(journal.end)" }
            for position in start...end {
                guard let old = states[position], let new = journal.states[position] else { continue }
                if let place = secrets.fault(old, new, []) {
                    return
                        "at \(position) the value at '\(PlainPointer.text(place))' is not what it should be:\n\(new.text())\nfrom\n\(old.text())"
                }
            }
            let left = journal.records.first { secrets.isLeft(in: .object($0.members)) }
            return left.map { "a secret is left in\n\(String(decoding: $0.bytes, as: UTF8.self))" }
        }
        return Expectation(output: output, status: [0])
    }

    /// What stands at a pattern at any position, and within commits between two positions.
    private func secrets(at pattern: PlainPattern) -> Secrets {
        var secrets = Secrets(pattern: pattern)
        for state in states.values {
            for place in PlainPointer.places(in: state) where pattern.matches(place.path) {
                secrets.isEmpty = false
                secrets.collect(place.value, isSure: true)
            }
        }
        for record in records {
            let values = record.patch.compactMap(\.object).flatMap { [$0["value"], $0["old"]] }
            let paths = record.patch.compactMap { $0.object?["path"]?.string.flatMap(PlainPointer.segments) }
            for value in values + [record.members["state"]] {
                if let value { secrets.collect(value, isSure: false) }
            }
            for key in paths.joined() { secrets.collect([key.text: .null], isSure: false) }
        }
        return secrets
    }
}

/// The texts and numbers that must go, and those that may, since they may have stood at a path between two positions.
private struct Secrets {
    let pattern: PlainPattern
    var isEmpty = true
    private var sure = Set<PlainKey>()
    private var possible = Set<PlainKey>()
    private var numbers = Set<PlainNumber>()

    init(pattern: PlainPattern) { self.pattern = pattern }

    mutating func collect(_ value: PlainJSON, isSure: Bool) {
        switch value {
        case .string(let text): note(text, isSure)
        case .number(let number): if isSure { numbers.insert(number) }
        case .array(let elements): for element in elements { collect(element, isSure: isSure) }
        case .object(let members):
            for (name, member) in members {
                if !Self.isPlainName(name) { note(name, isSure) }
                collect(member, isSure: isSure)
            }
        default: break
        }
    }

    /// Whether a number has four digits however it is written.
    private static func isLong(_ number: PlainNumber) -> Bool {
        number.text.utf8.count >= 4 && number.text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Texts of less than four bytes stay, and so do names that are plain words.
    private mutating func note(_ text: String, _ isSure: Bool) {
        guard text.utf8.count >= 4 else { return }
        if isSure { sure.insert(PlainKey(text)) } else { possible.insert(PlainKey(text)) }
    }

    private static func isPlainName(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || ("0"..."9") ~= $0) }
            && name.unicodeScalars.first.map { !(("0"..."9") ~= $0) } == true
    }

    private func holds(_ text: String, _ secrets: Set<PlainKey>) -> Bool {
        let bytes = Array(text.utf8)
        return secrets.contains { secret in
            bytes.count >= secret.bytes.count
                && (0...(bytes.count - secret.bytes.count)).contains {
                    bytes[$0..<($0 + secret.bytes.count)].elementsEqual(secret.bytes)
                }
        }
    }

    /// Where a value of a state is in clear that must not be, or is not as it was without a reason; nil where it is right.
    func fault(_ old: PlainJSON, _ new: PlainJSON, _ path: [PlainKey]) -> [PlainKey]? {
        // An element keeps its hash when it moves away from the path.
        if let hash = new.object, hash.count == 1, hash["$redacted"] != nil { return nil }
        if pattern.matches(path) { return path }
        switch (old, new) {
        case (.object(let old), .object(let new)):
            if old.count != new.count { return path }
            for (key, value) in old {
                let place = path + [PlainKey(key)]
                if holds(key, sure) {
                    if new[key] != nil { return place }
                } else if let other = new[key] {
                    if let place = fault(value, other, place) { return place }
                } else if !holds(key, possible) {
                    return place
                }
            }
            return nil
        case (.array(let old), .array(let new)):
            if old.count != new.count { return path }
            for (index, (value, other)) in zip(old, new).enumerated() {
                if let place = fault(value, other, path + [PlainKey(String(index))]) { return place }
            }
            return nil
        case (.string(let text), .string(let other)):
            if holds(text, sure) { return holds(other, sure) ? path : nil }
            return old == new || holds(text, possible) ? nil : path
        case (.number(let number), _):
            return old == new && !(numbers.contains(number) && Self.isLong(number)) ? nil : path
        default: return old == new ? nil : path
        }
    }

    /// Whether a text that must go is anywhere in a value.
    func isLeft(in value: PlainJSON) -> Bool {
        switch value {
        case .string(let text): holds(text, sure)
        case .array(let elements): elements.contains { isLeft(in: $0) }
        case .object(let members): members.contains { holds($0.key, sure) || isLeft(in: $0.value) }
        default: false
        }
    }
}
