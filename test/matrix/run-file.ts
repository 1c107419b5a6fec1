// Every case over one file: uploaded once, a layer for each case, judged after every step and after its undo.
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sheet } from './boxes.js'
import { changedBeside, differing } from './differences.js'
import type { MatrixFile } from './files/matrix-file.js'
import { judge, looks } from './judges/judge.js'
import { Measured } from './judges/measured.js'
import type { Pikepdf } from './judges/pikepdf.js'
import { LayerClient, type Written } from './layer.js'
import type { Act, Plan, Scene } from './ops/act.js'
import type { MatrixCase } from './ops/index.js'
import { ourPicture } from './our-picture.js'
import type { Finding, Outcome, Report } from './report.js'
import type { MatrixServer } from './server.js'
import { type DocumentState, firstState } from './state.js'
import { annotationsOn, type Subject, subjectOf } from './subject.js'

export interface RunOptions {
  readonly server: MatrixServer
  readonly pikepdf: Pikepdf
  readonly report: Report
  /** Of `pages.insert`. */
  readonly inserted: Measured
}

export async function runFile(file: MatrixFile, cases: readonly MatrixCase[], options: RunOptions): Promise<void> {
  const run = await FileRun.open(file, options)
  if (run === undefined) return
  for (const one of cases) {
    if (file.isHostile === true && one.isCheap !== true) continue
    const outcome = await run.case(one).catch((error: unknown): Outcome => {
      const got = error instanceof Error ? (error.stack ?? '').split('\n').slice(0, 3) : String(error)
      return { kind: 'failed', complaints: [{ judge: 'runner', what: 'the case runs', expected: 'yes', got }] }
    })
    options.report.take({ file: file.name, case: one.name, outcome })
  }
  run.close()
}

/** What a server has a name for; anything else is a fault of its own. */
const isRefusal = ({ status, code }: Written): boolean => code !== undefined && status < 500 && code !== 'Unknown'

class FileRun {
  readonly #files: string[] = []
  #layers = 0

  private constructor(
    private readonly file: MatrixFile,
    private readonly options: RunOptions,
    private readonly docId: string,
    private readonly bytes: Buffer,
    private readonly base: Measured,
    private readonly subject: Subject,
    private readonly state: DocumentState,
  ) {}

