/// Invocations, wrong and right, that together reach every place at which a command line is suggested.
///
/// Each is a line of a shell in the folder of ``SuggestionFolder``.
enum SuggestionCorpus {
    static let lines = [
        files, notJournals, imports, operands, options, stories, damaged, paths, reports, servers, programs,
    ].flatMap(\.self)

    /// A journal, or what is taken for one, alone.
    private static let files = [
        "state-inspect c.jsonl", "state-inspect 'my shop.jsonl'", "state-inspect ./-x.jsonl",
        "state-inspect \"it's.jsonl\"", "state-inspect '$HOME.jsonl'", "state-inspect '`id`.jsonl'",
        "state-inspect c.jsonl 120", "state-inspect c.jsonl --tui", "state-inspect c.jsonl --at 105",
        "state-inspect c.jsonl --bad '.cart.total < 0'", "state-inspect 'my shop.jsonl' 120",
        "state-inspect ./none.jsonl", "state-inspect nofile.jsonl", "state-inspect C.jsonl",
        "state-inspect nofile/c.jsonl",
        "state-inspect states/", "state-inspect journals/", "state-inspect logs", "state-inspect empty/",
        "state-inspect info states", "state-inspect log journals", "state-inspect check states --invariant a=.x",
        "state-inspect none.json", "state-inspect info 'my shp.jsonl'", "state-inspect info \"its.jsonl\"",
    ]

    /// Files that are no journals.
    private static let notJournals = [
        "state-inspect info c.tgz", "state-inspect c.tgz", "state-inspect info c.tar", "state-inspect info c.zip",
        "state-inspect info c.db", "state-inspect info utf16.json", "state-inspect info c.xz",
        "state-inspect info c.bz2", "state-inspect info page.html", "state-inspect info pixel.png",
        "state-inspect bisect c.db --bad .x", "state-inspect verify c.zip",
        "state-inspect import jsonl c.db --suggest",
        "state-inspect import jsonl c.zip --state .", "state-inspect import jsonl c.tgz --suggest",
        "state-inspect import utf16.json", "state-inspect import jsonl utf16.json --state .",
        "state-inspect 'my log;x.log'", "state-inspect orders.log", "state-inspect info orders.log",
        "state-inspect log ./-flat.log", "state-inspect pretty.json", "state-inspect one.json",
        "state-inspect info array.json", "state-inspect info table.csv", "state-inspect info pods.json",
        "state-inspect info devtools.json", "state-inspect info prefixed.log", "state-inspect info commas.log",
        "state-inspect info latin1.log", "state-inspect info latin1-all.log", "state-inspect info nan.log",
        "state-inspect info audit.log", "state-inspect info otlp.log", "state-inspect info prevnext.log",
        "state-inspect info trace.json", "state-inspect info rrweb.json", "state-inspect info text.txt",
        "state-inspect info empty.jsonl", "state-inspect info spread.json", "state-inspect info bom.jsonl",
        "state-inspect info \"it's a log.log\"", "state-inspect info 'üñí.log'", "state-inspect info '$x.log'",
        "state-inspect info \"$(printf 'a\\nb.log')\"", "state-inspect info chat.json",
        "state-inspect info broken.json", "state-inspect info 'two words.csv'", "state-inspect debug orders.log",
        "state-inspect diff orders.log c.jsonl",
        "state-inspect merge orders.log c.jsonl", "state-inspect info patches.jsonl",
        "state-inspect info number.json", "state-inspect info wal.json", "state-inspect info trrack.json",
    ]

