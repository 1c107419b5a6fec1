// Files and skills on Claude, against the emulator, under both shapes of their answers.
import { unzipSync } from 'fflate'
import t from 'tap'
import { olderForms, openClaude } from './subject.js'

const manifest = (name: string, text = '') => `---\nname: ${name}\ndescription: Reviews code\n---\n${text}\n`

t.test('lists of files continue over all pages, in the older form too', async (t) => {
  for (const [beta, members] of [
    [undefined, ['data', 'next_page']],
    [olderForms, ['data', 'has_more', 'first_id', 'last_id']],
  ] as const) {
    const bench = await openClaude(t, beta)
    for (let index = 0; index < 105; index++)
      await bench.request('POST', '/_emulator/objects', { provider: 'claude', kind: 'file' })
    t.equal(new Set(await bench.listed('file')).size, 105)
    t.same(Object.keys((await bench.request('GET', '/files?limit=1')).body), members)
  }
})

for (const [form, beta] of Object.entries({ present: undefined, older: olderForms })) {
  t.test(`2.9 a skill is uploaded below a folder with its own name, in the ${form} form`, async (t) => {
    const bench = await openClaude(t, beta)
    const content = { 'SKILL.md': manifest('code-review', 'x'), 'scripts/run.py': 'print(1)' }
    bench.declare('skill', 'review', { source: './skills/review' }, { './skills/review': content })
    const remote = await bench.create('skill', 'review')
    t.same(await bench.drift('skill', 'review'), [])
    const { id, version } = bench.outputs('skill', 'review')
    t.equal(version, remote[beta ? 'latest_version' : 'latest_version_id'])
    const zip = await bench.request('GET', `/skills/${id}/versions/${version}/content`)
    t.same(Object.keys(unzipSync(zip.bytes)).sort(), ['code-review/SKILL.md', 'code-review/scripts/run.py'])
    t.same(await bench.listed('skill'), [id], 'official skills are not among ours')
  })

  t.test(`a skill is removed with all its versions, in the ${form} form`, async (t) => {
    const bench = await openClaude(t, beta)
    for (const text of ['1', '2', '3']) {
      bench.declare('skill', 'review', { source: 'review' }, { review: { 'SKILL.md': manifest('review', text) } })
      if (text === '1') await bench.create('skill', 'review')
      else await bench.update('skill', 'review')
    }
    const { id, version } = bench.outputs('skill', 'review')
    const { data } = (await bench.request('GET', `/skills/${id}/versions`)).body
    t.match(data, { length: 3 })
    await bench.remove('skill', 'review')
    await t.rejects(bench.isGone('skill', 'review'), { class: 'gone', code: 'not_found_error' })
    t.equal((await bench.request('GET', `/skills/${id}/versions/${version}`)).status, 404)
  })
}

t.test('versions go before their skill in the older form, and the last one with it in the present form', async (t) => {
  for (const [beta, refused] of [
    [undefined, (id: string, version: string) => `/skills/${id}/versions/${version}`],
    [olderForms, (id: string) => `/skills/${id}`],
  ] as const) {
    const bench = await openClaude(t, beta)
    bench.declare('skill', 'review', { source: 'review' }, { review: { 'SKILL.md': manifest('review') } })
    await bench.create('skill', 'review')
    const { id = '', version = '' } = bench.outputs('skill', 'review')
    t.equal((await bench.request('DELETE', refused(id, version))).status, 400)
  }
})
