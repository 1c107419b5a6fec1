// Vaults and their credentials on every provider, against the emulators.
import t from 'tap'
import { isObject, type JsonObject } from '../../../core/value/tree.js'
import { openArk } from '../ark/subject.js'
import { openBailian } from '../bailian/subject.js'
import { openClaude } from '../claude/subject.js'
import { openQoder } from '../qoder/subject.js'
import { type Course, testCourses } from './course.js'

const bearer = {
  name: 'Tracker',
  type: 'static_bearer',
  mcp_server_url: 'https://mcp.example/tracker',
  access_token: 'tok_very_secret',
  protocol: 'sse',
}
const variable = {
  name: 'GitHub token',
  type: 'environment_variable',
  secret_name: 'GITHUB_TOKEN',
  secret_value: 'ghp_very_secret',
  networking: { type: 'limited', allowed_hosts: ['api.github.com', '*.githubusercontent.com'] },
}
const plain = { name: 'Plain', type: 'environment_variable', secret_name: 'PLAIN', secret_value: 'also_secret' }
const injected = { ...variable, injection_location: { header: true, body: true } }

const fullWith = (...credentials: readonly object[]) => ({
  display_name: 'Team keys',
  credentials,
  metadata: { team: 'data' },
})
const full = fullWith(bearer, variable, plain)
const fullInjected = fullWith(bearer, injected, plain)

/** Changes that every provider takes, in a vault with these other credentials. */
function changes(whole: typeof full, own: typeof variable, ...others: readonly object[]): readonly object[] {
  const withVariable = (change: object) => ({ ...whole, credentials: [{ ...own, ...change }, ...others] })
  return [
    { ...whole, display_name: 'Other' },
    { ...whole, display_name: undefined },
    { ...whole, metadata: { owner: 'me' } },
    { ...whole, metadata: undefined },
    withVariable({ networking: { type: 'limited', allowed_hosts: ['api.github.com'] } }),
    withVariable({ networking: undefined }),
    withVariable({ secret_name: 'OTHER' }),
    { ...whole, credentials: others },
    { ...whole, credentials: undefined },
    whole,
  ]
}
const named = [{ ...full, credentials: [bearer, { ...variable, name: 'Other' }, plain] }, full]
const served = [{ ...full, credentials: [{ ...bearer, mcp_server_url: 'https://mcp.example/other' }, variable] }, full]
const injections = [{ header: false, body: true }, undefined, injected.injection_location].map(
  (injection_location) => ({
    ...fullInjected,
    credentials: [{ ...injected, injection_location }],
  }),
)

const widened = { auth: { networking: { type: 'unrestricted', allowed_hosts: null } } }
const byHand = (key: string) => ({
  change: { display_name: 'by hand' },
  part: [key, widened] as const,
  seen: ['display_name', `${key}: auth/networking/allowed_hosts`, `${key}: auth/networking/type`].sort(),
})

interface Row extends Course {
  /** Key of the credential with this server or variable. */
  readonly key: (target: string, type: string) => string
  /** Policies of a variable, and what the provider answers for them. */
  readonly policies: readonly [title: string, rows: readonly (readonly [JsonObject, JsonObject])[]]
  readonly secrecy?: string
}

const unrestricted = { networking: { type: 'unrestricted' } }
const hosts = (...allowed_hosts: readonly string[]) => ({ networking: { type: 'limited', allowed_hosts } })
const inHeaders = { injection_location: { header: true, body: false } }
const everywhere = { networking: { allowed_hosts: ['*'] }, ...inHeaders }

