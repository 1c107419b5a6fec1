// Drops hits of lines that a page draws again at the same place, as programs do for shadows and bold: people see one.

/** Returns the first item of each place. Places that differ a little are kept, so that marks cover all of what is drawn. */
export function withoutRepeated<Item>(items: readonly Item[], placeOf: (item: Item) => unknown): readonly Item[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const place = JSON.stringify(placeOf(item))
    if (seen.has(place)) return false
    seen.add(place)
    return true
  })
}
