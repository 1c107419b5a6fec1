// Definition of a kind of row: name, key parts, schema, and what a row implies: index rows, references to other rows, claims
// on blobs. `row-kinds.ts` lists all kinds.
import type { Static, TSchema } from 'typebox'
import type { BlobName } from './blobs.js'
import type { Key } from './keys.js'
import { Descending, decodeKey, descending, encodeKey, type KeyPart, type KeyRange, prefixRange } from './keys.js'
import { type RowCodec, rowCodec } from './row-codec.js'
import type { Entry, Value } from './store.js'

/** `newest` is a number whose largest value comes first. */
export type PartKind = 'text' | 'number' | 'newest'

/** `[name, kind]`, in the order they have in the key. */
export type KeyShape = readonly (readonly [name: string, kind: PartKind])[]

export type KeyOf<Shape extends KeyShape> = {
  readonly [Part in keyof Shape]: Shape[Part][1] extends 'text' ? string : number
}

/** The first parts of a key, none to all. */
export type KeyPrefix<Parts extends readonly unknown[]> = Parts extends readonly [infer First, ...infer Rest]
  ? readonly [] | readonly [First, ...KeyPrefix<Rest>]
  : readonly []

/** A blob that must be there as long as the row says so. */
export interface BlobClaim {
  readonly blob: BlobName
  readonly sizeBytes?: number
  readonly sha256?: string
  /** The server makes it again when it is asked for: a backup goes without it. */
  readonly isRemade?: boolean
}

/** A row that must be there because of another one. Keys of rows that are referred to have no `newest` part. */
export interface Reference {
  readonly table: string
  readonly key: Key
}

export interface RowConsequences<Parts, Row> {
  /** Rows of other kinds that exist because of this one, and only as long as it says so. */
  readonly indexes?: (key: Parts, row: Row) => readonly Entry[]
  /** The row that a row of an index refers to. */
  readonly leadsTo?: (key: Parts, row: Row) => Reference
  readonly references?: (key: Parts, row: Row) => readonly Reference[]
  readonly blobs?: (key: Parts, row: Row) => readonly BlobClaim[]
  /** Bytes of content, here or in a blob, that exist because of the row alone. */
  readonly storedBytes?: (row: Row) => number
}

export interface RowDefinition<Shape extends KeyShape, Schema extends TSchema>
  extends RowConsequences<KeyOf<Shape>, Static<Schema>> {
  readonly name: string
  readonly key: Shape
  readonly schema: Schema
}

/** A row as something that walks over rows of every kind sees it. */
export interface OpenedRow {
  readonly parts: readonly (string | number)[]
  readonly row: unknown
  readonly indexes: readonly Entry[]
  readonly leadsTo: Reference | undefined
  /** `leadsTo` is among them. */
  readonly references: readonly Reference[]
  readonly blobs: readonly BlobClaim[]
  readonly storedBytes: number
}

/** Any kind of row, for walks over all of them. */
export interface AnyRowKind {
  readonly name: string
  readonly all: KeyRange
  readonly namesBlobs: boolean
  /** True if its rows refer to rows of another kind and are removed with them. */
  readonly leads: boolean
  readonly countsBytes: boolean
  open(entry: Entry): OpenedRow | undefined
  ownedBy(tenant: string, document?: string): KeyRange | undefined
  ownersOf(key: Key): readonly string[]
}

export class RowKind<Parts extends readonly (string | number)[], Row> {
  private readonly consequences: RowConsequences<Parts, Row>
  private readonly codec: RowCodec<Row>

  constructor(
    readonly name: string,
    private readonly shape: KeyShape,
    given: { readonly codec: RowCodec<Row>; readonly consequences: RowConsequences<Parts, Row> },
  ) {
    this.codec = given.codec
    this.consequences = given.consequences
  }

  get namesBlobs(): boolean {
    return this.consequences.blobs !== undefined
  }

  get countsBytes(): boolean {
    return this.consequences.storedBytes !== undefined
  }

  get leads(): boolean {
    return this.consequences.leadsTo !== undefined
  }

  get all(): KeyRange {
    return prefixRange([this.name])
  }

  /** The rows that go when their tenant, or their document, is deleted; undefined = rows of this kind have no such owner. */
  ownedBy(tenant: string, document?: string): KeyRange | undefined {
    const owner = document === undefined ? [tenant] : [tenant, document]
    const isOwned = owner.every((_, index) => this.shape[index]?.[0] === ownerParts[index])
    return isOwned ? prefixRange([this.name, ...owner]) : undefined
  }

