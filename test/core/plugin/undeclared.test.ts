// Members that no declaration can express stay in updates, and what cannot stay is named.
import t from 'tap'
import { keepUndeclared, undeclaredMembers, type Written } from '../../../core/plugin/undeclared.js'

const fields = { labels: { map: 'patchNull' } } as const

t.test('a member beside declared ones is sent back, at every level', async (t) => {
  const remote = { id: 'env_1', config: { network: { hosts: ['a'], limit: 3 }, region: 'eu' } }
  const observed = { config: { network: { hosts: ['a'] } } }
  const desired = { config: { network: { hosts: ['b'] } } }
  t.strictSame(keepUndeclared({ fields }, { desired, observed, remote }), {
    body: { config: { network: { hosts: ['b'], limit: 3 }, region: 'eu' } },
    lost: [],
    retyped: [],
  })
})

t.test('members that the server adds, and those without a value, are not sent', async (t) => {
  const remote = { schedule: { cron: '1 * * * *', next_run_at: 'soon', until: 'June', note: null, tags: [] } }
  const ofFile = { ...fields, 'schedule/until': { writeOnly: true } } as const // The handler compares it by itself.
  const written: Written = { fields: ofFile, added: ['schedule/next_run_at'] }
  const observed = { schedule: { cron: '1 * * * *' } }
  const desired = { schedule: { cron: '2 * * * *' } }
  t.strictSame(keepUndeclared(written, { desired, observed, remote }), { body: desired, lost: [], retyped: [] })
})

t.test('elements of lists are paired by what identifies them, and foreign elements keep their side', async (t) => {
  const remote = {
    tools: [
      { type: 'custom', name: 'mine' },
      { type: 'set_20260101', configs: [{ name: 'fetch', domains: ['a'] }] },
    ],
  }
  const observed = { tools: [{ type: 'set_20260101', configs: [{ name: 'fetch' }] }] }
  const desired = { tools: [{ type: 'set_20260701', configs: [{ name: 'read' }, { name: 'fetch', ask: true }] }] }
  t.strictSame(keepUndeclared({ fields }, { desired, observed, remote }), {
    body: {
      tools: [
        { type: 'custom', name: 'mine' },
        { type: 'set_20260701', configs: [{ name: 'read' }, { name: 'fetch', ask: true, domains: ['a'] }] },
      ],
    },
    lost: [],
    retyped: [],
  })
})

t.test('what belongs to a removed element, another type or a decisive value is lost, and named', async (t) => {
  const remote = {
    model: { id: 'one', limit: 5 },
    network: { type: 'limited', blocked: ['x'] },
    tools: [{ name: 'fetch', domains: ['a'] }],
  }
  const observed = { model: { id: 'one' }, network: { type: 'limited' }, tools: [{ name: 'fetch' }] }
  const desired = { model: { id: 'two' }, network: { type: 'open' }, tools: [{ name: 'read' }] }
  const written: Written = { fields, decisive: ['model/id'] }
  t.strictSame(keepUndeclared(written, { desired, observed, remote }), {
    body: desired,
    lost: ['model.limit', 'network.blocked', 'tools.fetch.domains'],
    retyped: ['model', 'network'],
  })
})

t.test('a map that is written key by key is left to the server', async (t) => {
  const facts = {
    desired: { labels: { a: '2' } },
    observed: { labels: { a: '1' } },
    remote: { labels: { a: '1', b: '3' } },
  }
  t.strictSame(keepUndeclared({ fields }, facts), { body: { labels: { a: '2' } }, lost: [], retyped: [] })
})

t.test('a new object in place of this one has no undeclared member', async (t) => {
  const facts = {
    observed: { config: { type: 'cloud' } },
    remote: { id: 'x', config: { type: 'cloud', region: 'eu' } },
  }
  t.strictSame(undeclaredMembers({ fields }, facts), ['config.region'])
})
