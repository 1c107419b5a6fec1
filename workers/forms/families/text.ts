// Text fields.
import type { PDFObject } from 'mupdf'
import type { FieldPatch } from '../../contract/field-members.js'
import { Text } from '../../contract/fields/text.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { flagsOf } from '../../fields/field-kind.js'
import { inherited, inheritedFrom, type Lineage, lineageOf } from '../../fields/inheritance.js'
import { entry, integerOf, isMissing } from '../../objects/values.js'
import { textAppearance } from '../drawing/value-text.js'
import { familyWork } from '../family-work.js'
import { textIn } from '../reading/field-values.js'
import { shownText } from '../scripts/field-scripts.js'
import { defaultText } from '../writing/patches.js'
import { putAppearance } from '../writing/put-appearance.js'
import { resetText, writeText } from '../writing/text-values.js'
import { refusal } from '../writing/write-entries.js'

export const work = familyWork(Text, {
  read: (base, { lineage }, hasFlag) => ({
    ...base,
    family: 'text',
    value: textIn(base.valueEntry),
    defaultValue: textIn(base.defaultValueEntry),
    maxLength: maxLengthOf(lineage),
    multiline: hasFlag('multiline'),
    password: hasFlag('password'),
    comb: hasFlag('comb'),
  }),
  patchOf: (field) => {
    const { multiline, password, comb, maxLength } = field
    return { multiline, password, comb, maxLength, defaultValue: defaultText(field) }
  },
  refuseTogether,
  value: {
    accepted: 'takes { value: string or null }',
    current: ({ value }) => ({ value: value === '' ? null : value }),
    write(writing, value) {
      if (!('value' in value)) return false
      const { maxLength, multiline } = writing.field
      const text = value.value ?? ''
      if (maxLength !== null && Array.from(text).length > maxLength) {
        throw refusal(writing.field, `takes at most ${maxLength} characters`)
      }
      writeText(writing, text, { isOneLine: !multiline })
      return true
    },
    reset: (writing) => resetText(writing),
  },
  showsByText: true,
  draw(drawing, { value }) {
    const { model, found, widget } = drawing
    putAppearance(model.change, widget, textAppearance(drawing, shownText(model.reading, found.node.object, value)))
  },
})

type TextFlag = 'comb' | 'multiline' | 'password'

/**
 * Members that exclude each other (ISO 32000-2, table 231): combs have cells for single characters
 * of plain text; passwords have one line.
 */
const clashes: readonly (readonly [member: TextFlag, other: TextFlag | 'fileSelect'])[] = [
  ['comb', 'multiline'],
  ['comb', 'password'],
  ['comb', 'fileSelect'],
  ['password', 'multiline'],
]

/** Checks given members together with existing ones; a file itself may contain invalid combinations. */
function refuseTogether(field: PDFObject, members: FieldPatch): void {
  const hasFlag = flagsOf(lineageOf(field))
  const given = (member: string): boolean => Object.hasOwn(members, member)
  for (const [member, other] of clashes) {
    if (!(given(member) || given(other)) || !hasFlag(member) || !hasFlag(other)) continue
    const named = given(member) && members[member] === true ? member : other
    throw new JobRefusal('InvalidArg', `A text field cannot be both ${member} and ${other}`, { member: named })
  }
  if (!(given('comb') || given('maxLength')) || !hasFlag('comb')) return
  if (isMissing(inheritedFrom(field, 'MaxLen') ?? entry(field, 'MaxLen'))) {
    const member = members.comb === true ? 'comb' : 'maxLength'
    throw new JobRefusal('InvalidArg', 'A comb needs maxLength, the number of its cells', { member })
  }
}

function maxLengthOf(lineage: Lineage): number | null {
  const value = inherited(lineage, 'MaxLen')
  const length = value === undefined ? undefined : integerOf(value)
  return length !== undefined && length >= 1 ? length : null
}
