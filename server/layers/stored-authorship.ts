// Reads authorship of a layer: its own rows first, then those that a signature in any layer published with its version.
import type { AuthorshipRow } from '../rows/authorship.js'
import type { Tables } from '../storage/tables.js'
import type { Transaction } from '../storage/transaction.js'
import type { LayerKey } from './content.js'

export async function storedAuthorship(
  { authorship, publishedAuthorship }: Tables,
  { tenant, document, layerName }: LayerKey,
  number: number,
): Promise<AuthorshipRow | undefined> {
  const own = await authorship.get([tenant, document, layerName, number])
  return own ?? publishedAuthorship.get([tenant, document, number])
}

/** Yields the rows of a layer of its annotations and fields, each with the object number that it is about. */
export async function* everyAuthorship(
  { authorship, publishedAuthorship }: Tables,
  { tenant, document, layerName }: LayerKey,
): AsyncIterable<{ readonly number: number; readonly row: AuthorshipRow }> {
  const own = new Set<number>()
  for await (const { key, row } of authorship.range([tenant, document, layerName])) {
    own.add(key[3])
    yield { number: key[3], row }
  }
  for await (const { key, row } of publishedAuthorship.range([tenant, document])) {
    if (!own.has(key[2])) yield { number: key[2], row }
  }
}

/** Moves the rows of a layer to those of all layers, because its edits become part of a version. */
export async function publishAuthorship(
  transaction: Transaction,
  { authorship, publishedAuthorship }: Tables,
  { tenant, document, layerName }: LayerKey,
): Promise<void> {
  for await (const { key, row } of authorship.range([tenant, document, layerName])) {
    transaction.erase(authorship.at(key))
    transaction.overwrite(publishedAuthorship.at([tenant, document, key[3]]), row)
  }
}
