/// An app with one fault that was reported in the public tracker of a state library, or of an app built with one.
///
/// The report is told again: the code is our own, the invariant is what a user would have noticed, and the function that asks
/// for the fault is the one that the fixing change was made in.
protocol RealBug: Subject {
    /// The report; the fixing change itself where that is where the fault was first described.
    static var report: String { get }
    /// The change that fixed it.
    static var fix: String { get }
}

/// The tier of real bugs.
enum RealBugs {
    static var all: [any RealBug.Type] {
        [
            TodoNumbers.self, LateInvalidation.self, PartialUpserts.self, SortedEntries.self, RefusedDuplicate.self,
            RenamedEntity.self, BranchTimers.self, TargetlessTimer.self, DroppedHydration.self,
            CrossedHydration.self, FieldCount.self, FieldErrors.self, FilteredHistory.self, RedoLimit.self,
            GroupedUndo.self, StaleDerived.self, TeamUnread.self, ThreadCounts.self, IndexedCart.self,
            TimelineDuplicates.self, PlaceForNumber.self, ClosedStorage.self, FirstOfSetAll.self,
        ]
    }
}
