// Two projects in one account of each provider: no command of one changes, binds or removes an object that carries the mark
// of the other, unless it is told the name of that project.
import t from 'tap'
import { created, declared, type MarkName, marks, providers, twoProjects } from './two-projects.js'

const undeclared = 'environments: { lid: { config: { type: cloud } } }\n'

interface Expected {
  readonly code?: number
  /** True if the object is bound to an address of this project afterwards. Absent: a taken name decides. */
  readonly isBound?: boolean
  /** True if the object is as it was. */
  readonly isUntouched: boolean
  readonly says?: RegExp
}

interface Case {
  /** Words of the command. */
  words(provider: string, id: string): readonly string[]
  /** What the file of this project declares. */
  readonly body: string
  /** True if state of this project has the object already. */
  readonly isRecorded?: true
  readonly expected: Readonly<Record<MarkName, Expected>>
}

const untouched = { isBound: false, isUntouched: true } as const
const namesIt = /team-a/
const cases: Readonly<Record<string, Case>> = {
  'sync --import': {
    words: () => ['sync', '--import'],
    body: '',
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 0, ...untouched, says: /\[sync\.other-project\][\s\S]*"team-a"/ },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  'sync --import --owned': {
    words: () => ['sync', '--import', '--owned'],
    body: '',
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 0, ...untouched, says: namesIt },
      none: { code: 0, ...untouched },
    },
  },
  'sync --import --take': {
    words: () => ['sync', '--import', '--take', 'team-a'],
    body: '',
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 0, isBound: true, isUntouched: false },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  import: {
    words: (provider, id) => ['import', `${provider}.environment.box`, id],
    body: declared,
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 1, ...untouched, says: /\[import\.other-project\][\s\S]*--take team-a/ },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  'import --take of another project': {
    words: (provider, id) => ['import', `${provider}.environment.box`, id, '--take', 'team-c'],
    body: declared,
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 1, ...untouched, says: namesIt },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  'import --take': {
    words: (provider, id) => ['import', `${provider}.environment.box`, id, '--take', 'team-a'],
    body: declared,
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 0, isBound: true, isUntouched: false },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  'apply of the same name': {
    words: () => ['apply', '--yes'],
    body: declared,
    expected: {
      own: { code: 1, ...untouched, says: /\[plan\.unrecorded\][\s\S]*--owned/ },
      foreign: untouched,
      none: untouched,
    },
  },
  'apply --recreate of the same name': {
    words: (provider) => ['apply', '--yes', '--recreate', provider],
    body: declared,
    expected: { own: untouched, foreign: untouched, none: untouched },
  },
  'destroy without a state': {
    words: () => ['destroy', '--yes'],
    body: declared,
    expected: { own: { code: 1, ...untouched }, foreign: { code: 0, ...untouched }, none: { code: 0, ...untouched } },
  },
  'apply of a recorded object': {
    words: () => ['apply', '--yes'],
    body: declared.replace('As declared', 'Changed'),
    isRecorded: true,
    expected: {
      own: { code: 0, isBound: true, isUntouched: false },
      foreign: { code: 1, isBound: true, isUntouched: true, says: /\[plan\.other-project\][\s\S]*"team-a"/ },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  'apply --refresh-only of a recorded object': {
    words: () => ['apply', '--yes', '--refresh-only'],
    body: declared,
    isRecorded: true,
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 1, isBound: true, isUntouched: true, says: namesIt },
      none: { code: 0, isBound: true, isUntouched: true },
    },
  },
  'apply --recreate of a recorded object': {
    words: (provider) => ['apply', '--yes', '--recreate', provider],
    body: declared.replace('As declared', 'Changed'),
    isRecorded: true,
    expected: {
      own: { code: 0, isBound: true, isUntouched: false },
      foreign: { isUntouched: true, says: namesIt },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
  'apply of a file without the recorded object': {
    words: () => ['apply', '--yes'],
    body: undeclared,
    isRecorded: true,
    expected: {
      own: { code: 0, isBound: false, isUntouched: false },
      foreign: { code: 0, ...untouched, says: namesIt },
      none: { code: 0, isBound: false, isUntouched: false },
    },
  },
  destroy: {
    words: () => ['destroy', '--yes'],
    body: declared,
    isRecorded: true,
    expected: {
      own: { code: 0, isBound: false, isUntouched: false },
      foreign: { code: 0, ...untouched, says: namesIt },
      none: { code: 0, isBound: false, isUntouched: false },
    },
  },
  'import --take of a recorded object': {
    words: (provider, id) => ['import', `${provider}.environment.box`, id, '--take', 'team-a'],
    body: declared,
    isRecorded: true,
    expected: {
      own: { code: 0, isBound: true, isUntouched: true },
      foreign: { code: 0, isBound: true, isUntouched: false },
      none: { code: 0, isBound: true, isUntouched: false },
    },
  },
}

for (const provider of providers)
  t.test(`${provider}: what carries the mark of another project is left alone`, async (t) => {
    for (const [command, { words, body, isRecorded, expected }] of Object.entries(cases))
      for (const name of Object.keys(marks) as readonly MarkName[]) {
        const what = `${command}, ${name}`
        const scene = await twoProjects(t, provider)
        const id = isRecorded ? await created(t, scene, 'team-b') : 'env_of_somebody'
        if (!isRecorded) await scene.seed(id)
        await scene.mark(id, name)
        scene.write('team-b', body)
        const before = await scene.body(id)
        const { code, stdout, stderr } = await scene.run('team-b', ...words(provider, id))
        const wanted = expected[name]
        if (wanted.code !== undefined) t.equal(code, wanted.code, `${what}: ${stdout}${stderr}`)
        if (wanted.says) t.match(stdout + stderr, wanted.says, what)
        if (wanted.isBound !== undefined) t.equal(scene.idsIn('team-b').includes(id), wanted.isBound, `${what}: bound`)
        t.equal((await scene.body(id)) === before, wanted.isUntouched, `${what}: untouched\n${stdout}${stderr}`)
      }
  })
