// Connections in the settings file, and files of a folder.
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { Problem } from '../../../core/diagnostic.js'
import { FolderConnection } from '../../../server/imports/folder-connection.js'
import { RegisteredConnections } from '../../../server/imports/registered-connections.js'
import { readConnections } from '../../../server/settings/connections.js'
import { scratchFolder } from '../../cli/scratch.js'
import { refuses, textOf } from './support/source.js'

const root = scratchFolder(t, 'root')
mkdirSync(join(root, 'in'))
mkdirSync(join(root, 'out'))
writeFileSync(join(root, 'in/a.pdf'), 'the file')
writeFileSync(join(root, 'out/secret.pdf'), 'the secret')
symlinkSync('../out/secret.pdf', join(root, 'in/link.pdf'))
symlinkSync('../out', join(root, 'in/folder'))
execFileSync('mkfifo', [join(root, 'in/pipe.pdf')])
const folder = { type: 'filesystem' as const, root, prefixes: ['in'], tenants: ['acme'] }
const bounds = { sizeBytesMax: 100, totalMs: 10_000, signal: new AbortController().signal }
const read = (key: string, more: object = {}) =>
  new FolderConnection('archive', folder).read({ key, revision: null }, { ...bounds, ...more }, textOf)

t.test('links, special files and folders below the root are answered like a missing file', async (t) => {
  t.equal(await read('in/a.pdf'), 'the file')
  for (const key of ['in/none.pdf', 'in/link.pdf', 'in/folder/secret.pdf', 'in/pipe.pdf', 'in', 'in/a.pdf/b']) {
    await refuses(t, read(key), 'SourceRefused', /^The connection has no file under this key$/, key)
  }
  await refuses(t, read('in/a.pdf', { sizeBytesMax: 3 }), 'ImportRefused', /above 3 bytes/)
})

t.test('a connection to the files of the server itself is refused', async (t) => {
  const credentials = { accessKeyId: 'ID', secretAccessKey: 'SECRET' }
  const from = { env: { ID: 'a', SECRET: 'b' }, dataFolder: '/data' }
  const blobs = 's3://steward/documents?endpoint=https://s3.example'
  const open = (more: object) =>
    new RegisteredConnections(
      {
        scans: {
          ...{ type: 's3', bucket: 'steward', region: 'us-east-1', endpoint: 'https://s3.example/' },
          ...{ prefixes: [''], tenants: ['*'], credentials, ...more },
        } as never,
      },
      { ...from, blobs },
    )
  for (const prefixes of [[''], ['documents'], ['other', 'documents/blobs']])
    t.throws(() => open({ prefixes }), Problem, `${prefixes}`)
  for (const more of [{ prefixes: ['documents-in'] }, { bucket: 'scans' }, { endpoint: 'https://other.example' }])
    open(more).close()
})

t.test('a wrong connection is reported with its place, and a suggestion', async (t) => {
  const credentials = { accessKeyId: 'AKIA+SECRET/VALUE', secretAccessKey: 'B' }
  const { wrong } = readConnections(
    {
      archive: { ...folder, rot: '/' },
      relative: { ...folder, root: 'files' },
      typed: { ...folder, type: 'filesytem' },
      up: { ...folder, prefixes: ['../in'] },
      scans: { type: 's3', bucket: 'scans', region: 'r', prefixes: [''], tenants: ['*'], credentials },
    },
    'steward.yaml: connections',
  )
  t.equal(wrong.length, 5, wrong.join('\n'))
  t.match(wrong[0], /^steward\.yaml: connections\.archive has "rot"\. Did you mean "root"\?/)
  t.match(wrong[1], /connections\.relative\.root must be an absolute path/)
  t.match(wrong[2], /connections\.typed\.type is unknown\. Did you mean "filesystem"\?/)
  t.match(wrong[3], /connections\.up\.prefixes/)
  t.match(wrong[4], /connections\.scans\.credentials must name environment variables/)
  t.notMatch(wrong.join(), /AKIA/)
})

t.test('a root around the data folder, and credentials that are not set, stop the start', async (t) => {
  const open = (settings: Parameters<typeof readConnections>[0]) =>
    new RegisteredConnections(readConnections(settings, 'x').connections, { env: {}, dataFolder: join(root, 'data') })
  const scans = { type: 's3', bucket: 'scans', region: 'r', prefixes: [''], tenants: ['*'] }
  t.throws(() => open({ archive: folder }), Problem)
  t.throws(
    () => open({ scans: { ...scans, credentials: { accessKeyId: 'SCANS_ID', secretAccessKey: 'SCANS_SECRET' } } }),
    /credentials\.\w+ names an environment variable that is not set/,
  )
})
