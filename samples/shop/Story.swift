import JournalFormat
import StateStore

/// What happens in the shop, and the journal that is kept of it.
enum Story: String, CaseIterable {
    /// The token is refreshed once, and the total turns negative and stays so.
    case checkout
    /// The shopper takes the code out, and the next refreshes bring it back twice.
    case flipping = "checkout-flipping"
    /// The same shopper, and a token that lives long enough.
    case good = "checkout-good"
    /// The power goes while a line is written.
    case crashed

    var fileName: String { rawValue + ".jsonl" }

    /// Plays the story and writes its journal, the same bytes each time.
    func record(in folder: String) async throws {
        let clock = ShopClock(Timestamp(microseconds: 1_772_366_400_000_000))  // 2026-03-01T12:00:00Z
        let path = folder + "/" + fileName
        let recorder = try Recorder(path, redact: ["/session/token", "/checkout/card"], options: options(clock))
        let server = Server(clock: clock)
        var shopper = Shopper(in: Shop(server: server, recorder: recorder), of: server, clock: clock)
        try await play(&shopper)
        // The stores are still open when the recorder ends, whenever the compiler lets go of them.
        withExtendedLifetime(shopper) { recorder.close() }
        if self == .crashed { try PowerCut.strike(path) }
    }

    /// Plays the story in an app that names no recorder.
    func play() async throws {
        let clock = ShopClock(Timestamp(microseconds: 0))
        let server = Server(clock: clock)
        var shopper = Shopper(in: Shop(server: server), of: server, clock: clock)
        try await play(&shopper)
    }

    private func options(_ clock: ShopClock) -> Recorder.Options {
        var options = Recorder.Options()
        options.replacesFile = true
        options.id = "shop-" + rawValue
        options.app = "Shop"
        options.build = "1.4"
        options.clock = { clock.now }
        // Known to everybody, for the sake of equal bytes: an app has a random one, or a secret.
        options.redactionKey = Array("the key of the samples".utf8)
        return options
    }

    private func play(_ shopper: inout Shopper) async throws {
        try await fillCart(&shopper)
        switch self {
        case .checkout:
            try await shopper.renewToken()
            await shopper.buy(with: Card.good)
            shopper.choose(.post)
            shopper.comeBack()
            await shopper.browse(101)
        case .flipping:
            try await shopper.renewToken()
            await shopper.buy(with: Card.good)
            shopper.takeBack("SPRING")
            await shopper.browse(40)
            try await shopper.renewToken()
            await shopper.browse(20)
            try await shopper.renewToken()
            await shopper.browse(20)
        case .good:
            await shopper.buy(with: Card.good)
            shopper.comeBack()
            await shopper.browse(101)
        case .crashed:
            try await shopper.renewToken()
            await shopper.browse(3)
        }
    }

    /// How every story begins.
    private func fillCart(_ shopper: inout Shopper) async throws {
        try await shopper.openShop()
        shopper.goToTill()
        await shopper.browse(10)
        shopper.search("assam")
        try await shopper.goThroughTunnel(looking: "teapot")
        shopper.put("teapot")
        shopper.put("cup", times: 2)
        shopper.put("tin", times: 2)
        shopper.fillInForm()
        shopper.takeOut("tin")
        shopper.comeBack()
        try await shopper.signIn()
        shopper.goToTill()
        shopper.choose(.courier)
        await shopper.buy(with: Card.declined)
        await shopper.browse(14)
    }
}

/// The cards in the shopper's purse.
private enum Card {
    static let good = "4000 0000 0000 0001"
    static let declined = "4000 0000 0000 0002"
}
