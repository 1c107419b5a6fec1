// Finds out whether this server makes tokens and shares: where an identity provider makes the tokens, it has no such operations.
import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../shared/api-error.js'
import { useSession } from '../current.js'
import { tenantPath } from '../paths.js'

/** Returns false until it is known. */
export function useCanMint(tenantId: string): boolean {
  const { client } = useSession()
  const [canMint, setCanMint] = useState(false)
  useEffect(() => {
    const controller = new AbortController()
    client.send(`${tenantPath(tenantId)}/shares?limit=1`, { signal: controller.signal }).then(
      () => setCanMint(true),
      // A token without the right to shares is told so where there are shares.
      (error: unknown) => setCanMint(error instanceof ApiError && error.status === 403),
    )
    return () => controller.abort()
  }, [client, tenantId])
  return canMint
}
