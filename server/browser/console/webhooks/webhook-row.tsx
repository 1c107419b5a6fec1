// A webhook in the list: its state, a test of it, and its deliveries.
import { useState } from 'preact/hooks'
import type { Static } from 'typebox'
import type { Webhook, WebhookPing } from '../../../schemas/webhook.js'
import { useSession } from '../current.js'
import { timeText } from '../format.js'
import { Chip } from '../parts/chip.js'
import { FormDialog } from '../parts/dialog.js'
import { ProblemNotice } from '../parts/notice.js'
import { webhooksPath } from '../paths.js'
import { text } from '../texts.js'
import { useWork } from '../use-work.js'
import { DeliveryList, outcomeText } from './delivery-list.js'

interface WebhookRowProps {
  readonly tenantId: string
  readonly webhook: Static<typeof Webhook>
  readonly onChanged: () => void
}

export function WebhookRow({ tenantId, webhook, onChanged }: WebhookRowProps) {
  const { client } = useSession()
  const [isDeleting, setDeleting] = useState(false)
  const [showsDeliveries, setShowsDeliveries] = useState(false)
  const [tried, setTried] = useState<string | undefined>()
  const work = useWork()
  const { id, url, types, status, pauseReason, failingSince } = webhook
  const path = `${webhooksPath(tenantId)}/${id}`
  const isActive = status === 'active'
  const change = (below: string, method: 'POST' | 'DELETE' = 'POST') =>
    work.run(async () => {
      await client.send(`${path}${below}`, { method })
      setDeleting(false)
      onChanged()
    })
  const ping = () =>
    work.run(async () => {
      const { attempt } = await client.json<Static<typeof WebhookPing>>(`${path}/ping`, { method: 'POST' })
      setTried(outcomeText(attempt))
    })
  return (
    <li class="row webhook">
      <div class="row-main">
        <span class="row-title">{url}</span>
        <span class="row-note">
          <Chip tone={isActive ? 'good' : 'quiet'} label={text(isActive ? 'active' : 'paused')} />
          {pauseReason !== null && pauseReason !== 'requested' && <span>{text('pausedBecause')}</span>}
          {failingSince !== null && <span>{text('failingSince', { time: timeText(failingSince) })}</span>}
          <span>{types.join(', ')}</span>
        </span>
        <span role="status" class="faint">
          {tried}
        </span>
        {!isDeleting && <ProblemNotice problem={work.problem} />}
      </div>
      <div class="row-actions">
        <button
          type="button"
          class="button"
          aria-expanded={showsDeliveries}
          aria-label={text('deliveriesOf', { name: url })}
          onClick={() => setShowsDeliveries(!showsDeliveries)}
        >
          {text('deliveries')}
        </button>
        <button
          type="button"
          class="button"
          disabled={work.isBusy}
          aria-label={text('tryOf', { name: url })}
          onClick={() => void ping()}
        >
          {text('tryIt')}
        </button>
        <button
          type="button"
          class="button"
          disabled={work.isBusy}
          aria-label={text(isActive ? 'pauseOf' : 'resumeOf', { name: url })}
          onClick={() => void change(isActive ? '/pause' : '/resume')}
        >
          {text(isActive ? 'pause' : 'resume')}
        </button>
        <button
          type="button"
          class="button"
          aria-label={text('deleteOf', { name: url })}
          onClick={() => setDeleting(true)}
        >
          {text('deleteAction')}
        </button>
      </div>
      {showsDeliveries && <DeliveryList path={path} />}
      {isDeleting && (
        <FormDialog
          title={text('deleteWebhookTitle')}
          action={text('deleteAction')}
          isBad
          isBusy={work.isBusy}
          problem={work.problem}
          onAction={() => void change('', 'DELETE')}
          onClose={() => setDeleting(false)}
        >
          <p>{text('deleteWebhookWhat', { name: url })}</p>
        </FormDialog>
      )}
    </li>
  )
}
