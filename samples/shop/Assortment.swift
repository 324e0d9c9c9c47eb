import StateStore

/// What the server sells in every story.
enum Assortment {
    static let products: [Product] = [
        Product(id: "teapot", title: "Red Teapot", shelf: .pots, price: 20, stock: 7),
        Product(id: "cup", title: "Small Cup", shelf: .pots, price: 5, stock: 40),
        Product(id: "kettle", title: "Kettle", shelf: .pots, price: 45, stock: 3),
        Product(id: "strainer", title: "Tea Strainer", shelf: .things, price: 4, stock: 12),
        Product(id: "tin", title: "Tin with Lid", shelf: .things, price: 9, stock: 1),
        Product(id: "sencha", title: "Sencha, 100 g", shelf: .tea, price: 12, stock: 25),
        Product(id: "assam", title: "Assam, 250 g", shelf: .tea, price: 11, stock: 18),
        Product(id: "cosy", title: "Tea Cosy, “Grandma”", shelf: .things, price: 16, stock: 2),
    ]
}
