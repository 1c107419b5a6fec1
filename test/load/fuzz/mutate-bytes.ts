// Mutations of bytes that know nothing of their meaning.
import type { Draw } from '../draw.js'

type Mutation = (bytes: Buffer, draw: Draw) => Buffer

const place = (bytes: Buffer, draw: Draw) => draw.below(bytes.length + 1)
/** A random range of at most this length. */
function range(bytes: Buffer, draw: Draw, lengthMax = 64): readonly [start: number, end: number] {
  const start = place(bytes, draw)
  return [start, Math.min(bytes.length, start + draw.between(1, lengthMax))]
}
const spliced = (bytes: Buffer, start: number, end: number, inserted: Uint8Array): Buffer =>
  Buffer.concat([bytes.subarray(0, start), inserted, bytes.subarray(end)])

/** Bytes at which parsers change their mind. */
const interesting = ['\0', '\xff', '\xff\xfe', '\r', '\n', '\\', '(', ')', '<', '>', '[', ']', '%', '/', '-1', '\x80']

const mutations: readonly Mutation[] = [
  (bytes, draw) => {
    const changed = Buffer.from(bytes)
    const at = draw.below(Math.max(1, bytes.length))
    changed[at] = (changed[at] ?? 0) ^ (1 << draw.below(8))
    return changed
  },
  (bytes, draw) => {
    const [start, end] = range(bytes, draw, 8)
    return spliced(bytes, start, end, draw.bytes(end - start))
  },
  (bytes, draw) => spliced(bytes, ...range(bytes, draw), Buffer.alloc(0)),
  (bytes, draw) => {
    const [start, end] = range(bytes, draw, 1024)
    return spliced(bytes, end, end, bytes.subarray(start, end))
  },
  (bytes, draw) => {
    const at = place(bytes, draw)
    return spliced(bytes, at, at, Buffer.from(draw.one(interesting), 'latin1'))
  },
  (bytes, draw) => bytes.subarray(0, place(bytes, draw)),
  (bytes, draw) => {
    const [start, end] = range(bytes, draw)
    const at = place(bytes, draw)
    return spliced(bytes, at, at, bytes.subarray(start, end))
  },
]

export const mutateBytes: Mutation = (bytes, draw) => draw.one(mutations)(bytes, draw)