    /// Imports that do not fit.
    private static let imports = [
        "state-inspect import snapshots states/*.json", "state-inspect import states/*.json",
        "state-inspect info states", "state-inspect import jsonl orders.log --set '/orders/{id}=.state'",
        "state-inspect import jsonl states/state1.json states/state2.json --state . --output=st.jsonl",
        "state-inspect import jsonl orders.log more.log --state .state -o out.jsonl",
        "state-inspect import jsonl orders.log more.log", "state-inspect import csv table.csv other.csv -o out.jsonl",
        "state-inspect import orders.log", "state-inspect import 'my log;x.log'",
        "state-inspect import jsonl orders.log out.jsonl", "state-inspect import jsonl orders.log new.jsonl",
        "state-inspect import jsonl orders.log --state .stat", "state-inspect import jsonl orders.log",
        "state-inspect import trrack pods.json", "state-inspect import trrack 'my pods;x.json'",
        "state-inspect import kubernetes orders.log", "state-inspect import immer devtools.json",
        "state-inspect import jsonl c.jsonl --state .x", "state-inspect import kubernetes c.jsonl",
        "state-inspect import jsonl orders.log --suggest", "state-inspect import jsonl 'my log;x.log' --suggest",
        "state-inspect import jsonl --suggest < orders.log", "state-inspect import jsonl array.json --suggest",
        "state-inspect import jsonl ./-flat.log --suggest", "state-inspect import jsonl prefixed.log --suggest",
        "state-inspect import jsonl table.csv --suggest", "state-inspect import jsonl text.txt --suggest",
        "state-inspect import jsonl pods.json --set /a=.b", "state-inspect import jsnol orders.log",
        "state-inspect import trrack < pods.json", "state-inspect import trrack trrack.json",
        "state-inspect import trrack trrack.json c.jsonl", "state-inspect import jsonl bom.jsonl --suggest",
        "state-inspect import snapshots orders.log st.jsonl -o out.jsonl", "state-inspect import nofile.log",
    ]

    /// Operands too many, too few, or in another order.
    private static let operands = [
        "state-inspect slice c.jsonl 101..102 out.jsonl", "state-inspect slice c.jsonl 101..102 new.jsonl",
        "state-inspect slice c.jsonl 101..102 c.jsonl",
        "state-inspect slice c.jsonl 101..102 new.jsonl -o other.jsonl",
        "state-inspect slice c.jsonl 101..102 'new run.jsonl'", "state-inspect slcie 101..102 c.jsonl -o out.jsonl",
        "state-inspect slcie 101..102 'my shop.jsonl' --output=st.jsonl",
        "state-inspect slcie 101..102 c.jsonl -oout.jsonl",
        "state-inspect slcie 101..102 c.jsonl -o new.jsonl", "state-inspect report c.jsonl page.html",
        "state-inspect report c.jsonl new.html", "state-inspect report c.jsonl 'my page.html'",
        "state-inspect redact c.jsonl out.jsonl --path /session/token",
        "state-inspect redact c.jsonl st.jsonl new.jsonl",
        "state-inspect minimize c.jsonl out.jsonl --bad '.cart.total < 0'", "state-inspect verify c.jsonl out.jsonl",
        "state-inspect verify torn.jsonl whole.jsonl", "state-inspect export c.jsonl csv",
        "state-inspect export csv c.jsonl out.csv", "state-inspect export csv c.jsonl table.csv",
        "state-inspect export csv c.jsonl new.csv -o other.csv", "state-inspect export c.jsonl --csv",
        "state-inspect show 120 c.jsonl", "state-inspect show 120 'my shop.jsonl'",
        "state-inspect show c.jsonl 120 out.jsonl",
        "state-inspect state 120 c.jsonl", "state-inspect why 120 -- -x.jsonl",
        "state-inspect blame /cart/total c.jsonl",
        "state-inspect history .cart.total \"it's.jsonl\"", "state-inspect grep SPRING c.jsonl",
        "state-inspect log c.jsonl 120", "state-inspect log c.jsonl 110..120",
        "state-inspect log c.jsonl '.cart.total < 0'",
        "state-inspect log c.jsonl /cart/total", "state-inspect log c.jsonl st.jsonl",
        "state-inspect bisect c.jsonl '.cart.total < 0'", "state-inspect bisect c.jsonl '.a == \"it'\\''s\"'",
        "state-inspect check c.jsonl invariants.jq", "state-inspect check invariants.jq c.jsonl",
        "state-inspect check 'my rules.jq' c.jsonl", "state-inspect replay c.jsonl .cart.total",
        "state-inspect state c.jsonl cart.total", "state-inspect state c.jsonl '/cart/a b'",
        "state-inspect derived c.jsonl 120",
        "state-inspect stats c.jsonl derived", "state-inspect info c.jsonl st.jsonl",
        "state-inspect info < /dev/null", "state-inspect info < c.jsonl",
        "state-inspect diff c.jsonl", "state-inspect diff - -", "state-inspect merge -",
        "state-inspect suspects c.jsonl",
        "state-inspect dap c.jsonl", "state-inspect mcp c.jsonl", "state-inspect completions tcsh",
        "state-inspect origin c.jsonl", "state-inspect query c.jsonl .kind", "state-inspect query -.a c.jsonl",
    ]

