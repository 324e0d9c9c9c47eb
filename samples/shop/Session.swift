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
    /// A secret: `Story` has the recorder write a hash in its place.
    var token: String?
    /// How often the token was made anew.
    var refreshes = 0
}

/// What can happen to a session: mutations, which commit, and async actions, which run them.
struct SessionModule {
    typealias Context = Scope<SessionState, SessionState>
    let server: Server

    func begin(_ context: Context, with user: User, token: String) {
        context.commit { $0 = SessionState(user: user, token: token) }
    }

    func refresh(_ context: Context, token: String) {
        context.commit { session in
            session.token = token
            session.refreshes += 1
        }
    }

    func signIn(_ context: Context, as user: User) async throws {
        begin(context, with: user, token: try await server.token())
    }

    /// The token grew old: asks the server for another.
    func renew(_ context: Context) async throws {
        refresh(context, token: try await server.token())
    }
}

/// The store of the session.
final class Session: Sendable {
    let store: Store<SessionState>
    let module: SessionModule
    /// The line at the top of every screen.
    let greeting: Derived<String>

    init(on server: Server, recorder: Recorder?) {
        store = Store(SessionState(), recorder: recorder)
        module = SessionModule(server: server)
        greeting = store.derived(\.user, named: "greeting") { user in user.map { "Hello, \($0.name)" } ?? "Sign in" }
    }
}
