// Later changes that look unusual and change nothing that was signed.
import t from 'tap'
import {
  catalog,
  form,
  formFields,
  newSignatureField,
  page,
  pageAnnotations,
  secondSignature,
  signature,
} from './support/contract.js'
import { type Case, judge } from './support/judge.js'
import type { RawObjects } from './support/raw-file.js'

const inlineForm = (fields = formFields): string => catalog().replace('10 0 R', form(fields))
const locking = (data: string): string =>
  signature(
    `/Reference[<</Type/SigRef/TransformMethod/FieldMDP/Data ${data}/TransformParams<</Type/TransformParams/Action/Include/Fields[(amount)]/V/1.2>>>>]`,
  )
const signedAgain: RawObjects = {
  1: inlineForm(`${formFields} 70 0 R`),
  3: page(`${pageAnnotations} 70 0 R`),
  70: newSignatureField('Third', '/V 71 0 R'),
  71: signature(),
}

/** The first page is the last of many levels. */
const levels = 300
const deepTree: RawObjects = {
  2: '<</Type/Pages/Kids[200 0 R 6 0 R]/Count 2>>',
  ...Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [
      200 + level,
      `<</Type/Pages/Parent ${level === 0 ? 2 : 199 + level} 0 R/Count 1/Kids[${level === levels - 1 ? 3 : 201 + level} 0 R]>>`,
    ]),
  ),
  3: page().replace('/Parent 2 0 R', `/Parent ${199 + levels} 0 R`),
}
const note = '<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(Note)/P 3 0 R>>'

const harmless: readonly (readonly [string, Case])[] = [
  [
    'another signature, where a lock names the catalog as its data and the catalog contains the form',
    {
      before: { 1: inlineForm() },
      updates: [{ objects: { 23: secondSignature('/V 61 0 R'), 61: locking('1 0 R') } }, { objects: signedAgain }],
    },
  ],
  [
    'an annotation on a page that is many levels deep',
    {
      before: deepTree,
      updates: [
        {
          objects: {
            3: page(`${pageAnnotations} 70 0 R`).replace('/Parent 2 0 R', `/Parent ${199 + levels} 0 R`),
            70: note,
          },
        },
      ],
    },
  ],
]

for (const [title, change] of harmless) {
  t.test(`${title}: permitted`, async (t) => {
    const { verdict, findings } = judge(t, change, change.updates.length)
    t.equal(verdict, 'permitted', JSON.stringify(findings))
  })
}
