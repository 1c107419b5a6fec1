// Everything that a client does with a document: reads, edits with undo, redaction, signing. The answers are handed to a
// judge; nothing is expected of them here, because the document may be any file.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { layerPath } from '../server/changes/support/changing.js'
import { cmsOver } from '../server/signatures/support/signing.js'
import type { Answer, Client, Sent } from '../server/support/client.js'
import { edit, type Listed, opOf } from '../support/pdf/random-edits.js'
import type { Draw } from './draw.js'

/** Receives every answer; `what` names the request. */
export type Judge = (what: string, answer: Answer) => void

export interface DocumentSessionOptions {
  readonly api: Client
  readonly docId: string
  readonly draw: Draw
  readonly judge: Judge
  readonly password?: string
  /** Sends a request. Default: that of `api`. */
  readonly send?: (path: string, sent: Sent) => Promise<Answer>
}

interface PageKey {
  readonly objectNumber: number
}

export class DocumentSession {
  readonly #path: string
  readonly #headers: Readonly<Record<string, string>>

  constructor(private readonly options: DocumentSessionOptions) {
    this.#path = layerPath({ docId: options.docId })
    const { password } = options
    this.#headers = password === undefined ? {} : { 'x-document-password': Buffer.from(password).toString('base64') }
  }

  /** Sends a request about the layer; `path` follows that of the layer. */
  async ask(path: string, sent: Sent = {}): Promise<Answer> {
    return this.#send(`${this.#path}/${path}`, sent)
  }

  async #send(path: string, sent: Sent): Promise<Answer> {
    const { api, judge, send = (path, sent) => api.send(path, sent) } = this.options
    const answer = await send(path, { ...sent, headers: { ...this.#headers, ...sent.headers } })
    judge(`${sent.method ?? 'GET'} ${path}`, answer)
    return answer
  }

  async pages(): Promise<readonly PageKey[]> {
    const pages = (await this.ask('manifest')).at('/pages')
    return Array.isArray(pages) ? pages.map(({ page }) => page) : []
  }

  /** Reads the document, and these many of its pages, in every form. */
  async readAll(pagesMax: number): Promise<void> {
    const { docId, draw } = this.options
    const ofDocument = ['layout', 'annotations/items', 'form', 'metadata', 'metadata/custom', 'signatures', 'download']
    await this.#send(`/v1/docs/${docId}/head`, {})
    await this.#send(`/v1/docs/${docId}/versions`, {})
    for (const path of [...ofDocument, 'signatures/analysis']) await this.ask(path)
    for (const { objectNumber } of (await this.pages()).slice(0, pagesMax)) {
      const key = `pages/obj:${objectNumber}`
      const scale = `viewport.scale=${(1 + draw.below(100) / 200).toFixed(3)}`
      await this.ask(`render/all/${key}/data?${scale}`)
      await this.ask(`render/${draw.one(['', 'annotations/', 'fields/'])}${key}/data?${scale}`)
      await this.ask(`text/${key}/data`)
      await this.ask(`annotations/${key}/items`)
      await this.ask(`${key}/viewports`)
    }
  }

  /** Makes random edits, and undoes some of them; `pagesToo`: with those that cannot be undone. */
  async editAll(count: number, { pagesToo = false } = {}): Promise<void> {
    const { draw } = this.options
    const edits = fc.sample(edit, { seed: draw.seed, numRuns: count })
    let listed = await this.#listed()
    for (const [index, one] of edits.entries()) {
      const pageOp = pagesToo && draw.happens(0.25) ? this.#pageOp(listed) : undefined
      const op = pageOp ?? opOf(one, listed, `${index}`)
      if (op === undefined) continue
      const opId = `edit-${index}-${randomUUID()}`
      await this.#change({ opId, ops: [op] })
      if (draw.happens(0.4)) await this.#change({ opId: `undo-${opId}`, undoOf: opId })
      if (draw.happens(0.4)) listed = await this.#listed()
    }
  }

  #change(entry: object): Promise<Answer> {
    return this.ask('changes', { method: 'POST', json: { changes: [entry] } })
  }

  #pageOp({ pages, annotations }: Listed) {
    const { draw } = this.options
    if (pages.length === 0) return undefined
    const page = draw.one(pages)
    const refs = annotations.slice(0, 2).map(({ ref }) => ref)
    return draw.one([
      { type: 'pages.rotate', pages: [page], rotation: draw.one([0, 90, 180, 270]) },
      { type: 'pages.insertBlank', size: { width: 100, height: 100 }, position: 'start' },
      { type: 'pages.reorder', pages: [page], position: 'end' },
      { type: 'pages.setName', name: 'Annex', page },
      { type: 'pages.flatten', usage: 'display' },
      { type: 'forms.reset' },
      ...(pages.length > 1 ? [{ type: 'pages.delete', pages: [page] }] : []),
      ...(refs.length > 0 ? [{ type: 'annotations.flatten', page: refs[0]?.page, refs, usage: 'print' }] : []),
    ])
  }

  async #listed(): Promise<Listed> {
    const list = async (path: string, name: string) => {
      const found = (await this.ask(path)).at(`/${name}`)
      return Array.isArray(found) ? found : []
    }
    return {
      pages: await this.pages(),
      annotations: await list('annotations/items', 'annotations'),
      fields: await list('form', 'fields'),
    }
  }

  /** Marks a part of a page and redacts it. */
  async redact(): Promise<void> {
    const { draw } = this.options
    const pages = await this.pages()
    if (pages.length === 0) return
    const page = draw.one(pages)
    const rect = { x: draw.below(100), y: draw.below(100), width: draw.between(1, 300), height: draw.between(1, 200) }
    const mark = { type: 'annotations.create', page, data: { subtype: 'redact', rect, contents: '' } }
    await this.#change({ opId: randomUUID(), ops: [mark] })
    await this.ask('redactions/apply', { method: 'POST', json: { pages: [page] } })
  }

  async extract(): Promise<void> {
    const pages = await this.pages()
    if (pages.length > 0) await this.ask('pages/extract', { method: 'POST', json: { pages: pages.slice(0, 1) } })
  }

  /** Prepares a signature and completes or cancels it. */
  async sign(): Promise<void> {
    const { draw } = this.options
    const field = { field: { kind: 'fqn', name: `approval-${draw.below(1000)}` } }
    const prepared = await this.ask('signatures/prepare', { method: 'POST', json: field })
    if (prepared.status >= 300) return
    const path = `signatures/${prepared.word('/signingId')}`
    if (draw.happens(0.2)) await this.ask(path, { method: 'DELETE' })
    else {
      const json = { cms: cmsOver(prepared), expectedVersion: prepared.at('/expectedVersion') }
      await this.ask(`${path}/complete`, { method: 'POST', json })
    }
  }
}
