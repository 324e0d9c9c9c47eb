import JournalReading
import TestSupport

/// A run of one store `s`: its states, one after another.
struct StatesRun {
    let journal: Journal
    private let folder = TemporaryFolder()

    init(_ states: [String], functions: [String] = ["f()"]) throws {
        let time = #""time":"2026-03-01T12:00:00.000000Z""#
        var lines = [
            #"{"seq":0,"kind":"journal","version":1,"id":"states",\#(time),"recorder":"test"}"#,
            #"{"seq":0,"kind":"store","store":"s","type":"S",\#(time),"state":\#(states[0])}"#,
        ]
        for (index, state) in states.dropFirst().enumerated() {
            let function = functions[index % functions.count]
            let patch = #"[{"op":"replace","path":"","value":\#(state)}]"#
            lines.append(
                #"{"seq":\#(index + 1),"kind":"commit","store":"s","version":\#(index + 1),\#(time),"#
                    + #""at":{"file":"A.swift","line":1,"column":1,"function":"\#(function)"},"patch":\#(patch)}"#)
        }
        folder.write(lines.joined(separator: "\n") + "\n", to: "run.jsonl")
        journal = try Journal.open(folder.path + "/run.jsonl", access: .random)
    }
}
