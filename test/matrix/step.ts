// Runs one step of a case: sends an op, judges the reads and the download afterwards, and then its undo.
import { changedBeside, differing } from './differences.js'
import { coarseMax, judge } from './judges/judge.js'
import type { Measured } from './judges/measured.js'
import { coarseDifference, type Picture } from './judges/pictures.js'
import { LayerClient, type Written } from './layer.js'
import type { OpenedFile } from './opened-file.js'
import type { Act, Plan, Scene } from './ops/act.js'
import { ourPicture } from './our-picture.js'
import type { Finding } from './report.js'
import type { DocumentState } from './state.js'
import { type FieldFacts, type Subject, subjectOf } from './subject.js'

export interface StepInput {
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

export interface Step {
  readonly complaints: readonly Finding[]
  readonly refused?: string
  readonly subject: Subject | undefined
  readonly state: DocumentState
  readonly measured: Measured | undefined
}

/** True if the server refused with a known code; any other error is a fault of the server. */
const isRefusal = ({ status, code }: Written): boolean => code !== undefined && status < 500 && code !== 'Unknown'

export class Steps {
  readonly #opened: OpenedFile

  constructor(opened: OpenedFile) {
    this.#opened = opened
  }

  async make(given: StepInput): Promise<Step> {
    const { layer, act, plan, scene } = given
    if (act.type === 'pages.extract') return await this.#extract(given)
    const seen = plan.keepsLook && (await seenPages(layer, plan, scene.state))
    const written = await layer.write(plan.op, plan.resources)
    if (written.item === undefined) return await this.#refused(given, written)
    const now = await subjectOf(layer)
    if ('unread' in now) return failed(scene, 'the layer can be read after the op', now.unread)
    const denied = await plan.denied?.(now, written.item, layer)
    const state = plan.after(scene.state, written.item, now)
    const { complaints, measured } = await this.#judged({ layer, state, plan, last: given.last })
    const found = denied === undefined ? complaints : [...complaints, complaint('later reads show the change', denied)]
    if (seen) found.push(...otherLooks(seen, await seenPages(layer, plan, state)))
    const others = changedBeside(act, scene.subject, now, written.item)
    if (others.length > 0) found.push(complaint('fields that are not reported stay unchanged', others))
    const isUndoable = Object(written.item['meta'])['undoable'] === true
    if (isUndoable !== act.isUndoable)
      found.push(complaint('meta.undoable is right', { expected: act.isUndoable, isUndoable }))
    const undone = isUndoable ? await this.#undone(given, written, { state, now }) : []
    return { complaints: [...found, ...undone], subject: now, state, measured }
  }

  /** Checks that undo restores the file and all reads, and that redo repeats them. */
  async #undone({ layer, plan, scene, last, isRedone }: StepInput, written: Written, done: Done) {
    // Later steps build on the op, so its undo is undone as well.
    const undo = await layer.undo(written.opId)
    if (undo.item === undefined) return [complaint('the op can be undone', `${undo.code}: ${undo.message}`)]
    const now = await subjectOf(layer)
    const found: Finding[] = []
    if ('unread' in now) return [complaint('the layer can be read after undo', now.unread)]
    const other = differing(scene.subject, now)
    if (other.length > 0) found.push(complaint('undo restores all lists', other))
    const { complaints } = await this.#judged({ layer, state: scene.state, plan, last })
    found.push(...complaints.map((one) => ({ ...one, what: `after undo: ${one.what}` })))
    if (found.length > 0) return found
    // Sends the undo twice, like two windows open on the same layer.
    await layer.undo(written.opId)
    const twice = await subjectOf(layer)
    const changed = 'unread' in twice ? [twice.unread] : differing(scene.subject, twice)
    if (changed.length > 0) return [complaint('a second undo changes nothing', changed)]
    const redo = await layer.undo(undo.opId)
    if (redo.item === undefined) return [complaint('the op can be redone', `${redo.code}: ${redo.message}`)]
    if (!isRedone) return []
    const again = await this.#judged({ layer, state: done.state, plan, last })
    return again.complaints.map((one) => ({ ...one, what: `after redo: ${one.what}` }))
  }

