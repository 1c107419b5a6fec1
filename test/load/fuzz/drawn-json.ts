// Draws JSON values that a schema describes: valid ones for the most part, so that mutations of them reach far.
import type { Draw } from '../draw.js'
import { strangeNumbers, strangeTexts } from './mutate-json.js'

type Schema = Readonly<Record<string, unknown>>

const depthMax = 7
const texts = ['obj:3', 'default', 'acme', 'report', 'approval', 'plain', 'a', '#ff0000', 'https://example.invalid/']

export function drawnJson(schema: unknown, draw: Draw, depth = 0): unknown {
  const { type, properties, required, items, anyOf, allOf, minItems, ...rest }: Schema = Object(schema)
  if ('const' in rest) return rest['const']
  if (Array.isArray(rest['enum'])) return draw.one(rest['enum'])
  const branches = anyOf ?? allOf
  if (Array.isArray(branches)) return drawnJson(draw.one(branches), draw, depth + 1)
  if (depth > depthMax) return null
  if (type === 'boolean') return draw.happens(0.5)
  if (type === 'null') return null
  if (type === 'integer' || type === 'number') return drawnNumber(rest, draw)
  if (type === 'string') return draw.happens(0.15) ? draw.one(strangeTexts) : draw.one(texts)
  if (type === 'array') {
    const count = Math.max(Number(minItems ?? 0), draw.below(3))
    const item: unknown = Array.isArray(items) ? items[0] : items
    return Array.from({ length: Math.min(count, 8) }, () => drawnJson(item, draw, depth + 1))
  }
  const needed = new Set(Array.isArray(required) ? required : [])
  return Object.fromEntries(
    Object.entries(Object(properties))
      .filter(([name]) => needed.has(name) || draw.happens(0.4))
      .map(([name, member]) => [name, drawnJson(member, draw, depth + 1)]),
  )
}

function drawnNumber({ minimum, maximum }: Schema, draw: Draw): number {
  if (draw.happens(0.2)) return draw.one(strangeNumbers)
  const low = Number(minimum ?? 0)
  return draw.between(Math.max(low, -1000), Math.min(Number(maximum ?? low + 300), low + 300))
}
