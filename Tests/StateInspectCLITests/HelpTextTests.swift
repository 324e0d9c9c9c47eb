import Testing

@testable import StateInspectCLI

/// The helps as whole texts: a change of a table shows here as what a person will read.
@Suite("Help")
struct HelpTextTests {
    @Test("the short help of the program")
    func programShort() {
        let expected = #"""
            state-inspect: what a state was, when it changed, and which line changed it

            usage: state-inspect COMMAND [OPTIONS] JOURNAL

            find:
              bisect       find the commit that made the state bad
              check        hold invariants against every position
              suspects     which lines are to blame for a bad run
              learn        what held all along good runs, as invariants

            look:
              info         what a journal holds
              log          list the commits
              marks        list the marks
              show         one commit, its changes and what fired
              state        the state at a position
              history      each change of one value
              blame        who last wrote each value
              origin       where a value comes from
              why          what made a commit happen
              grep         where a text came in, and where it went
              derived      which derived values would have fired
              stats        what a run's commits are like

            compare and walk:
              diff         what differs between two positions, or where two runs part
              replay       the state after each commit
              debug        walk through a run in both directions
              dap          serve a run to an editor's debugger
              report       a run in one page that any browser shows

            cut and share:
              slice        a part of a journal that replays alone
              merge        several journals as one, by time
              redact       a journal without the values at some paths
              minimize     the fewest commits that still end bad
              verify       hold a journal against itself

            convert:
              import       make a journal of what another program wrote
              export       write a journal in the format of another tool
              query        try a query on plain JSON

            connect:
              mcp          answer a language model's tools about journals
              cite         hold what a text cites against the journals
              completions  a completion script for a shell
              help         what a command does and takes

            options of every command:
                  --format FORMAT    'human' on a terminal and 'json' otherwise, unless
                                     given
                  --json             short for '--format json'
                  --full             all of an answer that STATE_INSPECT_LIMIT makes short
                  --messages FORMAT  'text', or 'json' for one line each on standard error
                  --color WHEN       'auto', 'always' or 'never'
                  --no-pager         do not run a pager on a terminal
              -h, --help             a short help; '--help' is a long one
                  --version          the version of this program

            'state-inspect COMMAND -h' says what a command takes, 'help COMMAND' says more,
            'help WORD' searches: 'state-inspect help positions'

            """#
        #expect(ProgramRun(["-h"]).output == expected)
    }

    @Test("every command stands in one group of the short help")
    func groups() {
        let listed = CommandTable.groups.flatMap(\.commands)
        #expect(listed.count == CommandName.allCases.count && Set(listed) == Set(CommandName.allCases))
    }

    @Test(
        "of a word that is no command the help says what there is about it",
        arguments: [
            ("csv", "  import csv  "), ("csv", "  export --csv"), ("positions", "  end-3"),
            ("paths", "'/cart/total < 0'"),
            ("status", "  4  no such commit"), ("watch", "watch PATH|QUERY"), ("junit", "--format junit"),
            ("pager", "--no-pager"),
            ("operands", "a file that is there is a journal"), ("Redux", "redux-devtools"), ("mark", "mark:TEXT"),
            ("part.turn", "    complete  "), ("part", "  part.turn  "), ("lastFlip", "  bisect lastFlip  "),
            ("violation", "    stretches  "),
        ])
    func search(_ word: String, _ shown: String) {
        let run = ProgramRun(["help", word])
        #expect(run.status == 0 && run.output.contains(shown) && run.messages.isEmpty, "\(run)")
        for line in run.output.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }

    @Test("a word that nothing is about is answered with the nearest command")
    func nothing() {
        let run = ProgramRun(["help", "bisct"])
        #expect(run.status == 2 && run.messages.contains("write 'bisect'"), "\(run)")
    }

    @Test("no line of a short help is wider than 80 columns", arguments: [nil] + CommandName.allCases)
    func narrow(_ command: CommandName?) {
        for line in HelpText(.short).text(of: command).split(separator: "\n") where line.count > 80 {
            #expect(line.contains("state-inspect "), "\(line)")
        }
    }

    @Test("the short help of 'bisect'")
    func bisectShort() {
        let expected = #"""
            state-inspect bisect: find the commit that made the state bad

            usage: state-inspect bisect JOURNAL QUERY [OPTIONS]
                   state-inspect bisect JOURNAL --bad QUERY [OPTIONS]
                   state-inspect bisect JOURNAL --good QUERY [OPTIONS]
                   state-inspect bisect JOURNAL [OPTIONS] --run CMD...
                   state-inspect bisect JOURNAL [--interactive] [OPTIONS]

            options:
                  --bad QUERY          bad is where any output is neither false nor null
                  --good QUERY         good is where every output is neither false nor null,
                                       and there is one
                  --run CMD...         ask a program: status 0 is good, 125 skips, below 128
                                       is bad
                  --from POS           the good end of the search; 'start' unless given
                  --interactive        ask you: answer 'good', 'bad' or 'skip' to one commit
                                       after another
                  --to POS             the bad end of the search; 'end' unless given
                  --monotone           search by halves, for huge journals
                  --log FILE           with '--run' or '--interactive', write each verdict
                                       to this file
                  --resume FILE        with '--run' or '--interactive', take the verdicts of
                                       such a file as given
                  --skip LIST          positions not to ask about, as '3,5,10..20'
                  --source-root DIR    the folder below which the source files lie
                  --store NAME         look at one store only
                  --path PATH          only commits that touch this path
                  --recover            go on after damage, at the next keyframe
                  --cite               what the answer rests on, as a citation
                  --arg NAME VALUE     give queries a text as '$NAME'
                  --argjson NAME JSON  give queries a JSON value as '$NAME'
                  --definitions FILE   functions that queries may call: a file of 'def's

            options of every command:
                  --format FORMAT    'human' on a terminal and 'json' otherwise, unless
                                     given
                  --json             short for '--format json'
                  --full             all of an answer that STATE_INSPECT_LIMIT makes short
                  --messages FORMAT  'text', or 'json' for one line each on standard error
                  --color WHEN       'auto', 'always' or 'never'
                  --no-pager         do not run a pager on a terminal
              -h, --help             a short help; '--help' is a long one
                  --version          the version of this program

            'state-inspect help bisect' says more

            """#
        #expect(ProgramRun(["bisect", "-h"]).output == expected)
    }

    @Test("the short help of 'query'")
    func queryShort() {
        let expected = #"""
            state-inspect query: try a query on plain JSON

            usage: state-inspect query QUERY [FILE]... [OPTIONS]
                   state-inspect query -f FILE [FILE]... [OPTIONS]
                   state-inspect query QUERY [OPTIONS] --args [VALUE]...

            options:
              -r, --raw-output           print strings bare, without quotes and escapes
              -e, --exit-status          set the status by the last output: 1 where it is
                                         false or null
                  --arg NAME VALUE       give queries a text as '$NAME'
                  --argjson NAME JSON    give queries a JSON value as '$NAME'
                  --definitions FILE     functions that queries may call: a file of 'def's
                  --slurpfile NAME FILE  give queries the JSON texts of a file as the array
                                         '$NAME'
                  --rawfile NAME FILE    give queries the text of a file as '$NAME'
                  --args                 take what follows the query as texts, in
                                         '$ARGS.positional'
                  --jsonargs             take what follows the query as JSON values, in
                                         '$ARGS.positional'
              -f, --from-file FILE       read the query from a file; every operand is an
                                         input then
              -n, --null-input           run the query once, on null; only 'input' and
                                         'inputs' read
              -R, --raw-input            each line is a string; with '-s', the whole input
                                         is one
              -s, --slurp                make one array of all texts
                  --stream               each text as the events of 'tostream'
                  --nan                  take 'nan', 'NaN' and 'Infinity' in the texts for
                                         numbers
                  --footprint            print the paths that the query can read, and run
                                         nothing
              -c, --compact-output       one line an output, as to a file or a pipe unless
                                         asked otherwise
              -C, --color-output         short for '--color always'; colours also to a file
                                         or a pipe
              -M, --monochrome-output    short for '--color never'
                  --tab                  one line a member and element, indented by tabs
                  --indent N             the same, indented by 1 to 7 spaces; 0 is one line
              -S, --sort-keys            members in ascending order
              -a, --ascii-output         escape every character that is not ASCII
              -j, --join-output          as '-r', and no line break after an output
                  --raw-output0          as '-r', and a NUL in the place of the line break
                  --seq                  an RS before each output, as in RFC 7464, and allow
                                         them between the texts

            options of every command:
                  --format FORMAT    'human' on a terminal and 'json' otherwise, unless
                                     given
                  --json             short for '--format json'
                  --full             all of an answer that STATE_INSPECT_LIMIT makes short
                  --messages FORMAT  'text', or 'json' for one line each on standard error
                  --color WHEN       'auto', 'always' or 'never'
                  --no-pager         do not run a pager on a terminal
              -h, --help             a short help; '--help' is a long one
                  --version          the version of this program

            'state-inspect help query' says more

            """#
        #expect(ProgramRun(["query", "-h"]).output == expected)
    }

    @Test("the long help of 'replay'")
    func replayLong() {
        let expected = #"""
            state-inspect replay: the state after each commit

            usage: state-inspect replay JOURNAL [--select QUERY] [OPTIONS]

            Prints a line for each commit with the state after it, or a query's first output
            there (no output: no line). With '--without' and '--only' it reports what would
            have been without some commits.

            options:
                  --select QUERY
                      Print what this query gives, not the whole state. 'state' prints every
                      output of the query, 'replay' the first at each position.
                  --range A..B
                      The commits after A up to B. Either side may be left out; 'start..end'
                      unless given.
                  --store NAME
                      Look at one store only. Queries and paths, taken and printed, then
                      begin at that store ('.total', '/total'), and the commits of other
                      stores are left out. What changed the store itself stays: its opening,
                      the commit with which it ended, and a gap. Its state is null where it
                      is not open.
                  --path PATH
                      Only commits that touch this path. It is a JSON Pointer such as
                      '/cart/items/0', or 'cart.items[0]'; '*' stands for one segment and
                      '**' for any number. A path is touched by a change that is equal to
                      it, above it or below it. May be repeated.
                  --source FILE[:LINE]
                      Only commits made in this source file, or on this line of it.
                  --function NAME
                      Only commits made in this function.
                  --name GLOB
                      Only commits with a name like this. '*' stands for any text, '?' for
                      one character. A commit without a name has that of its function.
                  --action GLOB
                      Only commits made by an action of a type like this. '*' stands for any
                      text, '?' for one character.
                  --trace ID
                      Only commits of this trace of OpenTelemetry.
                  --where QUERY
                      Only commits after which this is true of the state. True is where any
                      output is neither false nor null. '$old', '$seq', '$store', '$at',
                      '$name' and '$time' are those of the commit. A commit after which the
                      query fails is left out, and the status is 5.
              -n, --max-count K
                      Stop after K lines. '-5' is '-n 5'.
                  --reverse
                      Newest first.
                  --recover
                      Go on after damage, at the next keyframe.
                  --changed
                      Only where the value differs from the one before. The first is
                      compared with the value at the beginning of the range, so the lines
                      are those of 'history'.
                  --final
                      Only the last line, also where there is no commit. Of a range without
                      commits, or where all of them were lost, it is the state at its end.
                      Filters other than '--store' have no line where no commit passes them.
                  --without LIST
                      As if these commits had not been. A patch that no longer applies is
                      printed as a line of the kind 'conflict' and left out; one that finds
                      another value than it says was there is printed so too, and is
                      applied. What these commits caused stays, which is reported.
                  --with-effects
                      With '--without': and all that those caused. Themselves or through
                      others.
                  --only QUERY
                      As if only commits had been after which this holds. One at which it
                      fails is left out and reported, and the status is 5.
                  --pace X
                      As slow as it was, X times as fast.
                  --arg NAME VALUE
                      Give queries a text as '$NAME'. '$ARGS.named' has all values by name.
                      Of two with one name the first counts. May be repeated.
                  --argjson NAME JSON
                      Give queries a JSON value as '$NAME'. May be repeated.
                  --definitions FILE
                      Functions that queries may call: a file of 'def's. They may name the
                      values that are given. May be repeated.

            options of every command:
                  --format FORMAT
                      'human' on a terminal and 'json' otherwise, unless given.
                      STATE_INSPECT_FORMAT is the format where standard output is not a
                      terminal. 'json' is one object a line, each with a member 'kind'; the
                      command 'state' prints the bare value. 'check' also has 'github',
                      'sarif', 'junit' and 'markdown', 'bisect' and 'suspects' all of these
                      but 'junit'. 'github' writes annotations to standard error, beside
                      what a person reads, or beside JSON with '--json'; 'markdown' is for a
                      job's summary. 'why' has 'markdown' and 'mermaid', a diagram.
                  --json
                      Short for '--format json'.
                  --full
                      All of an answer that STATE_INSPECT_LIMIT makes short. That variable
                      has the bytes that an answer for people may have where standard output
                      is not a terminal.
                  --messages FORMAT
                      'text', or 'json' for one line each on standard error.
                  --color WHEN
                      'auto', 'always' or 'never'. It beats NO_COLOR, which beats TERM=dumb,
                      which beats whether standard output is a terminal.
                  --no-pager
                      Do not run a pager on a terminal.
              -h, --help
                      A short help; '--help' is a long one.
                  --version
                      The version of this program.

            examples:
              state-inspect replay samples/checkout.jsonl --select .cart.total --changed
                      each new value of the total

            """#
        #expect(ProgramRun(["help", "replay"]).output == expected)
    }
}
