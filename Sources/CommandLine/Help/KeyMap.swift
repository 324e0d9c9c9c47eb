package import JSONCore

/// What keys do in the full screen and on the page of a report: one map, so that no key has two meanings.
package enum KeyMap {
    package enum Face {
        case both, screen, page
    }

    package struct Binding {
        package let keys: String
        package let meaning: String
        package var face = Face.both
    }

    package static let groups: [(title: String, entries: [Binding])] = [
        (
            "through the run (a number before a key repeats it)",
            [
                Binding(keys: "← → h l", meaning: "one commit back, one on; with Shift ten"),
                Binding(keys: "↑ ↓ k j", meaning: "the same in the list of commits; elsewhere they select"),
                Binding(keys: "g G", meaning: "the start, the end; 118g and :118 go to commit 118"),
                Binding(keys: "space", meaning: "plays; 20 space plays twenty commits a second"),
                Binding(keys: "[ ]", meaning: "one change of a commit back, one on", face: .screen),
                Binding(
                    keys: "c C", meaning: "to the next stop, to the one before (:break, :watch, :catch)",
                    face: .screen),
                Binding(keys: "u U", meaning: "to where you were before, and forth again", face: .screen),
                Binding(keys: "{ }", meaning: "to the mark, abort, gap or finding before, to the next", face: .page),
            ]
        ),
        (
            "the selected member",
            [
                Binding(keys: "n N", meaning: "to its next change, to the one before; after / to the next hit"),
                Binding(keys: "b", meaning: "to the commit that wrote what is there, and again from there"),
                Binding(keys: "o", meaning: "where it comes from, hop by hop"),
                Binding(keys: "y Y", meaning: "copies its value, the command that shows it"),
                Binding(
                    keys: "v w", meaning: "its whole life; watches it, so that c and C stop there", face: .screen),
                Binding(keys: "e E", meaning: "selects what this commit changed next, before", face: .screen),
            ]
        ),
        (
            "the screen",
            [
                Binding(keys: "/", meaning: "finds a text or a path; n and N look on and back, until Esc"),
                Binding(keys: ":", meaning: "a command of the debugger; :help lists them", face: .screen),
                Binding(keys: "tab enter", meaning: "the next pane; folds or unfolds in the state", face: .screen),
                Binding(keys: "^D ^U", meaning: "half a page on, back", face: .screen),
                Binding(keys: "m", meaning: "the mouse clicks and scrolls here, or is the terminal's", face: .screen),
                Binding(keys: "f", meaning: "filters", face: .page),
                Binding(keys: "t", meaning: "light, dark, as the system has it", face: .page),
                Binding(keys: "Esc", meaning: "leaves the search, the member", face: .page),
                Binding(
                    keys: "Esc q ZZ", meaning: "ends what plays or lies over the panes; quits (^Z: for a while)",
                    face: .screen),
                Binding(keys: "?", meaning: "these keys", face: .page),
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
