extension Option {
    // MARK: What queries may name

    package static let arg = Option(
        "arg", argument: "NAME", second: .init(name: "VALUE", completion: .none), isRepeatable: true,
        "give queries a text as '$NAME'",
        details: "'$ARGS.named' has all values by name. Of two with one name the first counts.")
    package static let argjson = Option(
        "argjson", argument: "NAME", second: .init(name: "JSON", completion: .none), isRepeatable: true,
        "give queries a JSON value as '$NAME'")
    package static let definitions = Option(
        "definitions", argument: "FILE", completion: .file, isRepeatable: true,
        "functions that queries may call: a file of 'def's",
        details: "They may name the values that are given.")
    static let slurpfile = Option(
        "slurpfile", argument: "NAME", second: .init(name: "FILE", completion: .file), isRepeatable: true,
        "give queries the JSON texts of a file as the array '$NAME'")
    static let rawfile = Option(
        "rawfile", argument: "NAME", second: .init(name: "FILE", completion: .file), isRepeatable: true,
        "give queries the text of a file as '$NAME'")
    static let args = Option("args", "take what follows the query as texts, in '$ARGS.positional'")
    static let jsonargs = Option("jsonargs", "take what follows the query as JSON values, in '$ARGS.positional'")

    // MARK: What a query on plain JSON reads

    package static let fromFile = Option(
        "from-file", short: "f", argument: "FILE", completion: .file,
        "read the query from a file; every operand is an input then")
    package static let nullInput = Option(
        "null-input", short: "n", "run the query once, on null; only 'input' and 'inputs' read")
    package static let rawInput = Option(
        "raw-input", short: "R", "each line is a string; with '-s', the whole input is one")
    package static let slurp = Option("slurp", short: "s", "make one array of all texts")
    package static let stream = Option("stream", "each text as the events of 'tostream'")
    package static let nan = Option("nan", "take 'nan', 'NaN' and 'Infinity' in the texts for numbers")
    package static let footprint = Option("footprint", "print the paths that the query can read, and run nothing")

    // MARK: How a query on plain JSON prints

    static let compactOutput = Option(
        "compact-output", short: "c", "one line an output, as to a file or a pipe unless asked otherwise")
    static let colorOutput = Option(
        "color-output", short: "C", "short for '--color always'; colours also to a file or a pipe")
    static let monochromeOutput = Option("monochrome-output", short: "M", "short for '--color never'")
    package static let tab = Option("tab", "one line a member and element, indented by tabs")
    package static let indent = Option("indent", argument: "N", "the same, indented by 1 to 7 spaces; 0 is one line")
    static let sortKeys = Option("sort-keys", short: "S", "members in ascending order")
    static let asciiOutput = Option("ascii-output", short: "a", "escape every character that is not ASCII")
    static let joinOutput = Option("join-output", short: "j", "as '-r', and no line break after an output")
    static let rawOutput0 = Option("raw-output0", "as '-r', and a NUL in the place of the line break")
    package static let seq = Option("seq", "an RS before each output, as in RFC 7464, and allow them between the texts")
}
