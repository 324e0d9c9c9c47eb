package import JSONCore

/// What keys do in the full screen and on the page of a report: one map, so that no key has two meanings.
package enum KeyMap {
    /// Where a key is one.
    package enum Face {
        case both, screen, page
    }

    package struct Entry {
        package let keys: String
        package let meaning: String
        package var face = Face.both
    }

    package static let groups: [(title: String, entries: [Entry])] = [
        (
            "through the run (a number before a key repeats it)",
            [
                Entry(keys: "← → h l", meaning: "one commit back, one on; with Shift ten"),
                Entry(keys: "↑ ↓ k j", meaning: "the same in the list of commits; elsewhere they select"),
                Entry(keys: "g G", meaning: "the start, the end; 118g and :118 go to commit 118"),
                Entry(keys: "space", meaning: "plays; 20 space plays twenty commits a second"),
                Entry(keys: "[ ]", meaning: "one change of a commit back, one on", face: .screen),
                Entry(
                    keys: "c C", meaning: "to the next stop, to the one before (:break, :watch, :catch)",
                    face: .screen),
                Entry(keys: "u U", meaning: "to where you were before, and forth again", face: .screen),
                Entry(keys: "{ }", meaning: "to the mark, abort, gap or finding before, to the next", face: .page),
            ]
        ),
        (
            "the selected member",
            [
                Entry(keys: "n N", meaning: "to its next change, to the one before; after / to the next hit"),
                Entry(keys: "b", meaning: "to the commit that wrote what is there, and again from there"),
                Entry(keys: "o", meaning: "where it comes from, hop by hop"),
                Entry(keys: "y Y", meaning: "copies its value, the command that shows it"),
                Entry(
                    keys: "v w", meaning: "its whole life; watches it, so that c and C stop there", face: .screen),
                Entry(keys: "e E", meaning: "selects what this commit changed next, before", face: .screen),
            ]
        ),
        (
            "the screen",
            [
                Entry(keys: "/", meaning: "finds a text or a path; n and N look on and back, until Esc"),
                Entry(keys: ":", meaning: "a command of the debugger; :help lists them", face: .screen),
                Entry(keys: "tab enter", meaning: "the next pane; folds or unfolds in the state", face: .screen),
                Entry(keys: "^D ^U", meaning: "half a page on, back", face: .screen),
                Entry(keys: "m", meaning: "the mouse clicks and scrolls here, or is the terminal's", face: .screen),
                Entry(keys: "f", meaning: "filters", face: .page),
                Entry(keys: "t", meaning: "light, dark, as the system has it", face: .page),
                Entry(keys: "Esc", meaning: "leaves the search, the member", face: .page),
                Entry(
                    keys: "Esc q ZZ", meaning: "ends what plays or lies over the panes; quits (^Z: for a while)",
                    face: .screen),
                Entry(keys: "?", meaning: "these keys", face: .page),
            ]
        ),
    ]

    /// The keys of the page and what they do, as its script has them.
    package static var ofPage: JSONValue {
        .array(
            groups.flatMap(\.entries).filter { $0.face != .screen }
                .map { .array([.string($0.keys), .string($0.meaning)]) })
    }
}
