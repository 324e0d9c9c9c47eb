import StateStore

/// Where parcels go.
struct Address: Encodable, Equatable, Sendable {
    var street = ""
    var city = ""
}

/// What the feed tells of.
struct Notices: Encodable, Equatable, Sendable {
    var likes = true
    var cart = true
}

/// What the shopper chose once and for all.
struct SettingsState: Encodable, Equatable, Sendable {
    var address = Address()
    var notices = Notices()
}

/// The store of the settings.
final class Settings: Sendable {
    let store: Store<SettingsState>

    init(recorder: Recorder?) {
        store = Store(SettingsState(), recorder: recorder)
    }

    /// The settings screen.
    func openForm() -> SettingsForm {
        SettingsForm(notices: store.binding(\.notices, name: "setNotices"), address: store.scope(\.address))
    }
}

/// The settings screen: each of its parts has what it edits, and nothing else of the app.
struct SettingsForm {
    /// For the switches, which set a value and know of no stores.
    let notices: StoreBinding<Notices>
    /// For the two text fields, which are saved together.
    let address: Scope<SettingsState, Address>

    func save(street: String, city: String) {
        address.commit { $0 = Address(street: street, city: city) }
    }
}
