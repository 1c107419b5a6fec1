// Text with styles: what files of other programs say, what requests say, and what is drawn.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { FreeTextAnnotation } from '../../../workers/contract/annotations/free-text.js'
import type { AnnotationPatch } from '../../../workers/contract/annotations/written.js'
import { annotatedPdf } from '../../support/pdf/annotated-pdf.js'
import { type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { type Pixels, pixelAt, pixelsOf } from '../../support/pdf/pictures.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { readsOf } from '../../support/pdf/reads.js'
import { annotationRef, page } from './support/drafts.js'

const rect = '/Rect[30 480 130 560]'

function freeText(t: Test, entries: string): FreeTextAnnotation {
  return onlyText(readsOf(t, annotatedPdf({ annotations: [entries] })).annotations().annotations)
}

function onlyText(annotations: readonly unknown[]): FreeTextAnnotation {
  const annotation: FreeTextAnnotation = Object(annotations[0])
  if (annotation.subtype !== 'free-text') throw new Error('No free text')
  return annotation
}

const textOn = (layer: ChangingLayer): FreeTextAnnotation => onlyText(layer.reads(t).annotations(3).annotations)

const box = { x: 10, y: 10, width: 280, height: 60 }

/** Makes free text on an empty page of 300 by 200 points. */
async function made(data: AnnotationPatch): Promise<ChangingLayer> {
  const layer = layerOf(t, onePage(''))
  await layer.apply({ type: 'annotations.create', page, data: { subtype: 'free-text', box, ...data } })
  return layer
}

const patched = (layer: ChangingLayer, patch: AnnotationPatch) =>
  layer.apply({ type: 'annotations.update', ref: textOn(layer).ref, patch })

const ofText = (runs: readonly object[], body?: object) => ({ ...(body && { body }), paragraphs: [{ runs }] })

/** Text of the annotation's entry in the file; undefined if there is none. */
function sentEntry(layer: ChangingLayer, key: string): string | undefined {
  const shown = judged('mutool', ['show', layer.sent(), `pages/1/Annots/1/${key}`])
    .toString()
    .trim()
  return shown === 'null' ? undefined : shown
}

t.test('free text without rich text reads as one, of its look and its lines', async (t) => {
  const entries = `${rect}/DA(0 1 0 rg /TiBI 8 Tf)/Q 2/Contents(One\\r\\nTwo\\rThree\\n)`
  const body = { family: 'Times', weight: 700, italic: true, size: 8, color: '#00ff00', decoration: [] }
  const rest = { script: 'normal', letterSpacing: 0, horizontalScale: 1, align: 'right', dir: 'ltr' } as const
  const lines = ['One', 'Two', 'Three', ''].map((text) => (text === '' ? [] : [{ text }]))
  t.same(freeText(t, `/Subtype/FreeText${entries}`).richText, {
    body: { ...body, ...rest },
    paragraphs: lines.map((runs) => ({ align: 'right', dir: 'ltr', runs })),
  })
  const empty = freeText(t, `/Subtype/FreeText${rect}`).richText
  t.same(empty.paragraphs, [{ align: 'left', dir: 'ltr', runs: [] }])
  const justified = freeText(t, `/Subtype/FreeText${rect}/Q 0/DS(text-align:justify)`)
  t.same([justified.textAlign, justified.richText.body.align], ['justify', 'justify'])
})

t.test(
  'styles of rich text that few programs write are read, and the look of the text is that of the body',
  async (t) => {
    const style =
      'font:italic 600 9pt Times;text-decoration:line-through word;letter-spacing:1.5pt;xfa-font-horizontal-scale:80%;kerning-mode:pair'
    const spans =
      '<span style="vertical-align:3pt">a</span><span style="vertical-align:sub;x-y:z">b</span><sup>c</sup><u>d<s>e</s></u>'
    const odd = '<span style="font-weight:heavy;line-height:0;font-size:-2pt">f</span>'
    const { richText, ...text } = freeText(
      t,
      `/Subtype/FreeText${rect}/DA(/Helv 11 Tf)/RC(<body style="${style}"><p>${spans}${odd}</p></body>)`,
    )
    t.match(text, { fontFamily: 'times-bold-italic', fontSize: 9 })
    t.match(richText.body, {
      family: 'Times',
      weight: 600,
      italic: true,
      size: 9,
      decoration: ['line-through', 'word'],
      letterSpacing: 1.5,
      horizontalScale: 0.8,
      unknown: 'kerning-mode:pair',
    })
    t.same(richText.paragraphs[0]?.runs, [
      { text: 'a', style: { script: 'super' } },
      { text: 'b', style: { script: 'sub', unknown: 'x-y:z' } },
      { text: 'c', style: { script: 'super' } },
      { text: 'd', style: { decoration: ['underline'] } },
      { text: 'e', style: { decoration: ['underline', 'line-through'] } },
      { text: 'f', style: { unknown: 'font-weight:heavy;line-height:0;font-size:-2pt' } },
    ])
  },
)

t.test('rich text is read back as written, and contents is its plain text', async (t) => {
  const richText = {
    body: { size: 11, decoration: ['underline'], unknown: 'kerning-mode:pair' },
    paragraphs: [
      {
        align: 'center',
        runs: [
          { text: 'Bold & <big> ', style: { weight: 800, family: 'Myriad Pro' } },
          { text: 'plain\rnext', style: { decoration: [], script: 'super' } },
        ],
      },
      {
        runs: [{ text: 'red', style: { color: '#ff0000', italic: true, letterSpacing: -0.5, horizontalScale: 1.25 } }],
        lineHeight: 18,
        unknown: 'tab-interval:36pt',
      },
    ],
  }
  const layer = await made({ richText })
  const before = textOn(layer)
  t.match(before, { richText, contents: 'Bold & <big> plain\nnext\nred', fontSize: 11 })
  const same = await patched(layer, { ...before })
  t.same([same.images, Object(same.items[0]).meta.changed], [[], []], 'a read that is sent back changes nothing')
  await patched(layer, { contents: 'New' })
  t.match(textOn(layer), { contents: 'New', fontSize: 11 })
  t.same(textOn(layer).richText.paragraphs, [{ align: 'left', dir: 'ltr', runs: [{ text: 'New' }] }])
  t.equal(sentEntry(layer, 'RC'), undefined, 'plain text has no rich text in the file')
})

t.test('names of earlier versions are accepted, and mean the same', async (t) => {
  const former = await made({
    richText: ofText([{ text: 'a', style: { bold: true, underline: true, strikethrough: true } }, { text: 'b' }], {
      fontFamily: 'times-italic',
      fontSize: 9,
      bold: false,
    }),
  })
  const { richText } = textOn(former)
  t.match(richText.body, { family: 'Times', size: 9, weight: 400, italic: true })
  t.same(richText.paragraphs[0]?.runs, [
    { text: 'a', style: { weight: 700, decoration: ['underline', 'line-through'] } },
    { text: 'b' },
  ])
  t.notOk('fontFamily' in richText.body || 'bold' in richText.body)
})

t.test('a create of plain text reads back a rich text, and null and contents keep text plain', async (t) => {
  const layer = await made({ contents: 'One\nTwo', fontFamily: 'courier-bold', fontSize: 9, textAlign: 'justify' })
  const before = textOn(layer)
  t.match(before.richText, {
    body: { family: 'Courier', weight: 700, size: 9, align: 'justify' },
    paragraphs: [{ runs: [{ text: 'One' }] }, { runs: [{ text: 'Two' }] }],
  })
  t.equal(sentEntry(layer, 'RC'), undefined)
  const { undo } = await patched(layer, { contents: 'Three' })
  t.match(textOn(layer), { contents: 'Three', richText: { paragraphs: [{ runs: [{ text: 'Three' }] }] } })
  await layer.undo(undo)
  t.same(textOn(layer).richText, before.richText)
  t.same((await patched(layer, { richText: null })).images, [], 'plain text is plain already')
  const expect = { richText: null, contents: 'One\nTwo' }
  await layer.apply({ type: 'annotations.update', ref: before.ref, patch: { fontSize: 10 }, expect })
  t.match(textOn(layer).richText, { body: { size: 10 } }, 'the look of plain text is that of its rich text')
  await patched(layer, { richText: ofText([{ text: 'Styled', style: { weight: 700, size: 30 } }]) })
  t.match(textOn(layer), { contents: 'Styled', richText: { body: { family: 'Courier', size: 10 } } })
  t.ok(sentEntry(layer, 'RC'))
  await patched(layer, { richText: null })
  t.match(textOn(layer), { contents: 'Styled', richText: { paragraphs: [{ runs: [{ text: 'Styled' }] }] } })
  t.equal(sentEntry(layer, 'RC'), undefined)
})

t.test('the look of the annotation and of the body are one: either changes the other', async (t) => {
  const layer = await made({
    fontSize: 20,
    richText: ofText([{ text: 'a' }, { text: 'b', style: { size: 30 } }], {
      size: 8,
      color: '#00FF00',
      family: 'Arial',
    }),
  })
  const sizes = () => [textOn(layer).fontSize, textOn(layer).richText.body.size]
  t.same(sizes(), [20, 20], 'a style by itself precedes that of the body')
  t.match(textOn(layer), { fontColor: '#00ff00', fontFamily: 'helvetica', richText: { body: { family: 'Arial' } } })
  const { undo } = await patched(layer, { fontSize: 12, textAlign: 'right' })
  t.same(sizes(), [12, 12])
  t.match(textOn(layer).richText.paragraphs, [{ align: 'right', runs: [{ text: 'a' }, { style: { size: 30 } }] }])
  await layer.undo(undo)
  t.same(sizes(), [20, 20])
  await patched(layer, { richText: ofText([{ text: 'c' }], { size: 6 }) })
  t.match(textOn(layer), { fontSize: 6, fontColor: '#00ff00', contents: 'c', richText: { body: { family: 'Arial' } } })
})

t.test('free text of another program: a read that is sent back changes nothing', async (t) => {
  const rich = '<body style="font-size:10pt;font-family:Arial;tab-interval:3pt"><p>a<i>b<br/>c</i></p></body>'
  for (const entries of [
    '/Contents(One\\rTwo)/DA(/Helv 11.3 Tf)',
    '/DS(text-align:justify)',
    `/RC(${rich})/Contents(x)`,
  ]) {
    const layer = layerOf(t, annotatedPdf({ annotations: [`/Subtype/FreeText${rect}${entries}`] }))
    const before = textOn(layer)
    const { images } = await layer.apply({ type: 'annotations.update', ref: annotationRef(10), patch: before })
    t.same(images, [], entries)
    const { undo } = await patched(layer, { contents: 'New', fontSize: 40 })
    t.match(textOn(layer).richText, { body: { size: 40 }, paragraphs: [{ runs: [{ text: 'New' }] }] })
    await layer.undo(undo)
    const { modifiedAt: _, ...after } = textOn(layer)
    const { modifiedAt: __, ...former } = before
    t.same(after, former, 'undone')
  }
})

t.test('every style is drawn, and poppler agrees', needs('pdftoppm', 'mutool'), async (t) => {
  const widths = async (style: object) => {
    const layer = await made({ richText: ofText([{ text: 'Hill', style: { size: 40, ...style } }]) })
    const prefix = join(t.testdir(), 'page')
    judged('pdftoppm', ['-r', '72', '-png', '-singlefile', layer.sent(), prefix])
    judged('mutool', ['draw', '-r', '72', '-o', `${prefix}-2.png`, layer.sent()])
    const [one, other] = [inkOf(await read(`${prefix}.png`)), inkOf(await read(`${prefix}-2.png`))]
    for (const side of ['left', 'right', 'top', 'bottom'] as const) {
      t.ok(Math.abs(one[side] - other[side]) <= 2, `${side}: ${one[side]} and ${other[side]}`)
    }
    return one
  }
  const plain = await widths({})
  const right = async (style: object) => (await widths(style)).right
  t.ok((await widths({ weight: 700 })).count > plain.count * 1.1, 'bold letters are thicker')
  t.equal((await widths({ weight: 500 })).count, plain.count)
  t.ok(Math.abs((await right({ letterSpacing: 10 })) - plain.right - 30) <= 2, 'space after three letters')
  t.ok(Math.abs((await right({ horizontalScale: 2 })) - (plain.right + (plain.right - 12))) <= 3, 'twice as wide')
  t.ok((await widths({ decoration: ['underline'] })).bottom > plain.bottom + 3)
  t.ok((await widths({ decoration: ['word'] })).bottom > plain.bottom + 3)
  t.ok((await widths({ decoration: ['line-through'] })).count > plain.count + 20)
  const [raised, lowered] = [await widths({ script: 'super' }), await widths({ script: 'sub' })]
  t.ok(raised.right < plain.right * 0.8, 'raised text is smaller')
  t.ok(raised.bottom < lowered.bottom - 15, 'raised text is higher than lowered text')
})

t.test('lines for words only leave out the blanks', needs('pdftoppm'), async (t) => {
  const inked = async (decoration: readonly string[]) => {
    const layer = await made({ richText: ofText([{ text: 'a          b', style: { size: 20, decoration } }]) })
    const prefix = join(t.testdir(), 'page')
    judged('pdftoppm', ['-r', '72', '-png', '-singlefile', layer.sent(), prefix])
    return inkOf(await read(`${prefix}.png`)).count
  }
  const [none, words, all] = [await inked([]), await inked(['underline', 'word']), await inked(['underline'])]
  t.ok(none < words && words < all - 30, `${none} ${words} ${all}`)
})

const read = (path: string): Promise<Pixels> => pixelsOf(readFileSync(path))

/** Extent of dark pixels, and their number. */
function inkOf(pixels: Pixels) {
  const ink = { left: pixels.width, right: 0, top: pixels.height, bottom: 0, count: 0 }
  for (let y = 0; y < pixels.height; y++) {
    for (let x = 0; x < pixels.width; x++) {
      if ((pixelAt(pixels, x, y)[0] ?? 255) > 128) continue
      ink.left = Math.min(ink.left, x)
      ink.right = Math.max(ink.right, x)
      ink.top = Math.min(ink.top, y)
      ink.bottom = Math.max(ink.bottom, y)
      ink.count++
    }
  }
  return ink
}
