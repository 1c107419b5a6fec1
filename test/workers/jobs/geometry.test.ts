// Where the characters of a page stand: poppler finds the words at the same places; numbers are those of the text; rotation, crop
// box and unit of the page change nothing but the origin.
import t, { type Test } from 'tap'
import type { PageGeometry } from '../../../workers/contract/page-geometry.js'
import { geometry } from '../../../workers/jobs/geometry.js'
import { text } from '../../../workers/jobs/text.js'
import { needsCorpus } from '../../support/pdf/corpus.js'
import { measuredCorpus } from '../../support/pdf/corpus-index.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { readsOfFile } from '../../support/pdf/reads.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

const resources = helvetica
const two = 'BT /F1 12 Tf 14 TL 20 170 Td (One line of text) Tj T* (and \\(another\\) caf\\351) Tj ET'
const mixed =
  'BT /F1 12 Tf 20 100 Td (Large ) Tj /F1 8 Tf (and small) Tj ET BT /F1 10 Tf 0 1 -1 0 200 20 Tm (Upwards) Tj ET'

async function both(t: Test, bytes: Buffer, page = 3) {
  const source = Workshop.of(t).source(bytes)
  const run = runner(t)
  return { source, ...(await run(text, { source, page })), ...(await run(geometry, { source, page })) }
}

interface Placed {
  readonly x: number
  readonly y: number
  readonly right: number
  readonly bottom: number
  readonly isSpace: boolean
}

/** Boxes by the number of their character. */
function boxes({ runs }: PageGeometry): Map<number, Placed> {
  return new Map(runs.flatMap((run) => run.glyphs.map((glyph, index) => [run.start + index, placed(glyph)] as const)))
}

function placed({ loose, space, empty }: PageGeometry['runs'][number]['glyphs'][number]): Placed {
  const corners =
    'width' in loose ? [loose, { x: loose.x + loose.width, y: loose.y + loose.height }] : Object.values(loose)
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)]
  const box = { x: Math.min(...xs), y: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) }
  t.equal(empty === true, box.x === box.right || box.y === box.bottom)
  return { ...box, isSpace: space === true }
}

t.test('every character but the line breaks has one place, in the order of the text', async (t) => {
  for (const content of [two, mixed]) {
    const { text: characters, runs } = await both(t, onePage(content, { resources }))
    const found = boxes({ runs })
    t.same(
      [...found.keys()],
      [...characters].flatMap((character, index) => (character === '\n' ? [] : [index])),
    )
    for (const [index, { isSpace, ...box }] of found) {
      t.equal(isSpace, characters[index] === ' ')
      t.ok(box.right > box.x && box.bottom > box.y)
    }
    for (const { rect, glyphs } of runs)
      for (const { x, y, right, bottom } of glyphs.map(placed)) {
        t.ok(x >= rect.x && y >= rect.y)
        t.ok(right <= rect.x + rect.width + 0.001 && bottom <= rect.y + rect.height + 0.001)
      }
  }
})

t.test('poppler finds the words at the same places', needs('pdftotext'), async (t) => {
  for (const content of [two, mixed]) {
    const { source, text: characters, runs } = await both(t, onePage(content, { resources }))
    const found = boxes({ runs })
    const theirs = judged('pdftotext', ['-bbox', source.path, '-']).toString()
    const words = [...theirs.matchAll(/<word xMin="(.+?)" yMin="(.+?)" xMax="(.+?)" yMax="(.+?)">(.*?)<\/word>/g)]
    t.ok(words.length > 2)
    for (const [, xMin, yMin, xMax, yMax, word = ''] of words) {
      const start = characters.indexOf(word)
      const glyphs = [...word].map((_, index) => found.get(start + index))
      const left = Math.min(...glyphs.map((glyph) => glyph?.x ?? Number.NaN))
      const right = Math.max(...glyphs.map((glyph) => glyph?.right ?? Number.NaN))
      const top = Math.min(...glyphs.map((glyph) => glyph?.y ?? Number.NaN))
      const bottom = Math.max(...glyphs.map((glyph) => glyph?.bottom ?? Number.NaN))
      const isNear = (ours: number, other: string | undefined, by: number) =>
        t.ok(Math.abs(ours - Number(other)) < by, `${word}: ${ours} ${other}`)
      // The programs take ascent and descent, which are across the direction of writing, from different tables.
      const isAcross = word === 'Upwards'
      isNear(left, xMin, isAcross ? 5 : 0.5)
      isNear(right, xMax, isAcross ? 5 : 0.5)
      isNear(top, yMin, isAcross ? 0.5 : 5)
      isNear(bottom, yMax, isAcross ? 0.5 : 5)
    }
  }
})

