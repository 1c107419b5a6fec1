// Webhooks: addresses that Acme calls when something happens. No other provider has them, so the kind is defined here.
import { Exact, handler, kind, OneOf, ProviderName, patchBody, Text, Type } from 'steward/plugin'
import { saidOf } from './declare.js'

/** @import { ApiClient, Handler, Static } from 'steward/plugin' */

const schema = Exact(
  {
    provider: Type.Optional(ProviderName()),
    name: Type.Optional(Text({ minLength: 1, description: 'Display name. Left out: the key.' })),
    url: Text({ minLength: 1, description: 'Address that is called.', examples: ['https://hooks.example.com/agents'] }),
    events: Type.Array(OneOf(['session.started', 'session.ended', 'session.failed'], { description: 'An event.' }), {
      minItems: 1,
      description: 'Events for which the address is called.',
      examples: [['session.ended']],
    }),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether the address is called.', default: true })),
  },
  { description: 'An address that is called when something happens.' },
)

const definition = kind({
  kind: 'webhook',
  section: 'webhooks',
  summary: 'Addresses that Acme calls when something happens.',
  schema,
  references: () => [],
  rules: [
    {
      code: 'webhook.event-repeated',
      severity: 'error',
      summary: 'A webhook names the same event twice',
      fix: 'Remove one of them.',
      *check({ body }) {
        for (const [index, event] of body.events.entries())
          if (body.events.indexOf(event) < index)
            yield { at: ['events', index], detail: `"${event}" is in the list already.` }
      },
    },
  ],
})

/** Acme returns events in an order of its own. */
const fields = /** @type {const} */ ({ events: { unordered: true } })

/** @type {Handler<ApiClient, Static<typeof schema>>} */
const typed = {
  kind: 'webhook',
  definition,
  form: 1,
  fields,

  desired: ({ name, body }) => ({
    name: body.name ?? name,
    url: body.url,
    events: body.events,
    enabled: body.enabled ?? true,
  }),
  observed: ({ name, url, events, enabled }) => ({ name, url, events, enabled }),
  outputs: ({ id }) => ({ id: String(id) }),

  read: (call, id) => call.client.get(`/webhooks/${id}`, call),
  create: (call, { desired, nonce }) =>
    call.client.create('/webhooks', desired, { ...call, headers: { 'idempotency-key': nonce } }),
  update: (call, request) =>
    call.client.update(`/webhooks/${request.id}`, patchBody(fields, request), { ...call, method: 'PATCH' }),
  remove: async (call, id) => void (await call.client.delete(`/webhooks/${id}`, call)),
  removal: 'delete',
  list: (call) => call.client.list('/webhooks', call),
  listIsComplete: true,

  replace: 'createFirst',
  lostCreate: { by: 'key' },

  name: ({ name }) => String(name),
  declare: ({ remote }, { self }) => ({
    ...(remote['name'] === self ? {} : { name: String(remote['name']) }),
    url: String(remote['url']),
    ...saidOf({ events: remote['events'] }),
    ...(remote['enabled'] === false ? { enabled: false } : {}),
  }),
}

export const webhook = handler(typed)
