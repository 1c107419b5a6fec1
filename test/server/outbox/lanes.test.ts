// Lanes of deliveries on every store: whatever two processes do at once, the first of a lane has a time.
import t from 'tap'
import { systemRandom } from '../../../core/ports/random.js'
import type { DeliveryName } from '../../../server/outbox/lanes.js'
import { deliverySlot } from '../../../server/outbox/lanes.js'
import { newDelivery, newDeliveryId, noFacts, recordEvent } from '../../../server/outbox/record-event.js'
import { type OutboxPorts, settleDelivery, takeDelivery } from '../../../server/outbox/take-delivery.js'
import { tendWebhooks } from '../../../server/outbox/tend-webhooks.js'
import { webhookLimits } from '../../../server/outbox/webhook-limits.js'
import type { WebhookDeliveryRow } from '../../../server/rows/webhook-delivery.js'
import { openStorage, type Storage } from '../../../server/storage/open-storage.js'
import type { Store } from '../../../server/storage/store.js'
import { Transaction, transact } from '../../../server/storage/transaction.js'
import { needsPostgres, PostgresServer } from '../../support/engines/postgres.js'
import { clock, type Made, makeDocument, makeTenant } from '../support/scene.js'

const nowMs = clock.now()
const succeeded = { at: nowMs, durationMs: 1, statusCode: 204, error: null }

for (const { engine, options } of [
  { engine: 'in the folder', options: {} },
  { engine: 'in PostgreSQL', options: needsPostgres },
]) {
  t.test(`lanes of a store ${engine}`, options, async (t) => {
    const store = engine === 'in PostgreSQL' ? (await PostgresServer.start(t)).address() : undefined
    const storage = await openStorage({ folder: t.testdir(), ...(store ? { engines: { store } } : {}) })
    t.teardown(() => storage.close())
    const tenant = await makeTenant(storage, 'acme')
    const webhook = 'whk_1'
    await putWebhook(storage, tenant, webhook)
    const other: OutboxPorts = { ...storage, clock, random: systemRandom }
    let documents = 0
    const newDocument = () => makeDocument(storage, tenant, `document-${documents++}`)
    /** Records an event of the document, or a delivery in another state than a new one has. */
    const record = async (
      made: Made & { readonly webhook?: string },
      order: number,
      state: Partial<WebhookDeliveryRow> = {},
    ) => {
      const name = { webhook, ...made, delivery: newDeliveryId(nowMs) }
      const event = { ...noFacts, id: `evt_${order}`, type: 'document.changed', at: nowMs, docId: 'd' } as const
      await transact(storage, async (transaction) =>
        transaction.put(deliverySlot(storage.tables, name), { ...newDelivery(event, { order, nowMs }), ...state }),
      )
      return name
    }
    const rowOf = (name: DeliveryName) => storage.tables.webhookDeliveries.get(keyOf(name))

    t.test('an entry that comes between the look of an end at its lane and the commit of it is sent', async (t) => {
      const made = await newDocument()
      const held = holdCommits(storage.store)
      const one: OutboxPorts = { ...other, store: held.store }
      const first = await record(made, 1)
      const taken = await takeDelivery(other, first, webhookLimits.claimMs)
      if (typeof taken === 'string') throw new Error(`the first delivery is ${taken}`)
      const settled = settleDelivery(one, taken, succeeded)
      await held.reached
      const next = await record(made, 2)
      t.equal(await takeDelivery(other, next, webhookLimits.claimMs), 'settled')
      t.match(await rowOf(next), { state: 'waiting', dueAt: null, attempts: 0 }, 'it waits for the first')
      held.release()
      t.equal(await settled, 'delivered')
      t.match(await rowOf(first), { state: 'delivered', claim: null, dueAt: null, last: succeeded })
      t.match(await rowOf(next), { state: 'waiting', dueAt: nowMs, attempts: 0 })
      t.match(await takeDelivery(other, next, webhookLimits.claimMs), { name: next, row: { attempts: 1 } })
    })

    t.test('a lane whose first entry waits for nothing goes on, and everything else stays', async (t) => {
      const stuck = await newDocument()
      const first = await record(stuck, 1, { dueAt: null })
      const behind = await record(stuck, 2, { dueAt: null })
      const busy = await newDocument()
      const claim = { token: 'of-another-process', expiresAt: nowMs + webhookLimits.claimMs }
      await record(busy, 1, { attempts: 1, claim })
      await record(busy, 2, { dueAt: null })
      const later = await newDocument()
      await record(later, 1, { attempts: 3, dueAt: nowMs + webhookLimits.retryMaxMs })
      const before = await rowsOf(storage)
      await tendWebhooks({ ...storage, clock })
      t.match(await rowOf(first), { state: 'waiting', dueAt: nowMs, attempts: 0, claim: null })
      t.match(await rowOf(behind), { state: 'waiting', dueAt: null }, 'the second waits for the first')
      const after = await rowsOf(storage)
      const changed = [...after].filter(([key, value]) => before.get(key) !== value).map(([key]) => key)
      t.equal(changed.length, 2, 'the row and its entry among those that are due')
      t.ok(changed.every((key) => key.includes(first.delivery)))
      t.same(
        [...before.keys()].filter((key) => !after.has(key)),
        [],
      )
      const sent: string[] = []
      for (const name of [first, behind]) {
        const taken = await takeDelivery(other, name, webhookLimits.claimMs)
        if (typeof taken === 'string') continue
        sent.push(taken.name.delivery)
        t.equal(await settleDelivery(other, taken, succeeded), 'delivered')
      }
      t.same(sent, [first.delivery, behind.delivery])
      await tendWebhooks({ ...storage, clock })
      t.match(await rowOf(first), { state: 'delivered', dueAt: null }, 'what is over is left alone')
    })

    t.test('events of a webhook are left out while more waits than may', async (t) => {
      const full = 'whk_full'
      await putWebhook(storage, tenant, full)
      const made = { ...(await newDocument()), webhook: full }
      const { waitingMax } = webhookLimits
      const bounds: { waitingMax: number } = webhookLimits as never
      t.teardown(() => Object.assign(bounds, { waitingMax }))
      bounds.waitingMax = 2
      const event = { type: 'document.changed', at: nowMs, docId: 'd', ...made, order: 4 } as const
      const isRecorded = () => recordEvent(new Transaction(storage.store), storage.tables, event)
      const isSkipping = async () => {
        await tendWebhooks({ ...storage, clock })
        return (await storage.tables.webhooks.get([tenant, full]))?.skippingSince
      }
      const first = await record(made, 1)
      await record(made, 2)
      t.equal(await isSkipping(), null, 'as many wait as may')
      t.ok(await isRecorded())
      await record(made, 3)
      t.equal(await isSkipping(), nowMs)
      t.notOk(await isRecorded())
      const taken = await takeDelivery(other, first, webhookLimits.claimMs)
      if (typeof taken === 'string') throw new Error(`the first delivery is ${taken}`)
      await settleDelivery(other, taken, succeeded)
      t.equal(await isSkipping(), null, 'until less waits')
    })

    t.test('more lanes than are read at once go on, also those of a paused webhook', async (t) => {
      const paused = 'whk_paused'
      await putWebhook(storage, tenant, paused, { reason: 'requested', at: nowMs })
      const names: DeliveryName[] = []
      for (let lane = 0; lane <= webhookLimits.rowsAtOnce; lane++) {
        names.push(await record({ ...(await newDocument()), webhook: paused }, 1, { dueAt: null }))
      }
      await tendWebhooks({ ...storage, clock })
      const rows = await Promise.all(names.map(rowOf))
      t.ok(rows.every((row) => row?.dueAt === nowMs))
    })
  })
}