    /// Commands and options that there are not.
    private static let options = [
        "state-inspect", "state-inspect -h", "state-inspect bisct c.jsonl", "state-inspect repair c.jsonl",
        "state-inspect html c.jsonl", "state-inspect tail c.jsonl", "state-inspect gdb c.jsonl",
        "state-inspect --rnage", "state-inspect log c.jsonl --rnage 1..2", "state-inspect log c.jsonl --bad .x",
        "state-inspect log c.jsonl --since 3", "state-inspect log c.jsonl -S x", "state-inspect log c.jsonl --range",
        "state-inspect log c.jsonl --reverse=yes",
        "state-inspect blame c.jsonl -L 3", "state-inspect query --argfile a b . c.jsonl",
        "state-inspect query -0 . c.jsonl",
        "state-inspect bisect c.jsonl", "state-inspect bisect c.jsonl --run", "state-inspect bisect c.jsonl --bad",
        "state-inspect bisect c.jsonl --bad .a --good .b",
        "state-inspect check c.jsonl --format githb --invariant a=.cart",
        "STATE_INSPECT_FORMAT=xml state-inspect info c.jsonl", "state-inspect info c.jsonl --at 105",
        "state-inspect redact c.jsonl", "state-inspect minimize c.jsonl", "state-inspect export swift-test c.jsonl",
        "state-inspect learn c.jsonl --define 'a=.nothing.there'", "state-inspect help nothing",
    ]

