// Program of a worker thread: runs one task at a time and replies with plain data. The only entry point that loads the
// PDF engine.
import { readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { JobRefusal } from '../contract/job-refusal.js'
import { HotDocuments } from '../document/hot-documents.js'
import { openFile } from '../document/open-file.js'
import { asTask, heapBytes } from '../engine/library.js'
import { isEngineError, isTrap } from '../engine/trap.js'
import { jobs } from '../jobs/index.js'
import type { JobTools } from '../jobs/job.js'
import { limits } from '../limits.js'
import { jsonOf } from '../messages/json-answer.js'
import type { Outcome, Reply, Request, ThreadDescription } from '../messages/reply.js'
import { threadData } from '../messages/thread-data.js'
import { runWithTools } from './task-tools.js'

interface RunnableJob {
  run(input: unknown, tools: JobTools): unknown
}

const hotDocuments = new HotDocuments(openFile, {
  countMax: limits.hotDocumentsMax,
  bytesMax: limits.hotDocumentBytesMax,
})
const jobLimits = threadData()?.limits ?? limits

/** Refusal that is sent instead of the engine's messages, which may quote the file. */
const unreadable = {
  kind: 'refusal',
  code: 'MalformedPdf',
  message: 'This part of the document cannot be read',
  details: undefined,
} as const

export default async function serve(request: Request): Promise<unknown> {
  const outcome = await outcomeOf(request)
  const reply: Reply<unknown> = { outcome, heapBytes: heapBytes() }
  return move({
    get [transferableSymbol]() {
      return outcome.kind === 'answer' ? buffersOf(outcome.answer) : []
    },
    get [valueSymbol]() {
      return reply
    },
  })
}

async function outcomeOf(request: Request): Promise<Outcome<unknown>> {
  try {
    if (request.kind === 'describe') return { kind: 'answer', answer: description() }
    const answer = await asTask(() => answerOf(request.job, request.input))
    return { kind: 'answer', answer: ownBytes(request.isJson ? jsonOf(answer, limits) : answer) }
  } catch (error) {
    if (error instanceof JobRefusal) {
      return { kind: 'refusal', code: error.code, message: error.message, details: error.details }
    }
    if (isTrap(error)) return { kind: 'trap', message: String(error) }
    if (isEngineError(error)) return unreadable
    const stack = error instanceof Error ? error.stack : undefined
    return { kind: 'failure', message: String(error), stack, code: codeOf(error) }
  }
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

async function answerOf(name: string, input: unknown): Promise<unknown> {
  if (performance.now() - removedClosedAtMs >= limits.removedFilesIntervalMs) closeRemoved()
  isBusy = true
  try {
    return await runWithTools((tools) => runnable(name).run(input, tools), { hotDocuments, limits: jobLimits })
  } finally {
    isBusy = false
  }
}

let isBusy = false
let removedClosedAtMs = 0

function closeRemoved(): void {
  removedClosedAtMs = performance.now()
  hotDocuments.closeRemoved()
}

// A task may wait for something while its document is open; a thread that is always busy closes files between two tasks.
setInterval(() => isBusy || closeRemoved(), limits.removedFilesIntervalMs).unref()

function runnable(name: string): RunnableJob {
  const job: RunnableJob | undefined = Object.entries(jobs).find(([known]) => known === name)?.[1]
  if (job === undefined) throw new Error(`Unknown job ${name}`)
  return job
}

function description(): ThreadDescription {
  const table = Object.entries(jobs).map(([name, { kind, deadline }]) => [name, { kind, ...deadline }])
  return { jobs: Object.fromEntries(table), systemId: systemId() }
}

/** Returns the operating system's id of this thread: Linux has a link `<process>/task/<thread>` in `/proc`. */
function systemId(): number | null {
  try {
    return Number(basename(readlinkSync('/proc/thread-self')))
  } catch {
    return null
  }
}

/** Copies byte arrays at the first level of an answer into buffers of their own, so that these can be transferred. */
function ownBytes(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [name, value instanceof Uint8Array ? owned(value) : value]),
  )
}

/**
 * Returns the bytes in a buffer of their own, because Node's buffers may share memory with others or belong to a
 * library.
 */
function owned(bytes: Uint8Array): Uint8Array {
  return Buffer.isBuffer(bytes) || bytes.byteLength !== bytes.buffer.byteLength ? new Uint8Array(bytes) : bytes
}

function buffersOf(answer: unknown): ArrayBufferLike[] {
  if (typeof answer !== 'object' || answer === null) return []
  return Object.values(answer).flatMap((value) => (value instanceof Uint8Array ? [value.buffer] : []))
}
