import JournalFormat

extension TypedArguments {
    /// The position that is asked about: an operand, or what `--at` says; nil where neither was typed.
    ///
    /// - Throws: `UsageError` if both were typed, `PositionError` if the text is not a position.
    func position(operand index: Int) throws -> PositionText? {
        guard operands.count > index else { return try value(.at).map { try PositionText(parsing: $0) } }
        if has(.at), let command { throw UsageError.extraOperand(command, operands[index]) }
        return try PositionText(parsing: operands[index])
    }
}
