// Webhooks of a tenant: where its events are sent.
import { useCallback, useState } from 'preact/hooks'
import type { Static } from 'typebox'
import type { WebhookList as WebhooksAnswer } from '../../../schemas/webhook.js'
import { useSession } from '../current.js'
import { Icon } from '../parts/icon.js'
import { ListView } from '../parts/list-view.js'
import { webhooksPath } from '../paths.js'
import { text } from '../texts.js'
import { useList } from '../use-list.js'
import { NewWebhook } from './new-webhook.js'
import { WebhookRow } from './webhook-row.js'

export function WebhookList({ tenantId }: { readonly tenantId: string }) {
  const { client } = useSession()
  const [isMaking, setMaking] = useState(false)
  const read = useCallback(
    async (_cursor: string | undefined, signal: AbortSignal) => {
      const { webhooks } = await client.json<Static<typeof WebhooksAnswer>>(webhooksPath(tenantId), { signal })
      return { items: webhooks, nextCursor: null }
    },
    [client, tenantId],
  )
  const list = useList(read)
  return (
    <section class="card" aria-label={text('webhooks')}>
      <header class="card-head">
        <p class="faint grow">{text('webhooksWhat')}</p>
        <button type="button" class="button main" onClick={() => setMaking(true)}>
          <Icon name="plus" />
          {text('newWebhook')}
        </button>
      </header>
      <ListView
        label={text('webhooks')}
        list={list}
        empty={text('noWebhooks')}
        row={(webhook) => <WebhookRow key={webhook.id} tenantId={tenantId} webhook={webhook} onChanged={list.reload} />}
      />
      {isMaking && <NewWebhook tenantId={tenantId} onMade={list.reload} onClose={() => setMaking(false)} />}
    </section>
  )
}
