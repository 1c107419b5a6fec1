// Parses the address of a page, which names a document with a token, or a share.

export type Address =
  | { readonly kind: 'document'; readonly docId: string; readonly layer: string; readonly token: string | undefined }
  | { readonly kind: 'share'; readonly shareId: string }

export interface Page {
  readonly address: Address
  /** Folder of the server: the pages are one folder below it. */
  readonly base: URL
}

/**
 * Reads the address and takes the token out of it, so that it is neither in the history nor on the screen. The token
 * stays in this tab until it is closed, so that the page can be loaded again.
 */
export function takeAddress({ location, history, sessionStorage }: Window): Page {
  const base = new URL('../', location.href)
  const [folder, name = ''] = location.pathname.split('/').slice(-2)
  const id = decodeURIComponent(name)
  if (folder === 's') return { base, address: { kind: 'share', shareId: id } }
  const layer = new URLSearchParams(location.search).get('layer') ?? 'default'
  const key = `token of ${id} ${layer}`
  const sent = new URLSearchParams(location.hash.slice(1)).get('token')
  if (sent !== null) {
    sessionStorage.setItem(key, sent)
    history.replaceState(null, '', location.pathname + location.search)
  }
  return { base, address: { kind: 'document', docId: id, layer, token: sessionStorage.getItem(key) ?? undefined } }
}
