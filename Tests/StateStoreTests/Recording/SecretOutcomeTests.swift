import JSONCore
import StateStore
import TestSupport
import Testing

/// A state that says itself what is secret.
private struct Safe: Codable, Equatable, Sendable, RedactedState {
    var token = "S3CR3T-0"
    static var redacted: [Redaction] { [.keyPath(\Safe.token)] }
}

/// One that holds such a value somewhere.
private struct House: Codable, Equatable, Sendable {
    var safes: [String: [Safe?]] = ["a": [Safe()]]
    var label = "S3CR3T-label"
}

/// One of which no type says anything.
private struct Plain: Codable, Equatable, Sendable {
    var token = "S3CR3T-0"
}

/// The outcome of a derived value over stores that another recorder records, or none.
struct SecretOutcomeTests {
    /// The journal in which a derived value of a cart's and of another store is declared.
    private func journal<State: Codable & Equatable & Sendable>(
        _ initial: State, recordedBy other: Recorder? = nil, redact: [Redaction] = [],
        _ read: @escaping @Sendable (Store<State>) -> DerivedInput<String>,
        change: @escaping @Sendable (inout State) -> Void
    ) throws -> TemporaryJournal {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, redact: redact, options: .reproducible) { _ in }
        let (safe, cart) = (Store(initial, name: "safe", recorder: other), Store(0, name: "cart", recorder: recorder))
        let label = Derived("label", read(safe), cart.input(\.self)) { "\($0) \($1)" }
        let chained = Derived("chained", label, cart.input(\.self)) { "\($0) \($1)" }
        let links = [label.subscribe { _ in }, chained.subscribe { _ in }]
        safe.commit(change)
        cart.commit { $0 = 1 }
        safe.commit(change)
        cart.commit { $0 = 2 }
        recorder.close()
        links.forEach { $0.cancel() }
        #expect(journal.text.contains(#""outcome":"fired""#))
        try journal.verify()
        return journal
    }

    @Test("is hashed where the type of an input's state says itself what is secret, whoever records that")
    func typeSaysIt() throws {
        let otherJournal = TemporaryJournal()
        let other = try Recorder(otherJournal.path, options: .reproducible) { _ in }
        for recorder in [nil, other] {
            for redact in [[], [Redaction.path("/x/y").ifPresent]] {
                let journal = try journal(Safe(), recordedBy: recorder, redact: redact) {
                    $0.input(\.token)
                } change: {
                    $0.token += "1"
                }
                #expect(!journal.text.contains("S3CR3T"))
            }
        }
    }

    @Test("also where only a part of the state says it, and the value reads another part")
    func partSaysIt() throws {
        let journal = try journal(House()) {
            $0.input(\.label)
        } change: {
            $0.label += "1"
        }
        #expect(!journal.text.contains("S3CR3T"))
    }

    @Test("also where the recorder of the other store was asked for it, as a path or as a key path")
    func recorderSaysIt() throws {
        for redaction in ["/safe/token", .keyPath(\Plain.token)] as [Redaction] {
            let otherJournal = TemporaryJournal()
            let other = try Recorder(otherJournal.path, redact: [redaction], options: .reproducible) { _ in }
            let journal = try journal(Plain(), recordedBy: other) {
                $0.input(\.token)
            } change: {
                $0.token += "1"
            }
            #expect(!journal.text.contains("S3CR3T"))
        }
    }

    @Test("is in clear where nothing is redacted by any of them")
    func clear() throws {
        let otherJournal = TemporaryJournal()
        let other = try Recorder(otherJournal.path, options: .reproducible) { _ in }
        for recorder in [nil, other] {
            let journal = try journal(Plain(), recordedBy: recorder) {
                $0.input(\.token)
            } change: {
                $0.token += "1"
            }
            #expect(journal.text.contains("S3CR3T-01 1"))
        }
    }

    @Test("is hashed where an atom says itself what is secret")
    func atoms() throws {
        let journal = TemporaryJournal()
        let recorder = try Recorder(journal.path, options: .reproducible) { _ in }
        let cart = Store(0, name: "cart", recorder: recorder)
        let atom = Atom("safe", Safe(), recorder: nil)
        let label = Derived("label", atom, cart.input(\.self)) { "\($0.token) \($1)" }
        let link = label.subscribe { _ in }
        atom.update { $0.token += "1" }
        cart.commit { $0 = 1 }
        recorder.close()
        link.cancel()
        #expect(!journal.text.contains("S3CR3T") && journal.text.contains(#""outcome":"fired""#))
    }
}
