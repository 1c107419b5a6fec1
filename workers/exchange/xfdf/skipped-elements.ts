// Notes the elements of a file that were not imported, or only in part.
import type { Static } from 'typebox'
import type { SkippedAnnotation } from '../../contract/ops/import-results.js'
import { exchangeLimits, shown } from '../exchange-limits.js'
import type { XmlTree } from '../xml/xml-tree.js'

type Skipped = Static<typeof SkippedAnnotation>

export class SkippedElements {
  readonly list: Skipped[] = []

  add(element: XmlTree, reason: Skipped['reason'], message: string, members?: readonly string[]): undefined {
    const { name, page } = Object.fromEntries(element.attributes)
    this.list.push({
      reason,
      message: message.slice(0, 2 * exchangeLimits.shownCharactersMax),
      element: shown(element.name),
      name: name === undefined ? null : shown(name),
      page: page !== undefined && /^\d{1,9}$/.test(page) ? Number(page) : null,
      line: element.line,
      ...(members && { members: [...members] }),
    })
  }

  addMembers(element: XmlTree, members: readonly string[]): void {
    const message = `Imported without ${members.join(', ')}: these have no equivalent, or a value that cannot be used`
    this.add(element, 'members-ignored', message, members)
  }
}
