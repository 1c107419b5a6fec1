// One folder and one service, in which runs of the engine follow each other as processes do.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { loadProject } from '../../declaration/load.js'
import { type Diagnostic, Problem } from '../../diagnostic.js'
import { type ApplyResult, applyPlan, planProject, readState } from '../../engine.js'
import type { Change, Plan } from '../../plan/plan.js'
import { fetchHttp } from '../../ports/fetch-http.js'
import type { Row } from '../../state/row.js'
import { type Fate, type HttpCall, Life } from './life.js'
import { MemoryDisk } from './memory-disk.js'
import type { Service, Subject, Version } from './subject.js'

const file = '/project/agents.yaml'

export interface RunRequest {
  readonly version: Version
  readonly mode?: 'apply' | 'destroy'
  /** Addresses. */
  readonly targets?: readonly string[]
  readonly excludes?: readonly string[]
  fate?(call: HttpCall): Fate
  /** What an interruption is: the first Ctrl-C, or the second. */
  readonly interruptsBy?: 'gentle' | 'hard'
}

export interface Run extends ApplyResult {
  readonly type: 'ended'
  readonly plan: Plan
  /** Requests that change something. */
  readonly writes: number
}

export type Ending = Run | { readonly type: 'died' }

export class World {
  private lastPid = 0

  private constructor(
    readonly subject: Subject,
    readonly service: Service,
    readonly disk: MemoryDisk,
  ) {}

  static async open(subject: Subject): Promise<World> {
    return new World(subject, await subject.startService(), new MemoryDisk())
  }

  /** Somebody with a copy of the folder, at the same service. */
  colleague(): World {
    return new World(this.subject, this.service, this.disk.copy())
  }

  /** Somebody with a project of their own, at the same service. */
  stranger(): World {
    return new World(this.subject, this.service, new MemoryDisk())
  }

  close(): Promise<void> {
    return this.service.close()
  }

  /** Plans, and carries the plan out. */
  async run(request: RunRequest): Promise<Ending> {
    const stop = new AbortController()
    const life = this.begin(request.fate, () => stop.abort())
    const work = this.carryOut(life, request, stop.signal)
    const ending = await Promise.race([work, life.death.then(() => ({ type: 'died' }) as const)])
    await life.settled()
    return ending
  }

  /** As `run`, for runs that must come to an end. */
  async apply(request: RunRequest): Promise<Run> {
    const ending = await this.run(request)
    assert(ending.type === 'ended')
    return ending
  }

  async plan({ version, mode = 'apply', targets = [], excludes = [] }: RunRequest, life = this.begin()): Promise<Plan> {
    const engine = await this.engine(version, life)
    const plan = await planProject({ ...engine, mode, scope: { providers: [], targets, excludes } })
    assert.equal(life.writes, 0, 'planning changes nothing')
    return plan
  }

  async rows(version: Version): Promise<ReadonlyMap<string, Row>> {
    return (await readState(await this.engine(version, this.begin()))).rows
  }

  /** What a run needs, of a process that lives. */
  async engine({ text, files = {} }: Version, life: Life) {
    const { subject, service, disk } = this
    const { provider, kinds } = subject
    this.putFiles({ 'agents.yaml': text, ...files })
    const { project, registry, diagnostics } = await loadProject({
      file,
      workingFolder: '/project',
      disk,
      environment: { ...subject.variables, ...service.variables },
      kinds,
      builtins: { [provider.name]: { aliases: provider.aliases, load: async () => provider } },
      isEmulated: service.emulatorUrl !== undefined,
    })
    assert(project, `the project is valid: ${told(diagnostics)}`)
    const emulated = service.emulatorUrl === undefined ? {} : { emulatorUrl: service.emulatorUrl }
    return { project, registry, ports: life.ports, derive: deriveFast, ...emulated }
  }

  begin(fate?: RunRequest['fate'], interrupt?: () => void): Life {
    this.lastPid++
    return new Life({
      disk: this.disk,
      http: fetchHttp,
      pid: this.lastPid,
      ...(fate ? { fate } : {}),
      ...(interrupt ? { interrupt } : {}),
    })
  }

  private async carryOut(life: Life, request: RunRequest, stop: AbortSignal): Promise<Run> {
    const plan = await this.plan(request, life)
    const signals = request.interruptsBy === 'hard' ? { gentleStop: stop, hardStop: stop } : { gentleStop: stop }
    const result = await applyPlan(plan, { ...(await this.engine(request.version, life)), ...signals })
    return { type: 'ended', plan, ...result, writes: life.writes }
  }

  private putFiles(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      const full = `/project/${path}`
      if (this.disk.text(full) !== text) this.disk.put(full, text)
    }
  }
}

/** Hundreds of runs would spend most of their time on making guessing slow. */
async function deriveFast(secrets: string, salt: string): Promise<Uint8Array> {
  return hash('sha256', salt + secrets, 'buffer')
}

/** What a plan would do, one line a resource, for messages. */
export function busy(plan: Plan): readonly string[] {
  return plan.changes.filter(({ action }) => action !== 'none').map(line)
}

export function told(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(({ address, code, detail }) => `${address ?? ''} ${code}: ${detail ?? ''}`).join('\n')
}

/** The diagnostics of a rejection that is no defect. */
export async function refusalOf(work: Promise<unknown>): Promise<readonly Diagnostic[]> {
  try {
    await work
    return []
  } catch (error) {
    if (error instanceof Problem) return error.diagnostics
    throw error
  }
}

function line({ address, action, cause, leaves }: Change): string {
  const what = leaves.map((leaf) => `${leaf.path} (${leaf.cause}: ${text(leaf.before)} -> ${text(leaf.after)})`)
  return `${address}: ${action}, ${cause ?? 'no cause'}, ${what.join(', ') || 'no leaf'}`
}

function text(shown: Change['leaves'][number]['before']): string {
  return shown.type === 'value' ? JSON.stringify(shown.value) : shown.type
}
