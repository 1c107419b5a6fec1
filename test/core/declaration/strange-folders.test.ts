// Folders that cannot be uploaded: links, names and numbers of entries. Each message names the actual problem.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { sourceLimits } from '../../../core/declaration/limits.js'
import { loadProject } from '../../../core/declaration/load.js'
import { nodeDisk } from '../../../core/ports/node-disk.js'
import { builtins } from '../../../plugins/builtins.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { head, load, manual, theOne } from './subject.js'

/** Entries of the folder `review` of a skill beside its SKILL.md. */
const folders: Readonly<Record<string, { make(folder: string): void; code: string; says: RegExp }>> = {
  'a link to nothing': {
    make: (folder) => symlinkSync('nowhere', join(folder, 'gone')),
    code: 'source.broken-link',
    says: /\.\/review\/gone is a link to something that does not exist/,
  },
  'a link to itself': {
    make: (folder) => symlinkSync('self', join(folder, 'self')),
    code: 'source.broken-link',
    says: /\.\/review\/self is a link that leads back to itself/,
  },
  'two links to each other': {
    make(folder) {
      symlinkSync('b', join(folder, 'a'))
      symlinkSync('a', join(folder, 'b'))
    },
    code: 'source.broken-link',
    says: /\.\/review\/[ab] is a link that leads back to itself/,
  },
  'a link to the folder itself': {
    make: (folder) => symlinkSync('.', join(folder, 'again')),
    code: 'source.broken-link',
    says: /\.\/review\/again is a link to a folder that it lies in/,
  },
  'a link to a folder above, but inside': {
    make(folder) {
      mkdirSync(join(folder, 'one', 'two'), { recursive: true })
      symlinkSync('../../one', join(folder, 'one', 'two', 'up'))
    },
    code: 'source.broken-link',
    says: /\.\/review\/one\/two\/up is a link to a folder that it lies in/,
  },
  'a link out of the folder': {
    make: (folder) => symlinkSync('../agents.yaml', join(folder, 'out')),
    code: 'source.escape',
    says: /\.\/review\/out is a link to something outside the folder/,
  },
  'a link to the folder above': {
    make: (folder) => symlinkSync('..', join(folder, 'out')),
    code: 'source.escape',
    says: /\.\/review\/out is a link to something outside the folder/,
  },
  'a name that is not UTF-8': {
    make: (folder) => writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])]), 'x'),
    code: 'source.name',
    says: /The name of \.\/review\/caf\uFFFD is not UTF-8/,
  },
  'more empty folders than anybody needs': {
    make(folder) {
      for (let i = 0; i < sourceLimits.foldersMax; i++) mkdirSync(join(folder, `d${i}`))
    },
    code: 'source.too-large',
    says: new RegExp(`\\./review holds more than ${sourceLimits.foldersMax} folders`),
  },
}

const isLinux = process.platform === 'linux' // Other systems neither have such names nor let everybody make links.
for (const [what, { make, code, says }] of Object.entries(folders))
  t.test(`${what} in a skill is refused as what it is`, { skip: !isLinux }, async (t) => {
    const { folder } = await load(t, `${head}skills:\n  review:\n    source: ./review\n`, {
      files: { review: { 'SKILL.md': manual } },
    })
    make(join(folder, 'review'))
    const { diagnostics } = await loadProject({
      file: 'agents.yaml',
      workingFolder: folder,
      disk: nodeDisk,
      environment: { KEY: 'k' },
      kinds,
      builtins,
      isEmulated: false,
    })
    const found = theOne(diagnostics)
    t.equal(found.code, code)
    t.match(found.detail, says)
    t.match(found.place, { line: 7, column: 13 })
    t.ok(found.fix)
  })

t.test('a link to another folder inside is followed', { skip: !isLinux }, async (t) => {
  const files = { review: { 'SKILL.md': manual, one: { 'a.md': 'a' }, two: t.fixture('symlink', 'one') } }
  const { project } = await load(t, `${head}skills:\n  review:\n    source: ./review\n`, { files })
  const found = project?.find('skill', 'review')?.sources.get('./review')?.files
  t.strictSame(
    found?.map(({ path }) => path),
    ['SKILL.md', 'one/a.md', 'two/a.md'],
  )
})
