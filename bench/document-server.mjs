// Starts a document server as a separate process, with the calls that the measurements use.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'

export async function startDocumentServer({ program, folder, threads, options = [] }) {
  const words = [program, 'serve', '--json', '--port', '0', '--data', folder, '--log-level', 'error']
  const child = spawn(process.execPath, [...words, ...(threads ? ['--threads', String(threads)] : []), ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await firstLine(child.stdout)
  const { url, apiToken } = JSON.parse(line)
  if (url === undefined) throw new Error(`The server did not start: ${line}`)
  return new DocumentServer(child, { url, apiToken })
}

/**
 * Uploads a file to the server of the folder and returns its id; empty when the file was refused and may be. Runs in a
 * process of its own, so that this one can watch.
 */
export async function uploadFile(path, { program, folder, mayFail = false }) {
  const words = [program, 'documents', 'upload', path, '--data', folder]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', mayFail ? 'ignore' : 'inherit'] })
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  if (code !== 0 && !mayFail) throw new Error(`${path} could not be uploaded`)
  return code === 0 ? printed.trim() : ''
}

class DocumentServer {
  #child
  #agent = new Agent({ keepAlive: true, maxSockets: 64 })

  constructor(child, { url, apiToken }) {
    this.#child = child
    this.url = url
    this.apiToken = apiToken
  }

  /** Returns the resident memory of the process in bytes. */
  residentBytes() {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'))
    return Number(kilobytes) * 1024
  }

  async json(path) {
    return JSON.parse((await this.get(path)).body.toString('utf8'))
  }

  /** Returns the paths of the pictures of all pages, without a size. */
  async pictures(id) {
    const { pages } = await this.json(`/v1/docs/${id}/layers/default/manifest`)
    return pages.map(({ page }) => `/v1/docs/${id}/layers/default/render/pages/obj:${page.objectNumber}/data`)
  }

  /** Issues a document token for reading. */
  async documentToken(docId) {
    const token = { kind: 'doc', sub: 'bench', docId, scope: ['*'], expiresIn: 3600 }
    return (await this.post('/v1/tenants/default/tokens', token)).token
  }

  /** Edits the layer. */
  async edit(id) {
    const ops = [{ type: 'metadata.update', patch: { title: 'edited' } }]
    await this.post(`/v1/docs/${id}/layers/default/changes`, { changes: [{ opId: 'edit', ops }] })
  }

  /** Returns the parsed response. */
  async post(path, json) {
    const response = await fetch(`${this.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.apiToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(json),
    })
    const body = await response.text()
    if (!response.ok) throw new Error(`POST ${path} was answered with ${response.status}: ${body}`)
    return JSON.parse(body)
  }

  /** Reads a response to its end without storing it. Returns its length. */
  async drain(path) {
    const { body } = await fetch(`${this.url}${path}`, { headers: { authorization: `Bearer ${this.apiToken}` } })
    let length = 0
    for await (const chunk of body) length += chunk.length
    return length
  }

  get(path, { token = this.apiToken, ...options } = {}) {
    return get(`${this.url}${path}`, { agent: this.#agent, token, ...options })
  }

  async stop() {
    this.#agent.destroy()
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await ended
  }
}

/**
 * Sends a request over a reused connection, with as little work on this side as possible: client and server share the
 * cores.
 */
export function get(url, { agent, token, headers = {}, mayFail = false }) {
  const startedMs = performance.now()
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { agent, headers: token ? { authorization: `Bearer ${token}`, ...headers } : headers },
      (response) => {
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
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

export async function firstLine(stream) {
  for await (const line of createInterface({ input: stream })) return line
  throw new Error('the server did not start')
}
