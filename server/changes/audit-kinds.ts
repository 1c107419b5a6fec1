// What a change is called in the audit log and in event streams.
import type { Op } from './words.js'

/** Of a write with a route of its own. */
const kinds: Readonly<Record<string, string>> = {
  'annotations.create': 'annot.create',
  'annotations.update': 'annot.update',
  'annotations.delete': 'annot.delete',
  'annotations.reorder': 'annot.reorder',
  'annotations.flatten': 'annot.flatten',
  'forms.setValue': 'form.setValue',
  'forms.reset': 'form.reset',
  'forms.create': 'form.createField',
  'forms.update': 'form.updateField',
  'forms.delete': 'form.deleteField',
  'forms.addWidget': 'form.addWidget',
  'forms.removeWidget': 'form.detachWidget',
  'forms.updateWidget': 'form.updateWidget',
  'forms.deleteWidget': 'form.deleteWidget',
  'forms.reorderWidgets': 'form.reorderWidgets',
  'forms.reorderCalculations': 'form.reorderCalculations',
  'forms.setSignatureAppearance': 'form.setSignatureAppearance',
  'metadata.update': 'metadata.update',
  'metadata.updateCustom': 'metadata.updateCustom',
  'pages.delete': 'pages.delete',
  'pages.reorder': 'pages.reorder',
  'pages.rotate': 'pages.rotate',
  'pages.insert': 'pages.insert',
  'pages.insertBlank': 'pages.insertBlank',
  'pages.setName': 'pages.setName',
  'pages.removeName': 'pages.removeName',
  'pages.setScale': 'measure.setScale',
  'pages.flatten': 'pages.flatten',
  'redactions.apply': 'redaction.apply',
}

/** Of changes that came in a `ChangeRequest`, undos included: its payload is all their items. */
export const changeKind = 'change'

export const auditKindOf = ({ type }: Op): string => kinds[type] ?? changeKind
