// Creates and updates the annotations that an XFDF file contains, and sets the values of its fields if asked.
import { Type } from 'typebox'
import { Annotation } from '../annotations/annotation.js'
import { WidgetAnnotation } from '../annotations/widget.js'
import { FormField } from '../form-field.js'
import { calculations } from '../form-results.js'
import { bodyOfSource, ImportSource } from '../import-source.js'
import { AnnotationMeta, FormMeta } from '../mutation-meta.js'
import { strict } from '../strict.js'
import { filledOf } from './authored.js'
import { SkippedAnnotation, SkippedField } from './import-results.js'
import { annotating } from './needs.js'
import { opContract } from './op-contract.js'

const values = Type.Optional(Type.Boolean())

export const AnnotationsImport = opContract({
  type: 'annotations.import',
  summary: 'Create and update the annotations of an XFDF file; those with the name of an existing one update it',
  op: { resources: ImportSource, values },
  item: {
    created: Type.Array(Annotation),
    updated: Type.Array(Annotation),
    /** Annotations of the file that are like this already. */
    unchangedCount: Type.Integer({ minimum: 0 }),
    /** Fields whose value was set; absent unless asked for. */
    fields: Type.Optional(Type.Array(FormField)),
    widgets: Type.Optional(Type.Array(WidgetAnnotation)),
    calculations,
    skipped: Type.Array(Type.Union([SkippedAnnotation, SkippedField])),
    skippedCount: Type.Integer({ minimum: 0 }),
    meta: Type.Object({
      ...AnnotationMeta.properties,
      changedFields: FormMeta.properties.changedFields,
      changedWidgets: FormMeta.properties.changedWidgets,
    }),
  },
  authored: {
    importedAnnotations: ({ created }) => created,
    updatedAnnotations: ({ updated }) => updated.map(({ ref }) => ({ ref, isRewritten: true })),
    filledFields: ({ fields = [], meta }) => filledOf(fields, meta),
  },
  needs: annotating('create'),
  needsToo: ({ values: areWanted }) => (areWanted === true ? ['forms.importValues'] : []),
  protection: 'annotate',
  carries: 'files',
  isBatchable: true,
  files: { member: 'resources', drawn: [] },
  route: {
    methods: ['POST'],
    path: '/annotations/import',
    auditKind: 'annot.import',
    query: Type.Object({ values }, strict),
    bodyOfLoneFile: bodyOfSource,
    fileTypes: ['application/vnd.adobe.xfdf'],
  },
})
