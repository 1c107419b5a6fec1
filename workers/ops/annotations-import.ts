// `annotations.import`: creates and updates the annotations of an XFDF file, each as the op of one annotation does it,
// so that the undo consists of the steps of these ops.

import { opWork } from '../change/op-work.js'
import { AnnotationsImport } from '../contract/ops/annotations-import.js'
import { pageRef } from '../contract/page-ref.js'
import { readSource } from '../exchange/read-source.js'
import { setValues } from '../exchange/values/set-values.js'
import { importAnnotations } from '../exchange/xfdf/import-annotations.js'
import { readXfdf } from '../exchange/xfdf/read-xfdf.js'
import { work as creating } from './annotations-create.js'
import { work as updating } from './annotations-update.js'

export const work = opWork(AnnotationsImport, {
  apply({ resources, values: areWanted = false }, change) {
    const file = readXfdf(readSource(change.resource(resources.source, 'source')))
    const { created, updated, unchangedCount, skipped } = importAnnotations(change, file.annotations, {
      create: (page, data) =>
        creating.apply({ type: 'annotations.create', page: pageRef(page), data }, change).annotation,
      update: (ref, patch) => updating.apply({ type: 'annotations.update', ref, patch }, change).annotation,
    })
    const { meta, skipped: skippedFields, skippedCount, ...filled } = setValues(change, areWanted ? file.fields : [])
    const changed = [...created, ...updated]
    const pages = [...changed.map(({ page }) => page), ...meta.affectedPages].map(({ objectNumber }) => objectNumber)
    return {
      type: 'annotations.import' as const,
      created,
      updated,
      unchangedCount,
      ...(areWanted && filled),
      skipped: [...skipped, ...skippedFields],
      skippedCount: skipped.length + skippedCount,
      meta: { ...meta, affectedPages: [...new Set(pages)].map(pageRef), changed: changed.map(({ ref }) => ref) },
    }
  },
})
