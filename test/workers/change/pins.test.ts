// Reads that a change declares no effect on are identical afterwards, to the last byte: clients cache versioned URLs
// for ever. Insertions are the hardest case, because they merge the forms of two documents.
import { readFileSync } from 'node:fs'
import t, { type Test } from 'tap'
import type { EffectList, PagePlane } from '../../../workers/change/effects.js'
import { annotations } from '../../../workers/jobs/annotations.js'
import { form } from '../../../workers/jobs/form.js'
import { layout } from '../../../workers/jobs/layout.js'
import { render } from '../../../workers/jobs/render.js'
import { text } from '../../../workers/jobs/text.js'
import type { Family } from '../../../workers/pictures/draw.js'
import { type ChangeRequest, type ChangingLayer, layerOf } from '../../support/pdf/changing.js'
import { formPdf } from '../../support/pdf/form-pdf.js'
import { judged, needs } from '../../support/pdf/judges.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { everyAnnotation } from '../../support/pdf/rich-pdf.js'
import { runner } from '../../support/pdf/running.js'
import { Workshop } from '../../support/pdf/workshop.js'

const widget = (entries: string): string => `<</Type/Annot/Subtype/Widget/F 4/P 3 0 R${entries}>>`
const drawing = (stream: string) => ({ body: '<</Type/XObject/Subtype/Form/BBox[0 0 80 20]>>', stream })

/** A text field with a stale appearance, a check box drawn as a cross, and a field without appearance. */
const formWith = (entries: string): Buffer =>
  onePage('', {
    resources: helvetica,
    page: '/Annots[10 0 R 11 0 R 12 0 R]',
    further: {
      ...(entries === 'none' ? {} : { 1: catalogWith(entries) }),
      10: widget('/FT/Tx/T(name)/V(Value)/Rect[10 10 90 30]/AP<</N 20 0 R>>'),
      11: widget('/FT/Btn/T(check)/V/On/AS/On/Rect[10 40 30 60]/AP<</N<</On 21 0 R/Off 22 0 R>>>>'),
      12: widget('/FT/Tx/T(bare)/V(Bare)/Rect[10 70 90 90]/MK<</BC[1 0 0]>>'),
      20: drawing('0 1 0 rg 0 0 80 20 re f'),
      21: drawing('0 0 1 RG 0 0 m 20 20 l 0 20 m 20 0 l S'),
      22: drawing(''),
    },
  })

const catalogWith = (entries: string): string =>
  `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R 11 0 R 12 0 R]/DA(/F1 12 Tf 0 g)${entries}>>>>`

const documents: Readonly<Record<string, () => Uint8Array>> = {
  'a form': () => formWith(''),
  'a form that leaves drawing to its readers': () => formWith('/NeedAppearances true'),
  'widgets without a form': () => formWith('none'),
  'a large form': () => formPdf(),
  annotations: () => everyAnnotation(),
  'a page alone': () => onePage('BT /F1 12 Tf 20 150 Td (Words) Tj ET', { resources: helvetica }),
}

type Reads = ReadonlyMap<string, { readonly bytes: string; readonly moves: (effects: EffectList) => boolean }>

const families: Readonly<Record<Family, readonly PagePlane[]>> = {
  pages: ['content'],
  annotations: ['content', 'annotations'],
  fields: ['content', 'widgets'],
  all: ['content', 'annotations', 'widgets'],
}

