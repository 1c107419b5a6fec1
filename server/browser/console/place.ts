// The place of the console that is shown. It stands behind the `#` of the address, which no server sees, so that going
// back works. No secret is ever part of it.
import { useEffect, useState } from 'preact/hooks'

export const tenantTabs = ['documents', 'shares', 'tokens', 'webhooks'] as const
export const documentTabs = ['facts', 'layers', 'versions', 'shares', 'audit', 'reads'] as const
export type TenantTab = (typeof tenantTabs)[number]
export type DocumentTab = (typeof documentTabs)[number]

export type Place =
  | { readonly kind: 'tenants' }
  | { readonly kind: 'tenant'; readonly tenantId: string; readonly tab: TenantTab }
  | { readonly kind: 'document'; readonly tenantId: string; readonly docId: string; readonly tab: DocumentTab }

/** `#/acme/documents/report/layers` */
export function addressOf(place: Place): string {
  if (place.kind === 'tenants') return '#/'
  if (place.kind === 'tenant') return `#/${place.tenantId}/${place.tab}`
  return `#/${place.tenantId}/documents/${place.docId}/${place.tab}`
}

export function placeAt(hash: string): Place {
  const [tenantId = '', tab = '', docId, documentTab] = hash.replace(/^#\/?/, '').split('/')
  const isId = (text: string) => /^[A-Za-z0-9_-]+$/.test(text)
  if (!isId(tenantId)) return { kind: 'tenants' }
  if (tab === 'documents' && docId !== undefined && isId(docId)) {
    return { kind: 'document', tenantId, docId, tab: documentTabs.find((one) => one === documentTab) ?? 'facts' }
  }
  return { kind: 'tenant', tenantId, tab: tenantTabs.find((one) => one === tab) ?? 'documents' }
}

export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const follow = () => setHash(location.hash)
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return placeAt(hash)
}
