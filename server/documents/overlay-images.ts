// Reads the overlay of a layer for a thread that does not have the layer open. Small objects are sent in the message,
// large ones stay in their file, which is pinned while the job runs.
import type { StoredImage } from '../../workers/messages/task.js'
import type { MovedContent } from '../caches/moved-layer.js'
import { readContent } from '../layers/content.js'
import { limits } from '../limits.js'
import type { Deployment } from '../operation/deployment.js'
import type { Content } from '../rows/content.js'
import type { OverlayRow } from '../rows/overlay.js'
import { BlobMissing, type LocalCopy } from '../storage/blobs.js'
import { LayerMoved } from './layer-moved.js'

export interface EditedLayer {
  readonly tenant: string
  readonly document: string
  readonly layerName: string
  /** Token of the change that the rows must belong to. */
  readonly edits: { readonly token: string; readonly moved: MovedContent | undefined }
}

interface LayerContext {
  readonly deployment: Deployment
}

/** Throws `LayerMoved` if the rows no longer belong to the token. */
export async function withImages<Answer>(
  layer: EditedLayer,
  stored: LayerContext,
  work: (images: readonly StoredImage[]) => Promise<Answer>,
): Promise<Answer> {
  const rows = await rowsOf(layer, stored)
  const packs = new Packs(layer, stored)
  try {
    const images: StoredImage[] = []
    for (const [index, { number, row }] of rows.entries()) {
      if (index % limits.rowsAtOnce === limits.rowsAtOnce - 1) await stored.deployment.turns.next()
      const { generation, isHidden, body } = row
      images.push({ number, generation, isHidden, body: await packs.bodyOf(body) })
    }
    return await work([...images, ...(layer.edits.moved?.images ?? [])])
  } finally {
    packs.release()
  }
}

interface NumberedRow {
  readonly number: number
  readonly row: OverlayRow
}

async function rowsOf(layer: EditedLayer, { deployment }: LayerContext): Promise<readonly NumberedRow[]> {
  const { tenant, document, layerName, edits } = layer
  const { tables } = deployment
  const rows: NumberedRow[] = []
  for await (const { key, row } of tables.overlays.range([tenant, document, layerName])) {
    const number = key[3]
    if (edits.moved === undefined || edits.moved.kept.has(number)) rows.push({ number, row })
  }
  // Tokens are never reused: if the token is still current, all rows belong to it.
  const now = await tables.layers.get([tenant, document, layerName])
  if (now?.token !== (edits.moved?.stored ?? edits).token) throw new LayerMoved()
  return rows
}

/** Blobs that contain large objects, each opened once. */
class Packs {
  private readonly opened = new Map<string, LocalCopy>()

  constructor(
    private readonly layer: EditedLayer,
    private readonly stored: LayerContext,
  ) {}

  async bodyOf(content: Content): Promise<StoredImage['body']> {
    const { isSealed, at } = content
    // Sealed content is decrypted here, because threads have no keys.
    if (isSealed) return readContent(this.stored.deployment, this.layer, content).catch(throwMoved)
    if ('inline' in at) return Buffer.from(at.inline, 'base64')
    const { path } = await this.open(at.pack.name)
    return { path, offset: at.offset, length: at.length }
  }

  release(): void {
    for (const { release } of this.opened.values()) release()
  }

  private async open(name: string): Promise<LocalCopy> {
    const opened = this.opened.get(name)
    if (opened) return opened
    const { tenant, document } = this.layer
    const local = await this.stored.deployment.blobs.openLocal({ tenant, document, name }).catch(throwMoved)
    this.opened.set(name, local)
    return local
  }
}

/** Converts a missing blob into `LayerMoved`: a redaction or deletion removed it after the rows were read. */
function throwMoved(error: unknown): never {
  throw error instanceof BlobMissing ? new LayerMoved(error) : error
}
