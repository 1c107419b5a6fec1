// Skills on bailian: archives that are uploaded first, scans, versions.
import t from 'tap'
import type { Workbench } from '../workbench.js'
import { openBailian } from './subject.js'

const manifest = (text: string) => ({ 'SKILL.md': `---\nname: review\ndescription: Reviews code\n---\n${text}\n` })
const requestsOf = async (bench: Workbench, method: string, path: RegExp) => {
  const { body } = await bench.request('GET', '/_emulator/requests')
  const requests = body['requests'] as { method: string; path: string; status: number }[]
  return requests.filter((request) => request.method === method && path.test(request.path))
}

t.test('a skill is registered from an archive, which is then removed', async (t) => {
  const bench = await openBailian(t)
  bench.declare('skill', 'review', { source: './skills/review' }, { './skills/review': manifest('Be kind.') })
  const remote = await bench.create('skill', 'review')
  t.match(remote, { name: 'review', description: 'Reviews code', status: 'active', latest_version: '1.0' })
  t.same(bench.handler('skill').outputs(remote), { id: remote['id'], version: '1.0' })
  t.same(await bench.drift('skill', 'review'), [])
  t.same(await bench.listed('skill'), [bench.id('skill', 'review')], 'official skills are not ours')
  t.same(await bench.listed('file'), [])
})

t.test('new content becomes a new version, the tenth after the ninth', async (t) => {
  const bench = await openBailian(t)
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('1') })
  await bench.create('skill', 'review')
  for (let version = 2; version <= 11; version++) {
    bench.declare('skill', 'review', { source: 'review' }, { review: manifest(String(version)) })
    t.same(await bench.update('skill', 'review'), [])
  }
  t.match(bench.handler('skill').outputs(bench.remote('skill', 'review')), { version: '11.0' })
  t.same(bench.handler('skill').moves, ['version'])
})

t.test('a skill is ready when its newest version is scanned, whatever the skill itself says', async (t) => {
  for (const skillWords of ['reference', 'live']) {
    const bench = await openBailian(t)
    await bench.request('PUT', '/_emulator/knobs', { bailian: { skillWords } })
    bench.declare('skill', 'review', { source: 'review' }, { review: manifest('1') })
    await bench.create('skill', 'review')
    await bench.request('PUT', '/_emulator/knobs', { scans: { reads: 10 } })
    bench.declare('skill', 'review', { source: 'review' }, { review: manifest('2') })
    await bench.update('skill', 'review')
    const { ready, outputs } = bench.handler('skill')
    const pending = bench.remote('skill', 'review')
    t.match(pending, { status: 'active', latest_version: '1.0' })
    t.equal(ready?.state(pending), 'pending')
    t.match(outputs(pending), { version: '2.0' }, 'dependents wait for the new version')
    for (let reads = 0; reads < 10; reads++) await bench.isGone('skill', 'review')
    const usable = await bench.handler('skill').read(bench.call, bench.id('skill', 'review'))
    t.match(usable, { status: 'active', latest_version: '2.0' })
    t.equal(ready?.state(usable), 'ready')
  }
})

t.test('a version that the scan refuses fails, and the skill keeps the one before', async (t) => {
  for (const skillWords of ['reference', 'live']) {
    const bench = await openBailian(t)
    await bench.request('PUT', '/_emulator/knobs', { bailian: { skillWords } })
    bench.declare('skill', 'review', { source: 'review' }, { review: manifest('1') })
    await bench.create('skill', 'review')
    await bench.request('PUT', '/_emulator/knobs', { bailian: { refusesVersions: true } })
    bench.declare('skill', 'review', { source: 'review' }, { review: manifest('2') })
    await bench.update('skill', 'review')
    const refused = bench.remote('skill', 'review')
    t.match(refused, { status: 'active', latest_version: '1.0' })
    t.match(bench.handler('skill').ready?.state(refused), { failed: /the security scan/ })
  }
})

t.test('an upload that the scan refuses is not registered', async (t) => {
  const bench = await openBailian(t)
  await bench.request('PUT', '/_emulator/knobs', { scans: { outcome: 'refused' } })
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('1') })
  await t.rejects(bench.create('skill', 'review'), {
    message: /review\.zip was uploaded, but the security scan rejected it/,
  })
  t.same(await requestsOf(bench, 'POST', /^\/skills$/), [])
})

t.test('a registration is retried while the server does not find the upload', async (t) => {
  const bench = await openBailian(t)
  await bench.request('PUT', '/_emulator/knobs', { bailian: { skillFileNotFound: 3 } })
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('1') })
  await bench.create('skill', 'review')
  t.same(bench.waitsMs, [1_000, 2_000, 4_000])
  t.same(
    (await requestsOf(bench, 'POST', /^\/skills$/)).map(({ status }) => status),
    [500, 500, 500, 200],
  )
  t.equal((await requestsOf(bench, 'POST', /^\/files$/)).length, 1, 'one upload is enough')
  await bench.request('PUT', '/_emulator/knobs', { bailian: { skillFileNotFound: 9 } })
  await t.rejects(bench.create('skill', 'review'), { class: 'retry', code: 'SKILL_FILE_NOT_FOUND' })
})

t.test('an upload whose scan does not end fails', async (t) => {
  const bench = await openBailian(t)
  await bench.request('PUT', '/_emulator/knobs', { scans: { reads: 1_000 } })
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('1') })
  await t.rejects(bench.create('skill', 'review'), { message: /its security scan does not come to an end/ })
})

t.test('a deleted skill still answers and counts as gone', async (t) => {
  const bench = await openBailian(t)
  bench.declare('skill', 'review', { source: 'review' }, { review: manifest('1') })
  await bench.create('skill', 'review')
  await bench.remove('skill', 'review')
  t.match(await bench.request('GET', `/skills/${bench.id('skill', 'review')}`), { body: { status: 'deleted' } })
  t.equal(await bench.isGone('skill', 'review'), true)
  t.same(await bench.listed('skill'), [])
})
