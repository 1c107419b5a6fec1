// Notes the elements of a file that were not imported, or only in part.
import type { Static } from 'typebox'
import type { SkippedAnnotation } from '../../contract/ops/import-results.js'
import { exchangeLimits, shown } from '../exchange-limits.js'
import type { XmlTree } from '../xml/xml-tree.js'

/** Maximum length of a message, which may name many members. */
const messageCharactersMax = 1_000

type Skipped = Static<typeof SkippedAnnotation>

export class SkippedElements {
  readonly list: Skipped[] = []

  add(element: XmlTree, reason: Skipped['reason'], message: string, members?: readonly string[]): undefined {
    const { name, page } = Object.fromEntries(element.attributes)
    this.list.push({
      reason,
      message: message.slice(0, messageCharactersMax),
      element: shown(element.name),
      name: name === undefined ? null : shown(name),
      page: page !== undefined && /^\d{1,9}$/.test(page) ? Number(page) : null,
      line: element.line,
      ...(members && { members: [...members] }),
    })
  }

  addMembers(element: XmlTree, members: readonly string[]): void {
    const named = members.slice(0, exchangeLimits.ignoredNamesMax)
    const more = members.length > named.length ? ` and ${members.length - named.length} more` : ''
    const why = 'these have no equivalent, or a value that cannot be used'
    this.add(element, 'members-ignored', `Imported without ${named.join(', ')}${more}: ${why}`, named)
  }
}
