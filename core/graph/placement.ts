// Determines which API of a provider each declaration belongs to.

import type { Diagnostic } from '../diagnostic.js'
import type { Declaration, Project } from '../plugin/declaration.js'
import type { Provider } from '../plugin/provider.js'
import type { Row } from '../state/row.js'
import { type Address, formatAddress } from '../value/address.js'

export interface PlacementRequest {
  readonly project: Project
  readonly provider: Provider
  readonly providerName: string
  readonly declarations: readonly Declaration[]
  readonly rows: ReadonlyMap<Address, Row>
}

export interface PlacementResult {
  /** API by address; an address without one belongs to the provider's only API. */
  readonly apis: ReadonlyMap<Address, string>
  readonly diagnostics: readonly Diagnostic[]
}

export function placeAll({ project, provider, providerName, declarations, rows }: PlacementRequest): PlacementResult {
  if (!provider.place) return { apis: new Map(), diagnostics: [] }
  const addressOf = (declaration: Declaration) => formatAddress({ ...declaration, provider: providerName })
  const placeable = declarations.map((declaration) => {
    const address = addressOf(declaration)
    const rowApi = rows.get(address)?.api
    return { address, declaration, ...(rowApi === undefined ? {} : { rowApi }) }
  })
  const { apis, findings } = provider.place(placeable, project)
  const diagnostics = findings.map(
    ({ declaration, code, finding }): Diagnostic => ({
      code,
      severity: 'error',
      summary: 'A resource cannot be placed',
      detail: finding.detail,
      ...(finding.fix === undefined ? {} : { fix: finding.fix }),
      address: addressOf(declaration),
    }),
  )
  return { apis, diagnostics }
}
