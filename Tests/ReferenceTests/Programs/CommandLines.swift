import TestSupport

/// Command lines that read journals in every way, each with the positions, paths and texts of one journal.
struct CommandLines {
    /// What stands for the files of a command line until it is run.
    enum File: String, CaseIterable {
        case journal = "run.jsonl"
        /// The beginning of the same run, as it was before anything happened to the file.
        case beginning = "beginning.jsonl"
        case output = "out.jsonl"
    }

    private var random: SeededGenerator
    private var queries: RandomStateQuery
    private let journal: PlainJournal

    init(seed: UInt64, _ journal: PlainJournal) {
        random = SeededGenerator(seed: seed &* 0x51ED_2701 &+ 3)
        queries = RandomStateQuery(seed: seed &+ 7)
        self.journal = journal
    }

    /// Every form, filled in.
    mutating func all() -> [[String]] { Self.forms.map { filled($0) } }

    /// `verify` and so many others.
    mutating func some(_ count: Int) -> [[String]] {
        [filled("verify J")] + Self.forms.shuffled(using: &random).prefix(count).map { filled($0) }
    }

    private mutating func filled(_ form: String) -> [String] {
        let (first, last) = (position(), position())
        return form.split(separator: " ").map { word in
            switch word {
            case "J": return File.journal.rawValue
            case "B": return File.beginning.rawValue
            case "O": return File.output.rawValue
            case "N": return String(first)
            case "R": return "\(min(first, last))..\(max(first, last))"
            case "P": return PlainPointer.text(path(), star: "~2")
            case "S": return journal.stores.sorted().randomElement(using: &random)?.text ?? "cart"
            case "T":
                return ["a", "b", "back", "1", "\u{E9}", "add", "\\", "\u{1F600}"].randomElement(using: &random) ?? ""
            case _ where word.hasSuffix("Q"): return word.dropLast() + queries.condition(depth: 2)
            default: return String(word)
            }
        }
    }

    /// A position, now and then one past the end.
    private mutating func position() -> Int { Int.random(in: journal.start...(journal.end + 1), using: &random) }

    /// A path to something that was there at some time.
    private mutating func path() -> [PlainKey] {
        let states = journal.states.sorted { $0.key < $1.key }
        guard let state = states.randomElement(using: &random) else { return [] }
        return PlainPointer.places(in: state.value).randomElement(using: &random)?.path ?? []
    }

    /// One command line each: J is the journal, B the beginning of it, O what is written, N a position, R a range, P a path, S a
    /// store, T a text, Q a query.
    private static let forms = """
        verify J ¦ verify --format human J ¦ verify --messages json J ¦ verify --repair O J ¦ info J
        info --format human J ¦ info B J ¦ stats J ¦ stats --format human J ¦ stats --range R J
        stats --store S --recover J ¦ stats --path P J ¦ stats --where Q J ¦ log J ¦ log --format human J
        log --patch J ¦ log --patch --format human J ¦ log --patch --recover --format human J ¦ log --all J
        log --all --recover --format human J ¦ log --stat J ¦ log --stat --path P J ¦ log --marks --cite J
        log --by-place J ¦ log --path P J ¦ log --path P --patch --reverse J ¦ log --path /*/* --format human J
        log --store S J ¦ log --store S --patch --range R J ¦ log --recover J
        log --recover --reverse --messages json J ¦ log --reverse -n 3 J ¦ log --where Q J
        log --where Q --recover -n 4 J ¦ log --name a* J ¦ log --action App.* --function * J
        log --source Test/Cart.swift:11 J ¦ log --range R J ¦ show J N ¦ show --format human J N ¦ show J R
        show --store S J R ¦ state J ¦ state --at N J ¦ state --at N --format human J ¦ state --at N --store S J
        state --recover J ¦ state --at N --select Q J ¦ state J N P ¦ history J P ¦ history --format human J P
        history --recover --reverse J P ¦ history J ** ¦ history --range R J Q ¦ history --path P J Q ¦ blame J
        blame --at N J ¦ blame --reverse --at N J ¦ blame --format human J P ¦ blame --at N J P ¦ blame --store S J
        origin J P ¦ origin --at N J P ¦ origin --at N --format human J P ¦ why J N ¦ why --format mermaid J N
        grep J T ¦ grep --format human -i J T ¦ grep --recover --path P J T ¦ grep J -e [ab]+
        derived --define value=Q J ¦ derived --all --define value=Q --define other=Q J
        derived --summary --define value=Q --recover J ¦ derived --check --define d0=Q J
        derived --at N --why value --define value=Q J ¦ diff J N end ¦ diff J R ¦ diff --stat J start end
        diff --name-only J R ¦ diff --format human J R ¦ diff --ignore P J R ¦ diff J B ¦ diff B J ¦ diff --final J B
        diff --format human J B ¦ replay J ¦ replay --format human J ¦ replay --select Q J
        replay --select Q --recover J ¦ replay --select Q --changed --reverse J ¦ replay --store S --range R J
        replay --path P J ¦ replay --final --without N J ¦ replay --without N --with-effects J ¦ replay --only Q J
        check --invariant holds=Q J ¦ check --invariant holds=Q --recover --format human J
        check --invariant holds=Q --format sarif J ¦ check --invariant holds=Q --format junit J
        check --invariant holds=Q --format markdown J ¦ bisect --bad Q J ¦ bisect --good Q --from N J
        bisect --bad Q --monotone J ¦ bisect --bad Q --recover --format human J ¦ bisect --bad Q --path P J
        slice J R -o O ¦ slice J R ¦ slice J N.. ¦ merge J J -o O ¦ merge B J ¦ redact --path P -o O J
        redact --path P J ¦ redact --check T J ¦ minimize --bad Q -o O J ¦ minimize --bad Q --with-effects J ¦ marks J
        marks --reverse --recover J ¦ suspects J --bad Q --good B ¦ learn B J ¦ export json-patch J
        export redux-devtools J ¦ export chrome-trace J ¦ export csv J ¦ export csv --select Q --recover J
        export changes J ¦ export changes --csv --path P J ¦ export itf J ¦ export swift-test J --at N
        report J --bad Q -o O ¦ query . J ¦ query -c [.kind,.patch?] J ¦ query --stream . J ¦ query -S --tab . J
        query -s -c length J ¦ query -a tojson J ¦ import jsonl J --state . -o O ¦ import jsonl J --suggest
        import J -o O
        """.split(separator: "\n").flatMap { $0.split(separator: " ¦ ").map(String.init) }
}
