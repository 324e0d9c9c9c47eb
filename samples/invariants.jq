# What always holds in the shop: each definition is true at every position of a good run.

def totalIsNotNegative: .cart.total >= 0;

def eachCodeOnce: [.cart.discounts[].code] | length == (unique | length);

def listedProductsAreThere: .catalogue as $c | all($c.order[], $c.shelves[][]; $c.products[.] != null);

def paysOnlyWhatCosts: .checkout.step != "paying" or .cart.total > 0;

def feedIsShort: .feed.entries | length <= 12;
