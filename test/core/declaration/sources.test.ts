import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import t from 'tap'
import { declarationLimits, sourceLimits } from '../../../core/declaration/limits.js'
import { loadProject } from '../../../core/declaration/load.js'
import type { Disk } from '../../../core/ports/disk.js'
import { nodeDisk } from '../../../core/ports/node-disk.js'
import { builtins } from '../../../plugins/builtins.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { head, load, manual, reportOf, textOf, theOne } from './subject.js'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const skill = (source: string) => `${head}skills:\n  review:\n    source: ${source}\n`
const agent = (instructions: string) => `${head}agents:\n  a:\n    model: m\n    instructions: ${instructions}\n`

t.test('2.9 a skill folder is described by its sorted regular files', async (t) => {
  const files = {
    skills: {
      review: {
        'SKILL.md': manual,
        '.DS_Store': 'junk',
        '.git': { HEAD: 'x' },
        scripts: { 'b.sh': 'b', 'a.sh': 'a' },
      },
    },
  }
  const { project, diagnostics, folder } = await load(t, skill('./skills/review/'), { files })
  t.strictSame(reportOf(diagnostics), [])
  const source = project?.find('skill', 'review')?.sources.get('./skills/review/')
  t.match(source, {
    written: './skills/review/',
    path: join(folder, 'skills', 'review'),
    kind: 'folder',
    baseName: 'review',
    sizeBytes: manual.length + 2,
  })
  t.strictSame(source?.files, [
    { path: 'SKILL.md', sha256: sha256(manual), sizeBytes: manual.length },
    { path: 'scripts/a.sh', sha256: sha256('a'), sizeBytes: 1 },
    { path: 'scripts/b.sh', sha256: sha256('b'), sizeBytes: 1 },
  ])
  t.equal(source?.sha256, sha256(source?.files.map((file) => `${file.sha256}  ${file.path}\n`).join('') ?? ''))
})

t.test('2.10 a file is described by its bytes', async (t) => {
  const { project } = await load(t, `${head}files:\n  notes:\n    source: data/notes.txt\n`, {
    files: { data: { 'notes.txt': 'hello' } },
  })
  t.match(project?.find('file', 'notes')?.sources.get('data/notes.txt'), {
    kind: 'file',
    baseName: 'notes.txt',
    sha256: sha256('hello'),
    sizeBytes: 5,
    files: [{ path: 'notes.txt', sha256: sha256('hello'), sizeBytes: 5 }],
  })
})

t.test('secrets, the project file, its state and saved plans are not uploaded, even if they are named', async (t) => {
  const files = {
    '.env': 'KEY=secret',
    '.env.local': 'KEY=secret',
    '.env.example': 'KEY=',
    'agents.state.json': '{}',
    'saved.json': '{ "format": "agents-plan" }',
    notes: { 'agents.state.json': '{}' },
  }
  const found = async (source: string) =>
    reportOf((await load(t, `${head}files:\n  f:\n    source: ${source}\n`, { files })).diagnostics)
  for (const source of ['.env', '.env.local', 'agents.yaml', 'agents.state.json', 'saved.json']) {
    t.strictSame(await found(source), ['source.private 7:13'], source)
  }
  t.strictSame(await found('.env.example'), [], 'shared on purpose')
  t.strictSame(await found('notes/agents.state.json'), [], 'of another project')
  const { diagnostics } = await load(t, agent('./.env'), { files })
  t.strictSame(reportOf(diagnostics), ['source.private 8:19'], 'instructions')
})