    /// Answers that suggest where to look further.
    private static let stories = [
        "state-inspect bisect c.jsonl --bad '.cart.total < 0' --format human",
        "state-inspect bisect 'my shop.jsonl' --bad '.total < 0' --store cart --format human",
        "state-inspect bisect \"it's.jsonl\" --bad '.cart.total < 0' --format human",
        "state-inspect bisect --bad '.cart.total < 0' --format human -- -x.jsonl",
        "state-inspect bisect 'ünï shop.jsonl' --bad '.cart.total < 0' --format human",
        "state-inspect bisect \"$(printf 'a\\nb.jsonl')\" --bad '.cart.total < 0' --format human",
        "state-inspect bisect '$HOME.jsonl' --bad '.cart.total < 0' --format human",
        "state-inspect bisect c.jsonl --bad '.cart.nothing < 0' --format human",
        "state-inspect bisect c.jsonl --bad '.cart.total < 0' --json",
        "state-inspect bisect c.jsonl --good '.cart.total >= 0' --format human --recover",
        "state-inspect check c.jsonl --invariant 'total=.cart.total >= 0' --format human",
        "state-inspect check 'my shop.jsonl' c.jsonl --invariant 'total=.cart.total >= 0' --format human",
        "state-inspect check c.jsonl --invariants invariants.jq --format human --recover",
        "state-inspect suspects c.jsonl --bad '.cart.total < 0' --format human",
        "state-inspect suspects 'my shop.jsonl' --bad '.cart.total < 0' --good good.jsonl --format human",
        "state-inspect suspects c.jsonl --invariants invariants.jq --json",
        "state-inspect diff good.jsonl c.jsonl --format human",
        "state-inspect diff good.jsonl 'my shop.jsonl' --format human",
        "state-inspect diff good.jsonl c.jsonl --store cart --format human",
        "state-inspect origin c.jsonl /cart/total --format human",
        "state-inspect origin 'my shop.jsonl' /cart/total --format human",
        "state-inspect origin c.jsonl /total --store cart --format human", "state-inspect log c.jsonl --by-place",
        "state-inspect log 'my shop.jsonl' --by-place --json",
        "state-inspect log c.jsonl --by-place --store cart --json",
        "STATE_INSPECT_FORMAT=human STATE_INSPECT_LIMIT=6000 state-inspect log checkout.jsonl",
        "STATE_INSPECT_FORMAT=human STATE_INSPECT_LIMIT=6000 state-inspect log 'the whole.jsonl' -p",
        "STATE_INSPECT_FORMAT=human STATE_INSPECT_LIMIT=6000 state-inspect history checkout.jsonl /cart",
        "state-inspect check c.jsonl --counts --invariant 'a=.cart.total >= 0' --format human",
        "STATE_INSPECT_FORMAT=human STATE_INSPECT_LIMIT=6000 state-inspect log checkout.jsonl --range=..300 --store cart",
        "state-inspect learn c.jsonl --format human", "state-inspect verify c.jsonl --format human",
        "state-inspect why c.jsonl 118 --format human",
    ]

    /// Journals that break off, are damaged, or are not whole.
    private static let damaged = [
        "state-inspect torn.jsonl", "state-inspect verify torn.jsonl", "state-inspect log torn.jsonl",
        "state-inspect state 'torn run.jsonl'",
        "state-inspect bisect torn.jsonl --bad '.cart.total < 0' --format human",
        "state-inspect damaged.jsonl", "state-inspect log damaged.jsonl", "state-inspect log 'damaged run.jsonl'",
        "state-inspect state damaged.jsonl --at 110",
        "state-inspect bisect damaged.jsonl --bad '.cart.total < 0' --recover --format human",
        "state-inspect bisect 'damaged run.jsonl' --bad '.cart.total < $low' --argjson low 0 --recover --format human",
        "state-inspect bisect 'damaged run.jsonl' --bad '.total < ($low | tonumber)' --arg low 0 --recover --store cart",
        "state-inspect check 'damaged run.jsonl' --invariant 'a=.cart.total >= $low' --argjson low 0 --recover",
        "state-inspect merge damaged.jsonl c.jsonl",
        "state-inspect check 'damaged run.jsonl' --invariant 'a=.cart.total >= 0' --recover",
        "state-inspect blame damaged.jsonl --recover", "state-inspect verify damaged.jsonl",
        "state-inspect slice damaged.jsonl 101..120",
        "state-inspect show c.jsonl 0", "state-inspect show 'my shop.jsonl' 0",
        "state-inspect state c.jsonl --at 9999",
        "state-inspect state c.jsonl --at mark:nothing", "state-inspect state 'my shop.jsonl' --at mark:nothing",
        "state-inspect debug c.jsonl good.jsonl damaged.jsonl", "state-inspect debug part.jsonl c.jsonl",
        "state-inspect diff part.jsonl other.jsonl",
        "state-inspect merge part.jsonl 'my part.jsonl'", "state-inspect debug damaged.jsonl --batch -- ",
        "state-inspect origin damaged.jsonl /cart/total",
        "state-inspect twice.jsonl", "state-inspect log twice.jsonl", "state-inspect info headless.jsonl",
        "state-inspect info 'run of segments.jsonl'",
    ]

