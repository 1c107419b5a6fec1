// Requests without an answer: a run that waits for one says so while it waits.
import { mock } from 'node:test'
import t from 'tap'
import { noticesOf } from '../../../core/plan/wait-notices.js'
import { ApiClient } from '../../../core/plugin/client.js'
import { clientLimits } from '../../../core/plugin/client-options.js'
import { isFailure } from '../../../core/plugin/failure.js'
import type { HttpRequest, HttpResponse } from '../../../core/ports/http.js'
import { systemRandom } from '../../../core/ports/random.js'

t.test('a request without an answer is reported every 8 seconds, once for requests at the same time', async (t) => {
  const atMs = { now: 0 }
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  t.teardown(() => mock.timers.reset())
  const said: string[] = []
  const answers: ((response: HttpResponse) => void)[] = []
  const clock = { now: () => atMs.now, sleep: () => Promise.reject(new Error('nothing is repeated')) }
  const client = new ApiClient({
    baseUrl: 'http://127.0.0.1:1/v1',
    headers: () => ({}),
    classify: () => ({ class: 'invalid' }),
    environment: {
      http: (_: HttpRequest) => new Promise((resolve) => answers.push(resolve)),
      clock,
      random: systemRandom,
      ...noticesOf(clock, (line) => said.push(line)),
    },
  })
  const pass = (ms: number) => {
    atMs.now += ms
    mock.timers.tick(ms)
  }
  const reading = [client.get('/agents'), client.get('/skills')]
  await sending()
  pass(7_999)
  t.same(said, [])
  pass(1)
  pass(8_000)
  t.same(said, ['GET /agents: no answer for 8 s.', 'GET /agents: no answer for 16 s.'])
  for (const answer of answers) answer({ status: 200, headers: new Headers(), text: '{"id":"one"}' })
  await Promise.all(reading)
  pass(8_000)
  t.equal(said.length, 2, 'what was answered is waited for no longer')
})

t.test('an upload is limited by its silence alone, and the report has its bytes', async (t) => {
  const atMs = { now: 0 }
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  t.teardown(() => mock.timers.reset())
  const said: string[] = []
  const sent: HttpRequest[] = []
  const clock = { now: () => atMs.now, sleep: () => Promise.reject(new Error('nothing is repeated')) }
  const client = new ApiClient({
    baseUrl: 'http://127.0.0.1:1/v1',
    headers: () => ({}),
    classify: () => ({ class: 'invalid' }),
    environment: {
      http: (request) => {
        sent.push(request)
        return new Promise((_, reject) =>
          request.signal?.addEventListener('abort', () => reject(request.signal?.reason)),
        )
      },
      clock,
      random: systemRandom,
      ...noticesOf(clock, (line) => said.push(line)),
    },
  })
  const pass = (ms: number) => {
    for (let passedMs = 0; passedMs < ms; passedMs += 1_000) {
      atMs.now += 1_000
      mock.timers.tick(1_000)
    }
  }
  const form = new FormData()
  form.set('file', 'text')
  const failed = client.create('/files', form).catch((error: unknown) => error)
  await sending()
  const [request] = sent
  const step = 100_000
  for (let sentBytes = step; sentBytes <= 12 * step; sentBytes += step) {
    pass(clientLimits.transferSilenceMs - 1_000)
    request?.onProgress?.({ sentBytes, totalBytes: 12 * step, receivedBytes: 0 })
  }
  t.notOk(request?.signal?.aborted, 'it takes an hour, and was never silent for too long')
  said.length = 0
  pass(8_000)
  pass(8_000)
  t.same(said, ['POST /files: 1.2 of 1.2 MB sent.', 'POST /files: 1.2 of 1.2 MB sent, no answer for 8 s.'])
  pass(clientLimits.transferSilenceMs)
  const error = await failed
  t.ok(isFailure(error, 'retry'))
  t.match(String(error), 'no answer in time')
})

/** Resolves when the headers of requests, which may need a sign-in, are there. */
function sending(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