t.test(
  '2.9 paths to missing files, to the wrong type of file, or to a skill without a usable name are reported',
  async (t) => {
    const named = (front: string) => ({ 'SKILL.md': front })
    const skills = {
      review: named(manual),
      empty: { 'README.md': 'x' },
      plain: named('# Review'),
      spaced: named('---\nname: Other Name\n---\n'),
      torn: named('---\nname: [a\n---\n'),
    }
    const files = { skills, 'notes.txt': 'x' }
    const cases: readonly (readonly [text: string, told: string, text: RegExp])[] = [
      [skill('./skills/reviw'), 'source.missing 7:13', /Did you mean skills\/review/],
      [skill('./elsewhere/review'), 'source.missing 7:13', /There is no/],
      [skill('./notes.txt'), 'source.wrong-kind 7:13', /is a file, and a folder is needed/],
      [skill('./skills/empty'), 'source.incomplete 7:13', /holds no SKILL.md/],
      [skill('./skills/plain'), 'skill.no-name 7:13', /SKILL.md in .\/skills\/plain does not begin with front matter/],
      [skill('./skills/spaced'), 'skill.no-name 7:13', /has no name that could be the name of a folder/],
      [skill('./skills/torn'), 'skill.no-name 7:13', /is not YAML/],
      [`${head}files:\n  f:\n    source: ./skills\n`, 'source.wrong-kind 7:13', /is a folder, and a file is needed/],
      [`${head}files:\n  f:\n    source: ./note.txt\n`, 'source.missing 7:13', /Did you mean notes.txt/],
      [`${head}files:\n  f:\n    source: ""\n`, 'source.wrong-kind 7:13', /./],
      [agent('./nowhere'), 'source.missing 8:19', /nowhere/],
      [agent('prompt.md'), 'source.missing 8:19', /prompt.md/],
    ]
    for (const [text, expected, says] of cases) {
      await t.test(text.slice(head.length), async (t) => {
        const { project, diagnostics } = await load(t, text, { files })
        t.equal(project, undefined)
        t.strictSame(reportOf(diagnostics), [expected])
        t.match(textOf(theOne(diagnostics)), says)
      })
    }
  },
)

t.test('2.11 instructions are a path when they are one line without blanks that looks like one', async (t) => {
  const files = { 'p.md': 'from md', 'p.txt': 'from txt', plain: 'from plain', deep: { 'p.md': 'from deep' } }
  const cases: readonly (readonly [instructions: string, body: string])[] = [
    ['p.md', 'from md'],
    ['./p.txt', 'from txt'],
    ['./plain', 'from plain'],
    ['deep/p.md', 'from deep'],
    ['Read p.md', 'Read p.md'],
    ['plain', 'plain'],
    ['"./plain and more"', './plain and more'],
    ['|\n      ./plain\n      p.md', './plain\np.md\n'],
  ]
  for (const [instructions, body] of cases) {
    await t.test(instructions, async (t) => {
      const { project, diagnostics } = await load(t, agent(instructions), { files })
      t.strictSame(reportOf(diagnostics), [])
      t.equal(project?.find('agent', 'a')?.body['instructions'], body)
    })
  }
  await t.test('an absolute path', async (t) => {
    const folder = t.testdir({ 'p.md': 'absolute' })
    const { project } = await load(t, agent(join(folder, 'p.md')), { files: { 'p.md': 'absolute' } })
    t.equal(project?.find('agent', 'a')?.body['instructions'], 'absolute')
  })
})

t.test('texts of files must be plain text of reasonable size', async (t) => {
  const cases: readonly (readonly [title: string, content: string | Buffer, told: string])[] = [
    ['a placeholder mark', 'a\u0001v:KEY\u0002', 'source.not-text 8:19'],
    ['a zero byte', 'a\u0000', 'source.not-text 8:19'],
    ['not UTF-8', Buffer.from([0xff, 0xfe]), 'source.not-text 8:19'],
    ['too large', 'x'.repeat(declarationLimits.textBytesMax + 1), 'source.too-large 8:19'],
  ]
  for (const [title, content, expected] of cases) {
    await t.test(title, async (t) => {
      const { diagnostics } = await load(t, agent('./p.md'), { files: { 'p.md': content } })
      t.strictSame(reportOf(diagnostics), [expected])
    })
  }
  await t.test('of exactly the largest size', async (t) => {
    const files = { 'p.md': 'x'.repeat(declarationLimits.textBytesMax) }
    const { diagnostics } = await load(t, agent('./p.md'), { files })
    t.strictSame(
      reportOf(diagnostics),
      ['claude.agent-instructions-too-long 8:19'],
      'only the provider finds it too long',
    )
  })
})

t.test('a link that leads out of its folder is refused, one that stays inside is followed', async (t) => {
  const outside = { secret: 'x', review: { 'SKILL.md': manual, link: t.fixture('symlink', '../secret') } }
  const inside = { review: { 'SKILL.md': manual, copy: t.fixture('symlink', 'SKILL.md') } }
  const dangling = { review: { 'SKILL.md': manual, gone: t.fixture('symlink', 'nowhere') } }
  const endless = { review: { 'SKILL.md': manual, self: t.fixture('symlink', '.') } }
  t.strictSame(reportOf((await load(t, skill('./review'), { files: outside })).diagnostics), ['source.escape 7:13'])
  t.strictSame(reportOf((await load(t, skill('./review'), { files: dangling })).diagnostics), [
    'source.broken-link 7:13',
  ])
  t.strictSame(reportOf((await load(t, skill('./review'), { files: endless })).diagnostics), [
    'source.broken-link 7:13',
  ])
  const { project } = await load(t, skill('./review'), { files: inside })
  t.strictSame(
    project
      ?.find('skill', 'review')
      ?.sources.get('./review')
      ?.files.map(({ path }) => path),
    ['SKILL.md', 'copy'],
  )
})

