// Mutated agents.state.json and journals against `agents plan`: each is used, or refused with a code and an explanation; a
// plan sends reads only, and leaves both files as they are.
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { batchText, changeLine, headerText, type StateChange } from '../../../core/state/journal.js'
import { isObject } from '../../../core/value/tree.js'
import { startEmulator } from '../../../plugins/start-emulator.js'
import { agentsHere } from '../../cli/in-process.js'
import { root } from '../../cli/program.js'
import type { Draw } from '../draw.js'
import { commandComplaints } from './command.js'
import { emulatorWrites } from './emulator-writes.js'
import type { FuzzCase, FuzzSession, FuzzTarget } from './fuzz-target.js'
import { mutateJson, strangeNumbers, strangeTexts } from './mutate-json.js'
import { mutateText } from './mutate-lines.js'
import { env } from './yaml.js'

const words: readonly string[] = [...strangeTexts, ...strangeNumbers.map(String), '{}', '[]', 'rows', '"rows":null']

interface Content {
  readonly state: Uint8Array
  readonly journal?: Uint8Array
}

async function open(folder: string): Promise<FuzzSession> {
  const emulator = await startEmulator()
  const project = join(folder, 'four-providers')
  const here = { folder: project, env: { ...env, STEWARD_EMULATOR: emulator.url }, sharesState: true }
  cpSync(join(root, 'examples/four-providers'), project, { recursive: true })
  const applied = await agentsHere(['apply', '--yes', '--provider', 'all'], here)
  if (applied.code !== 0) throw new Error(`The example was not applied: ${applied.stdout}${applied.stderr}`)
  const paths = {
    state: join(project, 'agents.state.json'),
    journal: join(project, 'agents.state.journal'),
    backup: join(project, 'agents.state.backup'),
  }
  const text = readFileSync(paths.state, 'utf8')
  rmSync(paths.backup, { force: true })
  await emulatorWrites(emulator.url)

  function put({ state, journal }: Content): void {
    writeFileSync(paths.state, state)
    rmSync(paths.journal, { force: true })
    if (journal !== undefined) writeFileSync(paths.journal, journal)
  }
  const isAs = ({ state, journal }: Content) =>
    readFileSync(paths.state).equals(state) &&
    existsSync(paths.journal) === (journal !== undefined) &&
    (journal === undefined || readFileSync(paths.journal).equals(journal))

  return {
    async draw(draw): Promise<FuzzCase> {
      const content = drawn(text, draw)
      return {
        title: content.journal === undefined ? 'a state file' : 'a state file and a journal',
        files: {
          'agents.state.json': content.state,
          ...(content.journal && { 'agents.state.journal': content.journal }),
        },
        async run() {
          put(content)
          const complaints = await commandComplaints({ ...here, words: ['plan', '--provider', 'all'], codes: [0, 1] })
          return [
            ...complaints,
            ...(await emulatorWrites(emulator.url)),
            ...(isAs(content) ? [] : ['the plan changed a state file']),
          ]
        },
      }
    },
    async close() {
      await emulator.close()
      return []
    },
  }
}

function drawn(text: string, draw: Draw): Content {
  const value: unknown = JSON.parse(text)
  const hasJournal = draw.happens(0.5)
  const state = draw.happens(hasJournal ? 0.2 : 1) ? mutatedState(text, value, draw) : Buffer.from(text)
  return hasJournal ? { state, journal: drawnJournal(value, draw) } : { state }
}

/** Mostly mutates rows, because mistakes in other members are few. */
function mutatedState(text: string, value: unknown, draw: Draw): Buffer {
  if (draw.happens(0.4)) return mutateText(text, words, draw)
  if (!isObject(value) || !isObject(value['rows']) || draw.happens(0.2)) return jsonLines(mutateJson(value, draw))
  return jsonLines({ ...value, rows: withMutatedRows(value['rows'], draw) })
}

function withMutatedRows(rows: Readonly<Record<string, unknown>>, draw: Draw): Readonly<Record<string, unknown>> {
  let changed = { ...rows }
  for (let left = draw.between(1, 3); left > 0; left--) {
    const address = draw.one(Object.keys(rows))
    const other = draw.one(Object.keys(rows))
    const isOther = draw.happens(0.15)
    changed = { ...changed, [address]: isOther ? rows[other] : mutateJson(rows[address], draw) }
    if (draw.happens(0.1)) changed = { ...changed, [draw.one(strangeTexts)]: rows[address] }
  }
  return changed
}

const jsonLines = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value)}\n`)

function drawnJournal(state: unknown, draw: Draw): Buffer {
  const { lineage = '', serial = 0, rows = {} } = Object(state)
  const header = headerText({ lineage, serial: serial + draw.one([0, 0, 0, -1, 1]) })
  const batches = Array.from({ length: draw.between(1, 4) }, () => {
    const lines = Array.from({ length: draw.between(1, 3) }, () => changeLine(drawnChange(rows, draw)))
    return batchText(lines)
  })
  const text = [header, ...batches].join('')
  return draw.happens(0.6) ? mutateText(text, words, draw) : Buffer.from(text)
}

function drawnChange(rows: Readonly<Record<string, unknown>>, draw: Draw): StateChange {
  const address = draw.one(Object.keys(rows))
  const row = draw.happens(0.3) ? null : draw.happens(0.5) ? mutateJson(rows[address], draw) : rows[address]
  // Mutated rows are not of the type, which is what is tried.
  return { rows: { [address]: row } } as StateChange
}

export const state: FuzzTarget = { name: 'state', open }
