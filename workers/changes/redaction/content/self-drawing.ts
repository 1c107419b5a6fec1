// Forms that draw themselves, or each other very often: each use is written on its own when a page is redacted, so what
// that comes to is counted before.
import type { PDFObject } from 'mupdf'
import { orElse } from '../../../pdf/trap.js'
import { elementsOf, entry, isArray, isStream, nameOf, objectNumberOf } from '../../../pdf/values.js'
import { JobRefusal } from '../../../task.js'
import { nameIn } from './operators.js'

/** Forms in forms: the engine goes that deep with what stack it has. */
const depthMax = 28
/** Uses of forms on one page, and bytes of content they come to, those inside of others included. */
const usesMax = 20_000
const bytesMax = 128 * 1024 * 1024
/** Streams one page's content may be divided into. */
const streamsMax = 100_000

interface Cost {
  readonly uses: number
  readonly bytes: number
}

/** Throws `MalformedPdf`. */
export function refuseSelfDrawing(page: PDFObject): void {
  new Counting().costOf(entry(page, 'Contents'), page.getInheritable('Resources'), 0)
}

class Counting {
  readonly #known = new Map<number, Cost>()
  readonly #open = new Set<number>()

  /** `resources`: of what it stands in, for a form that has none. */
  costOf(stream: PDFObject, resources: PDFObject, depth: number): Cost {
    const number = objectNumberOf(stream) ?? 0
    const known = this.#known.get(number)
    if (known !== undefined) return known
    if (this.#open.has(number) || depth > depthMax) throw refusal()
    if (number > 0) this.#open.add(number)
    const cost = this.#counted(contentsOf(stream), resources, depth)
    this.#open.delete(number)
    // What a form without resources draws is for whoever uses it to say.
    if (number > 0 && !entry(stream, 'Resources').isNull()) this.#known.set(number, cost)
    return cost
  }

  #counted(content: string, resources: PDFObject, depth: number): Cost {
    let [uses, bytes] = [1, content.length]
    for (const [, written] of content.matchAll(/(\/[^\s\0()<>[\]{}/%]*)[\s\0]+Do(?![^\s\0()<>[\]{}/%])/g)) {
      const form = entry(resources, 'XObject', nameIn(written) ?? '')
      if (!isStream(form) || nameOf(entry(form, 'Subtype')) !== 'Form') continue
      const own = entry(form, 'Resources')
      const inner = this.costOf(form, own.isNull() ? resources : own, depth + 1)
      uses += inner.uses
      bytes += inner.bytes
      if (uses > usesMax || bytes > bytesMax) throw refusal()
    }
    return { uses, bytes }
  }
}

const refusal = (): JobRefusal => new JobRefusal('MalformedPdf', 'Drawings of the page use each other without end')

function contentsOf(contents: PDFObject): string {
  const streams = isArray(contents) ? [...elementsOf(contents, streamsMax)] : [contents]
  return streams.map((stream) => (isStream(stream) ? bytesOf(stream) : '')).join('\n')
}

const bytesOf = (stream: PDFObject): string =>
  orElse('', () => {
    const buffer = stream.readStream()
    try {
      return Buffer.from(buffer.asUint8Array()).toString('latin1')
    } finally {
      buffer.destroy()
    }
  })
