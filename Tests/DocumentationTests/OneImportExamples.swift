// Nothing else is imported: whatever an app does with its stores and its journal needs one module.
import StateStore

private struct CartState: Codable, Equatable {
    var items: [String] = []
}

/// Code of an app that marks its journal with levels, shows the places of commits, and reports what went wrong.
enum OneImportExamples {
    /// The journal's place of a commit, as a line of a log.
    static func text(_ place: CommitLocation) -> String { "\(place.file):\(place.line) \(place.function)" }

    /// Records a run, and returns where its one commit was made, as its subscriber was given it.
    static func run(_ path: String) throws -> (text: String, number: Int?) {
        let recorder = try Recorder(
            path, durability: .background, labels: ["branch": "main"], onError: { print($0.diagnostic.message) })
        defer { recorder.close() }
        recorder.mark("launched", level: .info)
        let cart = Store(CartState(), name: "cart", recorder: recorder)
        let seen = Locked<(text: String, number: Int?)>(("", nil))
        let subscription = cart.subscribe(initially: false) { changes in
            seen.modify { $0 = (text(changes.location), CommitReference.current?.number?.rawValue) }
        }
        cart.commit { $0.items.append("apple") }
        recorder.mark("out of stock", ["apple"], level: .error)
        subscription.cancel()
        return seen.wrappedValue
    }

    /// What is wrong with a path.
    static func problem(of path: String) -> String? {
        do throws(JournalWriteError) {
            try Recorder(path).close()
            return nil
        } catch {
            return error.diagnostic.message
        }
    }
}
