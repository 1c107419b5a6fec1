// Usage of a tenant in this month, and what it stores.
import { useCallback, useEffect } from 'preact/hooks'
import type { Static } from 'typebox'
import type { TenantUsage } from '../../../schemas/tenant.js'
import { useSession } from '../current.js'
import { countText, sizeText } from '../format.js'
import { tenantPath } from '../paths.js'
import { text } from '../texts.js'
import { useUploads } from '../uploads/upload-list.js'
import { useAnswer } from '../use-answer.js'

export function Usage({ tenantId }: { readonly tenantId: string }) {
  const { client } = useSession()
  const read = useCallback(
    (signal: AbortSignal) => client.json<Static<typeof TenantUsage>>(`${tenantPath(tenantId)}/usage`, { signal }),
    [client, tenantId],
  )
  const { answer, reload } = useAnswer(read)
  const metrics = answer?.metrics
  const room = answer?.limits['storage.bytes'] ?? null
  const over = useUploads(tenantId).filter(({ isOver }) => isOver).length
  useEffect(reload, [over, reload])
  const counts = [
    [text('views'), metrics && countText(metrics['pdf.views'])],
    [text('uploadsCounted'), metrics && countText(metrics['pdf.uploads'])],
    [text('stored'), metrics && sizeText(metrics['storage.bytes'])],
    [text('storageLimit'), answer && (room === null ? text('unlimited') : sizeText(room))],
  ] as const
  return (
    <dl class="usage">
      {counts.map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{count ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
