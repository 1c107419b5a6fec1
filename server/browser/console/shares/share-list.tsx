// Shares of a tenant, or of one of its documents.
import { useCallback, useState } from 'preact/hooks'
import type { Static } from 'typebox'
import type { ShareList as SharesAnswer } from '../../../schemas/share.js'
import { useSession } from '../current.js'
import { Icon } from '../parts/icon.js'
import { ListView } from '../parts/list-view.js'
import { tenantPath, withQuery } from '../paths.js'
import { text } from '../texts.js'
import { useList } from '../use-list.js'
import { NewShare } from './new-share.js'
import { ShareRow } from './share-row.js'

interface ShareListProps {
  readonly tenantId: string
  /** Undefined: of all documents. */
  readonly docId?: string
  readonly canMake?: boolean
}

export function ShareList({ tenantId, docId, canMake = false }: ShareListProps) {
  const { client } = useSession()
  const [isMaking, setMaking] = useState(false)
  const read = useCallback(
    async (cursor: string | undefined, signal: AbortSignal) => {
      const path = withQuery(`${tenantPath(tenantId)}/shares`, { limit: 25, cursor, docId })
      const { shares, nextCursor } = await client.json<Static<typeof SharesAnswer>>(path, { signal })
      return { items: shares, nextCursor }
    },
    [client, tenantId, docId],
  )
  const list = useList(read)
  return (
    <section class="card" aria-label={text('shares')}>
      <header class="card-head">
        <p class="faint grow">{text(docId === undefined ? 'sharesWhere' : 'sharesWhat')}</p>
        {docId !== undefined && canMake && (
          <button type="button" class="button main" onClick={() => setMaking(true)}>
            <Icon name="plus" />
            {text('newShare')}
          </button>
        )}
      </header>
      <ListView
        label={text('shares')}
        list={list}
        empty={text('noShares')}
        row={(share) => (
          <ShareRow key={share.id} share={share} namesDocument={docId === undefined} onChanged={list.reload} />
        )}
      />
      {docId !== undefined && isMaking && (
        <NewShare tenantId={tenantId} docId={docId} onMade={list.reload} onClose={() => setMaking(false)} />
      )}
    </section>
  )
}
