import JournalFormat
import StateStore

/// How far the shopper has come at the till.
struct CheckoutState: Encodable, Equatable, Sendable {
    enum Step: String, Encodable, Sendable {
        case away, choosing, paying, done
    }

    var step = Step.away
    var delivery: Delivery?
    /// The number of the card: `Story` has the recorder write a hash in its place.
    var card: String?
    var receipt: String?
    /// Why the last payment was refused.
    var problem: String?
}

/// How a parcel gets to the shopper.
enum Delivery: String, Encodable, Sendable {
    case post, courier
}

/// What can happen at the till, as data: the journal has each with what it carries.
enum CheckoutAction: Encodable, Sendable {
    case begin
    case chooseDelivery(Delivery)
    case startPayment(amount: Int, card: String)
    case acceptPayment(receipt: String)
    case refusePayment(reason: String)

    static let reducer = Reducer<CheckoutState, CheckoutAction> { state, action in
        switch action {
        case .begin:
            state = CheckoutState(step: .choosing)
        case .chooseDelivery(let delivery):
            state.delivery = delivery
        case .startPayment(_, let card):
            state.step = .paying
            (state.card, state.problem) = (card, nil)
        case .acceptPayment(let receipt):
            state.step = .done
            (state.receipt, state.card) = (receipt, nil)
        case .refusePayment(let reason):
            state.step = .choosing
            (state.problem, state.card) = (reason, nil)
        }
    }
}

/// The till: everything that happens there is an action.
final class Checkout: Sendable {
    let actions: ReducerStore<CheckoutState, CheckoutAction>
    private let server: Server

    init(of cart: Cart, at server: Server, recorder: Recorder?) {
        self.server = server
        actions = ReducerStore(
            Store(CheckoutState(), recorder: recorder), reducer: CheckoutAction.reducer,
            middleware: [.turningAwayEmptyCarts(cart, recorder: recorder)])
    }

    /// Pays, unless that is under way: both ends of it are actions, which the start is the cause of.
    func pay(_ amount: Int, with card: String) async {
        let payment = actions.run(
            .takeLeading, id: "payment", starting: .startPayment(amount: amount, card: card),
            success: { .acceptPayment(receipt: $0) }, failure: { .refusePayment(reason: "\($0)") }
        ) { [server] in try await server.pay(amount, with: card) }
        await payment.value
    }
}

extension Middleware<CheckoutState, CheckoutAction> {
    /// Lets nobody begin who has nothing to pay.
    static func turningAwayEmptyCarts(_ cart: Cart, recorder: Recorder?) -> Middleware {
        Middleware { _, next in
            { action in
                if case .begin = action, cart.store.state.items.isEmpty {
                    recorder?.mark("at the till with an empty cart", level: .warning)
                } else {
                    next(action)
                }
            }
        }
    }
}
