// One folder and one service, in which runs of the engine follow one another like processes.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { ApplyResult } from '../apply/options.js'
import { loadProject } from '../declaration/load.js'
import { type Diagnostic, Problem } from '../diagnostic.js'
import { applyPlan, planProject } from '../engine.js'
import type { EngineOptions } from '../plan/options.js'
import type { Change, Plan } from '../plan/plan.js'
import type { Builtin } from '../plugin/loader.js'
import type { Provider } from '../plugin/provider.js'
import type { Disk } from '../ports/disk.js'
import type { Http, HttpResponse } from '../ports/http.js'
import { nodeHttp } from '../ports/node-http.js'
import { readState } from '../state/project-state.js'
import type { Row } from '../state/row.js'
import { expectNone, writesAmong } from './findings.js'
import { type Fate, type HttpCall, Life } from './life.js'
import { MemoryDisk } from './memory-disk.js'
import type { Service, Subject, Version } from './subject.js'
import { watched } from './watched.js'

const file = '/project/agents.yaml'

export interface RunRequest {
  readonly version: Version
  readonly mode?: 'apply' | 'destroy'
  /** Default: what the project says. */
  readonly providers?: readonly string[]
  /** Selected addresses, as with `--target`. */
  readonly targets?: readonly string[]
  readonly excludes?: readonly string[]
  /** Providers whose objects may all be created again, as with `--recreate`. */
  readonly recreate?: readonly string[]
  fate?(call: HttpCall): Fate
  /** Called with every answer of the service. */
  seen?(response: HttpResponse): void
  /** True for an error of the disk at which the process dies. */
  isDeadly?(error: unknown): boolean
  /** Kind of interruption: the first Ctrl-C, or the second. */
  readonly interruptsBy?: 'gentle' | 'hard'
}

export interface Run extends ApplyResult {
  readonly type: 'ended'
  readonly plan: Plan
  /** Requests that write. */
  readonly writes: number
  /** All requests of the apply. */
  readonly calls: readonly HttpCall[]
}

export type Ending = Run | { readonly type: 'died' }

/** A folder whose files the suite can read and write directly, as a person does with an editor. */
export interface ProjectDisk extends Disk {
  text(path: string): string | undefined
  put(path: string, text: string): void
}

export class World<Folder extends ProjectDisk = MemoryDisk> {
  private constructor(
    readonly subject: Subject,
    readonly service: Service,
    readonly disk: Folder,
    private lastPid = 0,
  ) {}

  static async open(subject: Subject): Promise<World> {
    return new World(subject, await subject.startService(), new MemoryDisk())
  }

  /** Returns the project of another user, in a folder of their own at the same service. */
  ofOtherUser(): World {
    return this.withDisk(new MemoryDisk())
  }

  /** Returns a world with another folder at the same service, such as a copy of this one. */
  withDisk<Other extends ProjectDisk>(disk: Other): World<Other> {
    return new World(this.subject, this.service, disk, this.lastPid)
  }

  close(): Promise<void> {
    return this.service.close()
  }

  /** Plans, and applies the plan. */
  async run(request: RunRequest): Promise<Ending> {
    const stop = new AbortController()
    const life = this.begin(request, () => stop.abort())
    const work = this.carryOut(life, request, stop.signal)
    const ending = await Promise.race([work, life.death.then(() => ({ type: 'died' }) as const)])
    await life.requestsEnded()
    return ending
  }

  /** Same as `run`, but throws if the run does not succeed. */
  async apply(request: RunRequest): Promise<Run> {
    const ending = await this.run(request)
    assert(ending.type === 'ended')
    return ending
  }

  async plan(request: RunRequest): Promise<Plan> {
    const life = this.begin(request)
    return this.planBy(life, request, await this.engine(request.version, life))
  }

  async rows(version: Version): Promise<ReadonlyMap<string, Row>> {
    return (await readState(await this.engine(version, this.begin()))).rows
  }

  /** Returns the options of a run in a process that does not die. */
  async engine({ text, files = {}, variables = {} }: Version, life: Life): Promise<EngineOptions> {
    const { subject, service } = this
    this.putFiles({ 'agents.yaml': text, ...files })
    const { project, registry, diagnostics } = await loadProject({
      file,
      workingFolder: '/project',
      disk: life.ports.disk,
      environment: { ...subject.variables, ...variables, ...service.variables },
      kinds: subject.kinds,
      builtins: Object.fromEntries((subject.builtins ?? providersOf(subject)).map((one) => [one.name, builtinOf(one)])),
      isEmulated: service.emulatorUrl !== undefined,
    })
    if (!project) throw new Problem(diagnostics)
    const emulated = service.emulatorUrl === undefined ? {} : { emulatorUrl: service.emulatorUrl }
    return { project, registry, ports: life.ports, derive: deriveFast, ...emulated }
  }

  begin({ fate, seen, isDeadly }: Pick<RunRequest, 'fate' | 'seen' | 'isDeadly'> = {}, interrupt?: () => void): Life {
    this.lastPid++
    return new Life({
      disk: this.disk,
      http: seen ? watchedHttp(seen) : nodeHttp,
      pid: this.lastPid,
      ...(fate ? { fate } : {}),
      ...(isDeadly ? { isDeadly } : {}),
      ...(interrupt ? { interrupt } : {}),
    })
  }

  private async planBy(life: Life, request: RunRequest, engine: EngineOptions): Promise<Plan> {
    const { mode = 'apply', providers = [], targets = [], excludes = [], recreate = [] } = request
    const plan = await planProject({ ...engine, mode, scope: { providers, targets, excludes }, recreate })
    const rule = 'planning changes nothing (a request that only signs in is sent by `signIn`, or has `isSignIn`)'
    expectNone(writesAmong(life.calls), rule)
    return plan
  }

  private async carryOut(life: Life, request: RunRequest, stop: AbortSignal): Promise<Run> {
    const engine = await this.engine(request.version, life)
    const plan = await this.planBy(life, request, engine)
    const planned = life.calls.length
    const hardStop = request.interruptsBy === 'hard' ? { hardStop: stop } : {}
    const result = await applyPlan(plan, { ...engine, gentleStop: stop, ...hardStop })
    return { type: 'ended', plan, ...result, writes: life.writes, calls: life.calls.slice(planned) }
  }

  private putFiles(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      const full = `/project/${path}`
      if (this.disk.text(full) !== text) this.disk.put(full, text)
    }
  }
}

function watchedHttp(seen: (response: HttpResponse) => void): Http {
  return async (request) => {
    const response = await nodeHttp(request)
    seen(response)
    return response
  }
}

export function providersOf({ provider, others = [] }: Subject): readonly Provider[] {
  return [provider, ...others]
}

function builtinOf(provider: Provider): Builtin {
  return { aliases: provider.aliases, load: async () => watched(provider) }
}

/**
 * Derives keys fast. The real derivation is slow to make guessing expensive, and would take most of the time of
 * hundreds of runs.
 */
async function deriveFast(secrets: string, salt: string): Promise<Uint8Array> {
  return hash('sha256', salt + secrets, 'buffer')
}

/** Returns a summary of a plan for messages, one line a resource. */
export function effectiveChanges(plan: Plan): readonly string[] {
  return plan.changes.filter(({ action }) => action !== 'none').map(line)
}

export function reportOf(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map(({ address, code, detail }) => `${address ?? ''} ${code}: ${detail ?? ''}`).join('\n')
}

/** Returns the diagnostics of a rejection that is not a defect. */
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
