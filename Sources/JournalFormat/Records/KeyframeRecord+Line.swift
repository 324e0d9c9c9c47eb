extension LineBuilder {
    /// Begins a `keyframe` record: ``stateKey(_:)`` and a value for each open store follow, then ``endKeyframe(totals:)``.
    public mutating func beginKeyframe(seq: CommitNumber) {
        begin(.keyframe, seq: seq)
        literal(",\"states\":{")
    }

    /// Ends a `keyframe` record.
    ///
    /// - Parameter totals: what the file holds up to this line.
    public mutating func endKeyframe(totals: Totals) {
        literal("}")
        self.totals(totals)
        endRecord()
    }

    /// Begins a `gap` record: commits `first` … `first+lost-1` could not be kept.
    ///
    /// ``stateKey(_:)`` and a value for each open store follow, then ``endGap()``. Its `seq` is the last of the lost ones.
    ///
    /// - Precondition: `lost` is positive.
    public mutating func beginGap(first: CommitNumber, lost: Int, time moment: Timestamp, reason: String) {
        precondition(lost > 0, "beginGap(first:lost:time:reason:): a gap holds at least one lost commit")
        begin(.gap, seq: CommitNumber(first.rawValue + lost - 1))
        time(moment)
        member("first", integer: first.rawValue)
        member("lost", integer: lost)
        member("reason", string: reason)
        literal(",\"states\":{")
    }

    /// Ends a `gap` record.
    public mutating func endGap() {
        literal("}")
        endRecord()
    }

    /// Begins the state of one store in a keyframe or a gap; the state is to be appended to ``bytes``.
    public mutating func stateKey(_ store: String) {
        holdsState(of: store)
        if bytes.last != UInt8(ascii: "{") { literal(",") }
        string(store)
        literal(":")
    }

    /// Writes the encoded state of one store in a keyframe or a gap.
    public mutating func state(of store: String, _ encoded: UnsafeRawBufferPointer) {
        stateKey(store)
        raw(encoded)
    }

    /// Writes an `end` record: the run ended cleanly.
    public mutating func end(seq: CommitNumber, time moment: Timestamp, totals: Totals) {
        begin(.end, seq: seq)
        time(moment)
        self.totals(totals)
        endRecord()
    }

    private mutating func totals(_ totals: Totals) {
        literal(",\"totals\":{\"commits\":{")
        for (index, entry) in totals.commits.enumerated() {
            if index > 0 { literal(",") }
            string(entry.store)
            literal(":")
            integer(entry.count)
        }
        literal("},\"open\":")
        strings(totals.open)
        literal(",\"derived\":")
        strings(totals.derived)
        if totals.moreDerived > 0 {
            literal(",\"moreDerived\":")
            integer(totals.moreDerived)
        }
        literal(",\"marks\":")
        integer(totals.marks)
        literal(",\"gaps\":")
        integer(totals.gaps)
        literal(",\"aborts\":")
        integer(totals.aborts)
        literal("}")
    }
}
