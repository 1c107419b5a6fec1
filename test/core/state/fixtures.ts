// Fixtures of state tests: rows, hosts with processes, and deterministic ports.
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import type { Test } from 'tap'
import { Problem } from '../../../core/diagnostic.js'
import type { Clock } from '../../../core/ports/clock.js'
import type { Host } from '../../../core/ports/host.js'
import { nodeDisk } from '../../../core/ports/node-disk.js'
import { systemRandom } from '../../../core/ports/random.js'
import type { Row } from '../../../core/state/row.js'
import type { WriteOptions } from '../../../core/state/store.js'

export const stoppedClock: Clock = {
  now: () => Date.UTC(2026, 10, 21, 10, 0, 0),
  sleep: async (ms) => void (await setTimeout(ms)),
}

/** A machine whose processes are in a map: pid to start. */
export function fakeHost(name: string, pid: number, processes: ReadonlyMap<number, string>): Host {
  return { name, pid, processStart: async (request) => processes.get(request) ?? null }
}

export function rowOf(id: string | null, leaves: Row['leaves'] = {}): Row {
  return { id, form: 1, leaves }
}

/** A row of the usual size of an agent. */
export function agentRow(index: number): Row {
  const paths = ['name', 'model', 'system', 'description', 'tools', 'mcp_servers', 'skills', 'metadata/team']
  const marks = ['metadata/agents.project', 'metadata/agents.resource']
  return {
    id: `agent_01HX5ZZKBKACTAV9WEVGEMM${String(index).padStart(4, '0')}`,
    form: 1,
    leaves: Object.fromEntries([...paths, ...marks].map((path) => [path, 'Zm9vYmFyYmF'])),
    inputs: { 'qoder.environment.default#id': 'env_01HX5ZZKBKACTAV9WEVGEMMVRZ' },
    outputs: { version: '3' },
  }
}

/** Writing on a real folder, by a process that runs. */
export function realOptions(folder: string, more: Partial<WriteOptions> = {}): WriteOptions {
  return {
    disk: nodeDisk,
    random: systemRandom,
    clock: stoppedClock,
    host: fakeHost('here', 1, new Map([[1, 'boot/100']])),
    folder,
    fileName: 'agents.yaml',
    projectName: 'demo',
    command: 'agents apply',
    ...more,
  }
}

export const anyAddress = fc.constantFrom('qoder.agent.a', 'qoder.agent.b', 'claude.vault.c.d', 'ark.skill.é"\\')

const anyHash = fc.stringMatching(/^[A-Za-z0-9_-]{11}$/)
export const anyRow: fc.Arbitrary<Row> = fc.record(
  {
    id: fc.option(fc.string()),
    form: fc.nat(9),
    leaves: fc.dictionary(fc.string(), fc.oneof(anyHash, fc.tuple(anyHash, fc.option(anyHash)))),
    inputs: fc.dictionary(fc.string(), fc.string()),
    target: fc.constant('pin' as const),
    operation: fc.record({ type: fc.constant('create' as const), nonce: fc.uuid(), startedAtMs: fc.nat() }),
  },
  { requiredKeys: ['id', 'form', 'leaves'] },
)

/** Returns the diagnostic of a rejection, which must be a `Problem` with a fix. */
export async function refusal(t: Test, work: Promise<unknown>) {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Problem)) {
    t.fail('expected a Problem', { found: String(error) })
    return { code: '', detail: '', fix: '' }
  }
  const { code = '', detail = '', fix = '' } = error.diagnostics[0] ?? {}
  t.not(fix, '', `${code} says what to do`)
  return { code, detail, fix }
}
