// Records which functions a process, its threads and the Node processes that it starts execute. Loaded before everything else:
//
//   NODE_OPTIONS='--import=file:///…/scripts/tests/trace.mjs?folder=FOLDER' node …
//
// Each thread appends lines `URL OFFSET` to a file of its own in FOLDER, one for every function on its first execution, at
// intervals and at its end, so that a process which is killed leaves most of them too.
import childProcess, { ChildProcess } from 'node:child_process'
import { appendFileSync } from 'node:fs'
import { Session } from 'node:inspector'
import { syncBuiltinESMExports } from 'node:module'
import threads, { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'

const intervalMs = 500
/** Milliseconds that a thread which is being ended has for its last lines. */
const lastWordsMs = 300
const folder = new URL(import.meta.url).searchParams.get('folder')
const file = `${folder}/${process.pid}-${threadId}`
const preload = `--import=${import.meta.url}`
const recorded = new Set()
const session = new Session()

session.connect()
session.post('Profiler.enable')
// Without counts, V8 reports a function once and optimises it as usual.
session.post('Profiler.startPreciseCoverage', { callCount: false, detailed: false })
setInterval(record, intervalMs).unref()
process.on('exit', record)
const channel = new BroadcastChannel('steward-test-trace')
channel.unref()
if (isMainThread) {
  traceThreads()
  traceProcesses()
  syncBuiltinESMExports()
} else {
  channel.onmessage = ({ data }) => {
    if (data.record !== threadId) return
    record()
    channel.postMessage({ recorded: threadId })
  }
}

function record() {
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (error) return
    const lines = answer.result.flatMap(({ url, functions }) => (isOurs(url) ? newLines(url, functions) : []))
    if (lines.length > 0) appendFileSync(file, lines.join(''))
  })
}

function isOurs(url) {
  return url.startsWith('file:') && (!url.includes('/node_modules/') || url.includes('/node_modules/.steward/'))
}

function newLines(url, functions) {
  return functions.flatMap(({ ranges: [{ startOffset, count }] }) => {
    const line = `${url} ${startOffset}\n`
    if (count === 0 || recorded.has(line)) return []
    recorded.add(line)
    return [line]
  })
}

/** Threads that are started with a clean environment are traced as well, and record once more before they are ended. */
function traceThreads() {
  const { Worker } = threads
  const { terminate } = Worker.prototype
  const waiting = new Map()
  channel.onmessage = ({ data }) => waiting.get(data.recorded)?.()
  Worker.prototype.terminate = async function () {
    await new Promise((resolve) => {
      setTimeout(resolve, lastWordsMs).unref()
      waiting.set(this.threadId, resolve)
      channel.postMessage({ record: this.threadId })
    })
    waiting.delete(this.threadId)
    return await terminate.call(this)
  }
  threads.Worker = class extends Worker {
    constructor(name, options = {}) {
      const isTraced = options.execArgv !== undefined && options.eval !== true
      super(name, isTraced ? { ...options, execArgv: [...options.execArgv, preload] } : options)
    }
  }
}

/** Processes that are started with a clean environment are traced as well. */
function traceProcesses() {
  const { spawn } = ChildProcess.prototype
  ChildProcess.prototype.spawn = function (options) {
    const variables = options.envPairs ?? []
    if (!variables.some((pair) => pair.startsWith('NODE_OPTIONS='))) variables.push(`NODE_OPTIONS=${preload}`)
    return spawn.call(this, options)
  }
  for (const name of ['spawnSync', 'execFileSync']) {
    const original = childProcess[name]
    childProcess[name] = (...given) => {
      const options = given.at(-1)
      if (options?.env === undefined || options.env.NODE_OPTIONS !== undefined) return original(...given)
      return original(...given.slice(0, -1), { ...options, env: { ...options.env, NODE_OPTIONS: preload } })
    }
  }
}