t.test('folders have limits of files, depth and bytes', async (t) => {
  const many = (count: number) => ({
    review: {
      'SKILL.md': manual,
      more: Object.fromEntries(Array.from({ length: count - 1 }, (_, i) => [`f${i}`, ''])),
    },
  })
  const deep = (depth: number): object =>
    depth === 1 ? { 'SKILL.md': manual } : { 'SKILL.md': manual, d: deep(depth - 1) }
  t.ok((await load(t, skill('./review'), { files: many(sourceLimits.filesMax) })).project)
  t.strictSame(reportOf((await load(t, skill('./review'), { files: many(sourceLimits.filesMax + 1) })).diagnostics), [
    'source.too-large 7:13',
  ])
  t.ok((await load(t, skill('./review'), { files: { review: deep(sourceLimits.depthMax) } as never })).project)
  t.strictSame(
    reportOf(
      (await load(t, skill('./review'), { files: { review: deep(sourceLimits.depthMax + 1) } as never })).diagnostics,
    ),
    ['source.too-large 7:13'],
  )
  const { folder } = await load(t, `${head}files:\n  f:\n    source: ./big\n`, { files: { big: '' } })
  const grown: Disk = {
    ...nodeDisk,
    status: async (path) =>
      path.endsWith('big') ? { kind: 'file', sizeBytes: sourceLimits.fileBytesMax + 1 } : nodeDisk.status(path),
  }
  const { diagnostics } = await loadProject({
    file: 'agents.yaml',
    workingFolder: folder,
    disk: grown,
    environment: { KEY: 'k' },
    kinds,
    builtins,
    isEmulated: false,
  })
  t.strictSame(reportOf(diagnostics), ['source.too-large 7:13'])
})

t.test('something that is neither file nor folder is refused', { skip: process.platform === 'win32' }, async (t) => {
  const { folder } = await load(t, skill('./review'), { files: { review: { 'SKILL.md': manual } } })
  execFileSync('mkfifo', [join(folder, 'review', 'pipe')])
  const { diagnostics } = await loadProject({
    file: 'agents.yaml',
    workingFolder: folder,
    disk: nodeDisk,
    environment: { KEY: 'k' },
    kinds,
    builtins,
    isEmulated: false,
  })
  t.strictSame(reportOf(diagnostics), ['source.wrong-kind 7:13'])
})

t.test('a path is read once, however many declarations name it', async (t) => {
  const agents = Array.from({ length: 50 }, (_, i) => `  a${i}: { model: m, instructions: ./p.md }\n`).join('')
  const { folder } = await load(t, `${head}agents:\n${agents}`, { files: { 'p.md': 'x' } })
  const reads: string[] = []
  const disk: Disk = {
    ...nodeDisk,
    read(path) {
      reads.push(path)
      return nodeDisk.read(path)
    },
  }
  const { project } = await loadProject({
    file: 'agents.yaml',
    workingFolder: folder,
    disk,
    environment: { KEY: 'k' },
    kinds,
    builtins,
    isEmulated: false,
  })
  t.equal(project?.declarations.length, 50)
  t.equal(reads.filter((path) => path.endsWith('p.md')).length, 1)
})

t.test('a file that cannot be read is a diagnostic, not an exception', async (t) => {
  const { folder } = await load(t, agent('./p.md'), { files: { 'p.md': 'x' } })
  const denied: Disk = {
    ...nodeDisk,
    read: (path) =>
      path.endsWith('p.md')
        ? Promise.reject(Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES' }))
        : nodeDisk.read(path),
  }
  const { diagnostics } = await loadProject({
    file: 'agents.yaml',
    workingFolder: folder,
    disk: denied,
    environment: { KEY: 'k' },
    kinds,
    builtins,
    isEmulated: false,
  })
  t.strictSame(reportOf(diagnostics), ['source.unreadable 8:19'])
})

t.test('a path with an unset variable is checked once the variable is set', async (t) => {
  const { project, diagnostics } = await load(t, skill('${WHERE}/review'))
  t.ok(project)
  t.strictSame(reportOf(diagnostics), ['variable.unset 7:13'])
  t.equal(project?.find('skill', 'review')?.sources.size, 0)
})
