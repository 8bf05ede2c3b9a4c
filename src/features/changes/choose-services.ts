/** The services whose names stand in an incident's words or among its labels, in the operator's order. Pure. */
export function chooseServices(
  services: Readonly<Record<string, readonly string[]>>,
  { texts, labels }: { readonly texts: readonly string[]; readonly labels: readonly string[] },
): readonly string[] {
  const words = texts.join("\n").toLowerCase();
  const tags = new Set(labels.map((label) => label.toLowerCase()));
  return Object.keys(services).filter((service) => {
    const name = service.toLowerCase();
    return (
      tags.has(name) ||
      [...tags].some((tag) => tag.endsWith(`:${name}`) || tag.endsWith(`/${name}`)) ||
      isWordIn(words, name)
    );
  });
}

/** As a word of its own: `cart` stands in `cart-7f9` and `the cart`, not in `cartel`. */
function isWordIn(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1))
    if (!/[a-z0-9]/.test(text[at - 1] ?? "") && !/[a-z0-9]/.test(text[at + word.length] ?? "")) return true;
  return false;
}
