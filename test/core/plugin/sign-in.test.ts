// Signing in: one sign-in for requests at the same time, one repetition after 401, and nothing of it in any message.
import t from 'tap'
import { ApiClient } from '../../../core/plugin/client.js'
import type { RequestOptions } from '../../../core/plugin/client-options.js'
import { classifyByStatus, isFailure } from '../../../core/plugin/failure.js'
import { linkPaging } from '../../../core/plugin/paging.js'
import type { HttpRequest, HttpResponse } from '../../../core/ports/http.js'
import { systemRandom } from '../../../core/ports/random.js'
import { isObject } from '../../../core/value/tree.js'

const root = 'https://api.example'

/** A service of which the newest token alone is valid; `answer` may say something else first. */
function signedIn(
  answer: (request: HttpRequest) => Partial<HttpResponse> | undefined | Promise<Partial<HttpResponse> | undefined>,
) {
  const seen: string[] = []
  let tokens = 0
  let valid = ''
  const client = new ApiClient({
    baseUrl: `${root}/v1`,
    classify: ({ status, body }) => {
      const message = isObject(body) && typeof body['message'] === 'string' ? { message: body['message'] } : {}
      return { class: classifyByStatus(status), ...message }
    },
    async signIn(send) {
      const body = new URLSearchParams({ secret: 'secret-of-the-caller' })
      const { access_token } = await send({ url: `${root}/oauth/token`, body, secrets: ['secret-of-the-caller'] })
      return { authorization: `Bearer ${access_token}` }
    },
    environment: {
      async http(request) {
        const { method, url, headers, isSignIn } = request
        seen.push(`${method} ${new URL(url).pathname}`)
        const json = { headers: new Headers({ 'content-type': 'application/json' }), status: 200, text: '{"id":"a"}' }
        const other = await answer(request)
        if (other) return { ...json, ...other }
        if (isSignIn) {
          tokens += 1
          valid = `token-number-${tokens}`
          return { ...json, text: JSON.stringify({ access_token: valid }) }
        }
        return headers['authorization'] === `Bearer ${valid}` ? json : { ...json, status: 401, text: '{}' }
      },
      clock: { now: () => 0, sleep: async () => {} },
      random: systemRandom,
    },
  })
  const many = (options?: RequestOptions) => Promise.all([1, 2, 3].map((n) => client.get(`/agents/${n}`, options)))
  const expire = (): void => {
    valid = ''
  }
  return { client, seen, many, expire }
}

const signIns = (seen: readonly string[]) => seen.filter((line) => line === 'POST /oauth/token').length

t.test('requests at the same time share a sign-in, and repeat once after it has expired', async (t) => {
  const { client, seen, many, expire } = signedIn(() => undefined)
  t.equal((await many()).length, 3)
  t.equal(signIns(seen), 1)
  expire()
  await many()
  t.equal(signIns(seen), 2)
  expire()
  await client.create('/agents', { name: 'a' })
  t.same(
    seen.slice(-3),
    ['POST /v1/agents', 'POST /oauth/token', 'POST /v1/agents'],
    '401 proves that nothing was made',
  )
})

t.test('a request that is refused with a new authorization too is denied, and not sent a third time', async (t) => {
  const { client, seen } = signedIn(({ isSignIn }) => (isSignIn ? undefined : { status: 401, text: '{}' }))
  const failure: unknown = await client.get('/agents/1').catch((error: unknown) => error)
  t.match(failure, { class: 'denied', operation: 'GET /agents/1' })
  t.equal(seen.length, 4)
})

t.test('a refused sign-in is about the credentials, and the request behind it certainly had no effect', async (t) => {
  for (const [status, expected] of [
    [400, 'denied'],
    [404, 'denied'],
    [500, 'retry'],
  ] as const) {
    const { client } = signedIn(({ isSignIn }) =>
      isSignIn ? { status, text: '{"error":"invalid_client"}' } : undefined,
    )
    const failure: unknown = await client.create('/agents', {}).catch((error: unknown) => error)
    t.match(failure, { class: expected, status, operation: 'POST /oauth/token', isAmbiguous: false })
  }
})

t.test('a token is in no message, whatever an answer echoes', async (t) => {
  const refusing = signedIn(({ isSignIn, headers }) =>
    isSignIn ? undefined : { status: 422, text: JSON.stringify({ message: `not for ${headers['authorization']}` }) },
  )
  const refusal: unknown = await refusing.client.get('/agents/1').catch((error: unknown) => error)
  t.ok(isFailure(refusal) && refusal.message === 'not for Bearer (hidden)')
  const echoing = signedIn(({ isSignIn, body }) =>
    isSignIn ? { status: 400, text: JSON.stringify({ message: `not with ${body}` }) } : undefined,
  )
  const denial: unknown = await echoing.client.get('/agents/1').catch((error: unknown) => error)
  t.ok(isFailure(denial) && denial.message === 'not with secret=(hidden)')
  const strange = signedIn(({ isSignIn }) => (isSignIn ? { text: '["token-number-7"]' } : undefined))
  const misfit: unknown = await strange.client.get('/agents/1').catch((error: unknown) => error)
  t.match(misfit, { class: 'unexpected', operation: 'POST /oauth/token' })
  t.ok(isFailure(misfit) && !misfit.message.includes('token-number'))
})

t.test('a request that is given up while it signs in takes no other one with it', async (t) => {
  const stop = new AbortController()
  let attempts = 0
  let begun = (): void => {}
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const { client, seen } = signedIn(async ({ isSignIn, signal }) => {
    attempts += isSignIn ? 1 : 0
    if (!isSignIn || attempts > 1) return undefined
    begun()
    return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
  })
  const first = client.get('/agents/1', { signal: stop.signal })
  const second = client.get('/agents/2')
  await isBegun
  stop.abort(new Error('given up'))
  await t.rejects(first, /given up/)
  t.match(await second, { id: 'a' })
  t.equal(signIns(seen), 2)
})

t.test('the next page is in the Link header, among other links', async (t) => {
  const next = (link: string | null) => linkPaging.next({}, [], new Headers(link === null ? {} : { link }))
  t.same(next(`<${root}/v1/agents?page=1>; rel="first", <${root}/v1/agents?page=3&limit=2>; rel="next"`), {
    page: '3',
    limit: '2',
  })
  t.same(next('</agents?cursor=a%2Cb>; title="more"; rel=next'), { cursor: 'a,b' })
  t.equal(next(`<${root}/v1/agents?page=1>; rel="prev"`), undefined)
  t.equal(next(null), undefined)
})
