// Files and skills on every provider, against the emulators: uploads, scans, versions.
import t, { type Test } from 'tap'
import { openArk } from '../ark/subject.js'
import { openBailian } from '../bailian/subject.js'
import { openClaude } from '../claude/subject.js'
import { openForward, openQoder } from '../qoder/subject.js'
import type { Workbench } from '../workbench.js'

interface FileRow {
  readonly open: (t: Test) => Promise<Workbench>
  readonly title: string
  readonly more?: object
  readonly made: object
  readonly immutable: readonly string[]
  /** Days after which the service forgets a file. */
  readonly expiresAfterDays?: number
  /** Failure of a file that a scan refuses. */
  readonly refused?: string
}

const underBaseName = '2.10 a file is uploaded under the base name of its source'
const session = { purpose: 'session_resource' }

const files: Readonly<Record<string, FileRow>> = {
  ark: {
    open: openArk,
    title: '2.10 a file is uploaded under its base name, for agents unless a purpose is declared',
    made: { object: 'file', filename: 'report.csv', purpose: 'agent', status: 'active', bytes: 3 },
    immutable: ['bytes', 'filename', 'purpose', 'sha256'],
    expiresAfterDays: 7,
    refused: 'the content of the file was refused',
  },
  bailian: {
    open: openBailian,
    title: underBaseName,
    made: { filename: 'report.csv', size_bytes: 3, status: 'available' },
    immutable: ['filename', 'sha256', 'size_bytes'],
    expiresAfterDays: 30,
    refused: 'the security scan rejected it',
  },
  claude: {
    open: openClaude,
    title: `${underBaseName}, with its media type`,
    made: { filename: 'report.csv', mime_type: 'text/csv', size_bytes: 3 },
    immutable: ['filename', 'sha256', 'size_bytes'],
  },
  'qoder, managed': {
    open: openQoder,
    title: underBaseName,
    more: session,
    made: {
      filename: 'report.csv',
      ...session,
      mime_type: 'text/csv',
      size_bytes: 3,
      metadata: { 'agents.project': 'demo' },
    },
    immutable: ['filename', 'metadata', 'purpose', 'sha256'],
  },
  'qoder, forward': {
    open: openForward,
    title: underBaseName,
    more: session,
    made: { filename: 'report.csv', ...session, size_bytes: 3 },
    immutable: ['filename', 'metadata', 'purpose', 'sha256'],
  },
}

function declareReport(bench: Workbench, more: object = {}, content = 'a,b'): void {
  const source = './data/report.csv'
  bench.declare('file', 'report', { source, ...more }, { [source]: content })
}

for (const [provider, row] of Object.entries(files))
  t.test(provider, async (t) => {
    const { open, title, more, made, immutable, expiresAfterDays, refused } = row

    t.test(title, async (t) => {
      const bench = await open(t)
      declareReport(bench, { name: 'A label', ...more })
      t.match(await bench.create('file', 'report'), made)
      t.same(await bench.drift('file', 'report'), [])
      declareReport(bench)
      t.same(await bench.drift('file', 'report'), [], 'a purpose that the service or we chose is not compared')
      t.same(await bench.listed('file'), [bench.id('file', 'report')])
      await bench.remove('file', 'report')
      t.same(await bench.listed('file'), [])
    })

    t.test('other content, another name or purpose is another file', async (t) => {
      const { update, fields } = (await open(t)).handler('file')
      t.equal(update, undefined)
      t.same(
        Object.entries(fields)
          .flatMap(([path, field]) => (field.immutable ? [path] : []))
          .sort(),
        immutable,
      )
    })

    if (expiresAfterDays !== undefined)
      t.test('a file that expired is gone', async (t) => {
        const bench = await open(t)
        declareReport(bench)
        await bench.create('file', 'report')
        bench.passDays(expiresAfterDays - 1)
        t.equal(await bench.isGone('file', 'report'), false)
        bench.passDays(2)
        await t.rejects(bench.isGone('file', 'report'), { class: 'gone' } as never)
        t.same(await bench.listed('file'), [])
      })

    if (refused !== undefined)
      t.test('a file is waited for until its scan is done, and a refused one fails', async (t) => {
        const bench = await open(t)
        await bench.turn({}, { scans: { reads: 3 } })
        declareReport(bench)
        const { ready } = bench.handler('file')
        t.equal(ready?.state(await bench.create('file', 'report')), 'ready')
        const reads = await bench.sent('GET', bench.id('file', 'report'))
        t.equal(reads.length, 4, 'three polls, and one final read')
        await bench.turn({}, { scans: { reads: 0, outcome: 'refused' } })
        await t.rejects(bench.create('file', 'report'), { message: refused })
      })
  })

