// The examples of docs/diagnostics.md: small agents.yaml files that really raise the code they stand for.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { MemoryDisk } from '../../core/conformance/memory-disk.js'
import { loadProject } from '../../core/declaration/load.js'
import type { Diagnostic } from '../../core/diagnostic.js'
import { builtins } from '../../plugins/builtins.js'
import { kinds } from '../../plugins/kinds/index.js'

const folder = '/project'

/** Returns agents.yaml examples by the code they report, without the parts that every file has. */
export function readExamples(root: string): ReadonlyMap<string, string> {
  const from = join(root, 'scripts/docs/examples')
  const files = readdirSync(from).sort()
  const entries = files.flatMap((file) => Object.entries(parse(readFileSync(join(from, file), 'utf8')) ?? {}))
  return new Map(
    entries.map(([code, text]) => {
      if (typeof text !== 'string') throw new Error(`the example of ${code} is no text`)
      return [code, text.trimEnd()]
    }),
  )
}

/** Returns what `agents validate` reports about the example: only diagnostics with the code, or all. */
export async function runExample(code: string, example: string, disk: MemoryDisk): Promise<readonly Diagnostic[]> {
  const own = disk.copy()
  own.put(`${folder}/agents.yaml`, completed(code, expanded(example)))
  const { diagnostics } = await loadProject({
    file: `${folder}/agents.yaml`,
    workingFolder: folder,
    disk: own,
    environment: { API_KEY: 'a-key-of-yours', SHELL: '/bin/sh', BELL: 'ding\u0001' },
    kinds,
    builtins,
    isEmulated: false,
  })
  return diagnostics
}

/** Expands `«x × 300»` to 300 times x, and `«name# × 3»` to name1, name2, name3. */
export function expanded(example: string): string {
  return example.replace(/«(.+?) × (\d+)»/g, (_, text: string, count: string) => {
    const copies = Array.from({ length: Number(count) }, (_, index) => text.replaceAll('#', String(index + 1)))
    return copies.join(text.includes('#') ? ', ' : '')
  })
}

const configurations: Readonly<Record<string, string>> = {
  bailian: '{ api_key: "${API_KEY}", workspace_id: ws-1 }',
  qoder: '{ api_key: "${API_KEY}" }',
  claude: '{ api_key: "${API_KEY}" }',
  ark: '{ api_key: "${API_KEY}" }',
}

/** Adds the parts that an example omits after it, so that lines keep their numbers. */
function completed(code: string, example: string): string {
  const [first = ''] = code.split('.')
  const provider = Object.hasOwn(configurations, first) ? first : 'qoder'
  return [
    example,
    ...(/^(version:|---|- )/m.test(example) || code === 'declaration.file-empty' ? [] : ['version: "1"']),
    ...(/^(providers:|---|- )/m.test(example) || code === 'declaration.file-empty'
      ? []
      : [`providers: { ${provider}: ${configurations[provider]} }`]),
    '',
  ].join('\n')
}

/** Returns a disk with the local files that examples name. */
export async function exampleDisk(): Promise<MemoryDisk> {
  const disk = new MemoryDisk()
  const skill = '---\nname: review\ndescription: Reviews changes.\n---\nRead the change.\n'
  disk.put(`${folder}/handbook.md`, 'Be kind.\n')
  disk.put(`${folder}/.env`, '')
  disk.put(`${folder}/long.md`, 'x'.repeat(100_001))
  disk.put(`${folder}/enormous.md`, 'x'.repeat(1024 * 1024 + 1))
  disk.put(`${folder}/skills/review/SKILL.md`, skill)
  disk.put(`${folder}/skills/notes/readme.md`, 'Only notes.\n')
  disk.put(`${folder}/skills/large/SKILL.md`, skill)
  disk.put(`${folder}/skills/large/model.bin`, 'x'.repeat(50 * 1024 * 1024))
  await disk.write(`${folder}/latin1.md`, Uint8Array.from([0xe4, 0xf6, 0xfc]))
  return disk
}
