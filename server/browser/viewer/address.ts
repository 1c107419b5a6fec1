// Parses the address of a page, which names a document with a token for each of its layers that it shows, or a share.

export type Address = DocumentAddress | { readonly kind: 'share'; readonly shareId: string }

export interface DocumentAddress {
  readonly kind: 'document'
  readonly docId: string
  /** Layer to show. */
  readonly layer: string
  readonly token: string | undefined
  /** Layers that the page has a token for. */
  readonly layers: readonly string[]
}

export interface Page {
  readonly address: Address
  /** Folder of the server: the pages are one folder below it. */
  readonly base: URL
}

/**
 * Reads the address and takes the tokens out of it, so that they are neither in the history nor on the screen. They stay
 * in this tab until it is closed, so that the page can be loaded again, and show another layer.
 */
export function takeAddress({ location, history, sessionStorage }: Window): Page {
  const base = new URL('../', location.href)
  const [folder, name = ''] = location.pathname.split('/').slice(-2)
  const id = decodeURIComponent(name)
  if (folder === 's') return { base, address: { kind: 'share', shareId: id } }
  const key = `tokens of ${id}`
  const sent = new URLSearchParams(location.hash.slice(1)).getAll('token')
  if (sent.length > 0) {
    sessionStorage.setItem(key, JSON.stringify(sent.map((token) => [layerOf(token), token])))
    history.replaceState(null, '', location.pathname + location.search)
  }
  const tokens = new Map<string, string>(JSON.parse(sessionStorage.getItem(key) ?? '[]'))
  const layers = [...tokens.keys()]
  const layer = new URLSearchParams(location.search).get('layer') ?? layers[0] ?? 'default'
  // A token for another layer is sent too: the server says why it is refused.
  const token = tokens.get(layer) ?? tokens.values().next().value
  return { base, address: { kind: 'document', docId: id, layer, token, layers } }
}

/** Returns the layer that a token is for, which the server alone can check. */
function layerOf(token: string): string {
  try {
    const [, claims = ''] = token.split('.')
    const bytes = Uint8Array.from(atob(claims.replace(/-/g, '+').replace(/_/g, '/')), (one) => one.charCodeAt(0))
    const { layer_name: layer } = JSON.parse(new TextDecoder().decode(bytes))
    return typeof layer === 'string' ? layer : 'default'
  } catch {
    return 'default'
  }
}
