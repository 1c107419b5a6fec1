// Rules for memory stores (agent configuration 2.8).
import { type ProviderRule, rule } from '../../../core/plugin/rule.js'
import { hasPlaceholder } from '../../../core/value/placeholder.js'
import type { MemoryStoreBody } from '../../kinds/memory-store.js'
import { memoryKey } from '../../shared/memory-path.js'

export const memoryLimits = {
  nameCharactersMax: 255,
  descriptionCharactersMax: 1_024,
  pathBytesMax: 1_024,
  pathSegmentsMax: 20,
  contentBytesMax: 102_400,
} as const

const kind = 'memory_store'
const phase = 'declaration'
const severity = 'error'
const spec = '2.8'

export const memoryStoreRules: readonly ProviderRule[] = [
  rule<MemoryStoreBody>({
    kind,
    phase,
    code: 'claude.memory-store-metadata',
    severity,
    spec,
    summary: 'Metadata values must be strings here',
    fix: 'Write the value as text in quotes, or pin the store to bailian.',
    *check({ declaration: { body } }) {
      for (const [key, value] of Object.entries(body.metadata ?? {}))
        if (typeof value !== 'string')
          yield { at: ['metadata', key], detail: 'Claude accepts only strings as metadata values.' }
    },
  }),
  rule<MemoryStoreBody>({
    kind,
    phase,
    code: 'claude.memory-store-limits',
    severity,
    spec,
    summary: 'A memory store is larger than the provider takes',
    fix: 'Shorten the text, or divide it among several entries.',
    *check({ declaration: { name, body } }) {
      const { nameCharactersMax, descriptionCharactersMax, contentBytesMax } = memoryLimits
      const texts = [
        { at: body.name === undefined ? [] : ['name'], text: body.name ?? name, max: nameCharactersMax },
        { at: ['description'], text: body.description ?? '', max: descriptionCharactersMax },
      ]
      for (const { at, text, max } of texts)
        if (!hasPlaceholder(text) && text.length > max)
          yield { at, detail: `Claude takes up to ${max} characters here; these are ${text.length}.` }
      for (const [index, { content }] of (body.entries ?? []).entries()) {
        const bytes = hasPlaceholder(content) ? 0 : Buffer.byteLength(content)
        if (bytes > contentBytesMax)
          yield {
            at: ['entries', index, 'content'],
            detail: `Claude takes ${contentBytesMax} bytes of UTF-8 in a memory; these are ${bytes}.`,
          }
      }
    },
  }),
  rule<MemoryStoreBody>({
    kind,
    phase,
    code: 'claude.memory-path',
    severity,
    spec,
    summary: 'An entry has a path that the provider refuses',
    fix: 'Use a short path of plain names, such as notes/style.md.',
    *check({ declaration: { body } }) {
      const entries = body.entries ?? []
      for (const [index, { key }] of entries.entries()) {
        const fault = pathFault(memoryKey(key)) ?? folderFault(key, entries)
        if (!hasPlaceholder(key) && fault !== undefined) yield { at: ['entries', index, 'key'], detail: fault }
      }
    },
  }),
]

function pathFault(path: string): string | undefined {
  const { pathBytesMax, pathSegmentsMax } = memoryLimits
  const segments = path.split('/')
  const bytes = Buffer.byteLength(`/${path}`)
  if (segments.length > pathSegmentsMax)
    return `Claude takes paths of up to ${pathSegmentsMax} names; this one has ${segments.length}.`
  if (segments.some((name) => name === '' || name === '.' || name === '..'))
    return `${path} has a name that is empty, . or ..; Claude resolves no such names.`
  if (bytes > pathBytesMax) return `Claude takes paths of up to ${pathBytesMax} bytes; this one has ${bytes}.`
  if (path !== path.normalize('NFC')) return `${path} is not in Unicode's composed form (NFC), which Claude insists on.`
  return undefined
}

/** Returns the problem of a path that is both a memory and a folder of memories. */
function folderFault(key: string, entries: NonNullable<MemoryStoreBody['entries']>): string | undefined {
  const inside = entries.find((other) => memoryKey(other.key).startsWith(`${memoryKey(key)}/`))
  return inside && `${memoryKey(key)} is a memory here and the folder of ${memoryKey(inside.key)}.`
}
