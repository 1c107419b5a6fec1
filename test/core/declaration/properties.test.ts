import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { stringify } from 'yaml'
import { type LoadedProject, loadProject } from '../../../core/declaration/load.js'
import { SchemaChecker } from '../../../core/declaration/schema-check.js'
import { viewOf } from '../../../core/declaration/schema-view.js'
import type { Disk } from '../../../core/ports/disk.js'
import { nodeDisk } from '../../../core/ports/node-disk.js'
import { placeholderMarks, placeholdersIn } from '../../../core/value/placeholder.js'
import type { Json } from '../../../core/value/tree.js'
import { builtins } from '../../../plugins/builtins.js'
import { kinds } from '../../../plugins/kinds/index.js'
import { head } from './subject.js'

const numRuns = process.env['STEWARD_TEST_LONG'] === '1' ? 5_000 : 300
const folder = '/project'

/** In-memory disk with one file. */
function load(text: string, environment: Readonly<Record<string, string>> = { KEY: 'k' }): Promise<LoadedProject> {
  const file = join(folder, 'agents.yaml')
  const bytes = new TextEncoder().encode(text)
  const disk: Disk = {
    ...nodeDisk,
    status: async (path) => (path === file ? { kind: 'file', sizeBytes: bytes.length } : null),
    read: async () => bytes,
  }
  return loadProject({ file, workingFolder: folder, disk, environment, kinds, builtins, isEmulated: false })
}

/** Every string in a value, keys included. */
function* stringsIn(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    yield key
    yield* stringsIn(member)
  }
}

/** Meaningful pieces of YAML, so that random texts are parsed beyond the first line. */
const piece = fc.oneof(
  fc.constantFrom(
    '\n',
    '  ',
    '- ',
    ': ',
    '{ ',
    ' }',
    '[',
    ']',
    ', ',
    '&a ',
    '*a',
    '<<: ',
    '!!str ',
    '| \n',
    '> \n',
    '"',
    "'",
    '#',
    '\t',
    '---\n',
    '? ',
  ),
  fc.constantFrom(
    'version: "1"\n',
    'providers:\n',
    '  claude: { api_key: x }\n',
    'agents:\n',
    '  a:\n',
    '    model: m\n',
    '    instructions: x\n',
  ),
  fc.constantFrom(
    '${KEY}',
    '${NOPE}',
    '${A:-b}',
    '$${',
    '${',
    '"\\u0001v:KEY\\u0002"',
    '"\\x02"',
    '__proto__',
    '1',
    'true',
    'null',
    '.nan',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
)
const garbage = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''))

/** Random values with the structure of declarations. */
const keys = fc.constantFrom(
  'model',
  'instructions',
  'tools',
  'builtin',
  'skills',
  'files',
  'metadata',
  'resources',
  'type',
  'config',
  'credentials',
  'initial_events',
  'schedule',
  'provider',
  '__proto__',
  'x',
  '',
)
const { anything } = fc.letrec<{ anything: unknown }>((tie) => ({
  anything: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<unknown>(
      '',
      'x',
      '${KEY}',
      '${NOPE}',
      'static_bearer',
      'git_repository',
      'cloud',
      0,
      1.5,
      true,
      null,
      './x.md',
    ),
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.array(tie('anything'), { maxLength: 4 }),
    fc.dictionary(keys, tie('anything'), { maxKeys: 5 }),
  ),
}))

t.test('whatever the file contains, the result is a project or diagnostics, never an exception', async (t) => {
  await fc.assert(
    fc.asyncProperty(garbage, async (text) => {
      const { project, diagnostics } = await load(text)
      const hasErrors = diagnostics.some(({ severity }) => severity === 'error')
      return hasErrors === (project === undefined)
    }),
    { numRuns },
  )
  const sections = fc.constantFrom(...kinds.map(({ section }) => section))
  await fc.assert(
    fc.asyncProperty(sections, anything, async (section, value) => {
      const { project, diagnostics } = await load(`${head}${stringify({ [section]: { a: value } })}`)
      return diagnostics.some(({ severity }) => severity === 'error') === (project === undefined)
    }),
    { numRuns },
  )
  t.pass(`${numRuns} runs each`)
})

t.test('every diagnostic has a code, sentences and, where it has a place, one that is in the file', async (t) => {
  await fc.assert(
    fc.asyncProperty(garbage, async (text) => {
      const lines = text.replace(/^\uFEFF/, '').split('\n')
      for (const { code, summary, detail, fix, place } of (await load(text)).diagnostics) {
        if (!/^[a-z]+\.[a-z-]+$/.test(code) || !summary || !detail || !fix) return false
        if (!place) continue
        const line = lines[place.line - 1]?.replace(/\r$/, '') ?? ''
        if (place.column < 1 || place.column > line.length + 1 || place.length < 1) return false
      }
      return true
    }),
    { numRuns },
  )
  t.pass(`${numRuns} runs`)
})

t.test('no text of the file or of the environment can be mistaken for a placeholder', async (t) => {
  const evil = fc
    .array(fc.constantFrom('\u0001', '\u0002', 'v:KEY', 'o:a#id', '=', 'x', '${KEY}'), { maxLength: 8 })
    .map((parts) => parts.join(''))
  await fc.assert(
    fc.asyncProperty(evil, evil, async (written, value) => {
      const body = { model: 'm', instructions: `x${written}`, metadata: { a: '${EVIL}', b: written } }
      const { project } = await load(`${head}${stringify({ agents: { a: body } })}`, { KEY: 'k', EVIL: value })
      if (!project) return placeholderMarks.test(written) || placeholderMarks.test(value)
      const names = project.declarations
        .flatMap((declaration) => placeholdersIn(declaration.body))
        .map((found) => (found.type === 'variable' ? found.name : 'forged'))
      return !placeholderMarks.test(written) && names.every((name) => name === 'KEY' || name === 'EVIL')
    }),
    { numRuns },
  )
  t.pass(`${numRuns} runs`)
})

t.test('no diagnostic reveals the value of a variable', async (t) => {
  const secret = 'S3CRET-value'
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...kinds.map(({ section }) => section)), anything, async (section, value) => {
      const text = stringify({ [section]: { a: value } }).replaceAll('NOPE', 'SECRET')
      const { diagnostics } = await load(head + text, { KEY: secret, SECRET: secret })
      return [...stringsIn(diagnostics)].every((reported) => !reported.includes(secret))
    }),
    { numRuns },
  )
  t.pass(`${numRuns} runs`)
})

t.test('the explaining check and TypeBox accept the same values', async (t) => {
  const { Check } = await import('typebox/value')
  const checker = new SchemaChecker()
  fc.assert(
    fc.property(fc.constantFrom(...kinds), anything, ({ schema }, value) => {
      const json: Json = JSON.parse(JSON.stringify(value ?? null))
      return Check(schema, json) === (checker.check(viewOf(schema), json).length === 0)
    }),
    { numRuns: numRuns * 5 },
  )
  t.pass(`${numRuns * 5} runs`)
})
