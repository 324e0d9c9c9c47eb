import Foundation
import JSONCore
import JournalFormat
import StateStore
import TestSupport
import Testing

/// The code of the page `WhatAStateMayHold`.
struct WhatAStateMayHoldExamples {
    enum Currency: String, Codable { case euro }

    struct Order: Codable, Identifiable {
        enum Status: Codable, Equatable { case open, shipped(on: Date) }
        var id: UUID
        var status: Status
        var prices: [Currency: Decimal]
    }

    struct Download: Encodable {
        var progress = 0.0
        var onEnd: @Sendable () -> Void = {}
        enum CodingKeys: CodingKey { case progress }
    }

    @Test("values have the journal's forms, and what is left out is left out")
    func forms() throws {
        struct State: Encodable, Sendable { var orders: [Order]; var download = Download() }
        let folder = TemporaryFolder()
        let path = folder.path("run.jsonl")
        let recorder = try Recorder(path)
        let order = Order(id: UUID(), status: .open, prices: [.euro: 3])
        let store = Store(State(orders: [order]), name: "shop", recorder: recorder)
        store.commit { $0.orders[0].status = .shipped(on: Date(timeIntervalSince1970: 0)) }
        store.commit { $0.orders[0].prices[.euro] = 4 }
        recorder.close()
        let journal = try String(contentsOfFile: path, encoding: .utf8)
        #expect(journal.contains(#""path":"/orders/0/status","value":{"shipped":{"on":"1970-01-01T00:00:00Z"}}"#))
        #expect(journal.contains(#""path":"/orders/0/prices/euro","value":"4","old":"3""#))
        #expect(journal.contains(#""download":{"progress":0}"#))
    }
}
