import StateStore

/// Who is shopping.
struct User: Encodable, Equatable, Sendable {
    let name: String
    /// The personal code, taken off the cart once the user has signed in.
    let voucher: Discount?
}

/// The user, and the token that speaks for them to the server.
struct SessionState: Encodable, Equatable, Sendable {
    var user: User?
    var token: String?
    /// How often the token was made anew.
    var refreshes = 0
}

/// The store of the session.
final class Session: Sendable {
    let store: Store<SessionState>
    /// The line at the top of every screen.
    let greeting: Derived<String>

    init(recorder: Recorder?) {
        store = Store(SessionState(), recorder: recorder)
        greeting = store.derived("greeting", \.user) { user in user.map { "Hello, \($0.name)" } ?? "Sign in" }
    }

    func signIn(_ user: User, token: String) {
        store.commit { $0 = SessionState(user: user, token: token) }
    }

    /// The token grew old, the server sent another.
    func refresh(token: String) {
        store.commit { session in
            session.token = token
            session.refreshes += 1
        }
    }

    func signOut() {
        store.commit { $0 = SessionState() }
    }
}