  /** Accepts a refusal, which must change nothing. */
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
    const state = plan.after(scene.state, {}, scene.subject)
    const measured = this.#opened.measured(answer.bytes)
    const { documents } = this.#opened
    const complaints = await judge({
      now: measured,
      state,
      documents,
      lookedAt: plan.pages,
      ours: async () => undefined,
    })
    if (complaints.length > 0) this.#opened.keep(measured, 'pages.extract')
    this.#opened.remove(measured.path)
    const fields = await this.#extractedFields(answer.bytes, state, scene.subject)
    return { complaints: [...complaints, ...fields], ...still(scene) }
  }

  /** Checks that the copy has the fields of its pages, with values and scripts. */
  async #extractedFields(bytes: Buffer, { pages }: DocumentState, { fields }: Subject): Promise<readonly Finding[]> {
    const isThere = ({ page }: FieldFacts['widgets'][number]): boolean =>
      pages.some(({ number }) => number === page?.objectNumber)
    // A widget that the form lists in place of its field is read as a field of unknown family; in the copy it has its field.
    const isMeant = ({ family }: FieldFacts): boolean => family !== 'signature' && family !== 'unknown'
    const wanted = fields.filter((field) => isMeant(field) && field.widgets.some(isThere))
    if (wanted.length === 0) return []
    const { server } = this.#opened.tools
    const now = await subjectOf(
      new LayerClient(server.api, await server.upload(bytes), 'default', this.#opened.file.password),
    )
    if ('unread' in now) return [complaint('the extracted copy can be read', now.unread)]
    return wanted.flatMap((field) => {
      const [was, is] = [meaningOf(field), meaningOf(now.fields.find(({ name }) => name === field.name))]
      if (was === is) return []
      return [complaint('fields of the copy are those of its pages', { field: field.name, was, is })]
    })
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
    const measured = this.#opened.measured(answer.bytes)
    const complaints = await judge({
      now: measured,
      state,
      documents: this.#opened.documents,
      lookedAt: plan.pages,
      ours: (number, sheet, width) => ourPicture(layer, { number, sheet, width }),
      ...(plan.keepsLook && { looksLike: { file: last, without: plan.keepsLook } }),
    })
    if (complaints.length > 0) this.#opened.keep(measured, plan.op.type)
    return { complaints: [...complaints], measured }
  }
}

type Seen = ReadonlyMap<number, Picture | undefined>

/** Returns pages as rendered by our own server. */
async function seenPages(layer: LayerClient, { pages }: Plan, state: DocumentState): Promise<Seen> {
  const wanted = state.pages.filter(({ number }) => pages.includes(number)).slice(0, 2)
  const pictures = wanted.map(
    async (page) => [page.number, await ourPicture(layer, { number: page.number, sheet: page, width: 200 })] as const,
  )
  return new Map(await Promise.all(pictures))
}

function otherLooks(before: Seen, now: Seen): readonly Finding[] {
  return [...before].flatMap(([number, picture]) => {
    const after = now.get(number)
    const difference = picture && after ? coarseDifference(picture, after) : 0
    if (difference <= coarseMax) return []
    const got = { page: number, difference: Math.round(difference) }
    return [{ judge: 'our picture', what: 'the page looks as it did before', expected: 'the same', got }]
  })
}

const meaningOf = (field: FieldFacts | undefined): string | undefined =>
  field && JSON.stringify([field.family, field.value, field.checked, field.options, Object.keys(field.actions ?? {})])

const complaint = (what: string, got: unknown) => ({ judge: 'server', what, expected: 'yes', got })
const still = ({ subject, state }: Scene) => ({ subject, state, measured: undefined })
const failed = (scene: Scene, what: string, got: unknown): Step => ({
  complaints: [complaint(what, got)],
  ...still(scene),
})
