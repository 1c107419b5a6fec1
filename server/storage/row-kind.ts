// Definition of a kind of row: name, key parts, schema, and what a row implies: index rows, references to other rows, claims
// on blobs. `row-kinds.ts` lists all kinds.
import type { Static, TSchema } from 'typebox'
import type { BlobName } from './blobs.js'
import type { Key } from './keys.js'
import { Descending, decodeKey, descending, encodeKey, type KeyPart, type KeyRange, prefixRange } from './keys.js'
import { type RowCodec, rowCodec } from './row-codec.js'
import type { Entry, Value } from './store.js'

/** Type of a key part; `newest` is a number that sorts the largest value first. */
export type PartKind = 'text' | 'number' | 'newest'

/** `[name, kind]` of the parts, in the order of the key. */
export type KeyShape = readonly (readonly [name: string, kind: PartKind])[]

export type KeyOf<Shape extends KeyShape> = {
  readonly [Part in keyof Shape]: Shape[Part][1] extends 'text' ? string : number
}

/** Leading parts of a key, none to all. */
export type KeyPrefix<Parts extends readonly unknown[]> = Parts extends readonly [infer First, ...infer Rest]
  ? readonly [] | readonly [First, ...KeyPrefix<Rest>]
  : readonly []

/** Blob that must exist as long as the row does. */
export interface BlobClaim {
  readonly blob: BlobName
  readonly sizeBytes?: number
  readonly sha256?: string
  /** The server creates the blob again on request, so a backup omits it if it is missing. */
  readonly isRemade?: boolean
  /** May be missing at any time: it is not looked for in a check, and not part of a backup. */
  readonly isOptional?: boolean
}

/** Row that must exist because of another one. Keys of referenced rows have no `newest` part. */
export interface Reference {
  readonly table: string
  readonly key: Key
}

export interface RowConsequences<Parts, Row> {
  /** Returns the index rows that exist as long as this row implies them. */
  readonly indexes?: (key: Parts, row: Row) => readonly Entry[]
  /** Returns the row that an index row points to. */
  readonly leadsTo?: (key: Parts, row: Row) => Reference
  readonly references?: (key: Parts, row: Row) => readonly Reference[]
  readonly blobs?: (key: Parts, row: Row) => readonly BlobClaim[]
  /** Returns the bytes of content, in the row or in a blob, that exist because of this row alone. */
  readonly storedBytes?: (row: Row) => number
}

export interface RowDefinition<Shape extends KeyShape, Schema extends TSchema>
  extends RowConsequences<KeyOf<Shape>, Static<Schema>> {
  readonly name: string
  readonly key: Shape
  readonly schema: Schema
}

/** Decoded row of any kind, for walks over all rows. */
export interface OpenedRow {
  readonly parts: readonly (string | number)[]
  readonly row: unknown
  readonly indexes: readonly Entry[]
  readonly leadsTo: Reference | undefined
  /** References of the row, including `leadsTo`. */
  readonly references: readonly Reference[]
  readonly blobs: readonly BlobClaim[]
  readonly storedBytes: number
}

/** Row kind of any type, for walks over all rows. */
export interface AnyRowKind {
  readonly name: string
  readonly all: KeyRange
  readonly namesBlobs: boolean
  /** True if rows of this kind point to rows of another kind and are removed with them. */
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

  /**
   * Returns the range of rows that are deleted with the tenant or document; undefined if rows of this kind have no
   * such owner.
   */
  ownedBy(tenant: string, document?: string): KeyRange | undefined {
    const owner = document === undefined ? [tenant] : [tenant, document]
    const isOwned = owner.every((_, index) => this.shape[index]?.[0] === ownerParts[index])
    return isOwned ? prefixRange([this.name, ...owner]) : undefined
  }

  /**
   * Returns the internal ids of tenant and document with which the key begins, as far as keys of this kind contain
   * them.
   */
  ownersOf(key: Key): readonly string[] {
    const parts: readonly (string | number)[] = this.parts(key) ?? []
    const first = this.shape.findIndex(([name], index) => name !== ownerParts[index])
    return parts.slice(0, first < 0 ? undefined : first).map(String)
  }

  key(parts: Parts): Key {
    return encodeKey([this.name, ...this.encoded(parts)])
  }

  /** Returns the range of all rows whose key begins with these parts. */
  prefix(parts: KeyPrefix<Parts>): KeyRange {
    return prefixRange([this.name, ...this.encoded(parts)])
  }

  /** Returns the parts of a key; undefined for a key of another kind. */
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

  /** Throws like `RowCodec.encode`. */
  encode(key: Key, row: Row): Value {
    return this.codec.encode(key, row)
  }

  /** Throws `RowCorrupt`. */
  decode(entry: Entry): Row {
    return this.codec.decode(entry.key, entry.value)
  }

  /** Decodes an entry; undefined for a key of another kind. Throws `RowCorrupt`. */
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

  /** Returns references to the tenant and the document of a row, without the row itself. */
  owners(parts: Parts): readonly Reference[] {
    return ownerParts
      .filter((owner, index) => this.shape[index]?.[0] === owner && owner !== this.name)
      .map((owner, index) => refersTo(owner, ...parts.slice(0, index + 1)))
  }

  blobs(parts: Parts, row: Row): readonly BlobClaim[] {
    return this.consequences.blobs?.(parts, row) ?? []
  }

  /** Returns the stored bytes; 0 for undefined. */
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

/** Leading parts of the keys of owned rows, which are also the names of the row kinds that own them. */
const ownerParts = ['tenant', 'document'] as const

export function rowKind<const Shape extends KeyShape, Schema extends TSchema>(
  definition: RowDefinition<Shape, Schema>,
): RowKind<KeyOf<Shape>, Static<Schema>> {
  const { name, key, schema, ...consequences } = definition
  return new RowKind<KeyOf<Shape>, Static<Schema>>(name, key, { codec: rowCodec(name, schema), consequences })
}

/** Returns the value of a key part; undefined if the part is of another type. */
function partValue(part: KeyPart, kind: PartKind | undefined): string | number | undefined {
  if (kind === 'newest') return part instanceof Descending ? part.value : undefined
  return typeof part === (kind === 'text' ? 'string' : 'number') && !(part instanceof Descending) ? part : undefined
}
