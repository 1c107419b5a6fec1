// `doc.search`: slices of a search over HTTP, by query and by token, with the rights and the versions of its content.
import t from 'tap'
import { needlesOn } from '../../support/pdf/many-pages.js'
import type { Answer, Client } from '../support/client.js'
import { done, runServer } from '../support/running-server.js'
import { epochOf, inTokenText, searchTokenOf } from '../support/search-token.js'

const server = await runServer(t)
const { api } = server
const id = await server.upload(needlesOn(6))
const layer = `/v1/docs/${id}/layers/default`

const find = (tier: 'rects' | 'full', query: Record<string, string>, client: Client = api): Promise<Answer> =>
  client.get(`${layer}/search/${tier}/data?${new URLSearchParams(query)}`)
const byToken = (tier: 'rects' | 'full', token: string, client: Client = api): Promise<Answer> =>
  client.get(`${layer}/search/${tier}/data@${token}`)

const epoch = () => epochOf(api, id)
const tokenOf = async (more = '') => `${await searchTokenOf('needle', api, id)}${more}`

t.test('a query finds every match, with its place, and in full with the text around it', async (t) => {
  const rects = done(await find('rects', { q: 'NEEDLE' }))
  t.equal(rects.headers.get('cache-control'), 'no-store')
  t.match(rects.json(), {
    nextCursor: null,
    pagesSearched: 6,
    pageCount: 6,
    matches: [{ page: { objectNumber: 4 }, start: 0, count: 6, segments: [{ advance: 1, rect: { x: 20 } }] }],
  })
  t.notOk(rects.text.includes('snippet'))
  t.match(done(await find('full', { q: 'needle 8' })).at('/matches'), [
    { page: { objectNumber: 8 }, snippet: { before: '', match: 'needle 8' } },
  ])
  t.equal(done(await find('full', { q: 'needle \\d\\d', regex: 'true' })).at('/matches/2/snippet/match'), 'needle 14')
})

t.test('the token that a client makes finds the same, and may be cached for ever', async (t) => {
  const answer = done(await byToken('full', await tokenOf()))
  t.match(answer.headers.get('cache-control'), /immutable/)
  t.same(answer.json(), done(await find('full', { q: 'needle' })).json())
})

t.test('the cursor of a slice is the token of the next one', async (t) => {
  for (const first of [
    await find('full', { q: 'needle', maxMatches: '2', startPage: '8' }),
    await byToken('full', `${(await tokenOf()).replace(',q=', ',maxMatches=2,q=')},startPage=8`),
    await find('full', { q: 'needle', limitMatches: '2', from: '8' }),
    await byToken('full', (await tokenOf()).replace(',q=', ',from=8,limitMatches=2,q=')),
  ]) {
    const pages: unknown[] = []
    for (let slice = done(first); ; slice = done(await byToken('full', slice.word('/nextCursor')))) {
      pages.push(slice.at('/matches/0/page/objectNumber'), slice.at('/matches/1/page/objectNumber'))
      if (slice.at('/nextCursor') === null) break
    }
    t.same(pages, [8, 10, 12, 14, 4, 6])
  }
})

t.test('the cursor names its members as the request did', async (t) => {
  for (const names of [
    ['from', 'limitMatches', 'limitPages'],
    ['maxMatches', 'maxPages', 'startPage'],
  ]) {
    const query = Object.fromEntries(names.map((name) => [name, name === 'from' || name === 'startPage' ? '8' : '1']))
    const cursor = done(await find('full', { q: 'needle', ...query })).word('/nextCursor')
    const members = cursor.split(',').map((member) => member.slice(0, member.indexOf('=')))
    t.same(members, [...names, 'epoch', 'format', 'q', 'skip'].toSorted())
    t.equal(done(await byToken('full', cursor)).at('/matches/0/page/objectNumber'), 10)
  }
})

t.test('a token of other content is refused; annotations are no other content', async (t) => {
  const token = await tokenOf()
  const draft = { subtype: 'square', box: { x: 10, y: 10, width: 20, height: 20 } }
  done(await api.post(`${layer}/annotations/pages/obj:4/items`, draft))
  done(await byToken('rects', token))
  done(await api.post(`${layer}/pages/delete`, { pages: [{ kind: 'objectNumber', objectNumber: 14 }] }))
  const stale = await byToken('rects', token)
  t.same([stale.status, stale.code], [404, 'NotFound'])
  t.match(done(await byToken('rects', await tokenOf())).json(), { pageCount: 5, pagesSearched: 5 })
  t.same((done(await find('rects', { q: 'needle 14' })).at('/matches') as unknown[]).length, 0)
})

t.test('places need doc.text.search, the text around them also doc.text.copy', async (t) => {
  const as = async (...scope: string[]) => api.as(await server.documentToken(id, ['doc.open', ...scope]))
  const [neither, search, both] = [
    await as(),
    await as('doc.text.search'),
    await as('doc.text.search', 'doc.text.copy'),
  ]
  const token = await tokenOf()
  for (const [tier, client, status] of [
    ['rects', neither, 403],
    ['full', neither, 403],
    ['rects', search, 200],
    ['full', search, 403],
    ['full', both, 200],
  ] as const) {
    t.equal((await find(tier, { q: 'needle' }, client)).status, status, tier)
    t.equal((await byToken(tier, token, client)).status, status, tier)
  }
})

t.test('a slice that begins behind the last page has searched every page', async (t) => {
  const { pageCount } = done(await find('rects', { q: 'needle' })).json() as { pageCount: number }
  const beyond = done(await byToken('rects', `${await tokenOf()},skip=999`))
  t.match(beyond.json(), { matches: { length: 0 }, nextCursor: null, pagesSearched: pageCount, pageCount })
})

t.test('malformed queries and tokens say what is wrong', async (t) => {
  const current = await epoch()
  for (const [query, message] of [
    [{}, /q/],
    [{ q: '' }, /q/],
    [{ q: '(', regex: 'true' }, /pattern/],
    [{ q: '[a-z ]{0,900}'.repeat(70), regex: 'true' }, /too large/],
    [{ q: 'x', regex: 'yes' }, /regex/],
    [{ q: 'x', maxMatches: '0' }, /maxMatches/],
    [{ q: 'x', unknown: '1' }, /unknown/],
    [{ q: 'x'.repeat(1001) }, /q/],
  ] as const) {
    const answer = await find('rects', query)
    t.same([answer.status, answer.code], [400, 'InvalidArg'], JSON.stringify(query))
    t.match(answer.text, message)
  }
  for (const token of [
    'x',
    `epoch=${current},q=${inTokenText('a')}`,
    `epoch=${current},format=segments1`,
    `epoch=${current},format=segments1,q=A`,
    `epoch=${current},format=segments1,q=${inTokenText('a')},skip=-1`,
    `q=${inTokenText('a')},format=segments1,epoch=${current}`,
  ]) {
    const answer = await byToken('rects', token)
    t.same([answer.status, answer.code], [400, 'InvalidArg'], token)
  }
  t.equal((await find('rects', { q: 'needle', from: '9999' })).status, 404)
})