t.test('size and direction of writing are those of the unrotated page', async (t) => {
  const { runs } = await both(t, onePage(mixed, { resources }))
  t.same(
    runs.map((run) => [run.fontSize, 'rotation' in run ? run.rotation : 'upright']),
    [
      [12, 'upright'],
      [8, 'upright'],
      [10, 270],
    ],
  )
})

t.test('turned and mirrored text has corners, named along the direction of writing', async (t) => {
  for (const [matrix, rotation, ascentFlip] of [
    ['0 1 -1 0', 270, false],
    ['0.866025 0.5 -0.5 0.866025', 330, false],
    ['-1 0 0 -1', 180, false],
    ['-1 0 0 1', 180, true],
    ['1 0 0 -1', 0, true],
  ] as const) {
    const content = `BT /F1 20 Tf ${matrix} 150 100 Tm (Turned) Tj ET`
    const { runs } = await both(t, onePage(content, { resources }))
    const [run] = runs
    if (!run || !('rotation' in run)) throw new Error(`${matrix}: the run is upright`)
    t.match(run, { rotation, ascentFlip }, matrix)
    const [{ loose } = { loose: undefined }] = run.glyphs
    if (loose === undefined) throw new Error(`${matrix}: no glyph`)
    const degrees =
      (Math.atan2(loose.upperRight.y - loose.upperLeft.y, loose.upperRight.x - loose.upperLeft.x) * 180) / Math.PI
    t.equal(Math.round(degrees + 360) % 360, rotation, `${matrix}: the upper edge runs along the text`)
    // The baseline starts at (150, 100) of a page that is 200 points high.
    t.ok(Math.hypot(loose.lowerLeft.x - 150, loose.lowerLeft.y - 100) < 8, `${matrix}: it begins at its origin`)
    t.ok(Math.hypot(loose.upperLeft.x - 150, loose.upperLeft.y - 100) > 8, `${matrix}: the ascent is away from it`)
  }
})

t.test('rotation and unit of the page change nothing, the crop box moves the origin', async (t) => {
  const { runs } = await both(t, onePage(mixed, { resources }))
  for (const page of ['/Rotate 90', '/Rotate 180', '/Rotate 270', '/UserUnit 2', '/UserUnit 3/Rotate 90']) {
    const other = await both(t, onePage(mixed, { resources, page }))
    t.same(new Set(other.runs.map(shape)), new Set(runs.map(shape)), page)
  }
  const cropped = await both(t, onePage(mixed, { resources, page: '/CropBox[10 5 290 180]/Rotate 90' }))
  const moved = runs.map((run) => ({ ...run, rect: { ...run.rect, x: run.rect.x - 10, y: run.rect.y - 20 } }))
  t.same(new Set(cropped.runs.map(shape)), new Set(moved.map(shape)))
})

t.test('in real files characters have the numbers of the text', needsCorpus, async (t) => {
  const run = runner(t)
  for (const { file, record } of measuredCorpus()) {
    if (file.isHostile) continue
    for (const { ref } of readsOfFile(t, file.source).layout().pages.slice(0, 3)) {
      const input = { source: file.source, page: ref.objectNumber }
      const [{ text: characters, charCount }, { runs }] = [await run(text, input), await run(geometry, input)]
      const breaks = characters.split('\n').length - 1
      t.equal(boxes({ runs }).size + breaks, charCount, `${record.file} ${ref.objectNumber}`)
    }
  }
})

t.test('a page with more glyphs than a response may contain is refused', async (t) => {
  const source = Workshop.of(t).source(onePage(two, { resources }))
  await t.rejects(runner(t, { glyphsMax: 5 })(geometry, { source, page: 3 }), {
    code: 'PayloadTooLarge',
    details: { limit: 'glyphsMax', max: 5 },
  })
})

/** Reading order may differ on a rotated page, and numbers of characters with it. */
function shape({ rect, fontSize, glyphs, ...run }: PageGeometry['runs'][number]): string {
  const rounded = [rect.x, rect.y, rect.width, rect.height, fontSize].map((value) => Math.round(value * 10) / 10)
  return JSON.stringify([...rounded, 'rotation' in run ? run.rotation : 0, glyphs.length])
}
