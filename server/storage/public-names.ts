// Public names of the owner of a row or blob, found by internal ids.

import type { Key } from './keys.js'
import { RowCorrupt } from './row-codec.js'
import { rowKinds } from './row-kinds.js'
import type { Store } from './store.js'

export interface PublicNames {
  readonly tenantId?: string
  readonly documentId?: string
}

/** Returns public ids by internal ids; those of missing or damaged rows are left out. */
export async function publicNames(
  store: Store,
  { tenant, document }: { readonly tenant: string; readonly document?: string | undefined },
): Promise<PublicNames> {
  const tenantId = await idIn(store, rowKinds.tenants.key([tenant]), rowKinds.tenants)
  const documentId =
    document === undefined
      ? undefined
      : await idIn(store, rowKinds.documents.key([tenant, document]), rowKinds.documents)
  return { ...(tenantId === undefined ? {} : { tenantId }), ...(documentId === undefined ? {} : { documentId }) }
}

type NamedRowKind = Pick<typeof rowKinds.tenants | typeof rowKinds.documents, 'decode'>

async function idIn(store: Store, key: Key, kind: NamedRowKind): Promise<string | undefined> {
  const value = await store.get(key)
  if (value === undefined) return undefined
  try {
    return kind.decode({ key, value }).id
  } catch (error) {
    if (error instanceof RowCorrupt) return undefined
    throw error
  }
}
