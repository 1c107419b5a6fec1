// Values that are stored inline in the row if small, else in a blob of the same document. Blobs are written first, so
// that a row never names a missing one.
import { createHash, randomUUID } from 'node:crypto'
import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { limits } from '../limits.js'
import type { BlobName, Blobs } from './blobs.js'
import type { BlobClaim } from './row-kind.js'

const Outside = Type.Object({
  blob: Type.String(),
  sizeBytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String(),
})

export function large<Schema extends TSchema>(schema: Schema) {
  return Type.Union([Type.Object({ inline: schema }), Outside])
}

export type Large<Value> = { inline: Value } | Static<typeof Outside>

export type Owner = Pick<BlobName, 'tenant' | 'document'>

export class LargeValues<Schema extends TSchema> {
  private readonly validator

  /** `name`: prefix of the blob names, such as `page-facts`. */
  constructor(
    private readonly name: string,
    schema: Schema,
    private readonly blobs: Blobs,
  ) {
    this.validator = Compile(schema)
  }

  async store(owner: Owner, value: Static<Schema>): Promise<Large<Static<Schema>>> {
    const bytes = Buffer.from(JSON.stringify(value), 'utf8')
    if (bytes.length <= limits.inlineBytesMax) return { inline: value }
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    // A name of its own: see `server/expiry/orphans.ts`.
    const blob = `${this.name}-${randomUUID()}.json`
    const checks = { sizeBytesMax: limits.largeValueBytesMax, sizeBytes: bytes.length, sha256 }
    await this.blobs.write({ ...owner, name: blob }, chunksOf(bytes), checks)
    return { blob, sizeBytes: bytes.length, sha256 }
  }

  async load(owner: Owner, stored: Large<Static<Schema>>): Promise<Static<Schema>> {
    if ('inline' in stored) return stored.inline
    const chunks: Uint8Array[] = []
    for await (const chunk of this.blobs.read({ ...owner, name: stored.blob })) chunks.push(chunk)
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    if (this.validator.Check(value)) return value
    throw new Error(`Blob ${stored.blob} does not hold the ${this.name} it should`)
  }
}

/** Returns the blobs that a row with a large value claims, for the key table. */
export function claimOf(owner: Owner, stored: Large<unknown>): readonly BlobClaim[] {
  if (!('blob' in stored)) return []
  const { blob: name, sizeBytes, sha256 } = stored
  return [{ blob: { ...owner, name }, sizeBytes, sha256 }]
}

const chunkBytes = 64 * 1024

async function* chunksOf(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}