  static async open(file: MatrixFile, options: RunOptions): Promise<FileRun | undefined> {
    const { server, report, pikepdf } = options
    const bytes = await file.bytes()
    const take = (outcome: Outcome) => report.take({ file: file.name, case: 'upload', outcome })
    let docId: string
    try {
      docId = await server.upload(bytes)
    } catch (error) {
      take({ kind: 'refused', reason: `upload: ${String(error).slice(0, 120)}` })
      return undefined
    }
    const layer = new LayerClient(server.api, docId, 'default', file.password)
    const subject = await subjectOf(layer)
    if ('unread' in subject) {
      take({ kind: 'refused', reason: subject.unread })
      return undefined
    }
    // Of a file that is repaired at intake, what is served is what edits are judged against.
    const served = await layer.get('download')
    if (served.status !== 200) {
      const got = `${served.status} ${served.code}`
      take({ kind: 'failed', complaints: [{ judge: 'server', what: 'the download opens', expected: 200, got }] })
      return undefined
    }
    const path = join(server.folder, `${randomUUID()}.pdf`)
    writeFileSync(path, served.bytes)
    const base = new Measured(path, file.password, pikepdf)
    const examined = await base.examined()
    const state = firstState(subject, 'error' in examined ? [] : examined.annotations)
    const run = new FileRun(file, options, docId, bytes, base, subject, state)
    run.#files.push(path)
    take(await run.#served())
    return run
  }

  close(): void {
    for (const path of this.#files) rmSync(path, { force: true })
  }

  async case({ name, acts, isRedone }: MatrixCase): Promise<Outcome> {
    const layer = new LayerClient(
      this.options.server.api,
      this.docId,
      `${name.replace(/\W+/g, '-').slice(0, 100)}-${++this.#layers}`,
      this.file.password,
    )
    let subject = this.subject
    let state = this.state
    let last = this.base
    const complaints: Finding[] = []
    for (const [index, act] of acts.entries()) {
      const scene: Scene = { subject, state, words: (await this.base.words()) ?? [], bytes: this.bytes }
      const plan = act.plan(scene)
      if (plan === undefined) return index === 0 ? { kind: 'nothing' } : { kind: 'judged', complaints }
      const step = await this.#step({ layer, act, plan, scene, last, isRedone: isRedone === true })
      complaints.push(...step.complaints.map((complaint) => ({ ...complaint, act: act.name })))
      if (step.refused !== undefined)
        return complaints.length > 0 ? { kind: 'failed', complaints } : { kind: 'refused', reason: step.refused }
      if (complaints.length > 0 || step.subject === undefined) break
      subject = step.subject
      state = step.state
      last = step.measured ?? last
    }
    return { kind: complaints.length > 0 ? 'failed' : 'judged', complaints }
  }

  async #step(given: StepInput): Promise<Step> {
    const { layer, act, plan, scene } = given
    if (act.type === 'pages.extract') return await this.#extract(given)
    const written = await layer.write(plan.op, plan.resources)
    if (written.item === undefined) return await this.#refused(given, written)
    const now = await subjectOf(layer)
    if ('unread' in now) return failed(scene, 'what was changed can be read', now.unread)
    const denied = await plan.denied?.(now, written.item, layer)
    const state = plan.after(scene.state, written.item, now)
    const { complaints, measured } = await this.#judged({ layer, state, plan, last: given.last })
    const found = denied === undefined ? complaints : [...complaints, complaint('a later read shows it', denied)]
    const others = changedBeside(act, scene.subject, now, written.item)
    if (others.length > 0) found.push(complaint('other fields are what they were', others))
    const isUndoable = Object(written.item['meta'])['undoable'] === true
    if (isUndoable !== act.isUndoable)
      found.push(complaint('it can be undone', { expected: act.isUndoable, isUndoable }))
    const undone = isUndoable ? await this.#undone(given, written, { state, now }) : []
    return { complaints: [...found, ...undone], subject: now, state, measured }
  }

  /** The file and all reads are what they were; and again what they became. */
  async #undone({ layer, plan, scene, last, isRedone }: StepInput, written: Written, done: Done) {
    // Later steps build on what was done, so its undo is itself undone.
    const undo = await layer.undo(written.opId)
    if (undo.item === undefined) return [complaint('it can be undone', `${undo.code}: ${undo.message}`)]
    const now = await subjectOf(layer)
    const found: Finding[] = []
    if ('unread' in now) return [complaint('what was undone can be read', now.unread)]
    const other = differing(scene.subject, now)
    if (other.length > 0) found.push(complaint('undo gives back what was listed', other))
    const { complaints } = await this.#judged({ layer, state: scene.state, plan, last })
    found.push(...complaints.map((one) => ({ ...one, what: `after undo: ${one.what}` })))
    if (found.length > 0) return found
    // As two windows do it that are open on the same layer.
    await layer.undo(written.opId)
    const twice = await subjectOf(layer)
    const changed = 'unread' in twice ? [twice.unread] : differing(scene.subject, twice)
    if (changed.length > 0) return [complaint('a second undo changes nothing', changed)]
    const redo = await layer.undo(undo.opId)
    if (redo.item === undefined) return [complaint('it can be redone', `${redo.code}: ${redo.message}`)]
    if (!isRedone) return []
    const again = await this.#judged({ layer, state: done.state, plan, last })
    return again.complaints.map((one) => ({ ...one, what: `after redo: ${one.what}` }))
  }

