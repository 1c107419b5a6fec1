// Reads the members of every annotation (ISO 32000-2, tables 166 and 172).
import type { PDFObject } from 'mupdf'
import type { AnnotationCommon, AnnotationFlags, AnnotationReply } from '../../contract/annotations/common.js'
import { pageRef } from '../../contract/page-ref.js'
import { isoOfPdfDate } from '../../contract/pdf-dates.js'
import { emptyRect, rectangleOf } from '../../objects/rectangles.js'
import { entry, integerOf, isMissing, nameOf, textOf } from '../../objects/values.js'
import { annotationActions } from '../../targets/actions.js'
import type { AnnotationSource } from './annotation-source.js'
import { blendModeOf } from './blend-modes.js'

/** Flags in the order of their bits in /F. */
export const flagNames: readonly (keyof AnnotationFlags)[] = [
  'invisible',
  'hidden',
  'print',
  'noZoom',
  'noRotate',
  'noView',
  'readOnly',
  'locked',
  'toggleNoView',
  'lockedContents',
]

export function commonOf(source: AnnotationSource): AnnotationCommon {
  const { reading, object, ref, space, siblings } = source
  const text = (key: string): string | null => reading.text(object, key) ?? null
  return {
    ref,
    page: pageRef(siblings.page),
    hasAppearance: !isMissing(entry(object, 'AP', 'N')),
    appearanceState: reading.name(object, 'AS') ?? null,
    rect: space.toPageBox(rectangleOf(entry(object, 'Rect')) ?? emptyRect),
    nm: text('NM'),
    contents: text('Contents'),
    subject: text('Subj'),
    blendMode: blendModeOf(object),
    ...flagsOf(object),
    reply: replyOf(source),
    popup: siblings.popupOf(ref),
    // The /T of a widget is the name of a field, not an author.
    author: nameOf(entry(object, 'Subtype')) === 'Widget' ? null : text('T'),
    createdAt: isoOfPdfDate(textOf(entry(object, 'CreationDate'))),
    modifiedAt: isoOfPdfDate(textOf(entry(object, 'M'))),
    // The server adds these members; the file does not contain them.
    groupId: null,
    userId: null,
    createdBy: null,
    modifiedBy: null,
    importedBy: null,
    actions: annotationActions(reading, object),
  }
}

function flagsOf(object: PDFObject): AnnotationFlags {
  const bits = integerOf(entry(object, 'F')) ?? 0
  const isSet = (flag: keyof AnnotationFlags): boolean => ((bits >>> flagNames.indexOf(flag)) & 1) === 1
  return {
    invisible: isSet('invisible'),
    hidden: isSet('hidden'),
    print: isSet('print'),
    noZoom: isSet('noZoom'),
    noRotate: isSet('noRotate'),
    noView: isSet('noView'),
    readOnly: isSet('readOnly'),
    locked: isSet('locked'),
    toggleNoView: isSet('toggleNoView'),
    lockedContents: isSet('lockedContents'),
  }
}

/** Reads the reply reference; one to an annotation that is not on this page is ignored. */
function replyOf({ object, ref, siblings }: AnnotationSource): AnnotationReply | null {
  const to = siblings.refOf(entry(object, 'IRT'))
  if (to === undefined || to === ref) return null
  return { to, type: nameOf(entry(object, 'RT')) === 'Group' ? 'group' : 'reply' }
}
