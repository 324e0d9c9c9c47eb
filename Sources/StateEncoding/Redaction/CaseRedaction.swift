/// What a case of an action carries that is kept out of payloads, wherever in a payload the encoder meets an action of its type.
package struct CaseRedaction: Sendable {
    package enum Position: Sendable {
        case index(Int)
        case label(String)
    }

    /// The case, after the name of its type as the journal has it; or the type alone, of an action that is not an enum.
    package let action: String
    let position: Position?
    package let entry: RedactionEntry

    /// - Parameter position: nil for all that the case carries.
    package init(action: String, position: Position?, entry: RedactionEntry) {
        self.action = action
        self.position = position
        self.entry = entry
    }

    /// The case that a redaction names in a type; nil for another type, empty for the type as a whole.
    func caseName(in type: String) -> Substring? {
        guard action.hasPrefix(type) else { return nil }
        let rest = action.dropFirst(type.count)
        return rest.isEmpty ? rest : rest.first == "." ? rest.dropFirst() : nil
    }
}

extension EncodingPass {
    func hidingCases<Value>(
        _ traits: TypeTraits, of value: Value, in level: EncodedLevel
    ) throws(StateEncodingError) -> EncodedLevel {
        var level = level
        let type = TypeName.name(of: Value.self)
        for redaction in traits.cases {
            guard let wanted = redaction.caseName(in: type) else { continue }
            let members = LevelMembers(level, self)
            var names = EnumCases.path(of: value)
            if names.isEmpty, traits.isEnumeration { names = members?.keys ?? [] }
            guard let depth = (0...names.count).first(where: { names[..<$0].joined(separator: ".") == wanted }),
                depth > 0 || names.isEmpty
            else { continue }
            redaction.entry.recordMatch()
            let tree = members?.tree ?? level.whole
            guard depth > 0, let members, members.keys.count == 1, members.keys[0] == names[0] else {
                // Of an action with an encoding of its own it is not known what is where.
                level = .fresh(try hashed(tree))
                continue
            }
            // The joined names of cases that carry each other: all that the outer one carries.
            let position = depth == 1 ? redaction.position : nil
            let object = ObjectNode(capacity: 1)
            object.append(try hiding(position, in: members.values[0]), forKey: names[0])
            level = .fresh(.object(object))
        }
        return level
    }

    private func hiding(
        _ position: CaseRedaction.Position?, in values: EncodedTree
    ) throws(StateEncodingError) -> EncodedTree {
        guard let position, case .object(let values) = values else { return try hashed(values) }
        let copy = ObjectNode(first: values.keys.count, of: values)
        let place: Int? =
            switch position {
            case .label(let label): copy.place(of: label)
            case .index(let index): copy.place(of: "_\(index)") ?? (copy.keys.indices.contains(index) ? index : nil)
            }
        guard let place else { return try hashed(.object(values)) }
        copy.values[place] = try hashed(copy.values[place])
        return .object(copy)
    }
}
