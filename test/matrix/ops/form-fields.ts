// Acts on the fields of forms.
import { onePage } from '../../support/pdf/raw-pdf.js'
import { grown } from '../boxes.js'
import { countingAnnotations, drawingOver, showing, valued } from '../state.js'
import { sameRef, widgetsOf } from '../subject.js'
import type { Act } from './act.js'
import { freeBox } from './annotations.js'
import { fieldNow, hasWidgets, onField, without } from './fields.js'

const create = (family: string, more: object, color?: readonly [number, number, number]): Act => ({
  type: 'forms.create',
  name: `forms.create ${family}`,
  isUndoable: true,
  plan: ({ subject }) => {
    const [page] = subject.pages
    if (page === undefined) return undefined
    const number = page.ref.objectNumber
    const box = freeBox(page)
    const widgets = [{ page: page.ref, rect: box, interiorColor: '#00ff00', ...more }]
    return {
      op: { type: 'forms.create', draft: { family, name: 'matrix.made', widgets } },
      pages: [number],
      after: (state) => {
        const drawn = countingAnnotations(drawingOver(state, number, [grown(box)]), number, 1)
        return showing(valued(drawn, 'matrix.made', null), { number, box, ...(color && { color }) })
      },
      denied: ({ fields }) => (fields.some(({ name }) => name === 'matrix.made') ? undefined : 'it is not listed'),
    }
  },
})

const any = (): boolean => true
const update = onField('forms.update', 'flags', any, (field) => ({
  op: { type: 'forms.update', field: field.ref, patch: { required: true, alternateName: 'Änderung' } },
  denied: (now) => (Object(fieldNow(now, field))['required'] === true ? undefined : 'it is not required'),
}))

const rename = onField('forms.update', 'name', any, (field) => ({
  op: { type: 'forms.update', field: field.ref, patch: { name: 'renamed.field' } },
  after: (state) => valued(valued(state, 'renamed.field', null), field.name, undefined),
  denied: ({ fields }) => (fields.some(({ name }) => name === 'renamed.field') ? undefined : 'the name is not listed'),
}))

const remove = onField('forms.delete', '', any, (field, scene) => ({
  op: { type: 'forms.delete', field: field.ref },
  after: (state) => without(valued(state, field.name, undefined), widgetsOf(scene.subject, field)),
  denied: ({ fields }) => (fields.some(({ name }) => name === field.name) ? 'it is still listed' : undefined),
}))

const display = onField('forms.setDisplay', '', hasWidgets, (field, scene) => ({
  op: { type: 'forms.setDisplay', field: field.ref, display: 'hidden' },
  denied: (now) => {
    const [widget] = widgetsOf(scene.subject, field)
    const found = now.annotations.find((one) => sameRef(one.ref, widget?.ref))
    return found?.hidden === true ? undefined : 'it is not hidden'
  },
}))

const signatureAppearance = onField(
  'forms.setSignatureAppearance',
  '',
  (field) => field.family === 'signature' && hasWidgets(field),
  (field) => ({
    op: { type: 'forms.setSignatureAppearance', field: field.ref, appearance: { pdf: 'drawing' } },
    resources: { drawing: { bytes: onePage('0 0 1 rg 0 0 100 50 re f', { size: [100, 50] }) } },
  }),
)

export const formFieldActs: readonly Act[] = [
  create('text', {}, [0, 255, 0]),
  create('checkbox', { exportValue: 'On' }, [0, 255, 0]),
  create('signature', {}),
  update,
  rename,
  remove,
  display,
  signatureAppearance,
]
