// `pages.removeName`: takes a name of a page away.
import { readLayout } from '../../pdf/layout.js'
import { namedPages } from '../../pdf/named-pages.js'
import { PagesRemoveName } from '../../shapes/changes/pages-remove-name.js'
import { JobRefusal } from '../../task.js'
import { changeOperation } from '../operation.js'
import { pageMeta } from '../pages/named-in.js'
import { PageNames } from '../pages/page-names.js'

export const pagesRemoveName = changeOperation(PagesRemoveName, {
  type: 'pages.removeName',
  apply({ name }, change) {
    const names = new PageNames(change)
    if (!names.has(name)) throw new JobRefusal('NotFound', 'No page has this name', { name })
    const target = namedPages(change.reading()).find((named) => named.name === name)?.target
    const pages = target?.kind === 'page' ? [target.page.objectNumber] : []
    names.remove(name)
    names.save()
    change.cannotBeUndone()
    change.effects.document('layout')
    for (const page of pages) change.effects.page(page)
    return { type: 'pages.removeName' as const, layout: readLayout(change.reading()), meta: pageMeta(pages) }
  },
})
