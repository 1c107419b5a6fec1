// File on the server: uploaded, read and measured once for all its cases.
import { randomUUID } from 'node:crypto'
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sheet } from './boxes.js'
import type { MatrixFile } from './files/matrix-file.js'
import { judge } from './judges/judge.js'
import { Measured } from './judges/measured.js'
import type { Pikepdf } from './judges/pikepdf.js'
import { looks } from './judges/sights.js'
import { LayerClient } from './layer.js'
import { ourPicture } from './our-picture.js'
import type { Finding, Outcome } from './report.js'
import type { MatrixServer } from './server.js'
import { type DocumentState, firstState } from './state.js'
import { annotationsOn, type Subject, subjectOf } from './subject.js'

export interface Tools {
  readonly server: MatrixServer
  readonly pikepdf: Pikepdf
  /** Source file of `pages.insert`. */
  readonly inserted: Measured
  /** Folder where files with complaints are stored, each with its base. */
  readonly keep?: string
}

export class OpenedFile {
  readonly #files: string[] = []
  #layers = 0

  private constructor(
    readonly file: MatrixFile,
    readonly tools: Tools,
    private readonly docId: string,
    readonly bytes: Buffer,
    /** Unedited download: edits of a file that is repaired at intake are compared with it. */
    readonly base: Measured,
    readonly subject: Subject,
    readonly state: DocumentState,
  ) {}

  /** Returns the reason if the file is refused or cannot be edited. */
  static async open(file: MatrixFile, tools: Tools): Promise<OpenedFile | Outcome> {
    const { server, pikepdf } = tools
    const bytes = await file.bytes()
    const docId = await server.upload(bytes).catch((error: unknown) => error)
    if (typeof docId !== 'string') return { kind: 'refused', reason: `upload: ${String(docId).slice(0, 120)}` }
    const layer = new LayerClient(server.api, docId, 'default', file.password)
    const subject = await subjectOf(layer)
    if ('unread' in subject) return { kind: 'refused', reason: subject.unread }
    const served = await layer.get('download')
    if (served.status !== 200) {
      const got = `${served.status} ${served.code}`
      return { kind: 'failed', complaints: [{ judge: 'server', what: 'the download opens', expected: 200, got }] }
    }
    const path = join(server.folder, `${randomUUID()}.pdf`)
    writeFileSync(path, served.bytes)
    const base = new Measured(path, file.password, pikepdf)
    const examined = await base.examined()
    const state = firstState(subject, 'error' in examined ? [] : examined.annotations)
    const opened = new OpenedFile(file, tools, docId, bytes, base, subject, state)
    opened.#files.push(path)
    return opened
  }

  close(): void {
    for (const path of this.#files) this.remove(path)
  }

  /** Returns a layer without other writers. */
  layer(name: string): LayerClient {
    const layerName = `${name.replace(/\W+/g, '-').slice(0, 100)}-${++this.#layers}`
    return new LayerClient(this.tools.server.api, this.docId, layerName, this.file.password)
  }

  /** Wraps a download for measuring. */
  measured(bytes: Uint8Array): Measured {
    const path = join(this.tools.server.folder, `${randomUUID()}.pdf`)
    this.#files.push(path)
    writeFileSync(path, bytes)
    return new Measured(path, this.file.password, this.tools.pikepdf)
  }

  get documents(): ReadonlyMap<string, Measured> {
    return new Map([
      ['base', this.base],
      ['inserted', this.tools.inserted],
    ])
  }

  keep({ path }: Measured, type: string): void {
    const { keep } = this.tools
    if (keep === undefined) return
    const name = join(keep, this.file.name.replaceAll('/', '-'))
    copyFileSync(path, `${name}--${type}-${this.#layers}.pdf`)
    copyFileSync(this.base.path, `${name}--base.pdf`)
  }

  /** Checks that all programs read the unedited download like the upload. */
  async served(): Promise<Outcome> {
    const uploaded = this.measured(this.bytes)
    const complaints = await judge({
      now: this.base,
      state: this.state,
      documents: new Map([['base', uploaded]]),
      lookedAt: this.subject.pages.slice(0, 3).map(({ ref }) => ref.objectNumber),
      ours: async () => undefined,
    })
    this.remove(uploaded.path)
    const found = [...complaints, ...(await this.#looks())]
    return { kind: found.length > 0 ? 'failed' : 'judged', complaints: found }
  }

  /**
   * Checks annotations on the first two pages. Those without appearance are excluded: every program draws them differently.
   */
  async #looks(): Promise<readonly Finding[]> {
    const layer = new LayerClient(this.tools.server.api, this.docId, 'default', this.file.password)
    const ours = (number: number, sheet: Sheet, width: number) => ourPicture(layer, { number, sheet, width })
    const found: Finding[] = []
    for (const [index, page] of this.state.pages.slice(0, 2).entries()) {
      const facts = this.subject.pages[index]
      const shown = facts ? annotationsOn(this.subject, facts) : []
      const boxes = shown
        .filter(({ hasAppearance, hidden, noView }) => hasAppearance && !hidden && !noView)
        .map(({ rect }) => rect)
      found.push(...(await looks({ now: this.base, ours }, { index, page, boxes: boxes.slice(0, 30) })))
    }
    return found
  }

  readonly remove = (path: string): void => {
    for (const one of [path, `${path}.repaired`]) rmSync(one, { force: true })
  }
}
