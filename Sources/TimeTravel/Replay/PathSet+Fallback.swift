import JSONCore
import JournalFormat

extension PathSet {
    /// The set of everything at and below one path.
    init(_ path: JSONPointer) {
        self = .nothing
        insert(path)
    }

    /// Asks a question of states that are pruned to this set, and again of whole states if a patch cannot be applied to less.
    ///
    /// Our recorder writes no such patch; a foreign journal's `copy` or `test` reads what nobody asked for.
    func orEverything<T>(
        _ question: (PathSet) throws(JournalError) -> T
    ) throws(JournalError) -> T {
        do throws(JournalError) {
            return try question(self)
        } catch {
            guard error.needsWholeState, !isEverything else { throw error }
            return try question(.everything)
        }
    }
}
