// Times and sizes of whole processes.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const peakHook = fileURLToPath(new URL('./peak.mjs', import.meta.url))
const roundTripSamples = 9

/** Returns milliseconds from start to end. Throws when the process failed: a failure is not a fast run. */
export function timed(words, { cwd, env, peakFile }) {
  const hook = peakFile ? ['--import', peakHook] : []
  const startedMs = performance.now()
  const { status, stderr } = spawnSync(process.execPath, [...hook, ...words], {
    cwd,
    env: peakFile ? { ...env, BENCH_PEAK_FILE: peakFile } : env,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  const elapsedMs = performance.now() - startedMs
  if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}:\n${stderr}`)
  return elapsedMs
}

export function medianMs(times, measure) {
  const sorted = Array.from({ length: times }, measure).sort((a, b) => a - b)
  return sorted[Math.floor(times / 2)]
}

/** Returns medians of two measurements that take turns, so that a machine that slows down slows both. */
export function pairedMs(times, measureA, measureB) {
  const pairs = Array.from({ length: times }, () => [measureA(), measureB()])
  const [a, b] = [0, 1].map((side) => pairs.map((pair) => pair[side]).sort((x, y) => x - y)[Math.floor(times / 2)])
  return { a, b }
}

/** Reads the peak memory that the hook wrote when the process ended. */
export function peakBytes(file) {
  return Number(readFileSync(file, 'utf8')) * 1024
}

export async function startEmulator(program, latencyMs) {
  const words = [program, 'emulate', '--json', '--port', '0', '--latency-ms', String(latencyMs)]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const { url } = JSON.parse(await firstLine(child.stdout))
  return {
    url,
    async countRequests() {
      const { requests } = await (await fetch(`${url}/_emulator/requests`)).json()
      return requests.length
    },
    /** Measures a small request as the program sends them: over a reused connection, latency included. */
    async roundTripMs() {
      const path = `${url}/qoder/api/v1/cloud/agents?limit=1`
      const headers = { authorization: 'Bearer bench' }
      const times = []
      for (let sample = 0; sample < roundTripSamples; sample++) {
        const startedMs = performance.now()
        const response = await fetch(path, { headers })
        await response.text()
        if (!response.ok) throw new Error(`the round trip was answered with ${response.status}`)
        times.push(performance.now() - startedMs)
      }
      return times.sort((a, b) => a - b)[Math.floor(roundTripSamples / 2)]
    },
    async stop() {
      const ended = child.exitCode ?? once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line
  throw new Error('the emulator did not start')
}
