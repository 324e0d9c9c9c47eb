import Foundation
import JournalFormat
import StateStore
import SwiftUI

/// The shop of `samples/shop` as an app for a phone: that folder without its `EntryPoint.swift`, with this one, is a target.
@main
struct ShopApp: App {
    @State private var model = ShopModel()

    var body: some Scene {
        WindowGroup {
            CartScreen(shop: model.shop, report: model.report)
        }
    }
}

/// What lives as long as the app: its stores, and the recorder that keeps the last megabytes of what they did.
@MainActor
final class ShopModel {
    let shop: Shop
    let report: BugReport

    init() {
        let folder = FileManager.default.temporaryDirectory.path
        // Where no journal can be kept the app runs without one.
        let recorder = try? Recorder(
            folder + "/shop-%t.jsonl", durability: .background,
            redact: ["/session/token", "/checkout/card"], limit: 8 << 20)
        let server = Server(clock: ShopClock(.now()))
        shop = Shop(server: server, recorder: recorder)
        report = BugReport(recorder)
    }
}
