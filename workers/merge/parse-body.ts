// Parses the body of an object image, as the engine prints it: tokens are separated by at most one blank, and there are
// no comments.
import { JobRefusal } from '../contract/job-refusal.js'
import { limits } from '../limits.js'
import type { Value } from './value.js'

export interface ParsedObject {
  /** Value of the object; a stream dictionary lacks `/Length`, which follows from the bytes. */
  readonly value: Value
  /** Bytes of a stream as stored; undefined for any other object. */
  readonly bytes: Uint8Array | undefined
}

const streamStart = Buffer.from('\nstream\n')
const streamEnd = Buffer.from('\nendstream')

/** Throws `MalformedPdf`. */
export function parseBody(body: Uint8Array): ParsedObject {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const parser = new Parser(buffer.subarray(0, textEnd(buffer)).toString('latin1'))
  const value = parser.value(0)
  parser.end()
  const start = textEnd(buffer)
  if (start === buffer.length) return { value, bytes: undefined }
  const bytes = buffer.subarray(start + streamStart.length, buffer.length - streamEnd.length)
  return { value: value instanceof Map ? new Map([...value].filter(([key]) => key !== '/Length')) : value, bytes }
}

/** A string cannot contain this text: the engine escapes line breaks in it. */
function textEnd(body: Buffer): number {
  if (!body.subarray(-streamEnd.length).equals(streamEnd)) return body.length
  const place = body.indexOf(streamStart)
  return place < 0 ? body.length : place
}

/** Returns the body of an object as it is stored. */
export function bodyText(text: string, bytes: Uint8Array | undefined): Uint8Array {
  if (bytes === undefined) return Buffer.from(text, 'latin1')
  const dictionary = text.replace('<<', `<</Length ${bytes.length}`)
  return Buffer.concat([Buffer.from(dictionary, 'latin1'), streamStart, bytes, streamEnd])
}

const token = /\s*(?:<<|>>|\[|\]|\((?:[^\\()]+|\\[\s\S])*\)|<[0-9A-Fa-f\s]*>|\/[^\s()<>[\]{}/%]*|[^\s()<>[\]{}/%]+)/y

class Parser {
  #at = 0

  constructor(private readonly text: string) {}

  value(depth: number): Value {
    if (depth > limits.depthMax) throw unreadable()
    const found = this.#next()
    if (found === '<<') return this.#dictionary(depth)
    if (found === '[') return this.#array(depth)
    if (found === undefined || found === '>>' || found === ']') throw unreadable()
    return /^\d+$/.test(found) ? (this.#reference(found) ?? found) : found
  }

  end(): void {
    if (this.text.slice(this.#at).trim() !== '') throw unreadable()
  }

  #dictionary(depth: number): Value {
    const entries = new Map<string, Value>()
    for (let key = this.#next(); key !== '>>'; key = this.#next()) {
      if (key === undefined || !key.startsWith('/')) throw unreadable()
      entries.set(key, this.value(depth + 1))
    }
    return entries
  }

  #array(depth: number): Value {
    const items: Value[] = []
    for (;;) {
      const before = this.#at
      if (this.#next() === ']') return items
      this.#at = before
      items.push(this.value(depth + 1))
    }
  }

  #reference(number: string): Value | undefined {
    const pattern = /\s+(\d+)\s+R(?![^\s()<>[\]{}/%])/y
    pattern.lastIndex = this.#at
    const match = pattern.exec(this.text)
    if (match === null) return undefined
    this.#at = pattern.lastIndex
    return { number: Number(number), generation: Number(match[1]) }
  }

  #next(): string | undefined {
    token.lastIndex = this.#at
    const match = token.exec(this.text)
    if (match === null) return undefined
    this.#at = token.lastIndex
    return match[0].trimStart()
  }
}

const unreadable = (): JobRefusal => new JobRefusal('MalformedPdf', 'An object of the layer cannot be read')
