// After an undo, every widget has its former appearance and looks as before, in our pictures and those of poppler,
// whatever kind of appearance it had, with and without NeedAppearances.
import t, { type Test } from 'tap'
import { openFile } from '../../../workers/document/open-file.js'
import { asTask } from '../../../workers/engine/library.js'
import { entry, isMissing } from '../../../workers/objects/values.js'
import { type ChangeRequest, type ChangingLayer, layerOf, type Op } from '../../support/pdf/changing.js'
import { named, widgetOn } from '../../support/pdf/form-pdf.js'
import { needs } from '../../support/pdf/judges.js'
import { pagePictures } from '../../support/pdf/page-pictures.js'
import { difference } from '../../support/pdf/pictures.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import { isLong, seed } from '../../support/sample.js'

const drawing = (stream: string) => ({ body: '<</Type/XObject/Subtype/Form/BBox[0 0 80 20]>>', stream })
const looks: Readonly<Record<string, string>> = {
  none: '',
  one: '/AP<</N 30 0 R>>',
  'normal, down and rollover': '/AP<</N 30 0 R/D 31 0 R/R 32 0 R>>',
  indirect: '/AP 33 0 R',
  states: '/AP<</N<</On 30 0 R/Off 31 0 R>>>>',
  'states without the current one': '/AP<</N<</Off 31 0 R>>/D<</On 32 0 R>>>>',
}

interface Kind {
  readonly entries: string
  readonly ops: readonly Op[]
}

const field = named('field')
const recolored: Op = { type: 'forms.updateWidget', widget: widgetOn(3, 10), patch: { interiorColor: '#ffff00' } }
const value = (value: object): Op => ({ type: 'forms.setValue', field, value })
const shown: Op = { type: 'forms.setAppearanceText', field, text: 'Shown' }
const hidden: Op = { type: 'forms.setDisplay', field, display: 'hidden' }
const reset: Op = { type: 'forms.reset' }

const kinds: Readonly<Record<string, Kind>> = {
  text: { entries: '/FT/Tx/V(Value)/DV(Default)', ops: [value({ value: 'New' }), reset, shown, recolored, hidden] },
  password: { entries: '/FT/Tx/Ff 8192/V(Value)', ops: [value({ value: 'New' }), recolored] },
  combobox: { entries: '/FT/Ch/Ff 131072/Opt[(a)(b)]/V(a)', ops: [value({ value: 'b' }), reset, shown] },
  listbox: { entries: '/FT/Ch/Opt[(a)(b)]/V(a)', ops: [value({ selectedValues: ['b'] }), recolored] },
  checkbox: { entries: '/FT/Btn/V/Off/AS/Off', ops: [value({ checked: true }), recolored] },
  'checkbox that is on': { entries: '/FT/Btn/V/On/AS/On', ops: [value({ checked: false }), reset, recolored] },
  'checkbox without a state': { entries: '/FT/Btn/Ff 1', ops: [value({ checked: true })] },
  radio: { entries: '/FT/Btn/Ff 32768/V/Off/AS/Off', ops: [recolored] },
  pushbutton: { entries: '/FT/Btn/Ff 65536/MK<</CA(Push)>>', ops: [recolored] },
  signature: { entries: '/FT/Sig', ops: [recolored] },
}

