// `pages.removeName`: removes a name of a page.
import { closest } from '../../core/value/suggestions.js'
import { PageNames } from '../assembly/page-names.js'
import { pageMeta } from '../assembly/requested-pages.js'
import { opWork } from '../change/op-work.js'
import { JobRefusal } from '../contract/job-refusal.js'
import { PagesRemoveName } from '../contract/ops/pages-remove-name.js'
import { readLayout } from '../pages/layout.js'
import { namedPages } from '../pages/named-pages.js'

export const work = opWork(PagesRemoveName, {
  apply({ name }, change) {
    const names = new PageNames(change)
    if (!names.has(name)) throw noSuchName(name, names.all)
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

function noSuchName(name: string, names: readonly string[]): JobRefusal {
  const found = closest(name, names)
  const hint = found === undefined ? '' : `; did you mean ${JSON.stringify(found)}?`
  return new JobRefusal('NotFound', `No page has the name ${JSON.stringify(name)}${hint}`, { name })
}
