// Token verification: one key pinned to one algorithm, keys of a JWKS, and known attacks on JWT verifiers.
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import t, { type Test } from 'tap'
import { Problem } from '../../../core/diagnostic.js'
import { Authenticator } from '../../../server/auth/authenticator.js'
import { configuredKeys } from '../../../server/auth/configured-keys.js'
import { jwksKeys, symmetricKeys, type VerificationKeys } from '../../../server/auth/keys.js'
import { limits } from '../../../server/limits.js'
import { scratchFolder } from '../../cli/scratch.js'
import { claims } from '../support/tokens.js'

const signingSecret = Buffer.alloc(48, 7)
const pairs = {
  RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: generateKeyPairSync('ed25519'),
} as const
type Algorithm = keyof typeof pairs
const algorithms = ['RS256', 'ES256', 'EdDSA'] as const satisfies readonly Algorithm[]

const tenantClaims = (more: object = {}) => claims({ tenant_id: 'acme', scope: ['docs.read'], ...more })
const sign = (alg: string, key: KeyObject | Uint8Array, header: object = {}, more: object = {}) =>
  new SignJWT(tenantClaims(more)).setProtectedHeader({ alg, ...header }).sign(key)
const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString()
const movable = (nowMs = Date.now()) => ({
  nowMs,
  now() {
    return this.nowMs
  },
  sleep: async () => {},
})
const authenticator = (keys: VerificationKeys, clock = movable()) =>
  new Authenticator({ apiTokens: ['the-api-token-of-this-test'], keys, clock })
const isKnown = async (one: Authenticator, token: string) => (await one.authenticate(`Bearer ${token}`)).kind
const refused = { name: 'Refusal', code: 'Unauthenticated' }

function fileOf(t: Test, content: string): string {
  const path = join(scratchFolder(t), 'keys')
  writeFileSync(path, content)
  return path
}

const fromPem = (t: Test, key: KeyObject) => configuredKeys({ tokenPublicKey: fileOf(t, pem(key)) }, { signingSecret })

for (const algorithm of algorithms) {
  t.test(
    `${algorithm}: a public key in PEM verifies tokens of its private key, and the server issues none`,
    async (t) => {
      const keys = await fromPem(t, pairs[algorithm].publicKey)
      t.equal(keys.mintingSecret, undefined)
      t.equal(await isKnown(authenticator(keys), await sign(algorithm, pairs[algorithm].privateKey)), 'tenant')
      for (const other of algorithms.filter((one) => one !== algorithm)) {
        await t.rejects(isKnown(authenticator(keys), await sign(other, pairs[other].privateKey)), refused, other)
      }
    },
  )

  t.test(`${algorithm}: HS256 signed with the public key, as text or as bytes, is refused`, async (t) => {
    const { publicKey } = pairs[algorithm]
    const keys = await fromPem(t, publicKey)
    const der = publicKey.export({ type: 'spki', format: 'der' })
    for (const secret of [Buffer.from(pem(publicKey)), Buffer.from(pem(publicKey).trim()), der]) {
      await t.rejects(isKnown(authenticator(keys), await sign('HS256', secret)), refused)
    }
  })
}

t.test('alg none, without a signature or with one, is refused by every kind of key', async (t) => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const kinds = [symmetricKeys(signingSecret), await fromPem(t, pairs.RS256.publicKey)]
  for (const alg of ['none', 'None', 'NONE', '']) {
    const unsigned = `${part({ alg, typ: 'JWT' })}.${part(tenantClaims())}`
    for (const keys of kinds) {
      await t.rejects(isKnown(authenticator(keys), `${unsigned}.`), refused)
      await t.rejects(isKnown(authenticator(keys), `${unsigned}.AAAA`), refused)
    }
  }
})

t.test('the signing secret verifies HS256 only, not HS384 or HS512 of the same secret', async (t) => {
  const one = authenticator(symmetricKeys(signingSecret))
  t.equal(await isKnown(one, await sign('HS256', signingSecret)), 'tenant')
  for (const alg of ['HS384', 'HS512']) await t.rejects(isKnown(one, await sign(alg, Buffer.alloc(64, 7))), refused)
  for (const alg of algorithms) await t.rejects(isKnown(one, await sign(alg, pairs[alg].privateKey)), refused)
})

