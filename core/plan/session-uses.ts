// Detects changes of what only sessions use by the uses that state recorded, because the object at the provider does
// not contain them.
import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import { diagnostic } from '../problems/index.js'
import type { Row } from '../state/row.js'
import { parseAddress } from '../value/address.js'

interface SessionRecord {
  readonly row?: Row | undefined
  readonly resource?: Pick<Resource, 'sessionUses'>
}

/**
 * True if state records other uses than are declared. A row without any record comes from an import, whose uses are
 * unknown.
 */
export function usesChanged({ row, resource }: SessionRecord): boolean {
  const [before, now] = [row?.sessionUses, resource?.sessionUses]
  return before !== undefined && now !== undefined && before.join() !== now.join()
}

export function sessionNotes({
  row,
  resource,
}: SessionRecord & { readonly resource: Resource }): readonly Diagnostic[] {
  if (!usesChanged({ row, resource })) return []
  const [before, now] = [row?.sessionUses ?? [], resource.sessionUses ?? []]
  const only = (some: readonly string[], others: readonly string[]) =>
    some.filter((use) => !others.includes(use)).map(spoken)
  const parts = [
    ...only(now, before).map((use) => `use ${use}`),
    ...only(before, now).map((use) => `no longer use ${use}`),
  ]
  return [
    diagnostic('plan.sessions-only', {
      address: resource.address,
      detail: `New sessions ${parts.join(', and ')}. The object at the provider does not change; running sessions continue unchanged.`,
    }),
  ]
}

function spoken(use: string): string {
  const { kind, name } = parseAddress(use)
  return `the ${kind.replaceAll('_', ' ')} ${name}`
}
