// Rules of phase `state`: rules of providers that need the row of a resource.

import type { Diagnostic } from '../diagnostic.js'
import type { Resource } from '../graph/resource.js'
import type { Row } from '../state/row.js'
import type { Address } from '../value/address.js'
import type { PlanOptions } from './options.js'

export function stateRuleDiagnostics(
  resources: ReadonlyMap<Address, Resource>,
  rows: ReadonlyMap<Address, Row>,
  { registry, project }: PlanOptions,
): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  for (const [address, { provider, kind, api, declaration }] of resources) {
    const row = rows.get(address)
    const rules = registry.provider(provider)?.rules ?? []
    for (const rule of rules) {
      if (rule.phase !== 'state' || rule.kind !== kind) continue
      for (const { detail, fix } of rule.check({ declaration, project, provider, api, ...(row ? { row } : {}) })) {
        diagnostics.push({
          code: rule.code,
          severity: rule.severity,
          summary: rule.summary,
          detail,
          fix: fix ?? rule.fix,
          address,
        })
      }
    }
  }
  return diagnostics
}
