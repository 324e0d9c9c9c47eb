/// What the server sells in every story.
enum Assortment {
    static let products: [Product] = [
        Product(id: "teapot", title: "Red Teapot", price: 20, stock: 7),
        Product(id: "cup", title: "Small Cup", price: 5, stock: 40),
        Product(id: "kettle", title: "Kettle", price: 45, stock: 3),
        Product(id: "strainer", title: "Tea Strainer", price: 4, stock: 12),
        Product(id: "tin", title: "Tin with Lid", price: 9, stock: 1),
        Product(id: "sencha", title: "Sencha, 100 g", price: 12, stock: 25),
        Product(id: "assam", title: "Assam, 250 g", price: 11, stock: 18),
        Product(id: "cosy", title: "Tea Cosy, “Grandma”", price: 16, stock: 2),
    ]
}
