package import JSONCore

/// What keys do in the full screen and on the page of a report: one map, so that no key has two meanings.
package enum KeyMap {
    /// Where a key is one.
    package enum Face {
        case both, screen, page
    }

    package struct KeyBinding {
        package let keys: String
        package let meaning: String
        package var face = Face.both
    }

    package static let groups: [(title: String, entries: [KeyBinding])] = [
        (
            "through the run (a number before a key repeats it)",
            [
                KeyBinding(keys: "← → h l", meaning: "one commit back, one on; with Shift ten"),
                KeyBinding(keys: "↑ ↓ k j", meaning: "the same in the list of commits; elsewhere they select"),
                KeyBinding(keys: "g G", meaning: "the start, the end; 118g and :118 go to commit 118"),
                KeyBinding(keys: "space", meaning: "plays; 20 space plays twenty commits a second"),
                KeyBinding(keys: "[ ]", meaning: "one change of a commit back, one on", face: .screen),
                KeyBinding(
                    keys: "c C", meaning: "to the next stop, to the one before (:break, :watch, :catch)",
                    face: .screen),
                KeyBinding(keys: "u U", meaning: "to where you were before, and forth again", face: .screen),
                KeyBinding(keys: "{ }", meaning: "to the mark, abort, gap or finding before, to the next", face: .page),
            ]
        ),
        (
            "the selected member",
            [
                KeyBinding(keys: "n N", meaning: "to its next change, to the one before; after / to the next hit"),
                KeyBinding(keys: "b", meaning: "to the commit that wrote what is there, and again from there"),
                KeyBinding(keys: "o", meaning: "where it comes from, hop by hop"),
                KeyBinding(keys: "y Y", meaning: "copies its value, the command that shows it"),
                KeyBinding(
                    keys: "v w", meaning: "its whole life; watches it, so that c and C stop there", face: .screen),
                KeyBinding(keys: "e E", meaning: "selects what this commit changed next, before", face: .screen),
            ]
        ),
        (
            "the screen",
            [
                KeyBinding(keys: "/", meaning: "finds a text or a path; n and N look on and back, until Esc"),
                KeyBinding(keys: ":", meaning: "a command of the debugger; :help lists them", face: .screen),
                KeyBinding(keys: "tab enter", meaning: "the next pane; folds or unfolds in the state", face: .screen),
                KeyBinding(keys: "^D ^U", meaning: "half a page on, back", face: .screen),
                KeyBinding(keys: "m", meaning: "the mouse clicks and scrolls here, or is the terminal's", face: .screen),
                KeyBinding(keys: "f", meaning: "filters", face: .page),
                KeyBinding(keys: "t", meaning: "light, dark, as the system has it", face: .page),
                KeyBinding(keys: "Esc", meaning: "leaves the search, the member", face: .page),
                KeyBinding(
                    keys: "Esc q ZZ", meaning: "ends what plays or lies over the panes; quits (^Z: for a while)",
                    face: .screen),
                KeyBinding(keys: "?", meaning: "these keys", face: .page),
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
