// Deliveries of a webhook, newest first: what was sent, what came of it, and a button that sends it again.
import { useCallback, useEffect } from 'preact/hooks'
import type { Static } from 'typebox'
import type { WebhookAttempt, WebhookDelivery, WebhookDeliveryList } from '../../../schemas/webhook.js'
import { useSession } from '../current.js'
import { countText, timeText } from '../format.js'
import { Chip, type Tone } from '../parts/chip.js'
import { ListView } from '../parts/list-view.js'
import { ProblemNotice } from '../parts/notice.js'
import { withQuery } from '../paths.js'
import { type TextName, text } from '../texts.js'
import { useList } from '../use-list.js'
import { useWork } from '../use-work.js'

type Delivery = Static<typeof WebhookDelivery>

/** Time after which a list is read again while some of it waits. */
const refreshMs = 3_000

/** `path`: of the webhook. */
export function DeliveryList({ path }: { readonly path: string }) {
  const { client } = useSession()
  const read = useCallback(
    async (cursor: string | undefined, signal: AbortSignal) => {
      const answer = client.json<Static<typeof WebhookDeliveryList>>(
        withQuery(`${path}/deliveries`, { limit: 25, cursor }),
        { signal },
      )
      const { deliveries, nextCursor } = await answer
      return { items: deliveries, nextCursor }
    },
    [client, path],
  )
  const list = useList(read)
  const { items, reload } = list
  useEffect(() => {
    if (!items?.some(({ state }) => state === 'waiting')) return
    const timer = setTimeout(reload, refreshMs)
    return () => clearTimeout(timer)
  }, [items, reload])
  return (
    <div class="deliveries">
      <ListView
        label={text('deliveries')}
        list={list}
        empty={text('noDeliveries')}
        row={(delivery) => <DeliveryRow key={delivery.id} path={path} delivery={delivery} onChanged={list.reload} />}
      />
    </div>
  )
}

const states: Readonly<Record<Delivery['state'], readonly [Tone, TextName]>> = {
  waiting: ['wait', 'deliveryWaiting'],
  delivered: ['good', 'deliveryDone'],
  'given-up': ['bad', 'deliveryGivenUp'],
}

interface DeliveryRowProps {
  readonly path: string
  readonly delivery: Delivery
  readonly onChanged: () => void
}

function DeliveryRow({ path, delivery, onChanged }: DeliveryRowProps) {
  const { client } = useSession()
  const work = useWork()
  const { id, type, docId, state, attempts, last, nextAttemptAt, createdAt } = delivery
  const [tone, name] = states[state]
  const again = () =>
    work.run(async () => {
      await client.send(`${path}/deliveries/${id}/redeliver`, { method: 'POST' })
      onChanged()
    })
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {type} <span class="faint">{docId}</span>
        </span>
        <span class="row-note">
          <Chip tone={tone} label={text(name)} />
          <time dateTime={new Date(createdAt).toISOString()}>{timeText(createdAt)}</time>
          <span>{text('attempts', { count: countText(attempts) })}</span>
          {last !== null && <span>{outcomeText(last)}</span>}
          {nextAttemptAt !== null && <span>{text('nextAttempt', { time: timeText(nextAttemptAt) })}</span>}
        </span>
        <ProblemNotice problem={work.problem} />
      </div>
      <div class="row-actions">
        <button type="button" class="button" disabled={work.isBusy} onClick={() => void again()}>
          {text('sendAgain')}
        </button>
      </div>
    </li>
  )
}

/** Says what came of an attempt: the status of the answer, or why there was none. */
export function outcomeText({ statusCode, error, durationMs }: Static<typeof WebhookAttempt>): string {
  const outcome = [statusCode === null ? '' : `HTTP ${statusCode}`, error ?? ''].filter((one) => one !== '').join(', ')
  return text('answered', { outcome, ms: String(durationMs) })
}
