// A document server of its own process, and the few calls the measurements make of it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'

export async function startDocumentServer({ program, folder, threads, options = [] }) {
  const words = [program, 'serve', '--json', '--port', '0', '--data', folder, '--log-level', 'error']
  const child = spawn(process.execPath, [...words, ...(threads ? ['--threads', String(threads)] : []), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { url, apiToken } = JSON.parse(await firstLine(child.stdout))
  return new DocumentServer(child, { url, apiToken })
}

class DocumentServer {
  #child
  #agent = new Agent({ keepAlive: true, maxSockets: 64 })

  constructor(child, { url, apiToken }) {
    this.#child = child
    this.url = url
    this.apiToken = apiToken
  }

  /** Bytes of memory the process holds now. */
  residentBytes() {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'))
    return Number(kilobytes) * 1024
  }

  async json(path) {
    return JSON.parse((await this.get(path)).body.toString('utf8'))
  }

  /** Paths of the pictures of all pages, without a size. */
  async pictures(id) {
    const { pages } = await this.json(`/v1/docs/${id}/layers/default/manifest`)
    return pages.map(({ page }) => `/v1/docs/${id}/layers/default/render/pages/obj:${page.objectNumber}/data`)
  }

  /** Makes the layer one that was edited. */
  async edit(id) {
    const ops = [{ type: 'metadata.update', patch: { title: 'edited' } }]
    const { status } = await fetch(`${this.url}/v1/docs/${id}/layers/default/changes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.apiToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ changes: [{ opId: 'edit', ops }] }),
    })
    if (status !== 200) throw new Error(`The edit was answered with ${status}`)
  }

  /** Reads an answer to its end without holding it; answers its length. */
  async drain(path) {
    const { body } = await fetch(`${this.url}${path}`, { headers: { authorization: `Bearer ${this.apiToken}` } })
    let length = 0
    for await (const chunk of body) length += chunk.length
    return length
  }

  get(path, { mayFail = false } = {}) {
    return get(`${this.url}${path}`, { agent: this.#agent, token: this.apiToken, mayFail })
  }

  async stop() {
    this.#agent.destroy()
    const ended = this.#child.exitCode ?? once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await ended
  }
}

/** Over a kept connection, as little work on this side as possible: the two sides share the cores. */
export function get(url, { agent, token, mayFail = false }) {
  const startedMs = performance.now()
  return new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers: token ? { authorization: `Bearer ${token}` } : {} }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const body = Buffer.concat(chunks)
        const isFine = response.statusCode < 300 || mayFail
        if (isFine) resolve({ body, status: response.statusCode, ms: performance.now() - startedMs })
        else
          reject(new Error(`${url} was answered with ${response.statusCode}: ${body.toString('utf8').slice(0, 300)}`))
      })
    })
    asked.on('error', reject)
    asked.end()
  })
}

export async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line
  throw new Error('the server did not start')
}
