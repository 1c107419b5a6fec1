// Mutated agents.yaml against `agents validate` and `agents plan`, and mutated steward.yaml against the settings of the
// server: each is accepted, or refused with a code, an explanation and, in agents.yaml, a place.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Problem } from '../../../core/diagnostic.js'
import { startEmulator } from '../../../plugins/start-emulator.js'
import { readSettings } from '../../../server/settings/settings.js'
import { root } from '../../cli/program.js'
import type { Draw } from '../draw.js'
import { commandComplaints } from './command.js'
import { emulatorWrites } from './emulator-writes.js'
import type { FuzzCase, FuzzSession, FuzzTarget } from './fuzz-target.js'
import { strangeNumbers, strangeTexts } from './mutate-json.js'
import { mutateText } from './mutate-lines.js'

const examples = ['four-providers', 'qoder', 'claude', 'ark', 'bailian'] as const

const words: readonly string[] = [
  ...[
    '&a',
    '*a',
    '*team',
    '<<',
    '<<: *team',
    '!!binary',
    '!!set',
    '!!int',
    '!tag',
    '? ',
    '- ',
    '- - - ',
    '|',
    '>-',
    '|9',
  ],
  ...[
    '---',
    '...',
    '%YAML 9.9',
    '#',
    '"',
    "'",
    '{',
    '}',
    '[',
    ']',
    '{}',
    '[]',
    '{{{{',
    ': :',
    '~',
    'null',
    'yes',
    '0x1F',
  ],
  ...[
    '.inf',
    '.nan',
    '2020-01-01',
    '1_000',
    '0o7',
    '\u2028',
    '\ufeff',
    '\t',
    '\r',
    '\r\n',
    '@',
    '`',
    '${',
    '${A',
    '${A:-}',
  ],
  ...[
    '${A:-${B}}',
    '$${A}',
    '${DASHSCOPE_API_KEY}',
    '${KEY}',
    'all',
    'claude',
    'qoder',
    'p-a',
    'agents:',
    'version: "2"',
  ],
  ...[
    './instructions',
    '../..',
    '/etc/passwd',
    'skills/review',
    'http://x',
    'https://[::1',
    'all: {}',
    'provider: all',
  ],
  ...strangeTexts,
  ...strangeNumbers.map(String),
]

const settings = `# Settings of a server
host: 127.0.0.1
port: 4780
data: ./steward-data
publicUrl: https://documents.example.com
trustProxy: true
threads: 2
documentBytesMax: 536870912
pixelsMax: 40000000
importAllow: [10.1.0.0/16, "fd00::/8"]
importHttp: false
tokenRevocation: &yes true
logLevel: info
`

export const env = {
  DASHSCOPE_API_KEY: 'dashscope-key',
  BAILIAN_WORKSPACE_ID: 'workspace-id',
  QODER_PAT: 'qoder-key-of-yours',
  ANTHROPIC_API_KEY: 'anthropic-key',
  ARK_API_KEY: 'ark-key-of-yours',
}

/** Problems of the file as a whole, and of what is behind the file, have no line. */
const isPlaced = (code: string): boolean =>
  /^(declaration|variable|source)\./.test(code) && !/^declaration\.(file-|not-utf8|more)|^variable\.file-/.test(code)

async function open(folder: string): Promise<FuzzSession> {
  const emulator = await startEmulator()
  const sources = new Map(
    examples.map((name) => {
      cpSync(join(root, 'examples', name), join(folder, name), { recursive: true })
      return [name, readFileSync(join(folder, name, 'agents.yaml'), 'utf8')] as const
    }),
  )
  mkdirSync(join(folder, 'server'))

  function ofProject(name: (typeof examples)[number], draw: Draw): FuzzCase {
    const content = mutated(sources.get(name) ?? '', draw)
    const isPlanned = draw.happens(0.2)
    const here = { folder: join(folder, name), isPlaced }
    return {
      title: `${name}/agents.yaml`,
      files: { 'agents.yaml': content },
      async run() {
        writeFileSync(join(here.folder, 'agents.yaml'), content)
        const validated = await commandComplaints({ ...here, words: ['validate'], env, codes: [0, 1] })
        if (!isPlanned) return validated
        const reached = { ...env, STEWARD_EMULATOR: emulator.url }
        const planned = await commandComplaints({ ...here, words: ['plan'], env: reached, codes: [0, 1] })
        return [...validated, ...planned, ...(await emulatorWrites(emulator.url))]
      },
    }
  }

  function ofServer(draw: Draw): FuzzCase {
    const content = mutated(settings, draw)
    const file = join(folder, 'server', 'steward.yaml')
    return {
      title: 'steward.yaml',
      files: { 'steward.yaml': content },
      async run() {
        writeFileSync(file, content)
        try {
          await readSettings({ flags: {}, env: {}, file })
          return []
        } catch (error) {
          if (!(error instanceof Problem)) return [`settings: ${error instanceof Error ? error.stack : String(error)}`]
          return error.diagnostics.flatMap(({ code, detail }) => (code && detail ? [] : ['settings: no explanation']))
        }
      },
    }
  }

  return {
    draw: async (draw) => (draw.happens(0.2) ? ofServer(draw) : ofProject(draw.one(examples), draw)),
    async close() {
      await emulator.close()
      return []
    },
  }
}

function mutated(text: string, draw: Draw): Buffer {
  let content: Buffer = Buffer.from(text)
  for (let left = draw.between(1, 4); left > 0; left--) content = mutateText(content.toString('utf8'), words, draw)
  return content
}

export const yaml: FuzzTarget = { name: 'yaml', open }
