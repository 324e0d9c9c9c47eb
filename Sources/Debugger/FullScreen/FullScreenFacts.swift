import CommandLine
import JSONCore
import TimeTravel

/// What the screen shows of the place where a session stands: plain values, read from the session once a stop.
struct FullScreenFacts: Equatable {
    /// A line of the list of commits.
    enum Line: Equatable {
        case record(RecordSummary)
        case mark(String)
        /// A step of two runs: which one it is, and the numbers of the commits that it makes.
        case step(RecordSummary, StepNumbers)
    }

    /// The numbers of a step of two runs: its own, and that of the commit of either run that it makes.
    struct StepNumbers: Equatable {
        var step: Int
        var left: Int?
        var right: Int?
    }

    /// Lines of a source file.
    struct Source: Equatable {
        /// The file as it was found.
        var path: String
        /// The number of the first line.
        var first: Int
        var lines: [String]
        /// The line of the commit.
        var line: Int
    }

    /// The first and the last position.
    var bounds = 0...0
    /// The last commit that is made, or is being made.
    var position = 0
    /// How many of its changes are made; nil for all.
    var made: Int?
    /// The whole state.
    var state = JSONValue.object(JSONObject())
    /// The record that led to the position; nil at the start.
    var record: RecordSummary?
    /// What it changed, with paths in the whole state.
    var changes: [StateChange] = []
    /// The commit whose delivery made it.
    var cause: RecordSummary?
    /// What the derived values did.
    var firings = CommitBlock.Firings()
    /// The texts of the marks after the commit.
    var marks: [String] = []
    /// The records around, in their order.
    var lines: [Line] = []
    /// Whether two runs are shown side by side: the state is the right one's, and positions are steps.
    var isPaired = false
    /// What differs between the left state and the right one.
    var differences: [StateChange] = []
    /// Where both runs stand, as `left 117 of 424   right 118 of 412`.
    var standing = ""
    /// The places of what the commit changed, or of what differs since it, the one that says the most first.
    var prominent: [JSONPointer] = []
    /// Where the commit was made, if the file is there.
    var source: Source?
    /// What could not be read, in words.
    var problem: String?
}

/// One column of the timeline.
struct TimelineColumn: Equatable {
    /// The positions of the column.
    var positions: ClosedRange<Int>
    /// How many commits of each store it has; of a sample, one.
    var stores: [(name: String, commits: Int)] = []
    var marks = 0
    var aborts = 0
    var hasHole = false
    /// Whether all of it was looked at.
    var isExact = false

    static func == (left: TimelineColumn, right: TimelineColumn) -> Bool {
        left.positions == right.positions && left.marks == right.marks && left.aborts == right.aborts
            && left.hasHole == right.hasHole && left.isExact == right.isExact
            && left.stores.elementsEqual(right.stores) { UTF8Order.equal($0.name, $1.name) && $0.commits == $1.commits }
    }
}