const formOf = (entries: string, form: string): Buffer =>
  onePage('', {
    page: '/Annots[10 0 R 11 0 R]',
    further: {
      1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R 11 0 R]/DA(/Helv 12 Tf 0 g)${form}>>>>`,
      10: `<</Type/Annot/Subtype/Widget/F 4/P 3 0 R/T(field)/Rect[10 100 90 120]${entries}>>`,
      11: '<</Type/Annot/Subtype/Widget/F 4/P 3 0 R/T(other)/FT/Tx/V(Other)/Rect[10 50 90 70]/AP<</N 30 0 R>>>>',
      30: drawing('1 0 0 rg 0 0 80 20 re f'),
      31: drawing('0 1 0 rg 0 0 80 10 re f'),
      32: drawing('0 0 1 rg 0 0 40 20 re f'),
      33: '<</N 30 0 R/D 31 0 R>>',
    },
  })

/** Returns the appearance entries of the file with references resolved. */
async function drawingsIn(layer: ChangingLayer): Promise<unknown> {
  return await asTask(() => {
    const document = openFile({ path: layer.sent() })
    try {
      const widgets = [10, 11].map((number) => entry(document.pdf.newIndirect(number), 'AP'))
      const all = [entry(document.catalog, 'AcroForm', 'NeedAppearances'), ...widgets]
      return all.map((value) => (isMissing(value) ? 'none' : value.resolve().toString(true)))
    } finally {
      document.destroy()
    }
  })
}

async function undoneIsAsBefore(t: Test, layer: ChangingLayer, what: string, request: ChangeRequest) {
  const pictures = await pagePictures(t, layer)
  const drawings = await drawingsIn(layer)
  const { undo } = await layer.change(request)
  const done = await pagePictures(t, layer)
  const { undo: redo } = await layer.undo(undo)
  const undone = await pagePictures(t, layer)
  t.same(await drawingsIn(layer), drawings, `${what}: drawings`)
  for (const judge of ['ours', 'poppler'] as const) {
    t.equal(difference(pictures[judge], undone[judge]), 0, `${what}: ${judge}`)
  }
  await layer.undo(redo)
  t.equal(difference(done.ours, (await pagePictures(t, layer)).ours), 0, `${what}: redone`)
}

interface Case {
  readonly what: string
  readonly bytes: Buffer
  readonly op: Op
}

/** Returns cases of every op on every kind of field with every kind of appearance. */
const casesOf = (form: string): readonly Case[] =>
  Object.entries(kinds).flatMap(([kind, { entries, ops }]) => {
    const isToggle = entries.includes('/Btn') && kind !== 'pushbutton'
    return Object.entries(looks)
      .filter(([look]) => look === 'none' || look === 'one' || look.startsWith('states') === isToggle)
      .flatMap(([look, appearance]) =>
        ops.map((op) => ({ what: `${op.type} of a ${kind}, ${look}`, bytes: formOf(entries + appearance, form), op })),
      )
  })

/** Only one of this many cases is run. */
const share = isLong ? 1 : 8

for (const [form, entries] of Object.entries({ 'a form': '', 'a form left to readers': '/NeedAppearances true' })) {
  t.test(`an undo restores every appearance of ${form}`, needs('pdftoppm'), async (t) => {
    t.comment(`STEWARD_TEST_SEED=${seed}`)
    for (const [place, { what, bytes, op }] of casesOf(entries).entries()) {
      if ((place + seed) % share === 0) await undoneIsAsBefore(t, layerOf(t, bytes), what, { ops: [op] })
    }
  })
}

t.test(
  'after the undo of an earlier change, a field that was changed since shows its value',
  needs('pdftoppm'),
  async (t) => {
    const layer = layerOf(t, formOf(`/FT/Tx/V(Value)${looks['one']}`, '/NeedAppearances true'))
    const first = await layer.apply(value({ value: 'New' }))
    await layer.apply({ type: 'forms.setValue', field: named('other'), value: { value: 'Changed' } })
    const now = await pagePictures(t, layer)
    const again = await layer.apply(value({ value: 'Value' }))
    const wanted = await pagePictures(t, layer)
    await layer.undo(again.undo)
    t.equal(difference(now.ours, (await pagePictures(t, layer)).ours), 0)
    await layer.undo(first.undo)
    const undone = await pagePictures(t, layer)
    t.equal(difference(undone.ours, wanted.ours), 0, 'not the stale appearance')
    t.equal(difference(undone.poppler, wanted.poppler), 0)
  },
)

t.test('a text shown in place of a value stays when another field is filled', needs('pdftoppm'), async (t) => {
  const layer = layerOf(t, formOf(`/FT/Tx/V(Value)${looks['one']}`, '/NeedAppearances true'))
  await layer.apply(shown)
  const before = await pagePictures(t, layer, { family: 'fields' })
  await layer.apply({ type: 'forms.setValue', field: named('other'), value: { value: 'Other' } })
  t.equal(difference(before.ours, (await pagePictures(t, layer)).ours), 0)
  t.equal(difference(before.poppler, (await pagePictures(t, layer)).poppler), 0)
})

t.test(
  'a widget that was changed twice keeps the later change when the first is undone',
  needs('pdftoppm'),
  async (t) => {
    const layer = layerOf(t, formOf(`/FT/Tx/V(Value)${looks['one']}`, ''))
    const { undo } = await layer.apply(recolored)
    const outlined: Op = { ...recolored, patch: { color: '#0000ff' } }
    await layer.apply(outlined)
    await layer.undo(undo)
    const undone = await pagePictures(t, layer)
    const only = layerOf(t, formOf(`/FT/Tx/V(Value)${looks['one']}`, ''))
    await only.apply(outlined)
    t.equal(difference(undone.ours, (await pagePictures(t, only)).ours), 0)
  },
)
