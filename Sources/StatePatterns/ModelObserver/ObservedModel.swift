/// A model that ``ModelObserver`` observes: an immutable value with an identity, of which a newer one replaces an older
/// one.
///
///     struct User: ObservedModel, Codable { let id: Int; var name: String; var changeTime: Int? }
///
///     struct Pin: ObservedModel, Codable {
///         let id: Int
///         var owner: User
///         var nestedModels: [any ObservedModel] { [owner] }
///         func replacing(_ model: any ObservedModel) -> Pin {
///             var pin = self
///             if let user = model as? User, user.id == owner.id { pin.owner = user }
///             return pin
///         }
///     }
public protocol ObservedModel: Encodable, Equatable, Identifiable, Sendable where ID: Codable & Sendable {
    /// The type that orders the versions of a model: a date, a count of the server's.
    associatedtype ChangeTime: Comparable = Never

    /// When this version was made; an update with an older one is dropped. Nil is never too old.
    var changeTime: ChangeTime? { get }

    /// The models directly inside this one: they are registered with it, and an update of one is an update of this one.
    ///
    /// By default there are none.
    var nestedModels: [any ObservedModel] { get }

    /// This model with a newer version of one of those inside it.
    ///
    /// By default this model, unchanged, for one that holds only the identities of others; its observers are notified
    /// all the same.
    func replacing(_ model: any ObservedModel) -> Self
}

extension ObservedModel where ChangeTime == Never {
    /// Nil: each update counts as newer.
    public var changeTime: Never? { nil }
}

extension ObservedModel {
    /// None.
    public var nestedModels: [any ObservedModel] { [] }

    /// This model, unchanged.
    public func replacing(_ model: any ObservedModel) -> Self { self }
}

struct ModelReference<Model: ObservedModel>: Hashable, Sendable {
    let id: Model.ID
}

struct ModelKey: Hashable, @unchecked Sendable {
    // Unchecked: the box is made of an identity, which is Sendable, and never changed.
    let type: ObjectIdentifier
    let id: AnyHashable

    init<Model: ObservedModel>(_ model: Model.Type, _ id: Model.ID) {
        type = ObjectIdentifier(model)
        self.id = AnyHashable(id)
    }

    init<Model: ObservedModel>(_ model: Model) { self.init(Model.self, model.id) }
}
