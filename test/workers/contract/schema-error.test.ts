// Explanations of schema errors: the member, the expected value, and the name that was probably meant.
import t from 'tap'
import { type TSchema, Type } from 'typebox'
import { ChangeRequest } from '../../../server/schemas/changes.js'
import { DocId, PageKey } from '../../../server/schemas/ids.js'
import { ShareCreate } from '../../../server/schemas/share.js'
import { AnnotationDraft } from '../../../workers/contract/annotations/written.js'
import { fieldContracts } from '../../../workers/contract/field-family.js'
import { FormFieldRef } from '../../../workers/contract/form-field-ref.js'
import { IsoDate } from '../../../workers/contract/iso-date.js'
import { PagePosition } from '../../../workers/contract/list-position.js'
import { FormsCreate } from '../../../workers/contract/ops/forms-create.js'
import { PageRef } from '../../../workers/contract/page-ref.js'
import { QuarterTurn } from '../../../workers/contract/quarter-turn.js'
import { explainSchemaError } from '../../../workers/contract/schema-error.js'

const page = { kind: 'objectNumber', objectNumber: 3 }
const moved = Type.Object(
  { pages: Type.Array(PageRef, { minItems: 1 }), position: PagePosition },
  { additionalProperties: false },
)

const cases: readonly (readonly [schema: TSchema, value: unknown, pointer: string, message: string])[] = [
  [moved, { pages: [page], positon: 'end' }, '/positon', 'is unknown; did you mean "position"?'],
  [moved, { pages: [page], position: 'end', silent: true }, '/silent', 'is unknown; known are pages, position'],
  [moved, { pages: [page] }, '', 'needs the member position'],
  [moved, { pages: [], position: 'end' }, '/pages', 'must have 1 or more elements'],
  [moved, { pages: ['obj:3'], position: 'end' }, '/pages/0', 'must be { kind: "objectNumber", objectNumber }'],
  [moved, [], '', 'must be { pages, position }'],
  [moved, { pages: [page], position: 2 }, '/position', 'must be "start", "end", { before } or { after }'],
  [moved, { pages: [page], position: 'middle' }, '/position', 'must be "start", "end", { before } or { after }'],
  [
    moved,
    { pages: [page], position: { after: { ...page, objectNumber: 0 } } },
    '/position/after/objectNumber',
    'must be >= 1',
  ],
  [Type.Union([QuarterTurn, Type.Null()]), 45, '', 'must be 0, 90, 180, 270 or null'],
  [IsoDate, 'yesterday', '', 'must look like "2026-01-31T12:00:00Z"'],
  [PageKey, 'page 3', '', 'must look like "obj:3"'],
  [Type.Object({ name: Type.String({ minLength: 1 }) }), { name: '' }, '/name', 'must not be empty'],
  [Type.Object({ name: Type.String() }), { nmae: '' }, '', 'needs the member name, and "nmae" is unknown'],
  [Type.Object({ 'a/b': Type.Integer() }), { 'a/b': 1.5 }, '/a~1b', 'must be a whole number'],
  [AnnotationDraft, { subtype: 'square', color: 'red' }, '/color', 'must look like "#ffd400"'],
  [ChangeRequest, { changes: [{ opId: 'a', ops: [], undoOf: 'b' }] }, '/changes/0/undoOf', 'is not allowed beside ops'],
  [ChangeRequest, { changes: [{ opId: 'a', undoof: 'b' }] }, '/changes/0/undoof', 'is unknown; did you mean "undoOf"?'],
  [ChangeRequest, { changes: [{ opId: 'a', x: 1 }] }, '/changes/0/x', 'is unknown; known are opId, ops, undoOf'],
  [FormFieldRef, 'name', '', 'must be { kind: "objectNumber", objectNumber } or { kind: "fqn", name }'],
  [ShareCreate, { docId: 'a', scope: ['*'], passphrase: 'x' }, '/passphrase', 'is unknown; did you mean "password"?'],
  [DocId, 'a b', '', 'must look like "report-2026"'],
  [DocId, 'a'.repeat(129), '', 'must not have more than 128 characters'],
  [DocId, '', '', 'must not be empty'],
  [
    ChangeRequest,
    { changes: [{ opId: 'a b', undoOf: 'b' }] },
    '/changes/0/opId',
    'must be 1 to 255 visible ASCII characters, without a space',
  ],
]

t.test('the first error of a value is reported, with its JSON pointer', async (t) => {
  for (const [schema, value, pointer, message] of cases) {
    t.same(explainSchemaError(schema, value), { pointer, message }, JSON.stringify(value))
  }
})

t.test('the closest word of a closed set is suggested', async (t) => {
  const { pointer, message } = explainSchemaError(AnnotationDraft, { subtype: 'Higlight' })
  t.equal(pointer, '/subtype')
  t.match(message, /^must be one of (.*, )?highlight, .*; did you mean "highlight"\?$/)
})

t.test('in a union, the error of the variant that was probably meant is reported', async (t) => {
  const creatable = fieldContracts.filter(({ draft }) => draft !== null).map(({ family }) => family)
  const draft = (members: object) =>
    explainSchemaError(FormsCreate.op, { type: 'forms.create', draft: { name: 'a', ...members } })
  t.same(draft({ family: 'txt' }), {
    pointer: '/draft/family',
    message: `must be one of ${creatable.join(', ')}; did you mean "text"?`,
  })
  t.match(draft({ family: 'text', maxlength: 4 }), { pointer: '/draft/maxlength', message: /"maxLength"/ })
  t.match(draft({ family: 'combobox', options: [{ label: 'A' }] }), {
    pointer: '/draft/options/0',
    message: 'needs the member value',
  })
})