t.test('a key, or the URL of one, in a token header is refused', async (t) => {
  const thief = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = thief.publicKey.export({ format: 'jwk' })
  const one = authenticator(await fromPem(t, pairs.RS256.publicKey))
  await t.rejects(isKnown(one, await sign('RS256', thief.privateKey, { jwk })), refused)
  await t.rejects(isKnown(one, await sign('RS256', thief.privateKey, { jku: 'https://thief.example/jwks' })), refused)
})

const jwks = { keys: algorithms.map((alg) => ({ ...pairs[alg].publicKey.export({ format: 'jwk' }), kid: alg, alg })) }

t.test('tokens are verified with the key of a JWKS file that their kid names', async (t) => {
  const keys = await configuredKeys({ tokenJwks: fileOf(t, JSON.stringify(jwks)) }, { signingSecret })
  t.equal(keys.mintingSecret, undefined)
  const one = authenticator(keys)
  for (const alg of algorithms)
    t.equal(await isKnown(one, await sign(alg, pairs[alg].privateKey, { kid: alg })), 'tenant')
  await t.rejects(isKnown(one, await sign('RS256', pairs.RS256.privateKey, { kid: 'gone' })), refused)
  await t.rejects(isKnown(one, await sign('ES256', pairs.ES256.privateKey, { kid: 'RS256' })), refused)
  await t.rejects(isKnown(one, await sign('HS256', Buffer.from(pem(pairs.RS256.publicKey)), { kid: 'RS256' })), refused)
})

t.test('a symmetric key in a JWKS verifies nothing', async (t) => {
  const oct = { keys: [{ kty: 'oct', kid: 'secret', k: signingSecret.toString('base64url') }] }
  const keys = await configuredKeys({ tokenJwks: fileOf(t, JSON.stringify(oct)) }, { signingSecret })
  await t.rejects(isKnown(authenticator(keys), await sign('HS256', signingSecret, { kid: 'secret' })), refused)
})