const rows: Readonly<Record<string, Row>> = {
  ark: {
    open: openArk,
    full,
    changes: [...changes(full, variable, bearer), ...named, ...served],
    byHand: byHand('GITHUB_TOKEN'),
    key: (target) => target,
    policies: [
      '2.7 declared hosts are never widened, and all hosts are an asterisk or no list',
      [
        [{}, unrestricted],
        [unrestricted, unrestricted],
        [{ networking: { allowed_hosts: ['*'] } }, unrestricted],
        [{ networking: { type: 'unrestricted', allowed_hosts: ['a.b'] } }, hosts('a.b')],
        [{ networking: { allowed_hosts: ['a.b'] } }, hosts('a.b')],
      ],
    ],
    secrecy: '2.7 a bearer token is sent as token, without the protocol, and no secret is ever returned',
  },
  bailian: {
    open: openBailian,
    full: fullWith(injected, plain),
    changes: [
      ...changes(fullWith(injected, plain), injected, plain),
      ...injections,
      { ...fullWith({ ...injected, name: 'Other' }, plain) },
      fullWith(injected, plain, { ...plain, secret_name: 'NEW' }),
    ],
    byHand: {
      change: { display_name: 'by hand' },
      part: ['GITHUB_TOKEN', { auth: { networking: { allowed_hosts: ['*'] }, injection_location: { body: false } } }],
      seen: [
        'GITHUB_TOKEN: auth/injection_location/body',
        'GITHUB_TOKEN: auth/networking/allowed_hosts',
        'display_name',
      ],
    },
    noise: {
      part: [
        'GITHUB_TOKEN',
        { auth: { networking: { allowed_hosts: ['*.GITHUBusercontent.com', 'api.github.com'] } } },
      ],
    },
    key: (target) => target,
    policies: [
      '2.7 policies stand inside auth, and a credential without one gets the defaults',
      [
        [{}, everywhere],
        [unrestricted, everywhere],
        [
          { injection_location: { header: false } },
          { ...everywhere, injection_location: { header: false, body: false } },
        ],
        [hosts('a.example'), { ...everywhere, networking: { allowed_hosts: ['a.example'] } }],
        [
          { networking: { allowed_hosts: ['API.github.com'] }, injection_location: { header: true, body: true } },
          { networking: { allowed_hosts: ['api.github.com'] }, injection_location: { header: true, body: true } },
        ],
      ],
    ],
  },
  claude: {
    open: openClaude,
    full: fullInjected,
    changes: [...changes(fullInjected, injected, bearer), ...named, ...served, ...injections],
    byHand: byHand('GITHUB_TOKEN'),
    archivedAt: '/vaults',
    key: (target) => target,
    policies: [
      '2.7 a credential without a policy is sent to every host, in headers only',
      [
        [{}, { ...unrestricted, ...inHeaders }],
        [unrestricted, { ...unrestricted, ...inHeaders }],
        [hosts('*'), { ...unrestricted, ...inHeaders }],
        [hosts('a.example'), { ...hosts('a.example'), ...inHeaders }],
        [
          { injection_location: { header: false, body: true } },
          { ...unrestricted, injection_location: { header: false, body: true } },
        ],
      ],
    ],
  },
  qoder: {
    open: openQoder,
    full,
    changes: [...changes(full, variable, bearer), ...served],
    byHand: byHand('environment_variable GITHUB_TOKEN'),
    archivedAt: '/vaults',
    key: (target, type) => `${type} ${target}`,
    policies: [
      '2.7 allowed hosts limit a secret, and "*" counts as unrestricted',
      [
        [{ networking: { allowed_hosts: ['a.example'] } }, hosts('a.example')],
        [hosts('*'), unrestricted],
        [{ networking: { type: 'unrestricted', allowed_hosts: ['a.example'] } }, unrestricted],
      ],
    ],
  },
}

testCourses(t, 'vault', rows)

for (const [provider, row] of Object.entries(rows)) {
  const { open, full, key, policies, secrecy = 'secrets are never returned, and the emulator logs none' } = row
  const [title, declaredToAnswered] = policies

  t.test(provider, async (t) => {
    t.test(title, async (t) => {
      const bench = await open(t)
      const credentials = declaredToAnswered.map(([declared], index) => ({
        ...plain,
        secret_name: `KEY_${index}`,
        ...declared,
      }))
      bench.declare('vault', 'keys', { credentials })
      await bench.create('vault', 'keys')
      t.same(await bench.drift('vault', 'keys'), [])
      const parts = await bench.parts('vault', 'keys')
      for (const [index, [, answered]] of declaredToAnswered.entries()) {
        const { auth } = parts.get(key(`KEY_${index}`, plain.type)) ?? {}
        for (const [member, policy] of Object.entries(answered)) t.same(isObject(auth) && auth[member], policy)
      }
    })

    t.test(secrecy, async (t) => {
      const bench = await open(t)
      bench.declare('vault', 'keys', full)
      await bench.create('vault', 'keys')
      const sent = (await bench.sent('POST', '/credentials')).find(({ display_name }) => display_name === bearer.name)
      const auth = { type: 'static_bearer', mcp_server_url: bearer.mcp_server_url, token: '(sensitive)' }
      if (provider !== 'bailian') t.strictSame(sent, { display_name: 'Tracker', auth })
      const path = `/vaults/${bench.id('vault', 'keys')}/credentials`
      const parts = [...(await bench.parts('vault', 'keys')).values()]
      const paths = [path, ...parts.map(({ id }) => `${path}/${id}`), '/_emulator/requests', '/_emulator/objects']
      for (const path of paths) {
        const { status, body } = await bench.request('GET', path)
        t.equal(status, 200, path)
        t.notMatch(JSON.stringify(body), /very_secret|also_secret/, path)
      }
    })

    t.test('a credential keeps its id when its secret changes, and what identifies it is not sent again', async (t) => {
      const bench = await open(t)
      bench.declare('vault', 'keys', { ...full, credentials: [variable] })
      await bench.create('vault', 'keys')
      const part = async () => (await bench.parts('vault', 'keys')).get(key('GITHUB_TOKEN', variable.type)) ?? {}
      const { id } = await part()
      bench.declare('vault', 'keys', { ...full, credentials: [{ ...variable, secret_value: 'rotated' }] })
      t.same(await bench.update('vault', 'keys'), [])
      t.equal((await part())['id'], id)
      const [sent, ...more] = await bench.sent('POST', String(id))
      const auth = isObject(sent?.['auth']) ? sent['auth'] : {}
      t.match(auth, { type: variable.type, secret_value: '(sensitive)' })
      t.notOk('secret_name' in auth)
      t.same(more, [])
    })

    t.test('a removed vault takes its credentials along', async (t) => {
      const bench = await open(t)
      bench.declare('vault', 'keys', full)
      const { id } = await bench.create('vault', 'keys')
      const parts = [...(await bench.parts('vault', 'keys')).values()]
      await bench.remove('vault', 'keys')
      for (const part of parts)
        t.match(await bench.request('GET', `/vaults/${id}/credentials/${part['id']}`), { status: 404 })
      t.same(await bench.listed('vault'), [])
    })
  })
}
