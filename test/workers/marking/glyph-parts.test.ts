// A hit within a glyph that stands for several characters is where that glyph is: it is found, marked and removed whole.
import t, { type Test } from 'tap'
import type { PageBox } from '../../../workers/contract/page-box.js'
import type { PageGeometry } from '../../../workers/contract/page-geometry.js'
import { pageRef } from '../../../workers/contract/page-ref.js'
import { geometry } from '../../../workers/jobs/geometry.js'
import { search } from '../../../workers/jobs/search.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { everyObject } from '../../support/pdf/every-object.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { onePage, type RawObjects } from '../../support/pdf/raw-pdf.js'
import { runner } from '../../support/pdf/running.js'

interface Removed {
  readonly characters?: readonly { readonly text: string; readonly rect: PageBox }[]
}

const utf16 = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex')

/** Characters that codes stand for; all others stand for themselves. */
const ligatures: Readonly<Record<string, string>> = { A: 'ffi', B: 'SECRET', C: 'لا', D: 'Th' }

const letters = [...'abcdefghijklmnopqrstuvwxyz ']
const characters = { ...Object.fromEntries(letters.map((letter) => [letter, letter])), ...ligatures }
const lines = Object.entries(characters).map(([code, text]) => `<${code.charCodeAt(0).toString(16)}> <${utf16(text)}>`)

const further: RawObjects = {
  6: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding/ToUnicode 7 0 R>>',
  7: {
    body: '<<>>',
    stream: `1 begincodespacerange <00> <ff> endcodespacerange ${lines.length} beginbfchar ${lines.join(' ')} endbfchar`,
  },
  8: '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<</S 9 0 R>>/FirstChar 83/LastChar 83/Widths[0]/Encoding<</Differences[83/S]>>/ToUnicode 10 0 R>>',
  9: { body: '<<>>', stream: '0 0 d0' },
  10: { body: '<<>>', stream: '1 begincodespacerange <00><ff> endcodespacerange 1 beginbfchar <53><0053> endbfchar' },
}
const layerWith = (t: Test, content: string): ChangingLayer =>
  layerOf(t, onePage(content, { resources: '/Font<</F1 6 0 R/F2 8 0 R>>', further }))

/** A matrix for text, of which glyph and hit are in the same place. */
const turns = { upright: '1 0 0 1 40 100', turned: '0 1 -1 0 100 40', mirrored: '-1 0 0 1 200 100' }

const hits = [
  ['x B y', 'SECRET', 'xy'],
  ['x B y', 'ECRET', 'xy'],
  ['x B y', 'CR', 'xy'],
  ['x B y', 'SEC', 'xy'],
  ['oAce De', 'ice', 'oThe'],
  ['oAce De', 'he', 'office'],
  ['oAce De', 'fic', 'oeThe'],
  ['z Cx', 'ا', 'zx'],
] as const

for (const [name, matrix] of Object.entries(turns)) {
  t.test(`a glyph that contains a part of a hit is removed: ${name}`, needs('pdftotext'), async (t) => {
    for (const [content, text, left] of hits) {
      const layer = layerWith(t, `BT /F1 20 Tf ${matrix} Tm (${content}) Tj ET`)
      await layer.apply({ type: 'annotations.mark', text })
      await layer.apply({ type: 'redactions.apply' })
      const words = judged('pdftotext', ['-raw', layer.sent(), '-']).toString().replace(/\s/g, '')
      t.equal(words, left, `${text} of ${content}`)
    }
  })
}

t.test('characters that leave with a marked part of their glyph are named, with their place', async (t) => {
  for (const [code, from, to, text] of [
    ['A', 0, 0.2, 'fi'],
    ['A', 0.4, 1, 'f'],
    ['A', 0, 1, undefined],
    ['C', 0, 0.4, 'ل'],
    ['C', 0.6, 1, 'ا'],
    ['x', 0.8, 1, 'x'],
  ] as const) {
    const layer = layerWith(t, `BT /F1 20 Tf 40 100 Td (${code}) Tj ET`)
    const { runs } = await runner(t)(geometry, { source: layer.source, page: 3 })
    const { x, y, width, height } = runs[0]?.rect ?? { x: 0, y: 0, width: 0, height: 0 }
    const rect = { x: x + from * width, y, width: (to - from) * width, height }
    const at = (right: number, down: number) => ({ x: rect.x + right * rect.width, y: rect.y + down * height })
    const quad = { upperLeft: at(0, 0), upperRight: at(1, 0), lowerLeft: at(0, 1), lowerRight: at(1, 1) }
    await layer.apply({
      type: 'annotations.create',
      page: pageRef(3),
      data: { subtype: 'redact', rect, quadPoints: [quad] },
    })
    const { items } = await layer.apply({ type: 'redactions.apply' })
    const [removed] = items.flatMap((item) => (item as { removedWhole: readonly Removed[] }).removedWhole)
    t.equal(removed?.characters?.[0]?.text, text, `${code} from ${from} to ${to}`)
    if (removed === undefined) continue
    t.match(removed, { page: pageRef(3), kind: 'text', count: 1 })
    const place = removed.characters?.[0]?.rect
    t.ok(place !== undefined && Math.abs(place.x - x) < 5 && place.y > y && place.width < width + 2)
  }
})

t.test('glyphs without an advance behind another glyph are removed too', needs('qpdf'), async (t) => {
  const layer = layerWith(t, 'BT /F1 20 Tf 40 100 Td (x y) Tj /F2 20 Tf (S) Tj ET')
  await layer.apply({ type: 'annotations.mark', text: 'S' })
  await layer.apply({ type: 'redactions.apply' })
  t.notMatch(everyObject(layer.sent()), /\(S+\)\s*Tj/)
})

t.test(
  'a search answers the place of the glyph, and text geometry an empty place for its further characters',
  async (t) => {
    const { source } = layerWith(t, 'BT /F1 20 Tf 40 100 Td (x B y) Tj ET')
    const input = { source, isFull: false, skip: 0, pagesMax: 1, matchesMax: 10 }
    const options = { regex: false, matchCase: true, matchDiacritics: true, wholeWord: false, ignoreWhitespace: false }
    const placeOf = async (text: string) => {
      const { matches } = await runner(t)(search, { ...input, query: { ...options, text } })
      return matches.map(({ segments }) => segments)
    }
    const [whole] = await placeOf('SECRET')
    t.ok((whole?.[0]?.rect.width ?? 0) > 10)
    for (const part of ['ECRET', 'CR', 'T', 'S']) t.same(await placeOf(part), [whole], part)
    const { runs }: PageGeometry = await runner(t)(geometry, { source, page: 3 })
    t.same(
      runs.flatMap(({ glyphs }) => glyphs.map(({ empty }) => empty === true)),
      [false, false, false, true, true, true, true, true, false, false],
    )
  },
)
