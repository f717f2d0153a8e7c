enum Colour { Red Green }
enum Size extends Colour { Small }
