// List of memories by path or time; with a depth, deeper folders are folded into prefixes.
import { type Static, Type } from 'typebox'
import type { JsonObject } from '../../../core/value/tree.js'
import { type Answer, refuse } from '../../emulator/contract.js'
import type { StoredObject } from '../../emulator/store.js'
import { limitOf, pageQuery } from './objects.js'
import { Exact } from './schema.js'

export const MemoryListQuery = Exact({
  ...pageQuery,
  path_prefix: Type.Optional(Type.String({ pattern: '^/' })),
  depth: Type.Optional(Type.String({ pattern: '^[1-9][0-9]?$' })),
  order_by: Type.Optional(Type.Enum(['path', 'updated_at'])),
})
type MemoryListQuery = Static<typeof MemoryListQuery>

interface Entry {
  /** Unique key by which the list is sorted. */
  readonly key: string
  readonly body: JsonObject
}

export function memoryList(memories: Iterable<StoredObject>, query: MemoryListQuery): Answer {
  const entries = entriesOf(memories, query)
  entries.sort((a, b) => (a.key < b.key ? -1 : 1))
  const start = query.page === undefined ? 0 : placeAfter(entries, query.page)
  const limit = limitOf(query)
  const page = entries.slice(start, start + limit)
  const last = page.at(-1)
  return {
    body: {
      data: page.map(({ body }) => body),
      prefixes: page.flatMap(({ body }) => (body['type'] === 'memory_prefix' ? [body['path'] ?? null] : [])),
      ...(last && entries.length > start + limit ? { next_page: tokenOf(last) } : {}),
    },
  }
}

function entriesOf(memories: Iterable<StoredObject>, { path_prefix = '/', depth, order_by }: MemoryListQuery): Entry[] {
  const entries: Entry[] = []
  const folders = new Set<string>()
  for (const { body } of memories) {
    const path = String(body['path'])
    if (!path.startsWith(path_prefix)) continue
    const below = path.slice(path_prefix.length).replace(/^\//, '').split('/')
    if (depth === undefined || below.length <= Number(depth)) {
      const key = order_by === 'updated_at' ? `${body['updated_at']} ${path}` : path
      entries.push({ key, body })
    } else {
      const head = path.slice(0, path.length - below.join('/').length)
      folders.add(`${head}${below.slice(0, Number(depth)).join('/')}/`)
    }
  }
  return [...entries, ...[...folders].map((path) => ({ key: path, body: { type: 'memory_prefix', path } }))]
}

function tokenOf({ key }: Entry): string {
  return `page_${Buffer.from(key).toString('base64url')}`
}

function placeAfter(entries: readonly Entry[], token: string): number {
  if (!token.startsWith('page_')) throw refuse('invalid', 'page: not a page token', { param: 'page' })
  const key = Buffer.from(token.slice('page_'.length), 'base64url').toString()
  const place = entries.findIndex((entry) => entry.key > key)
  return place < 0 ? entries.length : place
}
