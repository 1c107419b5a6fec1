// Mutations of JSON values: at one place, anything else that JSON can be.
import type { Draw } from '../draw.js'

export const strangeTexts: readonly string[] = [
  ...[
    '',
    ' ',
    'x',
    '__proto__',
    'constructor',
    'toString',
    'null',
    'true',
    '-0',
    '1e999',
    '\u0000',
    '\ud800',
    '\uffff',
  ],
  ...['../../etc/passwd', '${HOME}', '${', '%00', '\\', '\n', '\u202e', '😀', 'a'.repeat(300), 'é'.repeat(5000)],
]
export const strangeNumbers: readonly number[] = [
  ...[0, -0, -1, 1, 0.5, 1e-300, 1e300, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53, Number.MAX_VALUE, 255, 65_536],
]

export function strangeValue(draw: Draw): unknown {
  const kinds: readonly (() => unknown)[] = [
    () => draw.one(strangeTexts),
    () => draw.one(strangeNumbers),
    () => null,
    () => draw.happens(0.5),
    () => [],
    () => ({}),
    () => nested(draw.between(2, 200)),
    () => Array.from({ length: draw.between(1, 2000) }, (_, index) => index),
    () => ({ [draw.one(strangeTexts)]: draw.one(strangeTexts) }),
  ]
  return draw.one(kinds)()
}

const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)])

/** Returns the value with one place changed: replaced, removed, renamed, doubled or extended. */
export function mutateJson(value: unknown, draw: Draw): unknown {
  const isBranch = typeof value === 'object' && value !== null && Object.keys(value).length > 0
  if (!isBranch || draw.happens(0.15)) return strangeValue(draw)
  if (Array.isArray(value)) {
    const at = draw.below(value.length)
    if (draw.happens(0.1)) return value.toSpliced(at, 1)
    if (draw.happens(0.1)) return value.toSpliced(at, 0, value[at])
    return value.with(at, mutateJson(value[at], draw))
  }
  const members = Object.entries(value)
  const at = draw.below(members.length)
  const [name, member] = members[at] ?? ['', undefined]
  if (draw.happens(0.1)) return Object.fromEntries(members.toSpliced(at, 1))
  if (draw.happens(0.05)) return Object.fromEntries(members.with(at, [draw.one(strangeTexts), member]))
  if (draw.happens(0.05)) return { ...value, [draw.one(strangeTexts)]: strangeValue(draw) }
  return Object.fromEntries(members.with(at, [name, mutateJson(member, draw)]))
}
