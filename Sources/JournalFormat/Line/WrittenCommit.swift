import JSONCore

/// The places that a commit writes, told from a line in the form of our writer, whose fixed parts are compared a word at a time.
///
/// It stands for ``CommitWalk/anyPlaceOfAnyForm(in:from:ofStore:where:)``, to which every other form is left: white space, an
/// escape in a name or a path, another order, a member twice, an operation that reads a place.
enum WrittenCommit {
    // The lowest byte is the first one.
    // `,"store"`
    static let storeMember: UInt64 = 0x2265_726F_7473_222C
    // `,"patch"`
    private static let patchMember: UInt64 = 0x2268_6374_6170_222C
    // `{"op":"`
    private static let opening: UInt64 = 0x0022_3A22_706F_227B
    // `replace"`
    private static let replace: UInt64 = 0x2265_6361_6C70_6572
    // `add"`
    private static let add: UInt64 = 0x2264_6461
    // `remove"`
    private static let remove: UInt64 = 0x0022_6576_6F6D_6572
    // `,"path":`
    private static let pathMember: UInt64 = 0x3A22_6874_6170_222C
    // `,"value"`
    private static let valueMember: UInt64 = 0x2265_756C_6176_222C
    // `,"old":`
    private static let oldMember: UInt64 = 0x003A_2264_6C6F_222C

    /// Whether a closure is true of one of the places; nil where the line is, or may be, in another form.
    ///
    /// - Parameters:
    ///   - place: behind the store's name.
    ///   - isWanted: given a path's text, and whether its operation puts in or takes out. It may have been asked of some of
    ///     the places where nil is given.
    @inline(__always)
    static func anyPlace(
        in line: UnsafeRawBufferPointer, behind place: Int, where isWanted: (UnsafeRawBufferPointer, Bool) -> Bool
    ) -> Bool? {
        var scanner = LineScanner(line, at: place)
        while !scanner.take(word: patchMember, count: 8) {
            guard skipMember(&scanner) else { return nil }
        }
        guard scanner.take(0x3A), scanner.take(0x5B) else { return nil }
        if !scanner.take(0x5D) {
            repeat {
                guard let found = anyPlace(ofOperationAt: &scanner, where: isWanted) else { return nil }
                if found { return true }
            } while scanner.take(0x2C)
            guard scanner.take(0x5D) else { return nil }
        }
        while scanner.isNext(0x2C) {
            guard skipMember(&scanner) else { return nil }
        }
        return scanner.take(0x7D) && scanner.isAtEnd() ? false : nil
    }

    @inline(__always)
    private static func anyPlace(
        ofOperationAt scanner: inout LineScanner, where isWanted: (UnsafeRawBufferPointer, Bool) -> Bool
    ) -> Bool? {
        guard scanner.take(word: opening, count: 7) else { return nil }
        let replaces = scanner.take(word: replace, count: 8)
        let puts = replaces || scanner.take(word: add, count: 4)
        guard puts || scanner.take(word: remove, count: 7) else { return nil }
        guard scanner.take(word: pathMember, count: 8), let path = scanner.string(), !path.isEscaped,
            path.raw.count <= JSONPatch.pathDepthLimit
        else { return nil }
        if isWanted(path.raw, !replaces) { return true }
        if puts {
            guard scanner.take(word: valueMember, count: 8), scanner.take(0x3A), scanner.skipValue() else { return nil }
        }
        if scanner.take(word: oldMember, count: 7) {
            guard scanner.skipValue() else { return nil }
        }
        return scanner.take(0x7D) ? false : nil
    }

    /// Steps over a member; false where its name begins as one does that may stand only once.
    @inline(__always)
    private static func skipMember(_ scanner: inout LineScanner) -> Bool {
        guard scanner.take(0x2C), let name = scanner.string(), !name.isEscaped, scanner.take(0x3A) else { return false }
        switch name.raw.count {
        case 3: if name.raw.equals("seq") { return false }
        case 4: if name.raw.equals("kind") { return false }
        case 5: if name.raw.equals("store") || name.raw.equals("patch") { return false }
        default: break
        }
        return scanner.skipValue()
    }
}