    /// Paths and names that are not there.
    private static let paths = [
        "state-inspect blame c.jsonl /cart/totl", "state-inspect blame 'my shop.jsonl' /cart/nothing",
        "state-inspect blame c.jsonl /totl --store cart", "state-inspect bisect c.jsonl --bad '.cart.total < 100'",
        "state-inspect check c.jsonl --invariant 'a=(.session.token|length) > 5' --format human",
        "state-inspect history c.jsonl /cart/totl", "state-inspect history 'my shop.jsonl' '.cart.total == 77'",
        "state-inspect history c.jsonl .cart.totl",
        "state-inspect log c.jsonl --store crat", "state-inspect log c.jsonl --path \"/cart/it's\"",
        "state-inspect log c.jsonl --function applyDiscont",
        "state-inspect bisect c.jsonl --bad 'cart.total < 0'", "state-inspect bisect c.jsonl --bad '.cart.totl < 0'",
        "state-inspect derived c.jsonl --why totl",
        "state-inspect bisect c.jsonl --store cart --bad '.cart.total < 0'",
        "state-inspect bisect c.jsonl --bad '.cart.total == \"-6\"'", "state-inspect grep c.jsonl nothing-of-this",
        "state-inspect check c.jsonl --invariant 'a=.cart.totl >= 0'",
        "state-inspect bisect c.jsonl --bad '.[\"it'\\''s\"] < 0'",
        "state-inspect redact c.jsonl --path /session/tokn",
    ]

    /// Reports for other tools.
    private static let reports = [
        "state-inspect check 'my shop.jsonl' --invariant 'a=.cart.total >= 0' --format markdown",
        "state-inspect check c.jsonl --invariant 'a=.cart.total >= 0' --format github",
        "state-inspect check c.jsonl --invariant 'a=.cart.total >= 0' --format sarif",
        "state-inspect check c.jsonl --invariant 'a=.cart.total >= 0' --format junit",
        "state-inspect bisect 'my shop.jsonl' --bad '.cart.total < 0' --format markdown",
        "state-inspect suspects c.jsonl --bad '.cart.total < 0' --format markdown",
        "state-inspect diff good.jsonl c.jsonl --format markdown",
        "state-inspect report c.jsonl --bad '.cart.total < 0'",
    ]

    /// What the debugger and the server of tools say.
    private static let servers = [
        "printf '%s\\n' log layout list 'break nothing' | state-inspect debug c.jsonl --batch",
        "TERM=dumb state-inspect debug --tui 'my shop.jsonl'", "TERM=dumb state-inspect debug --tui c.jsonl",
        "{ \(call("bisect", #""bad":".cart.total < 0""#)); } | state-inspect mcp .",
        "{ \(call("check", #""invariants":["a=.cart.total >= 0"]"#)); } | state-inspect mcp .",
        "{ \(call("find", #""path":"/cart""#)); } | state-inspect mcp .",
        "{ \(call("origin", #""path":"/cart/total""#)); } | state-inspect mcp .",
        "{ \(call("why", #""at":"0""#)); } | state-inspect mcp .",
    ]

    /// Programs that a question is given to.
    private static let programs = [
        "state-inspect bisect c.jsonl --run ./nothing-there",
        "state-inspect bisect 'my shop.jsonl' --run sh -c 'exit 127'",
        "state-inspect bisect c.jsonl --run sh -c 'kill -9 $$'",
        "state-inspect cite c.jsonl", "state-inspect bisect c.jsonl --bad '.cart.total < 0' --log c.jsonl",
    ]

    /// A conversation with the server in which a tool is called with a journal.
    private static func call(_ tool: String, _ arguments: String) -> String {
        let messages = [
            #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#,
            #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"\#(tool)","arguments":{"\#(tool == "check" ? "journals" : "journal")":\#(tool == "check" ? #"["./c.jsonl"]"# : #""./c.jsonl""#),\#(arguments)}}}"#,
        ]
        return messages.map { "printf '%s\\n' '\($0)'" }.joined(separator: "; ")
    }
}
