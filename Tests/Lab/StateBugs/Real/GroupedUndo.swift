import StateStore
import TestSupport

/// An undo manager that puts a drag together as one step: it keeps the patches that were made as those that take it back.
///
/// Undo of a drag does not bring the box back to where the drag began.
final class GroupedUndo: RealBug {
    static let name = "grouped undo"
    static let report = "https://github.com/mobxjs/mobx-state-tree/issues/754"
    static let fix = "https://github.com/mobxjs/mobx-state-tree/pull/755"
    static let invariants = [".proof.differs | not"]

    struct Patch: Encodable, Equatable, Sendable {
        let box: String
        let value: Int
    }
    struct Step: Encodable, Equatable, Sendable {
        var made: [Patch] = []
        var back: [Patch] = []
    }
    struct Boxes: Encodable, Equatable, Sendable { var places = ["a": 0, "b": 0, "c": 0] }
    struct Undo: Encodable, Equatable, Sendable {
        var steps: [Step] = []
        var undone: [Step] = []
    }
    struct Drag: Encodable, Equatable, Sendable {
        var box: String?
        var patches: [Patch] = []
        var start: [Patch] = []
    }
    struct Colours: Encodable, Equatable, Sendable { var names = ["a": "red", "b": "red", "c": "red"] }
    struct Snapshots: Encodable, Equatable, Sendable { var list: [[String: Int]] = [] }
    struct Proof: Encodable, Equatable, Sendable {
        var times = 0
        var differs = false
    }

    let bugs: Bugs
    let boxes: Store<Boxes>
    let undoing: Store<Undo>
    let dragging: Store<Drag>
    let colours: Store<Colours>
    let snapshots: Store<Snapshots>
    let proof: Store<Proof>

    init(_ bugs: Bugs, _ recorder: Recorder) {
        self.bugs = bugs
        boxes = Store(Boxes(), name: "boxes", recorder: recorder)
        undoing = Store(Undo(), name: "undo", recorder: recorder)
        dragging = Store(Drag(), name: "drag", recorder: recorder)
        colours = Store(Colours(), name: "colours", recorder: recorder)
        snapshots = Store(Snapshots(), name: "snapshots", recorder: recorder)
        proof = Store(Proof(), name: "proof", recorder: recorder)
    }

    private func place(_ box: String) -> Int { boxes.state.places[box] ?? 0 }

    func push(_ step: Step) {
        snapshots.commit { $0.list.append(boxes.state.places) }
        undoing.commit { undo in
            undo.steps.append(step)
            undo.undone = []
        }
    }

    func set(_ box: String, _ value: Int) {
        let step = Step(made: [Patch(box: box, value: value)], back: [Patch(box: box, value: place(box))])
        push(step)
        boxes.commit { $0.places[box] = value }
    }

    func startDrag(_ box: String) {
        dragging.commit { $0 = Drag(box: box) }
    }

    func drag(_ by: Int) {
        guard let box = dragging.state.box else { return }
        let old = place(box)
        snapshots.commit { if dragging.state.patches.isEmpty { $0.list.append(boxes.state.places) } }
        boxes.commit { $0.places[box] = old + by }
        dragging.commit { drag in
            drag.patches.append(Patch(box: box, value: old + by))
            drag.start.insert(Patch(box: box, value: old), at: 0)
        }
    }

    func stopDrag() {
        let drag = dragging.state
        guard drag.box != nil else { return }
        dragging.commit { $0 = Drag() }
        guard !drag.patches.isEmpty else { return }
        undoing.commit { undo in
            let back = bugs.planted(.wrongOperand, drag.start, drag.patches)
            undo.steps.append(Step(made: drag.patches, back: back))
            undo.undone = []
        }
    }

    func undo() {
        guard dragging.state.box == nil, let step = undoing.state.steps.last else { return }
        undoing.commit { undo in undo.undone.append(undo.steps.removeLast()) }
        boxes.commit { boxes in
            for patch in step.back { boxes.places[patch.box] = patch.value }
        }
        compare()
    }

    /// What was there before the step that was undone.
    func compare() {
        guard let expected = snapshots.state.list.last else { return }
        snapshots.commit { _ = $0.list.removeLast() }
        proof.commit { proof in
            proof.times += 1
            proof.differs = boxes.state.places != expected
        }
    }

    func redo() {
        guard dragging.state.box == nil, let step = undoing.state.undone.last else { return }
        snapshots.commit { $0.list.append(boxes.state.places) }
        undoing.commit { undo in undo.steps.append(undo.undone.removeLast()) }
        boxes.commit { boxes in
            for patch in step.made { boxes.places[patch.box] = patch.value }
        }
    }

    func paint(_ box: String, _ colour: String) { colours.commit { $0.names[box] = colour } }

    func paintAll(_ colour: String) {
        colours.commit { colours in colours.names = colours.names.mapValues { _ in colour } }
    }

    func act(_ random: inout SeededGenerator) {
        let box = ["a", "b", "c"][below(3, &random)]
        let colour = ["red", "blue", "green"][below(3, &random)]
        switch below(24, &random) {
        case 0...5: if dragging.state.box == nil { set(box, below(50, &random)) }
        case 6: if dragging.state.box == nil { startDrag(box) }
        case 7...9: drag(1 + below(5, &random))
        case 10...12: stopDrag()
        case 13: undo()
        case 14, 15: redo()
        case 16...20: paint(box, colour)
        default: paintAll(colour)
        }
    }

    func closeDay() {
        stopDrag()
        undo()
        redo()
    }
}
