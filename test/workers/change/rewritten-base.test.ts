// Base rewritten by a redaction: the recorded size and hash are those on disk, whatever the engine's memory does.
import { statSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { Change } from '../../../workers/change/change.js'
import { rewriteBase } from '../../../workers/change/rewritten-base.js'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { openFile } from '../../../workers/document/open-file.js'
import { asTask } from '../../../workers/engine/library.js'
import { digestOf } from '../../../workers/file/digest.js'
import { limits } from '../../../workers/limits.js'
import { changedAt, layerOf } from '../../support/pdf/changing.js'
import { growEngineMemory } from '../../support/pdf/engine-growth.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { Workshop } from '../../support/pdf/workshop.js'
import { isLong, longTimeoutMs, seed } from '../../support/sample.js'

t.test('size and hash are those of the file, even if engine memory grows during the check', async (t) => {
  const workshop = Workshop.of(t)
  const source = workshop.source(onePage('0 0 100 100 re f'))
  const path = workshop.path('rewritten.pdf')
  const written = await asTask(() => {
    const document = openFile(source)
    const surroundings = { nextObject: 5, inline: [], resources: {}, itemsMax: limits.itemsMax }
    const change = new Change(document, { ...surroundings, stamp: { now: changedAt, author: null } })
    change.rewrite(growEngineMemory)
    try {
      return rewriteBase(change, { path, password: undefined })
    } finally {
      document.destroy()
    }
  })
  t.same(written, { path, ...digestOf(path) })
  t.ok(written.sizeBytes > 0)
})

const kinds = {
  bilevel: { colorSpace: '/DeviceGray/BitsPerComponent 1', bytes: (pixels: number) => Math.ceil(pixels / 8) },
  grey: { colorSpace: '/DeviceGray/BitsPerComponent 8', bytes: (pixels: number) => pixels },
  color: { colorSpace: '/DeviceRGB/BitsPerComponent 8', bytes: (pixels: number) => pixels * 3 },
} as const

interface Scan {
  readonly kind: keyof typeof kinds
  readonly dpi: number
}

const [pageWidth, pageHeight] = [298, 421]

/** A single picture covering an A6 page, with a black line on white. */
function scanOf({ kind, dpi }: Scan): Buffer {
  const { colorSpace, bytes } = kinds[kind]
  const [width, height] = [Math.round((pageWidth * dpi) / 72), Math.round((pageHeight * dpi) / 72)]
  const row = bytes(width)
  const pixels = Buffer.alloc(row * height, 255).fill(0, row * Math.floor(height / 2), row * Math.floor(height / 2 + 9))
  const picture = `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace${colorSpace}/Filter/FlateDecode>>`
  return onePage(`q ${pageWidth} 0 0 ${pageHeight} 0 0 cm /I Do Q`, {
    size: [pageWidth, pageHeight],
    resources: '/XObject<</I 5 0 R>>',
    further: { 5: { body: picture, stream: deflateSync(pixels).toString('latin1') } },
  })
}

const scans = fc.record({
  kind: fc.constantFrom('bilevel', 'grey', 'color'),
  dpi: fc.integer({ min: 150, max: 600 }),
  x: fc.integer({ min: 0, max: 200 }),
  y: fc.integer({ min: 0, max: 400 }),
})

async function redacted(t: Test, { x, y, ...scan }: Scan & { readonly x: number; readonly y: number }): Promise<void> {
  const layer = layerOf(t, scanOf(scan))
  const [right, bottom] = [x + 70, y + 14]
  const quad = {
    upperLeft: { x, y },
    upperRight: { x: right, y },
    lowerLeft: { x, y: bottom },
    lowerRight: { x: right, y: bottom },
  }
  await layer.apply({ type: 'annotations.create', page: pageRef(3), data: { subtype: 'redact', quadPoints: [quad] } })
  const { rewritten } = await layer.apply({ type: 'redactions.apply', pages: [pageRef(3)] })
  if (rewritten === null) throw new Error('The redaction wrote no base')
  const { path, ...recorded } = rewritten
  t.ok(recorded.sizeBytes > 0 && statSync(path).size === recorded.sizeBytes)
  t.same(recorded, digestOf(path))
  judged('qpdf', ['--check', path])
}

t.test('the base of a redacted scan is complete', { ...needs('qpdf'), timeout: longTimeoutMs }, async (t) => {
  await fc.assert(
    fc.asyncProperty(scans, (scan) => redacted(t, scan)),
    { numRuns: isLong ? 90 : 8, seed },
  )
})
