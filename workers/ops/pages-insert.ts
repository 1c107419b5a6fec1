// `pages.insert`: takes the pages of another PDF over, with annotations, links among them, form fields and layers.

import { opWork } from '../changes/operation.js'
import { claimAnnotations } from '../changes/pages/claim-annotations.js'
import { graftPages } from '../changes/pages/graft-pages.js'
import { insertPages } from '../changes/pages/insert-pages.js'
import { withSource } from '../changes/pages/inserted-source.js'
import { mergeForm } from '../changes/pages/merge-form.js'
import { mergeLayers } from '../changes/pages/merge-layers.js'
import { PagesInsert } from '../contract/ops/pages-insert.js'
import { isWidget } from '../pdf/forms/field-tree.js'
import { readingLimits } from '../pdf/reading-limits.js'
import { elementsOf, entry, isDictionary } from '../pdf/values.js'

export const work = opWork(PagesInsert, {
  apply({ position = 'end', resources }, change) {
    const { pages, form, layers } = withSource(change.resource(resources.source, 'source'), (source) =>
      graftPages(change, source),
    )
    const annotations = pages.flatMap((page) => [...elementsOf(entry(page, 'Annots'), readingLimits.annotsLengthMax)])
    if (annotations.length > 0) change.effects.document('annotations')
    if (change.stamp.keepsAuthors !== true) claimAnnotations(change, annotations)
    if (form !== undefined) mergeForm(change, form, annotations)
    // Widgets that no form lists are read as fields as well.
    if (form !== undefined || annotations.some(isWidget)) change.effects.document('forms')
    if (layers !== undefined && isDictionary(layers)) mergeLayers(change, layers)
    return { type: 'pages.insert' as const, ...insertPages(change, { pages, position }) }
  },
})