/** Starts a server whose responses can be changed through `answer`. */
async function serveKeys(t: Test, answer: () => { readonly status: number; readonly body: string }) {
  const served = { asked: 0, url: new URL('http://127.0.0.1/jwks') }
  const server = createServer((_request, response) => {
    served.asked += 1
    const { status, body } = answer()
    response.writeHead(status).end(body)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  t.teardown(() => server.close())
  // An object, because `listen` was given a port.
  served.url.port = String((server.address() as AddressInfo).port)
  return served
}

const unavailable = { name: 'Refusal', code: 'RuntimeUnavailable', retryAfterSeconds: 5 }

t.test('a JWKS behind a URL is fetched; while it is unavailable, tokens are 503 and not 401', async (t) => {
  let status = 500
  let nowMs = 0
  const { url } = await serveKeys(t, () => ({ status, body: JSON.stringify(jwks) }))
  const one = authenticator(jwksKeys(url, () => nowMs))
  const token = await sign('ES256', pairs.ES256.privateKey, { kid: 'ES256' })
  await t.rejects(isKnown(one, token), unavailable)
  status = 200
  nowMs += limits.jwksCooldownMs
  t.equal(await isKnown(one, token), 'tenant')
  await t.rejects(isKnown(one, await sign('ES256', pairs.ES256.privateKey, { kid: 'unknown' })), refused)

  const nobody = await configuredKeys({ tokenJwks: 'http://127.0.0.1:9/jwks' }, { signingSecret })
  await t.rejects(isKnown(authenticator(nobody), token), unavailable, 'nobody listens there')
})

t.test('a JWKS that cannot be fetched is requested once per interval, however many tokens arrive', async (t) => {
  const good = JSON.stringify(jwks)
  const wrong = [
    { status: 500, body: good },
    { status: 302, body: good },
    { status: 200, body: 'junk' },
    ...['null', '{"keys":1}', '{"keys":[1,2,"x",null]}', JSON.stringify({ keys: [...jwks.keys, []] })].map((body) => ({
      status: 200,
      body,
    })),
    { status: 200, body: `{"keys":[]${' '.repeat(limits.jwksBytesMax)}}` },
  ]
  const token = await sign('ES256', pairs.ES256.privateKey, { kid: 'ES256' })
  for (const answer of wrong) {
    let [now, current] = [0, answer]
    const served = await serveKeys(t, () => current)
    const one = authenticator(jwksKeys(served.url, () => now))
    const tokens = await Promise.allSettled(Array.from({ length: 20 }, () => isKnown(one, token)))
    for (const outcome of tokens) t.match(outcome, { status: 'rejected', reason: unavailable })
    for (let count = 0; count < 20; count++) await t.rejects(isKnown(one, token), unavailable)
    t.equal(served.asked, 1, `${answer.status} ${answer.body.slice(0, 20)}`)
    now = limits.jwksCooldownMs
    current = { status: 200, body: good }
    t.equal(await isKnown(one, token), 'tenant')
    t.equal(served.asked, 2)
    for (let count = 0; count < 20; count++)
      await t.rejects(isKnown(one, await sign('ES256', pairs.ES256.privateKey, { kid: `unknown-${count}` })), refused)
    t.equal(served.asked, 2, 'nor for unknown key ids')
  }
})

t.test('tokens of another issuer must have the configured iss and aud', async (t) => {
  const tokenPublicKey = fileOf(t, pem(pairs.EdDSA.publicKey))
  const settings = { tokenPublicKey, tokenIssuer: 'https://id.example', tokenAudience: 'steward' }
  const one = authenticator(await configuredKeys(settings, { signingSecret }))
  const token = (more: object) => sign('EdDSA', pairs.EdDSA.privateKey, {}, more)
  const iss = 'https://id.example'
  t.equal(await isKnown(one, await token({ iss, aud: 'steward' })), 'tenant')
  t.equal(await isKnown(one, await token({ iss, aud: ['other', 'steward'] })), 'tenant')
  for (const more of [{}, { iss }, { aud: 'steward' }, { iss, aud: 'other' }, { iss: `${iss}/`, aud: 'steward' }])
    await t.rejects(isKnown(one, await token(more)), refused, JSON.stringify(more))
  const problem = await configuredKeys({ tokenIssuer: iss }, { signingSecret }).catch((error: unknown) => error)
  t.match(problem instanceof Problem && problem.diagnostics, [{ code: 'serve.bad-setting', detail: /tokenIssuer/ }])
})

t.test('only access tokens (typ) that were not issued in the future are accepted', async (t) => {
  const kinds = [await fromPem(t, pairs.EdDSA.publicKey), symmetricKeys(signingSecret)] as const
  for (const [place, keys] of kinds.entries()) {
    const one = authenticator(keys)
    const token = (header: object, more: object = {}) =>
      place === 0 ? sign('EdDSA', pairs.EdDSA.privateKey, header, more) : sign('HS256', signingSecret, header, more)
    for (const typ of [undefined, 'JWT', 'jwt', 'at+jwt', 'application/at+jwt'])
      t.equal(await isKnown(one, await token(typ === undefined ? {} : { typ })), 'tenant', `${typ}`)
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'JOSE', ''])
      await t.rejects(isKnown(one, await token({ typ })), refused, typ)
    const now = Math.floor(Date.now() / 1000)
    const ahead = (seconds: number) => ({ iat: now + seconds, exp: now + seconds + 600 })
    t.equal(await isKnown(one, await token({}, ahead(30))), 'tenant', 'clock skew is tolerated')
    for (const seconds of [300, 86_400 * 365]) await t.rejects(isKnown(one, await token({}, ahead(seconds))), refused)
  }
})

