/// Queries on plain JSON.
extension OptionTable {
    /// What queries may name.
    static let queryValues: [OptionDefinition] = [
        OptionDefinition(
            .arg, argument: "NAME", second: .init(name: "VALUE", completion: .none), isRepeatable: true,
            "give queries a text as '$NAME'",
            details: "'$ARGS.named' has all values by name. Of two with one name the first counts."),
        OptionDefinition(
            .argjson, argument: "NAME", second: .init(name: "JSON", completion: .none), isRepeatable: true,
            "give queries a JSON value as '$NAME'"),
        OptionDefinition(
            .definitions, argument: "FILE", completion: .file, isRepeatable: true,
            "functions that queries may call: a file of 'def's"),
        OptionDefinition(
            .slurpfile, argument: "NAME", second: .init(name: "FILE", completion: .file), isRepeatable: true,
            "give queries the JSON texts of a file as the array '$NAME'"),
        OptionDefinition(
            .rawfile, argument: "NAME", second: .init(name: "FILE", completion: .file), isRepeatable: true,
            "give queries the text of a file as '$NAME'"),
        OptionDefinition(.args, "take what follows the query as texts, in '$ARGS.positional'"),
        OptionDefinition(.jsonargs, "take what follows the query as JSON values, in '$ARGS.positional'"),
    ]

    /// What a query on plain JSON reads.
    static let queryInput: [OptionDefinition] = [
        OptionDefinition(
            .fromFile, short: "f", argument: "FILE", completion: .file,
            "read the query from a file; every operand is an input then"),
        OptionDefinition(.nullInput, short: "n", "run the query once, on null, and read nothing"),
        OptionDefinition(.rawInput, short: "R", "each line is a string; with '-s', the whole input is one"),
        OptionDefinition(.slurp, short: "s", "make one array of all texts"),
        OptionDefinition(.stream, "each text as the events of 'tostream'"),
        OptionDefinition(
            .footprint, "print the paths that the query can read, and run nothing"),
    ]

    /// How a query on plain JSON prints.
    static let queryOutput: [OptionDefinition] = [
        OptionDefinition(.compactOutput, short: "c", "one line an output, which it is unless asked otherwise"),
        OptionDefinition(.tab, "one line a member and element, indented by tabs"),
        OptionDefinition(.indent, argument: "N", "the same, indented by 1 to 7 spaces; 0 is one line"),
        OptionDefinition(.sortKeys, short: "S", "members in ascending order"),
        OptionDefinition(.asciiOutput, short: "a", "escape every character that is not ASCII"),
        OptionDefinition(.joinOutput, short: "j", "as '-r', and no line break after an output"),
        OptionDefinition(.rawOutput0, "as '-r', and a NUL in the place of the line break"),
        OptionDefinition(.seq, "an RS before each output, as in RFC 7464, and allow them between the texts"),
    ]
}
