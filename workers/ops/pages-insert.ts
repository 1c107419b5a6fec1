// `pages.insert`: inserts the pages of another PDF, with annotations, links among them, form fields and optional
// content.

import { claimAnnotations } from '../assembly/claim-annotations.js'
import { dropActions } from '../assembly/drop-actions.js'
import { graftPages } from '../assembly/graft-pages.js'
import { insertPages } from '../assembly/insert-pages.js'
import { withSource } from '../assembly/inserted-source.js'
import { mergeForm } from '../assembly/merge-form.js'
import { mergeLayers } from '../assembly/merge-layers.js'
import { opWork } from '../change/op-work.js'
import { PagesInsert } from '../contract/ops/pages-insert.js'
import { isWidget } from '../fields/field-tree.js'
import { readingLimits } from '../objects/reading-limits.js'
import { elementsOf, entry, isDictionary } from '../objects/values.js'

export const work = opWork(PagesInsert, {
  apply({ position = 'end', resources }, change) {
    const { pages, form, layers } = withSource(change.resource(resources.source, 'source'), (source) =>
      graftPages(change, source),
    )
    const annotations = pages.flatMap((page) => [...elementsOf(entry(page, 'Annots'), readingLimits.annotsLengthMax)])
    if (annotations.length > 0) change.effects.document('annotations')
    if (change.stamp.keepsAuthors !== true) {
      claimAnnotations(change, annotations)
      dropActions(annotations)
    }
    if (form !== undefined) mergeForm(change, form, annotations)
    // Widgets that the form does not list are read as fields, too.
    if (form !== undefined || annotations.some(isWidget)) change.effects.document('forms')
    if (layers !== undefined && isDictionary(layers)) mergeLayers(change, layers)
    return { type: 'pages.insert' as const, ...insertPages(change, { pages, position }) }
  },
})
