// Creates an annotation.
import type { PDFObject } from 'mupdf'
import type { Attribution } from '../contract/annotations/attribution.js'
import type { AnnotationDraft } from '../contract/annotations/written.js'
import { pageRef } from '../contract/page-ref.js'
import type { ResourceKeys } from '../contract/resource-keys.js'
import type { AnnotatedPage } from './annotated-page.js'
import { attachFile } from './attached-files.js'
import { dateOf } from './dates.js'
import { drawAnnotation } from './draw-annotation.js'
import { writingOf } from './load-subtypes.js'
import { drafted, refuseForeignResources } from './members.js'
import { pictureFrom } from './pictures.js'
import { flagNames } from './reading/common.js'
import type { AnnotationEntry } from './reading/page-annotations.js'
import { stateOf } from './state.js'
import type { SubtypeWriting } from './subtype-work.js'
import { writeMembers } from './write-members.js'
import type { Members } from './written-members.js'

const flags: Members = Object.fromEntries(flagNames.map((flag) => [flag, false]))

/** Members of an annotation before anything is written to it. */
const nothing: Members = {
  hasAppearance: false,
  appearanceState: null,
  rect: { x: 0, y: 0, width: 0, height: 0 },
  nm: null,
  contents: null,
  subject: null,
  blendMode: 'normal',
  ...flags,
  reply: null,
  popup: null,
  groupId: null,
  author: null,
  createdAt: null,
  modifiedAt: null,
  userId: null,
  createdBy: null,
  modifiedBy: null,
  importedBy: null,
  actions: null,
}

export interface CreateOptions {
  readonly resources?: ResourceKeys | undefined
  /** Number that the caller reserved for the annotation. */
  readonly objectNumber?: number | undefined
}

/** Returns the new annotation. Throws `InvalidArg`, `ObjectNumberUnavailable`. */
export function createAnnotation(
  page: AnnotatedPage,
  draft: AnnotationDraft,
  { resources = {}, objectNumber }: CreateOptions = {},
): AnnotationEntry {
  const { change, space } = page
  const given = drafted(draft)
  const writing = writingOf(draft.subtype)
  refuseForeignResources(resources, writing.resource)
  const picture =
    writing.resource === 'appearance'
      ? pictureFrom(change, change.resource(resources.appearance, 'appearance'))
      : undefined
  const made = page.add(begin(page, { writing, draft, objectNumber }))
  const before = { ...nothing, ...writing.standard, subtype: draft.subtype, ref: made.ref, page: pageRef(page.page) }
  const state = stateOf({ before, given: { ...writing.standardFor?.(given), ...given }, writing, space })
  const object = made.object
  if (writing.resource === 'file') {
    const described = 'file' in state ? state.file : null
    object.put('FS', attachFile(change, change.resource(resources.file, 'file'), described))
  }
  const unwritten = writing.resource === 'file' ? ['file'] : []
  const changed = new Set(
    writing.groups.flatMap(({ members }) => members).filter((member) => !unwritten.includes(member)),
  )
  writeMembers(page, { object, state, writing, changed })
  drawAnnotation({ page, object, state, writing, picture })
  page.changed(object)
  return made
}

interface CreateContext {
  readonly writing: SubtypeWriting
  readonly draft: Attribution
  readonly objectNumber: number | undefined
}

function begin({ change, page }: AnnotatedPage, { writing, draft, objectNumber }: CreateContext): PDFObject {
  const { pdf, stamp } = change
  const dictionary = pdf.newDictionary()
  dictionary.put('Type', pdf.newName('Annot'))
  dictionary.put('Subtype', pdf.newName(writing.name))
  dictionary.put('P', change.document.pageObject(page))
  const object = change.create(dictionary, objectNumber)
  writing.begin?.(object)
  // For callers who may not set this member, the server has removed it from the draft.
  const author = draft.author ?? stamp.author
  if (author !== null) object.put('T', pdf.newString(author))
  object.put('CreationDate', pdf.newString(dateOf(timeOf(draft.createdAt) ?? stamp.now)))
  object.put('M', pdf.newString(dateOf(timeOf(draft.modifiedAt) ?? stamp.now)))
  return object
}

function timeOf(iso: string | null | undefined): number | undefined {
  const time = Date.parse(iso ?? '')
  return Number.isNaN(time) ? undefined : time
}