  /** A refusal is legal and changes nothing. */
  async #refused({ layer, scene, act }: StepInput, written: Written): Promise<Step> {
    const now = await subjectOf(layer)
    const other = 'unread' in now ? [now.unread] : differing(scene.subject, now)
    const complaints = other.length > 0 ? [complaint('a refusal changes nothing', other)] : []
    if (!isRefusal(written))
      complaints.push({
        judge: 'server',
        what: `${act.type} is answered`,
        expected: 'below 500',
        got: `${written.status} ${written.code} ${written.message}`,
      })
    const reason = `${act.type}: ${written.code}: ${written.message.replace(/\d+/g, 'n').slice(0, 100)}`
    return { complaints, refused: reason, state: scene.state, subject: scene.subject, measured: undefined }
  }

  async #extract({ layer, plan, scene }: StepInput): Promise<Step> {
    const answer = await layer.post('pages/extract', { pages: plan.op['pages'] })
    if (answer.status !== 200) {
      if (answer.status < 500)
        return {
          complaints: [],
          refused: `pages.extract: ${answer.code}: ${answer.at('/error/message')}`,
          ...still(scene),
        }
      return failed(scene, 'pages.extract is answered', `${answer.status} ${answer.code}`)
    }
    const path = this.#path()
    writeFileSync(path, answer.bytes)
    const state = plan.after(scene.state, {}, scene.subject)
    const measured = new Measured(path, this.file.password, this.options.pikepdf)
    const documents = this.#documents()
    const complaints = await judge({
      now: measured,
      state,
      documents,
      lookedAt: plan.pages,
      ours: async () => undefined,
    })
    this.#remove(path)
    return { complaints, ...still(scene) }
  }

  async #judged({
    layer,
    state,
    plan,
    last,
  }: Pick<StepInput, 'layer' | 'plan' | 'last'> & { readonly state: DocumentState }) {
    const answer = await layer.get('download')
    if (answer.status !== 200) {
      return { complaints: [complaint('the download opens', `${answer.status} ${answer.code}`)], measured: undefined }
    }
    const path = this.#path()
    writeFileSync(path, answer.bytes)
    const measured = new Measured(path, this.file.password, this.options.pikepdf)
    const complaints = await judge({
      now: measured,
      state,
      documents: this.#documents(),
      lookedAt: plan.pages,
      ours: (number, sheet, width) => ourPicture(layer, { number, sheet, width }),
      ...(plan.keepsLook && { looksLike: { file: last, without: plan.keepsLook } }),
    })
    return { complaints: [...complaints], measured }
  }

  /** What is served untouched is what was uploaded, as every program sees it. */
  async #served(): Promise<Outcome> {
    const path = this.#path()
    writeFileSync(path, this.bytes)
    const uploaded = new Measured(path, this.file.password, this.options.pikepdf)
    const complaints = await judge({
      now: this.base,
      state: this.state,
      documents: new Map([['base', uploaded]]),
      lookedAt: this.subject.pages.slice(0, 3).map(({ ref }) => ref.objectNumber),
      ours: async () => undefined,
    })
    this.#remove(path)
    const found = [...complaints, ...(await this.#looks())]
    return { kind: found.length > 0 ? 'failed' : 'judged', complaints: found }
  }

  /** Of the first pages that have annotations. */
  async #looks(): Promise<readonly Finding[]> {
    const layer = new LayerClient(this.options.server.api, this.docId, 'default', this.file.password)
    const ours = (number: number, sheet: Sheet, width: number) => ourPicture(layer, { number, sheet, width })
    const found: Finding[] = []
    for (const [index, page] of this.state.pages.slice(0, 2).entries()) {
      const facts = this.subject.pages[index]
      const shown = facts ? annotationsOn(this.subject, facts) : []
      const boxes = shown.filter(({ hidden, noView }) => !hidden && !noView).map(({ rect }) => rect)
      found.push(...(await looks({ now: this.base, ours }, { index, page, boxes: boxes.slice(0, 30) })))
    }
    return found
  }

  #documents(): ReadonlyMap<string, Measured> {
    return new Map([
      ['base', this.base],
      ['inserted', this.options.inserted],
    ])
  }

  #path(): string {
    const path = join(this.options.server.folder, `${randomUUID()}.pdf`)
    this.#files.push(path)
    return path
  }

  readonly #remove = (path: string): void => rmSync(path, { force: true })
}

interface StepInput {
  readonly layer: LayerClient
  readonly act: Act
  readonly plan: Plan
  readonly scene: Scene
  readonly last: Measured
  readonly isRedone: boolean
}

interface Done {
  readonly state: DocumentState
  readonly now: Subject
}

interface Step {
  readonly complaints: readonly Finding[]
  readonly refused?: string
  readonly subject: Subject | undefined
  readonly state: DocumentState
  readonly measured: Measured | undefined
}

const complaint = (what: string, got: unknown) => ({ judge: 'server', what, expected: 'yes', got })
const still = ({ subject, state }: Scene) => ({ subject, state, measured: undefined })
const failed = (scene: Scene, what: string, got: unknown): Step => ({
  complaints: [complaint(what, got)],
  ...still(scene),
})
