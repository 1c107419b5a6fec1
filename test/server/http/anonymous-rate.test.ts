// Rate limits per network: requests without credential, and sessions of a share.
import t from 'tap'
import { networkOf } from '../../../server/auth/rates.js'
import { onePage } from '../../support/pdf/raw-pdf.js'
import type { Answer } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'

const outcome = ({ status, code }: Answer) => `${status} ${code}`
const bounds = { anonymousRequests: 12, shareExchanges: 4, shareGuesses: 2, documentGuesses: 2 }
const limited = 'TooManyRequests'

t.test('requests without a credential are rate-limited per network; /healthz and others are not', async (t) => {
  const { api, clock } = await runServer(t, { rateBounds: bounds })
  const anyone = api.as(undefined)
  const paths = ['/openapi.json', '/docs/', '/docs/json', '/docs/yaml', '/docs/static/index.css', '/errors', '/readyz']
  const others = ['/metrics', '/docs/static/swagger-initializer.js', '/nothing', '/v1/nothing', '/docs/nothing']
  for (const path of [...paths, ...others]) t.not((await anyone.get(path)).status, 429, path)
  for (const path of [...paths, ...others]) {
    const refused = await anyone.get(path)
    t.equal(outcome(refused), `429 ${limited}`, path)
    t.ok(Number(refused.headers.get('retry-after')) >= 1)
  }
  t.equal(outcome(await anyone.post('/v1/share-sessions', {})), `429 ${limited}`)
  for (let count = 0; count < 20; count += 1) t.equal((await anyone.get('/healthz')).status, 200)
  t.equal((await api.get('/v1/tenants')).status, 200, 'with a credential')
  t.equal(outcome(await anyone.get('/v1/tenants')), '401 Unauthenticated', 'a missing credential is not a rate limit')
  clock.advance(60_000)
  t.equal((await anyone.get('/openapi.json')).status, 200)
})

t.test('behind a proxy, the network is the address seen by the proxy, not one claimed by the client', async (t) => {
  const from = (api: { get: (path: string, headers: Record<string, string>) => Promise<Answer> }, addresses: string) =>
    api.get('/errors', { 'x-forwarded-for': addresses })
  const behind = await runServer(t, { rateBounds: bounds, settings: { trustProxy: true } })
  const anyone = behind.api.as(undefined)
  for (let count = 0; count < 12; count += 1) {
    t.equal((await from(anyone, `10.0.0.${count}, 2001:db8::${count}`)).status, 200)
  }
  t.equal((await from(anyone, '10.9.9.9, 2001:db8::ffff')).status, 429, 'the same /64')
  t.equal((await from(anyone, '10.9.9.9, 2001:db8:0:1::1')).status, 200, 'another network')
  for (let count = 0; count < 12; count += 1) await from(anyone, `203.0.113.5:${4000 + count}`)
  t.equal((await from(anyone, '203.0.113.5')).status, 429, 'a port is not part of the network')
  for (let count = 0; count < 12; count += 1) await from(anyone, `nonsense ${count}`)
  t.equal((await from(anyone, 'unknown')).status, 429, 'all invalid addresses are one network')
  const plain = await runServer(t, { rateBounds: bounds })
  for (let count = 0; count < 12; count += 1) await from(plain.api.as(undefined), `10.0.0.${count}`)
  t.equal((await from(plain.api.as(undefined), '10.0.1.1')).status, 429, 'without a proxy, X-Forwarded-For is ignored')
})

t.test(
  'exchanges of a share are limited per network: counted after the origin check, before the passphrase',
  async (t) => {
    const { api, upload } = await runServer(t, { rateBounds: { ...bounds, anonymousRequests: 1000 } })
    const docId = await upload(onePage('0 0 10 10 re f'))
    const share = async (request: object) =>
      (await api.post('/v1/tenants/acme/shares', { docId, scope: ['doc.open'], ...request }).then(done)).word(
        '/share/id',
      )
    const exchange = (shareToken: string, more = {}, origin = 'https://a.example') =>
      api.as(undefined).post('/v1/share-sessions', { shareToken, ...more }, { origin })
    const open = await share({ origins: ['https://a.example'] })
    for (let count = 0; count < 4; count += 1) t.equal((await exchange(open)).status, 200)
    const refused = await exchange(open)
    t.equal(outcome(refused), `429 ${limited}`)
    t.ok(Number(refused.headers.get('retry-after')) >= 1)
    t.equal((await exchange(open, {}, 'https://b.example')).status, 403)
    const secret = await share({ password: 'right' })
    for (let count = 0; count < 2; count += 1) t.equal((await exchange(secret, { password: 'right' })).status, 200)
    t.equal(
      outcome(await exchange(secret, { password: 'right' })),
      `429 ${limited}`,
      'a share with a passphrase allows fewer exchanges',
    )
  },
)

t.test('a network is an IPv4 address, or a /64 of IPv6', async (t) => {
  t.equal(networkOf('192.0.2.7'), '192.0.2.7')
  t.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.7')
  t.equal(networkOf('2001:db8::1'), networkOf('2001:db8:0:0:ffff::2'))
  t.not(networkOf('2001:db8::1'), networkOf('2001:db8:0:1::1'))
  t.equal(networkOf('fe80::1%eth0'), networkOf('fe80::2'))
  t.equal(networkOf('unknown'), 'unknown')
})
