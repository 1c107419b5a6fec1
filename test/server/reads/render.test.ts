// Pictures over HTTP: the grammar of the query, expensive files, and more requests than the server can process.
import t from 'tap'
import { limits } from '../../../workers/limits.js'
import { exponential, stackBreaker } from '../../support/pdf/hostile.js'
import { assembled, difference, pixelsOf } from '../../support/pdf/pictures.js'
import { everyPage } from '../../support/pdf/rich-pdf.js'
import { runServer } from '../support/running-server.js'

const server = await runServer(t, { settings: { pixelsMax: 1_000_000 } })
const { api } = server
const id = await server.upload(everyPage())
/** Page of 300 by 240 points, cropped. */
const picture = `/v1/docs/${id}/layers/default/render/pages/obj:4/data`

t.test('the query sets size, region, rotation and format', async (t) => {
  const sizes: Readonly<Record<string, readonly [width: number, height: number, type: string]>> = {
    '': [300, 240, 'image/webp'],
    'format=png': [300, 240, 'image/png'],
    'viewport.scale=2': [600, 480, 'image/webp'],
    'viewport.kind=scale&viewport.scale=0.5': [150, 120, 'image/webp'],
    'viewport.kind=width&viewport.width=100': [100, 80, 'image/webp'],
    'viewport.kind=width&viewport.width=120&rotation=90': [120, 150, 'image/webp'],
    'rotation=270&format=png': [240, 300, 'image/png'],
    'target.kind=page&background=transparent&quality=0.1': [300, 240, 'image/webp'],
    'target.kind=rect&target.rect.x=10&target.rect.y=20&target.rect.width=30&target.rect.height=40': [
      30,
      40,
      'image/webp',
    ],
  }
  for (const [query, [width, height, type]] of Object.entries(sizes)) {
    const answer = await api.get(`${picture}?${query}`)
    t.same([answer.status, answer.headers.get('content-type')], [200, type], `${query} ${answer.code}`)
    t.match(await pixelsOf(answer.bytes), { width, height }, query)
  }
})

t.test('invalid queries are refused', async (t) => {
  const bad = [
    'format=gif',
    'quality=2',
    'quality=x',
    'viewport.kind=height',
    'viewport.width=100',
    'viewport.kind=width',
    'viewport.kind=width&viewport.width=0',
    'viewport.kind=width&viewport.width=-5',
    'viewport.kind=width&viewport.width=NaN',
    'viewport.kind=width&viewport.width=100&viewport.scale=1',
    'viewport.scale=0',
    'viewport.scale=Infinity',
    'target.kind=rect',
    'target.kind=rect&target.rect.x=0&target.rect.y=0&target.rect.width=10',
    'target.kind=rect&target.rect.x=0&target.rect.y=0&target.rect.width=0&target.rect.height=10',
    'target.rect.x=0&target.rect.y=0&target.rect.width=10&target.rect.height=10',
    'rotation=45',
    'background=black',
    'contentVersion=1',
    'contentVersion=0&format=png',
    'dpr=2',
    'format=png&format=webp',
    'viewport.scale=100',
    'viewport.kind=width&viewport.width=1e9',
  ]
  for (const query of bad) {
    const answer = await api.get(`${picture}?${query}`)
    t.same([answer.status, answer.code], [400, 'InvalidArg'], query)
  }
  t.equal((await api.get(`${picture}?contentVersion=1&format=png`)).status, 404, 'a stale pin')
})

t.test('tiles make up the page they are parts of', async (t) => {
  const whole = await pixelsOf((await api.get(`${picture}?format=png`)).bytes)
  const tile = 60
  const rows: Buffer[][] = []
  for (let y = 0; y < 240; y += tile) {
    const row: Buffer[] = []
    for (let x = 0; x < 300; x += tile) {
      const part = `target.kind=rect&target.rect.x=${x}&target.rect.y=${y}&target.rect.width=${tile}&target.rect.height=${tile}`
      row.push((await api.get(`${picture}?format=png&${part}`)).bytes)
    }
    rows.push(row)
  }
  t.ok(difference(await assembled(rows, { width: 300, height: 240, tile }), whole) < 1)
})

t.test('a page that crashes its thread is refused, and other pages are still served', async (t) => {
  const breaker = await server.upload(stackBreaker())
  const broken = await api.get(`/v1/docs/${breaker}/layers/default/render/pages/obj:3/data`)
  t.same([broken.status, broken.code], [503, 'RuntimeUnavailable'])
  t.ok(Number(broken.headers.get('retry-after')) >= 1)
  t.equal((await api.get(`${picture}?viewport.scale=1.5`)).status, 200)
})

t.test('with ten times the queue at once, the excess is refused, and later requests succeed', async (t) => {
  const count = 10 * limits.queuedTasksMax
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => api.get(`${picture}?viewport.scale=${1 + index / 10_000}`)),
  )
  const refused = answers.filter(({ status }) => status === 503)
  t.equal(answers.filter(({ status }) => status === 200).length + refused.length, count, 'no other status')
  t.ok(refused.length > 0, `${refused.length} refused`)
  t.ok(refused.length < count, 'some are drawn')
  for (const { code, headers } of refused) {
    t.equal(code, 'RuntimeUnavailable')
    t.ok(Number(headers.get('retry-after')) >= 1)
  }
  t.equal((await api.get(`${picture}?viewport.scale=1.75`)).status, 200)
})

t.test('other pages can be read while a page with an endless drawing is rendered', async (t) => {
  const costly = await server.upload(exponential())
  const slow = api.get(`/v1/docs/${costly}/layers/default/render/pages/obj:3/data`)
  const other = await api.get(`/v1/docs/${id}/layers/default/text/pages/obj:3/data`)
  t.equal(other.status, 200)
  t.equal((await slow).status, 503)
})
