import { expect, test } from "vitest";
import { chooseServices } from "../../../src/features/changes/read-changes.ts";

const services = { cart: ["acme/cart"], "checkout-api": ["acme/checkout"], db: ["acme/db"] };
const chosen = (text: string, ...labels: readonly string[]) => chooseServices(services, { texts: [text], labels });

test("CH-01 a service is chosen by its name as a word, or by a label", () => {
  expect([
    chosen("Cart-7f9 restarts"),
    chosen("cartel, mycart, carts"),
    chosen("the checkout-api and the CART"),
    chosen("slow", "service:cart", "team/db", "cartel"),
    chosen("slow", "Cart"),
    chosen(""),
  ]).toEqual([["cart"], [], ["cart", "checkout-api"], ["cart", "db"], ["cart"], []]);
});
