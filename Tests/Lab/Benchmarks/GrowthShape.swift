import Foundation

/// A kind of run whose state, or whose records, grow with it.
///
/// Each has a store `a` with a container `items` and a number `n`, which the last commit makes bad.
enum GrowthShape: String, CaseIterable {
    case append = "elements appended"
    case front = "elements inserted and removed at the front"
    case moves = "elements moved"
    case edits = "elements of a long array edited"
    case members = "members added to an object"
    case table = "members of a large table edited"
    case stores = "stores that open and close"
    case causes = "chains of causes"
    case places = "distinct places in the source"
    case outcomes = "outcomes of a derived value"
    case texts = "long texts"
    case roots = "whole roots replaced"
    case wide = "wide patches"
    case counter = "a counter"
    case branches = "stores that stay open"

    /// Whether an answer that has the state at each commit grows with the square of the run.
    var growsState: Bool {
        [.append, .front, .moves, .edits, .members, .table, .branches].contains(self)
    }

    /// The place of an element of `items`.
    var element: String { [.members, .table].contains(self) ? "/a/items/k0" : "/a/items/0" }

    /// The text of a journal of so many commits, and one more.
    func journal(_ count: Int) -> String {
        var run = GrowthRun()
        let element = { (id: Int, value: Int) in #"{"id":\#(id),"n":\#(value)}"# }
        let elements = (0..<count).map { element($0, $0 % 7) }
        let members = elements.enumerated().map { #""k\#($0.offset)":\#($0.element)"# }
        let text = String(repeating: "text ", count: 200)
        let root = { (value: Int, bad: Int) in #"{"items":[\#(element(value, 1)),\#(element(2, 1))],"n":\#(bad)}"# }
        var values = (0..<count).map { $0 % 7 }
        if self == .outcomes { run.write(#""kind":"derived","name":"d","inputs":["/a/items"]"#) }
        switch self {
        case .front, .moves, .edits: run.open("[\(elements.joined(separator: ","))]")
        case .table: run.open("{\(members.joined(separator: ","))}")
        case .append: run.open("[]")
        case .members: run.open("{}")
        case .wide: run.open("[\((0..<50).map { element($0, 0) }.joined(separator: ","))]")
        case .texts: run.open(#"[{"n":0}]"#, beside: #""t":"\#(text)0","#)
        case .roots: run.write(#""kind":"store","store":"a","type":"S","state":\#(root(0, 0))"#)
        default: run.open(#"[{"n":0}]"#)
        }
        for number in 0..<count {
            // Coprime with the counts that are measured, so that every element has its turn.
            let (place, target) = (number * 7_919 % count, number * 104_729 % count)
            let step = GrowthRun.replace("/items/0/n", number + 1, number)
            switch self {
            case .append: run.commit(#"{"op":"add","path":"/items/\#(number)","value":\#(elements[number])}"#)
            case .front where number % 2 == 0:
                run.commit(#"{"op":"add","path":"/items/0","value":\#(element(count + number, 1))}"#)
            case .front: run.commit(#"{"op":"remove","path":"/items/0","old":\#(element(count + number - 1, 1))}"#)
            case .moves: run.commit(#"{"op":"move","from":"/items/\#(place)","path":"/items/\#(target)"}"#)
            case .members: run.commit(#"{"op":"add","path":"/items/k\#(number)","value":\#(elements[number])}"#)
            case .edits, .table:
                let key = self == .table ? "k\(place)" : "\(place)"
                run.commit(GrowthRun.replace("/items/\(key)/n", values[place] + 1, values[place]))
                values[place] += 1
            case .stores, .branches:
                let store = "s\(number / 2)"
                if number % 2 == 0 {
                    run.write(#""kind":"store","store":"\#(store)","type":"S","state":{"n":0}"#)
                    run.commit(GrowthRun.replace("/n", 1, 0), in: store)
                } else {
                    run.commit(GrowthRun.replace("/items/0/n", number, max(0, number - 2)))
                    if self == .stores { run.write(#""kind":"close","store":"\#(store)""#) }
                }
            case .causes: run.commit(step, cause: number)
            case .places: run.commit(step, line: number + 1)
            case .outcomes:
                run.commit(step)
                run.write(
                    #""kind":"outcome","commit":\#(number + 1),"derived":[{"name":"d","outcome":"fired","value":1}]"#)
            case .texts: run.commit(GrowthRun.replace("/t", "\"\(text)\(number + 1)\"", "\"\(text)\(number)\""), step)
            case .roots: run.commit(GrowthRun.replace("", root(number + 1, 0), root(number, 0)))
            case .wide:
                let operations = (0..<50).map { GrowthRun.replace("/items/\($0)/n", number + 1, number) }
                run.commit(operations.joined(separator: ","))
            case .counter: run.commit(step)
            }
        }
        run.commit(GrowthRun.replace("/n", 7, 0))
        return run.text
    }
}

/// The text of a journal that is being made.
private struct GrowthRun {
    private(set) var text = ""
    private var commits = 0
    private var versions: [String: Int] = [:]

    init() { write(#""kind":"journal","version":1,"id":"growth","app":"Growth","recorder":"growth""#) }

    static func replace(_ path: String, _ value: some Any, _ old: some Any) -> String {
        #"{"op":"replace","path":"\#(path)","value":\#(value),"old":\#(old)}"#
    }

    mutating func open(_ items: String, beside members: String = "") {
        write(#""kind":"store","store":"a","type":"S","state":{"items":\#(items),\#(members)"n":0}"#)
    }

    mutating func commit(_ operations: String..., in store: String = "a", line: Int = 20, cause: Int = 0) {
        commits += 1
        versions[store, default: 0] += 1
        let cause = cause > 0 ? #""cause":\#(cause),"# : ""
        write(
            #""kind":"commit","store":"\#(store)","version":\#(versions[store] ?? 0),"name":"edit",\#(cause)"#
                + #""patch":[\#(operations.joined(separator: ","))]"#, line: line)
    }

    /// Writes a record with the members that all have.
    mutating func write(_ members: String, line: Int = 5) {
        let time = String(format: "2026-03-01T%02d:%02d:%02d.000000Z", commits / 3600, commits / 60 % 60, commits % 60)
        let place = #"{"file":"App/A.swift","line":\#(line),"column":9,"function":"f\#(line)()"}"#
        text += #"{"seq":\#(commits),\#(members),"time":"\#(time)","at":\#(place)}"# + "\n"
    }
}
