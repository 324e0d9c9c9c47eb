import CommandLine
import JSONCore
import TimeTravel

/// What the full screen shows and how it answers to keys: input in, requests out.
///
/// It knows neither a terminal nor a journal.
struct FullScreenModel {
    typealias Pane = FullScreenLayout.Pane

    /// Who gets the keys.
    enum Mode: Equatable {
        case keys
        /// A line for the debugger is typed.
        case command
        /// What to look for is typed.
        case search
        case help
        /// What was asked about a member lies over the panes.
        case value
    }

    /// What the model asks its owner, who runs the screen, to do.
    enum Request: Equatable {
        case step(SessionDirection, Int)
        /// Over changes of a commit.
        case stepChange(SessionDirection, Int)
        /// To the next stop.
        case resume(SessionDirection)
        case goTo(Int)
        case start
        case end
        /// To where the session was before, or came back from.
        case back(Int)
        case forward(Int)
        /// To where the value at a path changes.
        case memberChange(JSONPointer, SessionDirection, Int)
        /// To who wrote the value at a path.
        case lastWriter(JSONPointer)
        case watch(JSONPointer)
        /// Every change of a member.
        case life(JSONPointer)
        /// Where a member comes from.
        case origin(JSONPointer)
        /// Selects a member, and unfolds what it is in.
        case select(JSONPointer)
        case command(String)
        /// To a commit that has this.
        case search(String, SessionDirection)
        /// Into the clipboard.
        case copy(String)
        case mouse(Bool)
        case suspend
        case redraw
        case quit
    }

    /// A line for the person.
    struct Notice: Equatable {
        var text: String
        var role: Style.Role
    }

    /// The name of the journal.
    let journal: String
    /// Whether it grows: then what plays goes on at its end.
    var follows = false
    var size: ScreenSize
    var facts = FullScreenFacts()
    var focus = Pane.commits
    var mode = Mode.keys
    /// The stores, in the order in which they were met.
    var stores: [String] = []
    /// The timeline, as far as it is known.
    var columns: [TimelineColumn] = []
    /// The positions at which something was caught.
    var caught: Set<Int> = []

    // MARK: The tree

    var tree = StateTree()
    var rows: [StateTree.Row] = []
    var changed = ChangedPlaces()
    /// The member that is selected, also while it is not there.
    var selected = JSONPointer()
    var treeTop = 0
    var changeTop = 0

    // MARK: The line at the bottom

    var editor = LineEditor()
    var commands = LineHistory()
    var searches = LineHistory()
    var notice: Notice?
    /// What a command printed, over the panes.
    var output: [String] = []
    var outputTop = 0
    /// How far a work is that can be stopped.
    var progress: String?
    /// Steps a second; nil while nothing plays.
    var pace: Int?
    var isMouseOn = false
    var helpTop = 0
    /// What was asked about a member, while that is shown.
    var value: ValuePane?
    /// The number typed before a key.
    var count: Int?
    /// Whether `n` and `N` are the hits of the last search: until Escape, or until another member is selected.
    var isSearching = false
    /// Whether one `Z` was typed; two quit.
    var isQuitBegun = false
    /// Whether the selected member stays while the run moves: somebody asked about it.
    var isPinned = false

    /// A screen of a size, that shows nothing yet.
    init(journal: String, size: ScreenSize) {
        self.journal = journal
        self.size = size
    }

    var layout: FullScreenLayout { FullScreenLayout(size, focus: focus, stores: stores.count) }

    // MARK: News

    /// The screen has another size.
    mutating func resize(_ size: ScreenSize) {
        self.size = size
        scrollToSelection()
    }

    /// The session stands somewhere, or the place looks otherwise.
    mutating func show(_ facts: FullScreenFacts) {
        let hasMoved = facts.position != self.facts.position || facts.made != self.facts.made
        self.facts = facts
        changed = ChangedPlaces(facts.isPaired ? facts.differences : facts.changes)
        noteStores()
        if hasMoved { changeTop = 0 }
        followChange(hasMoved: hasMoved)
        renewRows(afterMotion: hasMoved)
        if !follows, isAtEnd { pace = nil }
    }

    /// More of the run is known.
    mutating func show(_ columns: [TimelineColumn]) {
        self.columns = columns
        noteStores()
    }

    /// Something was caught at a position.
    mutating func note(caught position: Int) {
        if caught.count < 10_000 { caught.insert(position) }
    }

    /// Shows what a command printed: one line at the bottom, several over the panes.
    mutating func show(output lines: [String]) {
        if lines.count > 1 {
            output = lines
            outputTop = 0
        } else {
            notice = lines.first.map { Notice(text: $0, role: .number) }
        }
    }

    /// Time passed while it plays.
    mutating func tick() -> [Request] { pace == nil || isAtEnd ? [] : [.step(.forward, 1)] }

    mutating func stopPlaying() { pace = nil }

    private var isAtEnd: Bool { facts.position == facts.bounds.upperBound }

    /// Sets the lines that were typed in earlier sessions.
    mutating func restore(_ commands: LineHistory) { self.commands = commands }

    private mutating func noteStores() {
        func note(_ name: String) {
            if stores.count < 64, !stores.contains(where: { UTF8Order.equal($0, name) }) { stores.append(name) }
        }
        if !facts.isPaired, case .object(let open) = facts.state { for (name, _) in open { note(name) } }
        for column in columns { for store in column.stores { note(store.name) } }
    }
}
