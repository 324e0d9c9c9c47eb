internal import JSONCore

extension EncodingPass {
    /// Parts that are one and the same cost one comparison.
    func writeDifference(from old: EncodedTree, to new: EncodedTree) throws(StateEncodingError) {
        if let redaction, redaction.isRedacted {
            // As a whole: the paths below would reveal its structure.
            return EncodedTree.identical(old, new) ? () : try writeReplace(old, by: new)
        }
        switch (old, new) {
        case (.value(let before), .value(let after)):
            try writeDifference(from: before, to: after)
        case (.value(let before), _):
            try nested(before.traits) { () throws(StateEncodingError) in
                try writeDifference(from: before.shape(self), to: new)
            }
        case (.scalar, .value): try writeReplace(old, by: new)
        case (_, .value(let after)):
            try nested(after.traits) { () throws(StateEncodingError) in
                try writeLevelDifference(from: old, to: after)
            }
        case (.object(let before), .object(let after)):
            if before !== after { try writeDifference(from: before, to: after) }
        case (.array(let before), .array(let after)):
            if before !== after { try writeListDifference(TreeListPair(before, after)) }
        default:
            if !EncodedTree.identical(old, new) { try writeReplace(old, by: new) }
        }
    }

    private func writeDifference(from before: ValueNode, to after: ValueNode) throws(StateEncodingError) {
        if before === after { return }
        try nested(after.traits) { () throws(StateEncodingError) in
            if before.traits === after.traits {
                try before.writeDifference(to: after, self)
            } else {
                try writeLevelDifference(from: before.shape(self), to: after)
            }
        }
    }

    /// Encodes a changed value one level deep onto its predecessor's, and continues below where that differs.
    func writeLevelDifference(from older: ValueNode, to newer: ValueNode) throws(StateEncodingError) {
        try writeLevelDifference(from: older.shape(self), to: newer)
    }

    private func writeLevelDifference(from before: EncodedTree, to newer: ValueNode) throws(StateEncodingError) {
        // One with secrets was expanded without looking for those of the value before.
        if newer.traits.rule == nil, let known = newer.expansion { return try writeDifference(from: before, to: known) }
        let level = try asOf(newer.epoch) { () throws(StateEncodingError) in
            try lookingForFormer { () throws(StateEncodingError) in try newer.encodeLevel(self, base: before) }
        }
        switch level {
        case .changed(let object, let changes):
            for change in changes {
                try at(.key(object.keys[change.place])) { () throws(StateEncodingError) in
                    try writeDifference(from: object.values[change.place], to: change.value)
                }
                object.values[change.place] = change.value
            }
            newer.expansion = .object(object)
        case let level:
            let tree = level.whole
            newer.expansion = tree
            try writeDifference(from: before, to: tree)
        }
    }

    private func writeDifference(from before: ObjectNode, to after: ObjectNode) throws(StateEncodingError) {
        for (place, key) in before.keys.enumerated() where after.place(of: key, near: place) == nil {
            try at(.key(key)) { () throws(StateEncodingError) in try writeRemove(before.values[place]) }
        }
        for (place, key) in after.keys.enumerated() {
            try at(.key(key)) { () throws(StateEncodingError) in
                if let old = before.place(of: key, near: place) {
                    try writeDifference(from: before.values[old], to: after.values[place])
                } else {
                    try writeAdd(after.values[place])
                }
            }
        }
    }

    /// Writes one `replace` here, unless both have the same text.
    func writeReplace(_ old: EncodedTree, by new: EncodedTree) throws(StateEncodingError) {
        scratch.old.removeAll(keepingCapacity: scratch.old.capacity <= Self.scratchLimit)
        scratch.new.removeAll(keepingCapacity: scratch.new.capacity <= Self.scratchLimit)
        try appendTaken(old, to: &scratch.old)
        try appendNew(new, to: &scratch.new)
        if scratch.old != scratch.new { patch.replace(path, value: scratch.new, old: scratch.old) }
    }

    func writeAdd(_ value: EncodedTree) throws(StateEncodingError) {
        var bytes: [UInt8] = []
        try appendNew(value, to: &bytes)
        patch.add(path, value: bytes)
    }

    func writeRemove(_ value: EncodedTree) throws(StateEncodingError) {
        var bytes: [UInt8] = []
        try appendTaken(value, to: &bytes)
        patch.remove(path, old: bytes)
    }
}
