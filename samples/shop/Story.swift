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
    func record(in folder: String) throws {
        let clock = ShopClock(Timestamp(microseconds: 1_772_366_400_000_000))  // 2026-03-01T12:00:00Z
        var options = Recorder.Options()
        options.replacesFile = true
        options.id = "shop-" + rawValue
        options.app = "Shop"
        options.build = "1.4"
        options.clock = { clock.now }
        let path = folder + "/" + fileName
        let recorder = try Recorder(path, options: options)
        var shopper = Shopper(in: Shop(recorder: recorder), clock: clock)
        play(&shopper)
        // The stores are still open when the recorder ends, whenever the compiler lets go of them.
        withExtendedLifetime(shopper) { recorder.close() }
        if self == .crashed { try PowerCut.strike(path) }
    }

    /// Plays the story in an app that names no recorder.
    func play() {
        var shopper = Shopper(in: Shop(), clock: ShopClock(Timestamp(microseconds: 0)))
        play(&shopper)
    }

    private func play(_ shopper: inout Shopper) {
        shopper.openShop()
        shopper.browse(25)
        shopper.put("teapot")
        shopper.put("cup", times: 2)
        shopper.put("tin", times: 2)
        shopper.takeOut("tin")
        shopper.comeBack()
        shopper.signIn()
        shopper.browse(10)
        switch self {
        case .checkout:
            shopper.refreshToken("b200")
            shopper.buy()
            shopper.comeBack()
            shopper.browse(101)
        case .flipping:
            shopper.refreshToken("b200")
            shopper.buy()
            shopper.takeBack("SPRING")
            shopper.browse(40)
            shopper.refreshToken("c300")
            shopper.browse(20)
            shopper.refreshToken("d400")
            shopper.browse(20)
        case .good:
            shopper.buy()
            shopper.comeBack()
            shopper.browse(101)
        case .crashed:
            shopper.refreshToken("b200")
            shopper.browse(3)
        }
    }
}
