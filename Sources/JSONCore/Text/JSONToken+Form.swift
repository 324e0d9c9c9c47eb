import Platform

// How a text is written, beside what it says.

extension JSONToken {
    /// The first name that stands twice in one object of the value, by its second place in the text; nil where each stands once.
    ///
    /// - Complexity: O(*n*) where names ascend; a comparison of words for each pair of names of a small object that do not.
    package var repeatedName: JSONToken? {
        var first: Int?
        var place = index
        let end = end
        while place < end {
            let token = token(at: place)
            if token.kind == .object, let found = token.ownRepeatedName, found < first ?? .max { first = found }
            place &+= 1
        }
        return first.map(token(at:))
    }

    var ownRepeatedName: Int? {
        // The first bytes of the names, and how many each has: mostly these differ.
        unsafe withUnsafeTemporaryAllocation(
            of: (bytes: UInt64, count: Int, index: Int).self, capacity: JSONToken.pairLimit
        ) {
            known in
            var count = 0
            for (name, _) in members {
                let word = name.word
                guard count < known.count, !name.isEscaped else { return repeatedNameBySet }
                for place in 0..<count where unsafe known[place].bytes == word.bytes && known[place].count == word.count
                {
                    if unsafe word.count <= 8 || token(at: known[place].index).raw.hasSameBytes(as: name.raw) {
                        return name.index
                    }
                }
                // Below its capacity, as was asked first.
                unsafe known[count] = (word.bytes, word.count, name.index)
                count &+= 1
            }
            return nil
        }
    }

    /// Names of smaller objects are compared each with each.
    private static let pairLimit = 32

    private var repeatedNameBySet: Int? {
        var last: JSONToken?
        let isAscending = members.allSatisfy { name, _ in
            defer { last = name }
            return last.map { !$0.isEscaped && !name.isEscaped && UTF8Order.isLess($0.raw, name.raw) } ?? true
        }
        if isAscending { return nil }
        var names = Set<ByteName>()
        for (name, _) in members where !names.insert(ByteName(name.string ?? "")).inserted { return name.index }
        return nil
    }

    /// Whether the value's text is what ``JSONWriter`` makes of the value, so that it, and each part of it, can be copied: no white
    /// space, escapes where and as it has them, and no name twice.
    ///
    /// - Complexity: one look at the names and at every byte.
    package var isAsWritten: Bool {
        return !isForeign && text.firstIndex(of: 0x7F) == nil && repeatedName == nil
    }

    /// Whether white space stands outside of the text's strings, or an escape is written as ``JSONWriter`` writes none.
    package var isForeign: Bool { unsafe entries[0].info & JSONTape.Entry.foreign != 0 }
}
