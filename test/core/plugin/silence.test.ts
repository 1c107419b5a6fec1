// Requests without an answer: a run that waits for one says so while it waits.
import { mock } from 'node:test'
import t from 'tap'
import { noticesOf } from '../../../core/plan/wait-notices.js'
import { ApiClient } from '../../../core/plugin/client.js'
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
