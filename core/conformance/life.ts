// One process as the engine sees it, with a network that can fail and an end at an exact moment. After its end no call
// returns, so that nothing of it continues, not even error handling.
import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../ports/clock.js'
import type { Disk } from '../ports/disk.js'
import { type Http, HttpFailure, type HttpRequest, type HttpResponse } from '../ports/http.js'
import type { Ports } from '../ports/ports.js'
import { systemRandom } from '../ports/random.js'
import { type MemberCall, runningMember } from './watched.js'

/** Result of one request. `after`: it takes effect, and its answer is lost. */
export type Fate =
  | 'answered'
  | 'dies before'
  | 'dies after'
  | 'interrupts before'
  | 'interrupts after'
  | 'overloaded'
  | 'unreachable'
  | 'fails before'
  | 'fails after'
  | 'lost after'
  /** Response to return instead. The service never receives the request. */
  | { readonly instead: HttpResponse }
  /** Address to send the request to instead. The service never receives it. */
  | { readonly at: string }

export interface HttpCall {
  readonly request: HttpRequest
  /** True if the request may change an object. */
  readonly isWrite: boolean
  /** Handler call that sent the request. */
  readonly by: MemberCall | undefined
  /** Number of the request from 1, counted among the writes or among the reads. */
  readonly number: number
}

export interface LifeOptions {
  readonly disk: Disk
  readonly http: Http
  /** Id of this process; any other id counts as dead. */
  readonly pid: number
  fate?(call: HttpCall): Fate
  /** Called for the outcomes that interrupt the run. */
  interrupt?(): void
  /** True for an error of a port that ends the process. */
  isDeadly?(error: unknown): boolean
}

const readMethods: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export class Life {
  readonly ports: Ports
  /** Resolves when the process dies. */
  readonly death: Promise<void>
  /** Every request that the process has sent so far. */
  readonly calls: HttpCall[] = []
  writes = 0
  private reads = 0
  private isDead = false
  private die: () => void = () => {}
  private readonly inFlight = new Set<Promise<unknown>>()

  constructor(private readonly options: LifeOptions) {
    this.death = new Promise((resolve) => {
      this.die = resolve
    })
    const { disk, pid } = options
    this.ports = {
      disk: this.untilDeath(disk),
      clock: this.untilDeath(hastyClock),
      random: systemRandom,
      http: (request) => this.http(request),
      host: { name: 'conformance', pid, processStart: async (request) => (request === pid ? `process ${pid}` : null) },
    }
  }

  /** Waits for the requests that were in flight when the process died: the service may still be processing them. */
  async requestsEnded(): Promise<void> {
    while (this.inFlight.size > 0) await Promise.allSettled([...this.inFlight])
  }

  private async http(request: HttpRequest): Promise<HttpResponse> {
    if (this.isDead) return never()
    const isWrite = !readMethods.has(request.method) && !request.isSignIn
    const number = isWrite ? ++this.writes : ++this.reads
    const call: HttpCall = { request, isWrite, number, by: runningMember() }
    this.calls.push(call)
    const fate = this.options.fate?.(call) ?? 'answered'
    if (typeof fate === 'object') return 'at' in fate ? this.send({ ...request, url: fate.at }) : fate.instead
    if (fate === 'dies before') return this.end()
    if (fate === 'interrupts before') this.options.interrupt?.()
    if (fate === 'overloaded') return answer(429, { 'retry-after': '0' })
    if (fate === 'unreachable') throw new HttpFailure('connection refused', false)
    if (fate === 'fails before') return answer(500)
    const sent = this.send(request)
    if (fate === 'answered' || fate === 'interrupts before') return this.alive(sent)
    await this.alive(sent)
    if (fate === 'dies after') return this.end()
    if (fate === 'fails after') return answer(500)
    if (fate === 'lost after') throw new HttpFailure('connection reset', true)
    this.options.interrupt?.()
    return sent
  }

  /** Sends a request that stays in flight even when it is aborted; `settled` waits for it. */
  private send({ signal, ...request }: HttpRequest): Promise<HttpResponse> {
    signal?.throwIfAborted()
    const answered = this.track(this.options.http(request))
    if (!signal) return answered
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(signal.reason)
      signal.addEventListener('abort', giveUp, { once: true })
      answered.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
    })
  }

  private end(): Promise<never> {
    this.isDead = true
    this.die()
    return never()
  }

  /** Returns the result, or never resolves once the process is dead. */
  private async alive<Result>(work: Promise<Result>): Promise<Result> {
    try {
      const result = await work
      return this.isDead ? await never() : result
    } catch (error) {
      if (this.isDead) return never()
      if (this.options.isDeadly?.(error)) return this.end()
      throw error
    }
  }

  private track<Result>(work: Promise<Result>): Promise<Result> {
    this.inFlight.add(work)
    const forget = () => void this.inFlight.delete(work)
    work.then(forget, forget)
    return work
  }

  /** Wraps a port so that it stops answering when the process dies. */
  private untilDeath<Port extends object>(port: Port): Port {
    return new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...values: unknown[]) => {
          if (this.isDead) return never()
          const result: unknown = member.apply(target, values)
          return result instanceof Promise ? this.alive(result.then((value) => this.resultUntilDeath(value))) : result
        }
      },
    })
  }

  /** Wraps an object opened by a port, which dies with the process as well. */
  private resultUntilDeath(value: unknown): unknown {
    return typeof value === 'object' && value !== null && 'flush' in value ? this.untilDeath(value) : value
  }
}

/**
 * Clock whose `sleep` returns at once, because backoffs and polls of a suite would take minutes. It returns the real
 * time, because services depend on it.
 */
const hastyClock: Clock = {
  now: () => Date.now(),
  async sleep(_ms, signal) {
    signal?.throwIfAborted()
    await setImmediate()
    signal?.throwIfAborted()
  },
}

function answer(status: number, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers: new Headers(headers), text: '{}' }
}

function never(): Promise<never> {
  return new Promise(() => {})
}
