// The rooms of each top-level folder, and which way imports lead between them. Type-only imports count: whoever reads a file
// follows them too.
import t from 'tap'
import { circles, importedFiles, sourcesIn } from './support/sources.js'

/**
 * From the bottom up: a file imports only from its own room and from rooms of lower rows. Rooms of one row do not know each
 * other. `.` are the files of the folder itself.
 */
const rooms: Readonly<Record<string, readonly (readonly string[])[]>> = {
  core: [
    ['brand.ts'],
    ['diagnostic.ts', 'ports'],
    ['value', 'problems'],
    ['state'],
    ['plugin'],
    ['declaration'],
    ['graph'],
    ['plan'],
    ['apply', 'actions'],
    ['sessions', 'sync', 'engine.ts'],
    ['conformance'],
    ['index.ts', 'plugin.ts'],
  ],
  workers: [
    ['.'],
    ['contract'],
    ['messages', 'strict-reader'],
    ['engine', 'signatures'],
    ['objects'],
    ['file', 'content', 'text'],
    ['document'],
    ['targets', 'fields', 'pictures'],
    ['pages', 'change'],
    ['annotations', 'metadata'],
    ['forms'],
    ['exchange'],
    ['intake'],
    ['assembly'],
    ['flatten', 'redaction', 'signing', 'merge'],
    ['marking'],
    ['ops'],
    ['jobs'],
    ['thread', 'pool'],
  ],
  plugins: [
    ['kinds', 'emulator'],
    ['shared'],
    ['bailian', 'qoder', 'claude', 'ark'],
    ['builtins.ts', 'builtin-emulators.ts'],
    ['start-emulator.ts'],
  ],
  cli: [
    ['terminal', 'reference'],
    ['line', 'render'],
    ['documents', 'project'],
    ['shared'],
    ['reconcile'],
    ['commands', 'help.ts'],
    ['prepared.ts'],
    ['program.ts'],
    ['main.ts'],
  ],
  server: [
    ['engine-limits.ts', 'http-limits.ts', 'storage-limits.ts'],
    ['limits.ts'],
    ['refusals'],
    ['rows', 'concurrency'],
    ['storage'],
    ['settings', 'deletion', 'withholding', 'outbox'],
    ['auth'],
    ['telemetry', 'schemas'],
    ['caches', 'presence', 'read-log'],
    ['operation'],
    ['layers', 'http', 'tokens'],
    ['tenants'],
    ['documents', 'shares', 'openapi', 'pages', 'browser'],
    ['object-numbers'],
    ['rebase', 'access'],
    ['changes', 'imports', 'expiry', 'check', 'links'],
    ['events', 'backup', 'signatures', 'versions', 'webhooks'],
    ['api'],
    ['processes'],
    ['lifecycle'],
    ['index.ts'],
  ],
}

const topLevel = ['core', 'plugins', 'workers', 'server', 'cli']
const sources = new Map(topLevel.map((folder) => [folder, sourcesIn(folder)]))
const known = new Set([...sources.values()].flat().map(({ path }) => path))
const importsByFile = new Map(
  [...sources.values()].flat().map((source) => [source.path, importedFiles(source).filter((path) => known.has(path))]),
)

t.test('every room stands in one row', async (t) => {
  for (const [folder, rows] of Object.entries(rooms)) {
    const names = rows.flat()
    t.same(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
      folder,
    )
  }
})

for (const [folder, rows] of Object.entries(rooms)) {
  t.test(`imports between rooms of ${folder} lead downwards`, async (t) => {
    const levels = new Map(rows.flatMap((row, level) => row.map((room) => [room, level] as const)))
    const own = [...importsByFile].filter(([path]) => path.startsWith(`${folder}/`))
    t.same(
      [...new Set(own.map(([path]) => roomOf(path, levels)))].filter((room) => !levels.has(room)),
      [],
      'every room has its row',
    )
    const upwards = own.flatMap(([path, imported]) => {
      const from = roomOf(path, levels)
      return imported
        .filter((target) => target.startsWith(`${folder}/`))
        .map((target) => [target, roomOf(target, levels)] as const)
        .filter(([, to]) => to !== from && (levels.get(to) ?? 0) >= (levels.get(from) ?? 0))
        .map(([target]) => `${path} imports ${target}`)
    })
    t.same(upwards, [])
  })
}

const openRooms: Readonly<Record<string, RegExp>> = {
  server: /^workers\/(contract|messages|pool)\/|^workers\/limits\.ts$/,
  // A local file is verified in the process of the command.
  cli: /^workers\/(contract|messages|pool|strict-reader|signatures)\/|^workers\/limits\.ts$/,
}

for (const [folder, open] of Object.entries(openRooms)) {
  t.test(`${folder} takes values of workers only from rooms without the PDF engine`, async (t) => {
    const strange = (sources.get(folder) ?? []).flatMap((source) =>
      importedFiles(source, { values: true })
        .filter((target) => target.startsWith('workers/') && !open.test(target))
        .map((target) => `${source.path} imports ${target}`),
    )
    t.same(strange, [])
  })
}

t.test('what judges signatures reads the bytes alone: no room of it knows the PDF engine', async (t) => {
  const open = /^workers\/(contract|messages|strict-reader|signatures)\/|^workers\/limits\.ts$/
  const strange = [...importsByFile].flatMap(([path, imported]) =>
    /^workers\/(strict-reader|signatures)\//.test(path)
      ? imported
          .filter((target) => target.startsWith('workers/') && !open.test(target))
          .map((target) => `${path} imports ${target}`)
      : [],
  )
  t.same(strange, [])
})

t.test(
  'an emulator imports nothing of the provider it stands for: a constant that is wrong in both hides a fault',
  async (t) => {
    const strange = [...importsByFile].flatMap(([path, imported]) => {
      const [, provider] = /^plugins\/([^/]+)\/emulator\//.exec(path) ?? []
      return imported
        .filter((target) => provider !== undefined && target.startsWith(`plugins/${provider}/`))
        .filter((target) => !target.startsWith(`plugins/${provider}/emulator/`))
        .map((target) => `${path} imports ${target}`)
    })
    t.same(strange, [])
  },
)

t.test('no file imports itself by way of others', async (t) => {
  t.same(circles(importsByFile), [])
})

function roomOf(path: string, levels: ReadonlyMap<string, number>): string {
  const [, room = ''] = path.split('/')
  return !room.endsWith('.ts') || levels.has(room) ? room : '.'
}
