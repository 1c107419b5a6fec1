// Sets the values of many fields: those of an FDF or XFDF file, or of a JSON object.
import { Type } from 'typebox'
import { WidgetAnnotation } from '../annotations/widget.js'
import { FormField } from '../form-field.js'
import { calculations } from '../form-results.js'
import { FormValues } from '../form-values.js'
import { bodyOfSource, ImportSource } from '../import-source.js'
import { FormMeta } from '../mutation-meta.js'
import { filledOf } from './authored.js'
import { SkippedField } from './import-results.js'
import { filling } from './needs.js'
import { opContract } from './op-contract.js'

export const FormsImportValues = opContract({
  type: 'forms.importValues',
  summary: 'Set the values of many fields from an FDF or XFDF file, or from values by name',
  op: { values: Type.Optional(FormValues.properties.values), resources: Type.Optional(ImportSource) },
  item: {
    /** Fields whose value changed. */
    fields: Type.Array(FormField),
    widgets: Type.Array(WidgetAnnotation),
    calculations,
    skipped: Type.Array(SkippedField),
    skippedCount: Type.Integer({ minimum: 0 }),
    meta: FormMeta,
  },
  authored: { filledFields: ({ fields, meta }) => filledOf(fields, meta) },
  needs: filling,
  protection: 'fill',
  carries: 'values',
  isBatchable: true,
  files: { member: 'resources', drawn: [] },
  route: {
    methods: ['POST', 'PUT'],
    path: '/form/values',
    auditKind: 'form.importValues',
    bodyOfLoneFile: bodyOfSource,
    fileTypes: ['application/vnd.fdf', 'application/vnd.adobe.xfdf'],
  },
})