const keyOf = ({ tenant, document, webhook, delivery }: DeliveryName) => [tenant, document, webhook, delivery] as const

async function putWebhook(
  storage: Storage,
  tenant: string,
  webhook: string,
  paused: { readonly reason: 'requested'; readonly at: number } | null = null,
): Promise<void> {
  await transact(storage, async (transaction) =>
    transaction.put(storage.tables.webhooks.at([tenant, webhook]), {
      url: 'http://127.0.0.1/',
      types: ['document.changed'],
      secret: '',
      earlier: null,
      paused,
      failingSince: null,
      skippingSince: null,
      createdBy: 'test',
      createdAt: 1,
      updatedAt: 1,
    }),
  )
}

/** Returns a view of the store whose first commit waits until it is released. */
function holdCommits(store: Store) {
  const reached = signal()
  const released = signal()
  const view: Store = {
    get: (key) => store.get(key),
    getMany: (keys) => store.getMany(keys),
    range: (range) => store.range(range),
    async commit(commit) {
      reached.give()
      await released.given
      return store.commit(commit)
    },
    probe: () => store.probe(),
    close: () => store.close(),
  }
  return { store: view, reached: reached.given, release: released.give }
}

function signal() {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}

/** Returns every row of the store as text. */
async function rowsOf({ store }: Storage): Promise<ReadonlyMap<string, string>> {
  const rows = new Map<string, string>()
  for await (const { key, value } of store.range({ from: Uint8Array.of(0), to: Uint8Array.of(0xff) }))
    rows.set(Buffer.from(key).toString('latin1'), Buffer.from(value).toString('latin1'))
  return rows
}