t.test('the server does not start with unusable keys or insecure JWKS URLs', async (t) => {
  const dsa = generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 }).publicKey
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey
  const isBadKey = async (starting: Promise<unknown>) => {
    const problem = await starting.then(
      () => undefined,
      (error: unknown) => error,
    )
    t.equal(problem instanceof Problem && problem.diagnostics[0]?.code, 'serve.bad-key')
  }
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  for (const key of [dsa, curve, weak]) await isBadKey(fromPem(t, key))
  const weakSet = JSON.stringify({ keys: [...jwks.keys, { ...weak.export({ format: 'jwk' }), kid: 'weak' }] })
  await isBadKey(configuredKeys({ tokenJwks: fileOf(t, weakSet) }, { signingSecret }))
  await isBadKey(configuredKeys({ tokenPublicKey: fileOf(t, 'no key') }, { signingSecret }))
  await isBadKey(configuredKeys({ tokenPublicKey: join(scratchFolder(t), 'missing') }, { signingSecret }))
  await isBadKey(configuredKeys({ tokenJwks: fileOf(t, '{"keys": 1}') }, { signingSecret }))
  await isBadKey(configuredKeys({ tokenJwks: 'http://keys.example/jwks' }, { signingSecret }))
})

t.test('a verified token is cached no longer than until it expires', async (t) => {
  const clock = movable()
  const one = authenticator(symmetricKeys(signingSecret), clock)
  const exp = Math.floor(clock.nowMs / 1000) + 60
  const token = await sign('HS256', signingSecret, {}, { exp })
  t.equal(await isKnown(one, token), 'tenant')
  clock.nowMs = exp * 1000 - 1
  t.equal(await isKnown(one, token), 'tenant')
  clock.nowMs = exp * 1000
  await t.rejects(isKnown(one, token), refused)
})

t.test('every configured API token is accepted; prefixes and extensions are not', async (t) => {
  const apiTokens = ['first-token-0123456789', 'second-token-0123456789']
  const one = new Authenticator({ apiTokens, keys: symmetricKeys(signingSecret), clock: movable() })
  for (const token of apiTokens) t.equal(await isKnown(one, token), 'api')
  for (const token of ['first-token-012345678', 'first-token-01234567890', apiTokens.join(',')]) {
    await t.rejects(isKnown(one, token), refused)
  }
  t.equal((await one.authenticate(`bearer  ${apiTokens[0]}`)).kind, 'api', 'schemes are in any case (RFC 9110, 11.1)')
  for (const header of [undefined, '', 'Bearer', `Token ${apiTokens[0]}`, `Bearer ${apiTokens[0]} more`]) {
    await t.rejects(one.authenticate(header), refused)
  }
})

t.test('the identity claim takes precedence over flat claims, member by member', async (t) => {
  const one = authenticator(symmetricKeys(signingSecret))
  const flat = { user_id: 'flat', display_name: 'Flat', group_id: 'flat-group', groups: ['flat-group'] }
  const of = async (more: object) =>
    one.authenticate(`Bearer ${await sign('HS256', signingSecret, {}, { doc_id: 'd', scope: ['*'], ...more })}`)
  t.match(await of(flat), {
    person: { userId: 'flat', displayName: 'Flat', groupId: 'flat-group', groups: ['flat-group'] },
  })
  const identity = { userId: 'ada', displayName: 'Ada', groups: ['math'] }
  const person = { userId: 'ada', displayName: 'Ada', groupId: 'flat-group', groups: ['math'] }
  t.match(await of({ ...flat, identity }), { person, layerName: 'default' })
})

t.test('a token with malformed claims is refused', async (t) => {
  const one = authenticator(symmetricKeys(signingSecret))
  const wrong: readonly object[] = [
    { sub: '' },
    { sub: 'x'.repeat(257) },
    { tenant_id: 'a/b' },
    { tenant_id: undefined },
    { scope: 'docs.read' },
    { scope: ['docs.read', 'docs.everything'] },
    { exp: '2030' },
    { iat: undefined },
    { doc_id: 'd', scope: ['*'], identity: { nickname: 'ada' } },
    { doc_id: 'd', scope: ['*'], groups: Array.from({ length: 65 }, String) },
    { doc_id: 'd', scope: ['*'], layer_name: '' },
    { origins: [] },
    { nbf: Math.floor(Date.now() / 1000) + 60 },
  ]
  for (const more of wrong) {
    await t.rejects(
      sign('HS256', signingSecret, {}, more).then((token) => isKnown(one, token)),
      refused,
      JSON.stringify(more),
    )
  }
})
