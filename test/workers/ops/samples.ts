// Examples of every op that changes a document, for tests of rules that hold for all ops (such as `every-op.test.ts`). An
// entry contains the op as in a request and a PDF small enough to read. `before` contains ops that prepare the document
// (such as a name that the op removes), `resources` the files of the op. An op may have several entries: an update that
// regenerates an appearance changes other objects than one that does not.
import { pageRef } from '../../../workers/contract/page-ref.js'
import type { ChangeRequest, Op } from '../../support/pdf/changing.js'
import { formPdf, named, numbered, widgetOn } from '../../support/pdf/form-pdf.js'
import { helvetica, onePage } from '../../support/pdf/raw-pdf.js'
import { everyAnnotation, everyField, everyPage } from '../../support/pdf/rich-pdf.js'

export interface Sample {
  readonly pdf: () => Buffer
  readonly op: Op
  /** Ops of an earlier change. */
  readonly before?: readonly Op[]
  readonly resources?: ChangeRequest['resources']
}

/** The field with the appearance text it has in the file. */
const stamp = { kind: 'objectNumber', page: pageRef(3), objectNumber: 23 }
const metres = [{ unit: 'm', conversion: 0.5 }]
const scale = { subtype: 'rectilinear', x: metres, distance: metres, area: metres }

const formRect = { x: 200, y: 200, width: 150, height: 30 }

const xfdf = (inner: string) => Buffer.from(`<xfdf xmlns="http://ns.adobe.com/xfdf/">${inner}</xfdf>`)

export const samples: readonly Sample[] = [
  {
    pdf: everyAnnotation,
    op: { type: 'annotations.import', resources: { source: 'file' } },
    resources: {
      file: { bytes: xfdf('<annots><square page="0" rect="20,20,80,50" name="new" color="#FF0000"/></annots>') },
    },
  },
  {
    pdf: formPdf,
    op: { type: 'forms.importValues', values: { 'person.last': 'Ada 漢', check: true, list: ['two'], nobody: 'x' } },
  },
  {
    pdf: everyAnnotation,
    op: {
      type: 'annotations.update',
      ref: { kind: 'baseIndex', page: pageRef(3), baseIndex: 0 },
      patch: { contents: 'No longer inline' },
    },
  },
  { pdf: formPdf, op: { type: 'forms.setValue', field: named('person.last'), value: { value: 'Ada 漢' } } },
  { pdf: formPdf, op: { type: 'forms.setValue', field: named('price'), value: { value: '12.5' } } },
  { pdf: formPdf, op: { type: 'forms.setValue', field: named('color'), value: { value: 'blue' } } },
  { pdf: () => formPdf({ form: '/NeedAppearances true' }), op: { type: 'forms.reset' } },
  { pdf: formPdf, op: { type: 'forms.setDisplay', field: named('plain'), display: 'hidden' } },
  { pdf: formPdf, op: { type: 'forms.setAppearanceText', field: named('plain'), text: 'Other' } },
  {
    pdf: formPdf,
    op: { type: 'forms.setSignatureAppearance', field: named('sign'), appearance: { pdf: 'ink' } },
    resources: { ink: { bytes: onePage('0 0 100 100 re f') } },
  },
  {
    pdf: formPdf,
    op: {
      type: 'forms.create',
      draft: {
        family: 'text',
        name: 'person.new',
        widgets: [{ page: numbered(4), rect: formRect, fontFamily: 'courier' }],
      },
    },
  },
  { pdf: formPdf, op: { type: 'forms.update', field: named('plain'), patch: { multiline: true, name: 'other.name' } } },
  { pdf: formPdf, op: { type: 'forms.delete', field: named('person.last') } },
  {
    pdf: formPdf,
    op: { type: 'forms.addWidget', field: named('plain'), placement: { page: numbered(4), rect: formRect } },
  },
  { pdf: formPdf, op: { type: 'forms.removeWidget', field: named('plain'), widget: widgetOn(3, 10) } },
  { pdf: formPdf, op: { type: 'forms.deleteWidget', widget: widgetOn(4, 45) } },
  {
    pdf: formPdf,
    op: {
      type: 'forms.updateWidget',
      widget: widgetOn(3, 10),
      patch: { color: '#ff0000', contents: 'Note', rotation: 90 },
    },
  },
  {
    pdf: formPdf,
    op: { type: 'forms.reorderWidgets', page: numbered(4), widgets: [widgetOn(4, 58)], position: 'start' },
  },
  { pdf: formPdf, op: { type: 'forms.reorderCalculations', fields: [named('taxed')], position: 'start' } },
  { pdf: everyAnnotation, op: { type: 'metadata.update', patch: { title: 'Other', keywords: 'a, b' } } },
  { pdf: () => onePage(''), op: { type: 'metadata.update', patch: { title: 'The first' } } },
  { pdf: everyAnnotation, op: { type: 'metadata.updateCustom', patch: { Project: null, Team: 'Blue' } } },
  { pdf: everyPage, op: { type: 'pages.delete', pages: [pageRef(4)] } },
  { pdf: everyPage, op: { type: 'pages.reorder', pages: [pageRef(5)], position: 'start' } },
  { pdf: everyPage, op: { type: 'pages.rotate', pages: [pageRef(3), pageRef(4)], rotation: 90 } },
  { pdf: everyPage, op: { type: 'pages.insertBlank', size: { width: 100, height: 100 }, position: 'start' } },
  { pdf: everyPage, op: { type: 'pages.setName', name: 'Annex', page: pageRef(5) } },
  { pdf: everyPage, op: { type: 'pages.removeName', name: 'Plan' } },
  { pdf: everyPage, op: { type: 'pages.setScale', page: pageRef(4), measure: scale } },
  {
    pdf: everyField,
    op: { type: 'pages.insert', position: { after: pageRef(3) }, resources: { source: 'a' } },
    resources: { a: { bytes: everyField() } },
  },
  { pdf: everyField, op: { type: 'pages.delete', pages: [pageRef(3)] } },
  { pdf: everyField, op: { type: 'pages.flatten', usage: 'display' } },
  {
    pdf: everyAnnotation,
    op: {
      type: 'annotations.create',
      page: pageRef(3),
      data: { subtype: 'square', box: { x: 20, y: 20, width: 60, height: 30 }, opacity: 0.5 },
    },
  },
  { pdf: everyAnnotation, op: { type: 'annotations.update', ref: stamp, patch: { rotation: 30, contents: 'Turned' } } },
  { pdf: everyAnnotation, op: { type: 'annotations.delete', ref: stamp } },
  { pdf: everyAnnotation, op: { type: 'annotations.reorder', page: pageRef(3), refs: [stamp], position: 'start' } },
  {
    pdf: () => onePage('BT /F1 12 Tf 20 100 Td (One and one) Tj ET', { resources: helvetica }),
    op: { type: 'annotations.mark', text: 'one', data: { subtype: 'redact', overlayText: 'two' } },
  },
  { pdf: everyAnnotation, op: { type: 'annotations.flatten', page: pageRef(3), refs: [stamp], usage: 'display' } },
]
