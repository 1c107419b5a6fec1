// What the tenant may store, set by the operator.
import { useCallback } from 'preact/hooks'
import type { Static } from 'typebox'
import type { Tenant } from '../../../schemas/tenant.js'
import { useSession } from '../current.js'
import { ProblemNotice } from '../parts/notice.js'
import { StorageLimit } from '../parts/storage-limit.js'
import { tenantPath } from '../paths.js'
import { useAnswer } from '../use-answer.js'

interface TenantLimitProps {
  readonly tenantId: string
  readonly onChanged: () => void
}

export function TenantLimit({ tenantId, onChanged }: TenantLimitProps) {
  const { client } = useSession()
  const path = tenantPath(tenantId)
  const read = useCallback(
    (signal: AbortSignal) => client.json<{ readonly tenant: Static<typeof Tenant> }>(path, { signal }),
    [client, path],
  )
  const { answer, problem, reload } = useAnswer(read)
  const changed = () => {
    reload()
    onChanged()
  }
  if (answer === undefined) return <ProblemNotice problem={problem} />
  const { storedBytesMax } = answer.tenant
  return <StorageLimit path={path} name={tenantId} storedBytesMax={storedBytesMax} onChanged={changed} />
}
