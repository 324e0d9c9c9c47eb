import StateStore
import TestSupport

/// A store that is read from a slow disk, twice at once: which answer comes last wins, even where it was asked for first.
///
/// What the user wrote between the two is gone from the screen.
final class CrossedHydration: RealBug {
    static let name = "crossed hydration"
    static let report = "https://github.com/pmndrs/zustand/pull/3336"
    static let fix = "https://github.com/pmndrs/zustand/pull/3336"
    static let invariants = [".screen.lost == 0"]

    struct Notes: Encodable, Equatable, Sendable {
        var lines: [String] = []
        var revision = 0
    }
    struct Disk: Encodable, Equatable, Sendable { var notes = Notes() }
    struct Read: Encodable, Equatable, Sendable {
        let version: Int
        let notes: Notes
    }
    struct Reads: Encodable, Equatable, Sendable {
        var open: [Read] = []
        var version = 0
    }
    struct Peer: Encodable, Equatable, Sendable {
        var isOnline = true
        var pushes = 0
    }
    struct Cursor: Encodable, Equatable, Sendable { var line = 0 }
    struct Screen: Encodable, Equatable, Sendable {
        var lines = 0
        var lost = 0
    }

    let bugs: Bugs
    let notes: Store<Notes>
    let disk: Store<Disk>
    let reads: Store<Reads>
    let peer: Store<Peer>
    let cursor: Store<Cursor>
    let screen: Store<Screen>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        notes = Store(Notes(), name: "notes", recorder: recorder)
        disk = Store(Disk(), name: "disk", recorder: recorder)
        reads = Store(Reads(), name: "reads", recorder: recorder)
        peer = Store(Peer(), name: "peer", recorder: recorder)
        cursor = Store(Cursor(), name: "cursor", recorder: recorder)
        screen = Store(Screen(), name: "screen", recorder: recorder)
    }

    func rehydrate() {
        reads.commit { reads in
            reads.version += 1
            reads.open.append(Read(version: reads.version, notes: disk.state.notes))
        }
    }

    /// A disk answers in any order.
    func finish(_ index: Int) {
        guard reads.state.open.indices.contains(index) else { return }
        let read = reads.state.open[index]
        reads.commit { _ = $0.open.remove(at: index) }
        apply(read)
    }

    func apply(_ read: Read) {
        guard bugs.planted(.droppedGuard, read.version == reads.state.version, true) else { return }
        notes.commit { notes in notes = read.notes }
    }

    /// Another window has written.
    func push(_ line: String) {
        guard peer.state.isOnline else { return }
        disk.commit { disk in
            disk.notes.lines.append(line)
            disk.notes.revision += 1
        }
        peer.commit { $0.pushes += 1 }
        rehydrate()
    }

    /// This window writes where it is not waiting for the disk.
    func write(_ line: String) {
        guard reads.state.open.isEmpty else { return }
        notes.commit { notes in
            notes.lines.append(line)
            notes.revision += 1
        }
        save()
    }

    func save() { disk.commit { $0.notes = notes.state } }

    func erase() {
        guard reads.state.open.isEmpty, !notes.state.lines.isEmpty else { return }
        notes.commit { notes in
            _ = notes.lines.removeLast()
            notes.revision += 1
        }
        save()
    }

    func connect() { peer.commit { $0.isOnline = true } }
    func disconnect() { peer.commit { $0.isOnline = false } }
    func moveUp() { cursor.commit { $0.line = max($0.line - 1, 0) } }
    func moveDown() { cursor.commit { $0.line = min($0.line + 1, notes.state.lines.count) } }

    func draw() {
        guard reads.state.open.isEmpty else { return }
        screen.commit { screen in
            screen.lines = notes.state.lines.count
            screen.lost = disk.state.notes.revision - notes.state.revision
        }
    }

    func act(_ random: inout SeededGenerator) {
        switch below(22, &random) {
        case 0...3: push("peer \(below(90, &random))")
        case 4: rehydrate()
        case 5...9: finish(below(3, &random) == 0 ? reads.state.open.count - 1 : 0)
        case 10...13: write("own \(below(90, &random))")
        case 14: erase()
        case 15: if below(3, &random) == 0 { disconnect() }
        case 16: if !peer.state.isOnline { connect() }
        case 17: moveUp()
        case 18: moveDown()
        default: draw()
        }
    }

    func closeDay() {
        while !reads.state.open.isEmpty { finish(0) }
        draw()
    }
}
