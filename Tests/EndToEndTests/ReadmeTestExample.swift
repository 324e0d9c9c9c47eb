import StateStore
import StateStoreTesting
import Testing

@Test("what is added is counted", .journaled)
func additions() {
    let cart = Cart()
    cart.add("teapot", price: 20)
    #expect(cart.label.value == "1 for € 20")
}
