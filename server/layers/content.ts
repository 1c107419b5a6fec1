// Stores and reads content of a layer: inline in rows if small, else in one blob per change.
import { randomUUID } from 'node:crypto'
import { limits } from '../limits.js'
import type { Deployment } from '../operation/deployment.js'
import type { Content } from '../rows/content.js'
import type { DocumentRow } from '../rows/document.js'

export interface LayerKey {
  /** Internal ids. */
  readonly tenant: string
  readonly document: string
  readonly layerName: string
}

type ContentStore = Pick<Deployment, 'blobs' | 'sealing'>

/** True for encrypted documents, whose stored content is encrypted too. */
export const isSealed = ({ encryption }: Pick<DocumentRow, 'encryption'>): boolean => encryption?.state === 'encrypted'

/** Returns the place for which content of the layer is sealed. */
export const placeOf = ({ document, layerName }: Omit<LayerKey, 'tenant'>): string => `${document}/${layerName}`

export async function readContent(
  { blobs, sealing }: ContentStore,
  layer: LayerKey,
  content: Content,
): Promise<Uint8Array> {
  const bytes =
    'inline' in content.at ? Buffer.from(content.at.inline, 'base64') : await packed(blobs, layer, content.at)
  return content.isSealed ? sealing.open(bytes, placeOf(layer)) : bytes
}

async function packed(
  blobs: ContentStore['blobs'],
  { tenant, document }: LayerKey,
  { pack, offset, length }: Extract<Content['at'], { readonly length: number }>,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const name = { tenant, document, name: pack.name }
  for await (const chunk of blobs.read(name, { first: offset, last: offset + length - 1 })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export interface StoreContent {
  readonly layer: LayerKey
  readonly isSealed: boolean
  readonly pieces: readonly Uint8Array[]
}

/**
 * Stores the pieces of one change, in order. A resulting blob is durable when this resolves, and is collected as an
 * orphan if no row names it.
 */
export async function storeContents(
  { blobs, sealing }: ContentStore,
  { layer, isSealed, pieces }: StoreContent,
): Promise<readonly Content[]> {
  const stored = isSealed ? pieces.map((bytes) => sealing.seal(bytes, placeOf(layer))) : pieces
  const sum = stored.reduce((bytes, piece) => bytes + piece.length, 0)
  // A reference to a blob takes as many bytes in a row as a small piece does.
  const isLarge = (piece: Uint8Array) => sum > limits.changeInlineBytesMax && piece.length > limits.pieceInlineBytesMax
  const large = stored.filter(isLarge)
  const pack = large.length === 0 ? undefined : await writePack(blobs, layer, large)
  let offset = 0
  return stored.map((piece) => {
    const { length } = piece
    if (!pack || !isLarge(piece)) return { isSealed, at: { inline: Buffer.from(piece).toString('base64') } }
    offset += length
    return { isSealed, at: { pack, offset: offset - length, length } }
  })
}

async function writePack(blobs: ContentStore['blobs'], { tenant, document }: LayerKey, pieces: readonly Uint8Array[]) {
  const name = `change-${randomUUID()}.pack`
  const sizeBytesMax = pieces.reduce((bytes, piece) => bytes + piece.length, 0)
  const facts = await blobs.write({ tenant, document, name }, eachOf(pieces), { sizeBytesMax })
  return { name, ...facts }
}

async function* eachOf(pieces: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  yield* pieces
}
