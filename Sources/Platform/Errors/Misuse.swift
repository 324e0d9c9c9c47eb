/// Ends the program unless a call was given what it requires; for an error in the caller's code, never for one of the world.
///
/// Not `precondition`: a release build drops its words, which are all that helps.
///
/// - Parameter words: what is wrong, naming the call: `'UndoHistory(limit: 0)' cannot keep fewer steps than one`.
@inlinable
@inline(__always)
package func requirement(
    _ isMet: Bool, _ words: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
    if !isMet { misuse(words(), file: file, line: line) }
}

/// Ends the program for an error in the caller's code, with words that a release build keeps.
@usableFromInline
@inline(never)
package func misuse(_ words: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    fatalError(words, file: file, line: line)
}
