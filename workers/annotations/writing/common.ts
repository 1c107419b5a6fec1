// Writes the members of every annotation (ISO 32000-2, tables 166 and 172).

import { annotationKey } from '../../contract/annotation-ref.js'
import type { AnnotationCommon } from '../../contract/annotations/common.js'
import { JobRefusal } from '../../contract/job-refusal.js'
import { entry, integerOf, nameOf } from '../../objects/values.js'
import { putName, putNumber, putText, wordFor } from '../entries.js'
import { blendModes } from '../reading/blend-modes.js'
import { flagNames } from '../reading/common.js'
import { group, type MemberGroup, type WrittenMembers } from './member-group.js'

/** Maximum length of a chain of replies; a longer one is treated as a cycle. */
const chainMax = 1_000

export const commonGroups: readonly MemberGroup<AnnotationCommon>[] = [
  group(['nm'], ({ nm }, written) => putText(written, 'NM', nm)),
  group(['contents'], ({ contents }, written) => putText(written, 'Contents', contents)),
  group(['subject'], ({ subject }, written) => putText(written, 'Subj', subject)),
  group(['blendMode'], ({ blendMode }, written) => {
    const isPlain = blendMode === 'normal' && nameOf(entry(written.object, 'Subtype')) !== 'Highlight'
    putName(written, 'BM', isPlain ? null : wordFor(blendModes, blendMode))
  }),
  group([...flagNames], (state, written) => {
    const known = (1 << flagNames.length) - 1
    const others = (integerOf(entry(written.object, 'F')) ?? 0) & ~known
    putNumber(
      written,
      'F',
      flagNames.reduce((bits, flag, place) => bits | (state[flag] ? 1 << place : 0), others),
    )
  }),
  group(['reply'], writeReply),
]

function writeReply({ reply }: AnnotationCommon, written: WrittenMembers): void {
  const { page, object } = written
  if (reply === null) {
    object.delete('IRT')
    object.delete('RT')
    return
  }
  const answered = page.find(reply.to).object
  refuseCircle(written, answered)
  if (reply.type === 'group') written.change.joinGroupOf(answered)
  object.put('IRT', answered)
  putName(written, 'RT', reply.type === 'group' ? 'Group' : 'R')
}

function refuseCircle({ page, object }: WrittenMembers, answered: WrittenMembers['object']): void {
  const self = object.asIndirect()
  let above = answered
  for (let steps = 0; steps < chainMax && !above.isNull(); steps++) {
    if (above.asIndirect() !== self) {
      above = entry(above, 'IRT')
      if (!above.isIndirect()) return
      continue
    }
    const to = page.siblings.refOf(answered)
    throw new JobRefusal('InvalidArg', `${to ? annotationKey(to) : 'The annotation'} is already a reply to this one`)
  }
}
