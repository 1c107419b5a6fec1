// What each kind of op needs of its caller: the one table for `doc.changes`, single writes and undo.
import { Compile } from 'typebox/compile'
import { AnnotationRef } from '../../workers/contract/annotation-ref.js'
import type { Capability } from '../../workers/contract/capabilities.js'
import type { CollabAction } from '../auth/collab.js'
import type { Op } from './words.js'

export interface OpNeeds {
  /** All of them. */
  readonly capabilities: readonly Capability[]
  /** Where collaboration scopes speak of this action, they decide in the place of the capabilities. */
  readonly collab?: CollabAction
}

const annotating = (collab: CollabAction): OpNeeds => ({ capabilities: ['doc.annotate.modify'], collab })
const filling: OpNeeds = { capabilities: ['doc.forms.fill'] }
const modifyingForms: OpNeeds = { capabilities: ['doc.forms.modify'] }
const describing: OpNeeds = { capabilities: ['doc.metadata.modify'] }
const assembling: OpNeeds = { capabilities: ['doc.pages.assemble'] }
const flattening: OpNeeds = { capabilities: ['doc.pages.modify', 'doc.annotate.modify'] }

export const opNeeds: Readonly<Record<string, OpNeeds>> = {
  'annotations.create': annotating('create'),
  'annotations.update': annotating('update'),
  'annotations.delete': annotating('delete'),
  'annotations.reorder': annotating('update'),
  'annotations.flatten': flattening,
  'forms.setValue': filling,
  'forms.reset': filling,
  'forms.setDisplay': filling,
  'forms.setAppearanceText': filling,
  'forms.create': modifyingForms,
  'forms.update': modifyingForms,
  'forms.delete': modifyingForms,
  'forms.addWidget': modifyingForms,
  'forms.removeWidget': modifyingForms,
  'forms.deleteWidget': modifyingForms,
  'forms.updateWidget': modifyingForms,
  'forms.reorderWidgets': modifyingForms,
  'forms.reorderCalculations': modifyingForms,
  'forms.setSignatureAppearance': { capabilities: ['doc.sign'] },
  'metadata.update': describing,
  'metadata.updateCustom': describing,
  'pages.delete': assembling,
  'pages.insert': assembling,
  'pages.insertBlank': assembling,
  'pages.reorder': assembling,
  'pages.rotate': assembling,
  'pages.setName': assembling,
  'pages.removeName': assembling,
  'pages.setScale': { capabilities: ['doc.pages.modify'] },
  'pages.flatten': flattening,
  'redactions.apply': { capabilities: ['doc.pages.modify', 'doc.annotate.modify', 'doc.redact'] },
}

const refValidator = Compile(AnnotationRef)

/** The annotations an op is about, where it is about annotations. */
export function annotationsOf({ ref, refs }: Op): readonly AnnotationRef[] {
  return [ref, ...(Array.isArray(refs) ? refs : [])].filter((one) => refValidator.Check(one))
}