  /** Internal ids of the tenant and the document that the key begins with, as far as keys of this kind do. */
  ownersOf(key: Key): readonly string[] {
    const parts: readonly (string | number)[] = this.parts(key) ?? []
    const first = this.shape.findIndex(([name], index) => name !== ownerParts[index])
    return parts.slice(0, first < 0 ? undefined : first).map(String)
  }

  key(parts: Parts): Key {
    return encodeKey([this.name, ...this.encoded(parts)])
  }

  /** Every row whose key begins with these parts. */
  prefix(parts: KeyPrefix<Parts>): KeyRange {
    return prefixRange([this.name, ...this.encoded(parts)])
  }

  /** Undefined = not a key of this kind. */
  parts(key: Key): Parts | undefined {
    const [name, ...parts] = decodeKey(key) ?? []
    if (name !== this.name || parts.length !== this.shape.length) return undefined
    const values = parts.map((part, index) => partValue(part, this.shape[index]?.[1]))
    return this.isKey(values) ? values : undefined
  }

  entry(parts: Parts, row: Row): Entry {
    const key = this.key(parts)
    return { key, value: this.encode(key, row) }
  }

  /** See `RowCodec.encode` for what it throws. */
  encode(key: Key, row: Row): Value {
    return this.codec.encode(key, row)
  }

  /** Throws `RowCorrupt`. */
  decode(entry: Entry): Row {
    return this.codec.decode(entry.key, entry.value)
  }

  /** Undefined = the key is not of this kind. Throws `RowCorrupt`. */
  open(entry: Entry): OpenedRow | undefined {
    const parts = this.parts(entry.key)
    if (!parts) return undefined
    const row = this.decode(entry)
    return {
      parts,
      row,
      indexes: this.indexes(parts, row),
      leadsTo: this.consequences.leadsTo?.(parts, row),
      references: this.references(parts, row),
      blobs: this.blobs(parts, row),
      storedBytes: this.storedBytes(row),
    }
  }

  indexes(parts: Parts, row: Row): readonly Entry[] {
    return this.consequences.indexes?.(parts, row) ?? []
  }

  references(parts: Parts, row: Row): readonly Reference[] {
    const { leadsTo, references } = this.consequences
    return [...this.owners(parts), ...(leadsTo ? [leadsTo(parts, row)] : []), ...(references?.(parts, row) ?? [])]
  }

  /** The rows of the tenant and the document that a row belongs to, itself left out. */
  owners(parts: Parts): readonly Reference[] {
    return ownerParts
      .filter((owner, index) => this.shape[index]?.[0] === owner && owner !== this.name)
      .map((owner, index) => refersTo(owner, ...parts.slice(0, index + 1)))
  }

  blobs(parts: Parts, row: Row): readonly BlobClaim[] {
    return this.consequences.blobs?.(parts, row) ?? []
  }

  /** 0 where nothing is stored. */
  storedBytes(row: Row | undefined): number {
    return (row && this.consequences.storedBytes?.(row)) ?? 0
  }

  private encoded(parts: readonly (string | number)[]): readonly KeyPart[] {
    return parts.map((part, index) => {
      const [name, kind] = this.shape[index] ?? []
      if (typeof part !== (kind === 'text' ? 'string' : 'number')) {
        throw new TypeError(`${this.name}: part ${name ?? index} of the key cannot be a ${typeof part}`)
      }
      return kind === 'newest' && typeof part === 'number' ? descending(part) : part
    })
  }

  private isKey(values: readonly (string | number | undefined)[]): values is Parts {
    return values.every((value) => value !== undefined)
  }
}

export const refersTo = (table: string, ...parts: readonly (string | number)[]): Reference => ({
  table,
  key: encodeKey([table, ...parts]),
})

/** First parts of the keys of what is owned, and names of the kinds of row that own. */
const ownerParts = ['tenant', 'document'] as const

export function rowKind<const Shape extends KeyShape, Schema extends TSchema>(
  definition: RowDefinition<Shape, Schema>,
): RowKind<KeyOf<Shape>, Static<Schema>> {
  const { name, key, schema, ...consequences } = definition
  return new RowKind<KeyOf<Shape>, Static<Schema>>(name, key, { codec: rowCodec(name, schema), consequences })
}

/** Undefined = the part is of another kind. */
function partValue(part: KeyPart, kind: PartKind | undefined): string | number | undefined {
  if (kind === 'newest') return part instanceof Descending ? part.value : undefined
  return typeof part === (kind === 'text' ? 'string' : 'number') && !(part instanceof Descending) ? part : undefined
}
