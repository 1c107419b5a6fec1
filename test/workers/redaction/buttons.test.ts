// A button under a mark is removed from its group; the group's value stays if it names another button.
import t, { type Test } from 'tap'
import { layerOf } from '../../support/pdf/changing.js'
import { everyObject } from '../../support/pdf/every-object.js'
import { rawPdf } from '../../support/pdf/raw-pdf.js'

const look = (name: string) => `/AP<</N<</${name} 20 0 R/Off 21 0 R>>>>`
const form = { body: '<</Type/XObject/Subtype/Form/BBox[0 0 10 10]/Resources<<>>>>' }

/** Two pages with one button of the group on the first and two on the second. */
const grouped = (chosen: string, { isRadio = true, options = '', reset = '' } = {}) => {
  const button = (state: string, page: number) =>
    `<</Type/Annot/Subtype/Widget/Parent 10 0 R/Rect[20 20 30 30]/P ${page} 0 R/AS/${state === chosen ? state : 'Off'}${look(state)}>>`
  return rawPdf({
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R]>>>>',
    2: '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 100 100]>>',
    3: '<</Type/Page/Parent 2 0 R/Annots[5 0 R 11 0 R]>>',
    4: '<</Type/Page/Parent 2 0 R/Annots[12 0 R 13 0 R]>>',
    5: '<</Type/Annot/Subtype/Redact/Rect[15 15 35 35]>>',
    10: `<</FT/Btn/Ff ${isRadio ? 49_152 : 0}/T(group)/V/${chosen}${options}${reset}/Kids[11 0 R 12 0 R 13 0 R]>>`,
    11: button('Marked', 3),
    12: button('Second', 4),
    13: button('Third', 4),
    20: { ...form, stream: '0 0 10 10 re f' },
    21: { ...form, stream: '' },
  })
}

async function redacted(t: Test, bytes: Buffer) {
  const layer = layerOf(t, bytes)
  const { effects } = await layer.apply({ type: 'redactions.apply' })
  const { fields } = await layer.reads(t).form()
  return { field: fields[0], effects, written: everyObject(layer.sent()) }
}

for (const isRadio of [true, false]) {
  const kind = isRadio ? 'radio buttons' : 'check boxes'
  t.test(`${kind}: the selection stays if it is not the redacted button`, async (t) => {
    const { field, written } = await redacted(t, grouped('Third', { isRadio }))
    t.match(field, { widgets: [{ checked: false }, { exportValue: 'Third', checked: true }] })
    t.match(written, /AS\/Third/)
    t.notMatch(written, /Marked/)
  })

  t.test(`${kind}: the selection is cleared if it is the redacted button`, async (t) => {
    const { field, written } = await redacted(t, grouped('Marked', { isRadio }))
    t.match(field, { widgets: [{ checked: false }, { checked: false }] })
    t.notMatch(written, /Marked/)
  })
}

t.test('a value or default value that names a redacted button is removed', async (t) => {
  const bytes = grouped('Third', { options: '/Opt[(secret)(two)(three)]', reset: '/DV/Marked' })
  const { field, written } = await redacted(t, bytes)
  t.match(field, { value: 'three', widgets: [{ exportValue: 'two' }, { exportValue: 'three', checked: true }] })
  t.notMatch(written, /secret|Marked/)
})

t.test('a group without selection is unchanged', async (t) => {
  const { field } = await redacted(t, grouped('Off', { reset: '/DV/Second' }))
  t.match(field, { widgets: [{ checked: false }, { checked: false }], defaultValueEntry: { value: 'Second' } })
})
