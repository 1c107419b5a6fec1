// Files and skills on Claude, against the emulator, under both shapes of their answers.
import { unzipSync } from 'fflate'
import t from 'tap'
import { openClaude } from './subject.js'

const manifest = (name: string, text = '') => `---\nname: ${name}\ndescription: Reviews code\n---\n${text}\n`

t.test('lists of files continue over all pages, in the older shape too', async (t) => {
  const bench = await openClaude(t)
  for (let index = 0; index < 105; index++)
    await bench.request('POST', '/_emulator/objects', { provider: 'claude', kind: 'file' })
  t.equal(new Set(await bench.listed('file')).size, 105)
  const old = (await bench.request('GET', '/files?limit=1')).body
  t.same(Object.keys(old), ['data', 'has_more', 'first_id', 'last_id'])
  const present = await bench.request('GET', '/files?limit=1', undefined, { 'anthropic-beta': '' })
  t.same(Object.keys(present.body), ['data', 'next_page'])
})

t.test('2.9 a skill is uploaded below a folder with its own name', async (t) => {
  const bench = await openClaude(t)
  const content = { 'SKILL.md': manifest('code-review', 'x'), 'scripts/run.py': 'print(1)' }
  bench.declare('skill', 'review', { source: './skills/review' }, { './skills/review': content })
  const remote = await bench.create('skill', 'review')
  t.same(await bench.drift('skill', 'review'), [])
  const { id, version } = bench.outputs('skill', 'review')
  t.equal(version, remote['latest_version'])
  const zip = await bench.request('GET', `/skills/${id}/versions/${version}/content`)
  t.same(Object.keys(unzipSync(zip.bytes)).sort(), ['code-review/SKILL.md', 'code-review/scripts/run.py'])
  t.same(await bench.listed('skill'), [id], 'official skills are not among ours')
})

t.test('removing a skill removes its versions first', async (t) => {
  const bench = await openClaude(t)
  for (const text of ['1', '2', '3']) {
    bench.declare('skill', 'review', { source: 'review' }, { review: { 'SKILL.md': manifest('review', text) } })
    if (text === '1') await bench.create('skill', 'review')
    else await bench.update('skill', 'review')
  }
  t.equal((await bench.request('DELETE', `/skills/${bench.id('skill', 'review')}`)).status, 400)
  await bench.remove('skill', 'review')
  await t.rejects(bench.isGone('skill', 'review'), { class: 'gone', code: 'not_found_error' })
})

t.test('skills can be read and removed in the current shape as well', async (t) => {
  const bench = await openClaude(t)
  const present = { 'anthropic-beta': 'managed-agents-2026-04-01' }
  bench.declare('skill', 'review', { source: 'review' }, { review: { 'SKILL.md': manifest('review') } })
  const { id } = await bench.create('skill', 'review')
  const { body } = await bench.request('GET', `/skills/${String(id)}`, undefined, present)
  t.match(body, { display_name: 'review', source: { type: 'custom' }, latest_version_id: /^skillver_/ })
  t.equal(bench.handler('skill').outputs(body)['version'], body['latest_version_id'])
  const path = `/skills/${String(id)}/versions/${String(body['latest_version_id'])}`
  t.equal(
    (await bench.request('DELETE', path, undefined, present)).status,
    400,
    'the last version is removed with the skill',
  )
  t.equal((await bench.request('DELETE', `/skills/${String(id)}`, undefined, present)).status, 200)
})
