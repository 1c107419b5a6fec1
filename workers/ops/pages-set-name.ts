// `pages.setName`: gives a page a name.

import { PageNames } from '../assembly/page-names.js'
import { pageMeta } from '../assembly/requested-pages.js'
import type { Change } from '../change/change.js'
import { opWork } from '../change/op-work.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { PagesSetName } from '../contract/ops/pages-set-name.js'
import { readLayout } from '../pages/layout.js'
import { namedPages } from '../pages/named-pages.js'

export const work = opWork(PagesSetName, {
  apply({ name, page: { objectNumber: page }, replace }, change) {
    const { document, effects } = change
    document.indexOf(page)
    const owner = ownerOf(change, name)
    if (owner !== undefined && owner !== page) {
      throw new JobRefusal('InvalidArg', 'Another page has this name', { name })
    }
    const replaced = replace === name ? undefined : replace
    if (replaced !== undefined && ownerOf(change, replaced) !== page) {
      throw new JobRefusal('InvalidArg', 'The name to replace is not a name of this page', { replace: replaced })
    }
    change.cannotBeUndone()
    const isChanged = owner === undefined || replaced !== undefined
    if (isChanged) {
      const names = new PageNames(change)
      if (replaced !== undefined) names.remove(replaced)
      if (owner === undefined) names.set(name, document.pageObject(page))
      names.save()
      effects.document('layout')
      effects.page(page)
    }
    return {
      type: 'pages.setName' as const,
      layout: readLayout(change.reading()),
      meta: pageMeta(isChanged ? [page] : []),
    }
  },
})

/** Returns the page or template of a name; a name whose page was removed is free. */
function ownerOf(change: Change, name: string): number | undefined {
  const target = namedPages(change.reading()).find((named) => named.name === name)?.target
  if (target?.kind === 'page') return target.page.objectNumber
  return target?.kind === 'template' ? target.objectNumber : undefined
}
