// Mutated PDFs on a real server: uploaded, read in every form, edited, undone, redacted and signed. Every answer is a
// documented one within the deadlines, the process lives and its memory is bounded, and another document reads as before.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Answer } from '../../server/support/client.js'
import { done, makers } from '../../server/support/running-server.js'
import { documents, requestFor, sha256Of } from '../../server/support/uploads.js'
import { twoPages } from '../../support/pdf/damaged-pdf.js'
import { type BuiltServer, residentBytes, startBuiltServer } from '../built-server.js'
import { DocumentSession } from '../document-session.js'
import type { Draw } from '../draw.js'
import { within } from '../within.js'
import { answerComplaints } from './answer-complaints.js'
import type { FuzzSession, FuzzTarget } from './fuzz-target.js'
import { mutatePdf } from './mutate-pdf.js'
import { drawBase } from './pdf-bases.js'

const threads = 2
/** Longer than the deadline of every job, with the time that a task may wait and share its processor. */
const answerMsMax = 150_000
/** Two threads with the engine's maximum, and the process itself. */
const residentBytesMax = 3 * 1024 ** 3

async function open(folder: string): Promise<FuzzSession> {
  const data = join(folder, 'data')
  mkdirSync(data)
  const server = await startBuiltServer({ folder: data, threads })
  const witness = await Witness.begin(server)
  return {
    async draw(draw) {
      const base = await drawBase(draw)
      const { bytes, title } = mutatePdf(base.bytes, draw)
      const password = base.password !== undefined && draw.happens(0.8) ? base.password : undefined
      return {
        title: `${base.name}: ${title}`,
        files: { 'document.pdf': bytes },
        async run() {
          const trial = new Trial(server, draw, password)
          await trial.run(bytes)
          return [...trial.complaints, ...(await witness.complaints(draw)), ...stateOf(server)]
        },
      }
    },
    close: () => server.close(),
  }
}

function stateOf(server: BuiltServer): readonly string[] {
  const end = server.ended()
  if (end !== undefined) return [`the server ended with ${end}: ${server.errors().join('\n')}`]
  const resident = residentBytes(server.pid)
  return resident > residentBytesMax ? [`the server has ${Math.round(resident / 1e6)} MB of resident memory`] : []
}

/** One file on the server, from its upload to its deletion. */
class Trial {
  readonly complaints: string[] = []

  constructor(
    private readonly server: BuiltServer,
    private readonly draw: Draw,
    private readonly password: string | undefined,
  ) {}

  async run(bytes: Buffer): Promise<void> {
    const { api } = this.server
    const announced = await this.#answer('init', api.post(`${documents}/init`, requestFor(bytes)))
    const docId = announced?.word('/document/id') ?? ''
    await this.#answer('upload', api.sendFile(`${documents}/${docId}/upload-proxy`, bytes))
    const commit = api.post(`${documents}/${docId}/commit`, { sha256: sha256Of(bytes) })
    const committed = await this.#answer('commit', commit)
    try {
      if (committed?.at('/document/state') === 'ready') await this.#use(docId)
    } catch (error) {
      if (!(error instanceof Hung)) throw error
    } finally {
      await this.#answer('deletion', api.delete(`${documents}/${docId}`))
    }
  }

  async #use(docId: string): Promise<void> {
    const { draw, password, server } = this
    const session = new DocumentSession({
      api: server.api,
      docId,
      draw,
      judge: () => {},
      send: async (path, sent) => {
        const answer = await this.#answer(`${sent.method ?? 'GET'} ${path}`, server.api.send(path, sent))
        if (answer === undefined) throw new Hung()
        return answer
      },
      ...(password !== undefined && { password }),
    })
    await session.readAll(2)
    await session.editAll(draw.between(3, 8), { pagesToo: true })
    await session.extract()
    if (draw.happens(0.5)) await session.redact()
    if (draw.happens(0.5)) await session.sign()
    if (draw.happens(0.3)) await session.editAll(2)
    await session.readAll(1)
  }

  /** Returns undefined if there was no answer. */
  async #answer(what: string, sent: Promise<Answer>): Promise<Answer | undefined> {
    try {
      const answer = await within(answerMsMax, sent)
      if (answer === undefined) this.complaints.push(`${what} was not answered within ${answerMsMax} ms`)
      else this.complaints.push(...answerComplaints(what, answer), ...changeComplaints(what, answer))
      return answer
    } catch (error) {
      this.complaints.push(`${what} failed: ${error instanceof Error ? `${error.message} ${error.cause}` : error}`)
      return undefined
    }
  }
}

class Hung extends Error {}

/** Refusals of single changes are inside an answer with status 200. */
function changeComplaints(what: string, answer: Answer): readonly string[] {
  const changes = answer.at('/changes')
  if (!Array.isArray(changes)) return []
  return changes
    .filter(({ error }) => error?.code === 'Unknown')
    .map(({ error }) => `${what} was refused with ${JSON.stringify(error)}`)
}

/** A sound document that must read the same at any time. */
class Witness {
  private constructor(
    private readonly server: BuiltServer,
    private readonly docId: string,
    private readonly expected: readonly string[],
  ) {}

  static async begin(server: BuiltServer): Promise<Witness> {
    const docId = await makers(server.api).upload(twoPages(), { docId: 'witness' })
    return new Witness(server, docId, await Witness.#reads(server, docId, '2'))
  }

  /** `scale`: a new one draws anew, because pictures are cached. */
  static async #reads({ api }: BuiltServer, docId: string, scale: string): Promise<readonly string[]> {
    const path = `/v1/docs/${docId}/layers/default`
    const read = (rest: string) => within(answerMsMax, api.get(`${path}/${rest}`).then(done))
    const text = await read('text/pages/obj:3/data')
    const list = await read('annotations/items')
    const picture = await read(`render/all/pages/obj:3/data?viewport.scale=${scale}`)
    return [text, list, ...(scale === '2' ? [picture] : [])].map((answer) => answer?.bytes.toString('latin1') ?? '')
  }

  async complaints(draw: Draw): Promise<readonly string[]> {
    try {
      if (draw.happens(0.1)) await Witness.#reads(this.server, this.docId, (1 + draw.below(2000) / 2000).toFixed(4))
      const now = await Witness.#reads(this.server, this.docId, '2')
      return ['text', 'annotations', 'picture'].flatMap((name, index) => {
        const [before = '', after = ''] = [this.expected[index], now[index]]
        return before === after ? [] : [`another document has other ${name}: ${firstDifference(before, after)}`]
      })
    } catch (error) {
      return [`another document cannot be read: ${error}`]
    }
  }
}

function firstDifference(before: string, after: string): string {
  const at = [...before].findIndex((character, index) => character !== after[index])
  const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60))
  return `${around(before)} is now ${around(after)}`
}

export const pdf: FuzzTarget = { name: 'pdf', open }
