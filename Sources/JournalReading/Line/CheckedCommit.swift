import JSONCore
package import JournalFormat

/// A commit's line of which every member is what the format says: read in place where that shows, else by decoding it, which says
/// what is wrong.
package struct CheckedCommit {
    package let text: CommitText
    package let time: Timestamp
    /// The commit whose delivery made this one.
    package let cause: CommitNumber?
    /// The commit that this one takes back.
    package let undoes: CommitNumber?
    /// The store's own count of commits where that cannot be.
    package var negativeVersion: Int?

    /// - Parameter locations: which texts of members `at` say a place in source code; a program has few.
    /// - Throws: ``JournalError`` with the damage.
    package init(_ line: RecordLine, _ locations: inout RecentTexts<Bool>) throws(JournalError) {
        if let text = CommitText(line), let time = text.strictTime, let at = text.at, locations.isLocation(at) {
            self.text = text
            self.time = time
            cause = text.cause?.wholeNumber.map { CommitNumber($0) }
            undoes = text.undoes?.wholeNumber.map { CommitNumber($0) }
            return
        }
        let record = try line.decode { (record) throws(RecordFault) in try CommitRecord(record) }
        guard let text = CommitText(line) else {
            throw line.damage(.record(RecordFault(member: "patch", expected: "a JSON Patch")))
        }
        (self.text, time, cause, undoes) = (text, record.time, record.cause, record.undoes)
        if record.version < 0 { negativeVersion = record.version }
    }
}

extension RecentTexts<Bool> {
    /// Whether a member `at` says a place in source code.
    fileprivate mutating func isLocation(_ at: JSONToken) -> Bool {
        if let known = value(of: at.text) { return known }
        let isLocation = SourceLocation(at) != nil
        keep(isLocation, of: at.text)
        return isLocation
    }
}
