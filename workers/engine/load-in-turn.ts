// Loads modules that are named by data, one after the other.

/**
 * Returns what `load` gives for each item, in the same order. Parallel imports of modules that share an ancestor with a
 * top-level await, here the engine, can wait for each other forever in Node 20, depending on the order in which their
 * files are read.
 */
export async function loadInTurn<Item, Loaded>(
  items: readonly Item[],
  load: (item: Item) => Promise<Loaded>,
): Promise<readonly Loaded[]> {
  const loaded: Loaded[] = []
  for (const item of items) loaded.push(await load(item))
  return loaded
}