interface SkillRow {
  readonly open: (t: Test) => Promise<Workbench>
  readonly made: object
  /** Versions of the first, second and third content. */
  readonly versions: readonly unknown[]
  /** Code of a refused change of the name in SKILL.md. */
  readonly renamed?: string
}

const skills: Readonly<Record<string, SkillRow>> = {
  bailian: {
    open: openBailian,
    made: { name: 'review', description: 'Reviews code', status: 'active', latest_version: '1.0' },
    versions: ['1.0', '2.0', '3.0'],
  },
  claude: {
    open: openClaude,
    made: { source: { type: 'custom' } },
    versions: [String, String, String],
    renamed: 'claude.skill-renamed',
  },
  ...Object.fromEntries(
    Object.entries({ managed: openQoder, forward: openForward }).map(([api, open]) => [
      `qoder, ${api}`,
      {
        open,
        made: { display_title: 'review', description: 'Reviews code', latest_version: '1' },
        versions: ['1', '2', '3'],
        renamed: 'qoder.skill-renamed',
      },
    ]),
  ),
}

function declareSkill(bench: Workbench, text: string, name = 'review'): void {
  const manifest = `---\nname: ${name}\ndescription: Reviews code\n---\n${text}\n`
  const content = { 'SKILL.md': manifest, 'scripts/run.sh': 'echo run\n' }
  bench.declare('skill', 'reviewing', { source: './skills/review' }, { './skills/review': content })
}

for (const [provider, { open, made, versions, renamed }] of Object.entries(skills))
  t.test(provider, async (t) => {
    t.test('other content is a new version of the same skill, former content as well', async (t) => {
      const bench = await open(t)
      declareSkill(bench, 'one')
      const remote = await bench.create('skill', 'reviewing')
      t.match(remote, made)
      t.same(await bench.drift('skill', 'reviewing'), [])
      const seen = [bench.outputs('skill', 'reviewing')['version']]
      for (const text of ['two', 'one']) {
        declareSkill(bench, text)
        t.same(await bench.update('skill', 'reviewing'), [])
        seen.push(bench.outputs('skill', 'reviewing')['version'])
      }
      t.match(seen, versions)
      t.equal(new Set(seen).size, 3)
      t.equal(bench.id('skill', 'reviewing'), remote['id'])
      t.same(await bench.listed('skill'), [remote['id']], 'official skills are not ours')
    })

    if (renamed !== undefined)
      t.test('a skill cannot change its name, and stays as it is', async (t) => {
        const bench = await open(t)
        declareSkill(bench, 'one')
        const { latest_version } = await bench.create('skill', 'reviewing')
        declareSkill(bench, 'two', 'other')
        const diagnostics = [{ code: renamed, detail: /other/ }]
        await t.rejects(bench.update('skill', 'reviewing'), { diagnostics } as never)
        const now = await bench.handler('skill').read(bench.call, bench.id('skill', 'reviewing'))
        t.equal(now['latest_version'], latest_version)
      })

    t.test('a removed skill is gone with its versions', async (t) => {
      const bench = await open(t)
      declareSkill(bench, 'one')
      await bench.create('skill', 'reviewing')
      declareSkill(bench, 'two')
      await bench.update('skill', 'reviewing')
      await bench.remove('skill', 'reviewing')
      t.same(await bench.listed('skill'), [])
    })
  })
