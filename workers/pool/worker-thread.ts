// One operating-system thread with a PDF engine, as its owner sees it: it is started, given one task at a time, and
// closed or killed. It is never repaired; its owner starts another one.
import { setPriority } from 'node:os'
import { Piscina } from 'piscina'
import type { Reply, Request, ThreadDescription } from '../messages/reply.js'
import type { ThreadData } from '../messages/thread-data.js'
import { startDeadline } from './deadline.js'
import type { PoolSettings } from './pool-options.js'

/** Megabytes of JavaScript memory; a thread that exceeds them ends, and the process survives. */
const javascriptMegabytesMax = 1024
/** Priority of a thread whose task takes long while others wait; 0 is the normal one, 19 the lowest. */
const overtimePriority = 10

/**
 * Piscina tries `require` first, which loads ES modules synchronously. Node.js 20 aborts the whole process if a thread is
 * ended meanwhile (`v8::Module::IsGraphAsync must be used on an instantiated module`); `import` ends with the thread.
 */
const asynchronousLoading = ['--no-experimental-require-module'].filter((flag) =>
  process.allowedNodeEnvironmentFlags.has(flag),
)

export class ThreadLost extends Error {
  constructor(cause?: unknown) {
    super('The worker thread ended in the middle of its task', { cause })
    this.name = 'ThreadLost'
  }
}

export class ThreadOvertime extends Error {
  constructor(
    readonly deadlineMs: number,
    /** Share of its time that the task received; 1 = all of it. */
    readonly usedShare: number,
  ) {
    super(`The task ran longer than ${deadlineMs} ms`)
    this.name = 'ThreadOvertime'
  }
}

export class WorkerThread {
  readonly #piscina: Piscina
  readonly #settings: PoolSettings
  #tasks = 0
  #heapBytes = 0
  #systemId: number | null = null

  private constructor(settings: PoolSettings, module: WebAssembly.Module) {
    const workerData: ThreadData = { module, limits: settings.jobLimits }
    this.#settings = settings
    this.#piscina = new Piscina({
      filename: settings.thread.href,
      minThreads: 1,
      maxThreads: 1,
      workerData,
      // Waiting by Atomics would prevent finalizers of unreachable PDF objects from running.
      atomics: 'disabled',
      recordTiming: false,
      // The thread inherits nothing of this process: no loaders, no secrets.
      execArgv: [...asynchronousLoading],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: javascriptMegabytesMax },
    })
    // The task of a thread that dies is rejected; this handler only keeps the event from ending the process.
    this.#piscina.on('error', () => {})
  }

  /** Starts a thread. Resolves when the engine is loaded; rejects if the thread sends no description in time. */
  static async start(settings: PoolSettings, module: WebAssembly.Module): Promise<[WorkerThread, ThreadDescription]> {
    const thread = new WorkerThread(settings, module)
    const { outcome } = await thread.run<ThreadDescription>({ kind: 'describe' }, settings.limits.threadStartMs)
    if (outcome.kind === 'answer') {
      thread.#systemId = outcome.answer.systemId
      thread.#tasks = 0
      return [thread, outcome.answer]
    }
    await thread.kill()
    throw new Error('A worker thread started, but its engine does not work')
  }

  /** True if no task has run on the thread, so that a failure cannot be caused by an earlier one. */
  get isFresh(): boolean {
    return this.#tasks === 0
  }

  get isWornOut(): boolean {
    const { heapBytesMax, threadTasksMax } = this.#settings.limits
    return this.#heapBytes > heapBytesMax || this.#tasks >= threadTasksMax
  }

  /** Runs a task. Rejects with `ThreadOvertime` or `ThreadLost`; the thread has then ended. */
  async run<Answer>(request: Request, deadlineMs: number): Promise<Reply<Answer>> {
    this.#tasks += 1
    try {
      const reply = await this.#replyTo<Answer>(request, deadlineMs)
      this.#heapBytes = reply.heapBytes
      return reply
    } catch (error) {
      await this.kill()
      throw error
    }
  }

  #replyTo<Answer>(request: Request, deadlineMs: number): Promise<Reply<Answer>> {
    const { threadTime, sharingFactor, limits } = this.#settings
    return new Promise((resolve, reject) => {
      const cancel = startDeadline(
        {
          deadlineMs,
          threadTime,
          systemId: this.#systemId,
          elapsedFactor: limits.deadlineElapsedFactor,
          sharingFactor,
        },
        (usedShare) => reject(new ThreadOvertime(deadlineMs, usedShare)),
      )
      this.#piscina
        .run(request)
        .then(resolve, (error) => reject(new ThreadLost(error)))
        .finally(cancel)
    })
  }

  /** Lowers the thread's priority. On systems that do not allow it, only speed is lost. */
  lowerPriority(): void {
    if (this.#systemId === null) return
    try {
      setPriority(this.#systemId, overtimePriority)
    } catch {
      this.#systemId = null
    }
  }

  /** Ends the thread, whatever it is doing. */
  async kill(): Promise<void> {
    await this.#piscina.destroy()
  }
}
