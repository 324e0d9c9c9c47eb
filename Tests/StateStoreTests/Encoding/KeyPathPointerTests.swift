import Testing

@testable import StateEncoding

@Suite("Where a key path leads in the JSON")
struct KeyPathPointerTests {
    struct User: Encodable {
        var name = "Ann"
        var renamed = 1
        var swapped = 2
        var shout: String { name.uppercased() }
        var address: Address? = Address()
        var absent: Address?
        enum CodingKeys: String, CodingKey {
            case name, address, absent
            case renamed = "a/b"
            case swapped = "renamed"
        }
    }

    struct Address: Encodable { var city = "Rome" }

    struct State: Encodable {
        var user = User()
        var list = [1, 2]
        var table = ["a": 1]
    }

    @Test("stored properties are found, what is not told by a name is unknown")
    func pointers() throws {
        let encoder = try StateEncoder(State())
        #expect(encoder.pointer(for: \.self) == "")
        #expect(encoder.pointer(for: \.user) == "/user")
        #expect(encoder.pointer(for: \.user.name) == "/user/name")
        #expect(encoder.pointer(for: \.list) == "/list")
        #expect(encoder.pointer(for: \.user.address?.city) == "/user/address/city")
        #expect(encoder.pointer(for: \.user.shout) == nil)
        #expect(encoder.pointer(for: \.list[0]) == nil)
        #expect(encoder.pointer(for: \.list.count) == nil)
        #expect(encoder.pointer(for: \.table["a"]) == nil)
        #expect(encoder.pointer(for: \.user.absent?.city) == nil)
    }

    @Test("a property that another one took the name of is unknown")
    func renamed() throws {
        let encoder = try StateEncoder(State())
        #expect(encoder.pointer(for: \.user.renamed) == nil)
        #expect(encoder.pointer(for: \.user.swapped) == nil)
    }
}