/** Returns every read with its own URL, and whether effects change its version. */
async function readsOf(t: Test, layer: ChangingLayer): Promise<Reads> {
  const run = runner(t)
  const source = Workshop.of(t).source(readFileSync(layer.sent()))
  const reads = new Map<string, { bytes: string; moves: (effects: EffectList) => boolean }>()
  const take = (name: string, answer: unknown, moves: (effects: EffectList) => boolean): void => {
    reads.set(name, { bytes: JSON.stringify(answer), moves })
  }
  const { pages } = await run(layout, { source })
  take('layout', pages, ({ document }) => document.includes('layout'))
  take('form', await run(form, { source }), ({ document }) => document.includes('forms'))
  take('annotations', await run(annotations, { source }), ({ document }) => document.includes('annotations'))
  for (const { ref } of pages) {
    const page = ref.objectNumber
    const moved =
      (...planes: readonly PagePlane[]) =>
      (effects: EffectList): boolean =>
        effects.pages.some((one) => one.page === page && one.planes.some((plane) => planes.includes(plane)))
    take(`text ${page}`, await run(text, { source, page }), moved('content'))
    take(`annotations ${page}`, await run(annotations, { source, page }), moved('annotations', 'widgets'))
    for (const [family, planes] of Object.entries(families)) {
      const view = { viewport: { kind: 'scale', scale: 0.5 }, target: undefined, rotation: 0 } as const
      const look = { view, encoding: { format: 'png' }, background: 'white' } as const
      const { bytes } = await run(render, { source, page, family: family as Family, ...look })
      take(`${family} ${page}`, Buffer.from(bytes).toString('base64'), moved(...planes))
    }
  }
  return reads
}

async function keepsWhatItDoesNotMove(t: Test, layer: ChangingLayer, what: string, request: ChangeRequest) {
  const before = await readsOf(t, layer)
  const { effects } = await layer.change(request)
  const after = await readsOf(t, layer)
  const wrong = [...before].filter(
    ([name, { bytes, moves }]) => !moves(effects) && after.has(name) && after.get(name)?.bytes !== bytes,
  )
  t.same(
    wrong.map(([name]) => name),
    [],
    what,
  )
}

t.test('an insertion changes the version of everything it affects', async (t) => {
  for (const [host, hostPdf] of Object.entries(documents)) {
    for (const [guest, guestPdf] of Object.entries(documents)) {
      const layer = layerOf(t, hostPdf())
      const request = {
        ops: [{ type: 'pages.insert', resources: { source: 'guest' } }],
        resources: { guest: { bytes: guestPdf() } },
      }
      await keepsWhatItDoesNotMove(t, layer, `${guest} into ${host}`, request)
    }
  }
})

t.test('every other op on pages changes the versions it affects', async (t) => {
  for (const [host, hostPdf] of Object.entries(documents)) {
    const layer = layerOf(t, hostPdf())
    await layer.change({
      ops: [{ type: 'pages.insert', resources: { source: 'guest' } }],
      resources: { guest: { bytes: formWith('none') } },
    })
    const [first, ...others] = layer
      .reads(t)
      .layout()
      .pages.map(({ ref }) => ref)
    const ops = [
      { type: 'pages.insertBlank', size: { width: 100, height: 100 } },
      { type: 'pages.rotate', pages: [first], rotation: 90 },
      { type: 'pages.reorder', pages: [...others.slice(-1)], position: 'start' },
      { type: 'pages.setName', page: first, name: 'first' },
      { type: 'pages.delete', pages: [first] },
      { type: 'pages.flatten', usage: 'display' },
    ]
    for (const op of ops) await keepsWhatItDoesNotMove(t, layer, `${op.type} of ${host}`, { ops: [op] })
  }
})

t.test('fields whose form leaves drawing to readers are drawn on insertion', needs('pdftotext'), async (t) => {
  const layer = layerOf(t, formWith(''))
  await layer.change({
    ops: [{ type: 'pages.insert', resources: { source: 'guest' } }],
    resources: { guest: { bytes: formWith('/NeedAppearances true') } },
  })
  t.equal(layer.reads(t).form().needsAppearances, false)
  const texts = [1, 2].map((page) =>
    judged('pdftotext', ['-f', `${page}`, '-l', `${page}`, layer.sent(), '-']).toString(),
  )
  t.match(texts[0], /^(?![\s\S]*Value)[\s\S]*Bare/, 'the stale drawing of the document stays')
  t.match(texts[1], /Bare[\s\S]*Value|Value[\s\S]*Bare/)
})
