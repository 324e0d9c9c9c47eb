import JSONCore
import JournalFormat

extension PositionState {
    /// Compares the open stores with those that the end of the run names, as far as it is known which are open.
    ///
    /// - Throws: ``JournalError`` with the damage where another store is open.
    /// - Complexity: O(*n*) in the names.
    func compareOpenStores(with end: RecordLine) throws(JournalError) {
        guard let claimed = try end.totals() else { return }
        let isKnown: (String) -> Bool = { self.seesEveryRecord || self.reads($0) }
        let open = Totals(open: names.names.filter { isOpen($0) && isKnown($0) })
        guard open.hasSameOpenStores(as: Totals(open: claimed.open.filter(isKnown))) else {
            throw end.damage(.end(commit: end.seq))
        }
    }
}
