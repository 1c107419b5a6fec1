// What a layer changed, read from its rows for a thread that does not have the layer open: small objects travel, large ones
// stay in their file, which is pinned while the job runs.
import type { StoredImage } from '../../workers/messages/task.js'
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
  /** The rows must be those of this change. */
  readonly edits: { readonly token: string }
}

interface LayerContext {
  readonly deployment: Deployment
}

/** Throws `LayerMoved` when the rows are not those of the layer's token any more. */
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
    return await work(images)
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
    rows.push({ number: key[3], row })
  }
  // Tokens never come back: one that is still there was there while the rows were read, all from one moment.
  const now = await tables.layers.get([tenant, document, layerName])
  if (now?.token !== edits.token) throw new LayerMoved()
  return rows
}

/** The blobs that large objects stand in, each opened once. */
class Packs {
  private readonly opened = new Map<string, LocalCopy>()

  constructor(
    private readonly layer: EditedLayer,
    private readonly stored: LayerContext,
  ) {}

  async bodyOf(content: Content): Promise<StoredImage['body']> {
    const { isSealed, at } = content
    // What is sealed is opened here: threads have no keys.
    if (isSealed) return readContent(this.stored.deployment, this.layer, content).catch(throwMoved)
    if ('inline' in at) return Buffer.from(at.inline, 'base64')
    const { path } = await this.open(at.pack.name)
    return { path, offset: at.offset, length: at.length }
  }

  release(): void {
    for (const { release } of this.opened.values()) release()
  }

  private async open(name: string): Promise<LocalCopy> {
    const known = this.opened.get(name)
    if (known) return known
    const { tenant, document } = this.layer
    const local = await this.stored.deployment.blobs.openLocal({ tenant, document, name }).catch(throwMoved)
    this.opened.set(name, local)
    return local
  }
}

/** The rows named it a moment ago: a redaction, or the deletion of the document, took it away since. */
function throwMoved(error: unknown): never {
  throw error instanceof BlobMissing ? new LayerMoved() : error
}
