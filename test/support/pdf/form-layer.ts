// A layer over a form, with helpers for tests: validated items, fields by name, pictures, and text read by other programs.
import type { Test } from 'tap'
import type { TObject } from 'typebox'
import type { UndoStep } from '../../../workers/change/unfinished-item.js'
import type { FormField } from '../../../workers/contract/form-field.js'
import type { FormSnapshot } from '../../../workers/contract/form-snapshot.js'
import { JobRefusal, type JobRefusalCode } from '../../../workers/contract/job-refusal.js'
import { opContracts } from '../../../workers/contract/ops/index.js'
import type { ChangeOutput } from '../../../workers/jobs/change.js'
import { type ChangeRequest, type ChangingLayer, layerOf, type Op } from './changing.js'
import { judged } from './judges.js'
import { difference, type Pixels, pixelsOf } from './pictures.js'
import { strictly, type Validator } from './strictly.js'

const itemSchemas = opContracts.flatMap(({ item, undoItems = [] }): readonly TObject[] => [item, ...undoItems])
const validators = new Map<string, () => Validator>(
  itemSchemas.map((schema) => [String(Object(schema.properties.type).const), strictly(schema)] as const),
)

/** Members of `meta` that the server adds. */
const completion = { cacheDelta: null, opId: 'op' }

interface Answered {
  readonly type: string
  readonly meta: object
  // biome-ignore lint/suspicious/noExplicitAny: members depend on the type; each was held against its schema.
  readonly [member: string]: any
}

export interface Made {
  readonly item: Answered
  readonly items: readonly Answered[]
  readonly undo: readonly UndoStep[] | null
  readonly changed: ChangeOutput
}

export const formLayer = (t: Test, bytes: Uint8Array): FormLayer => new FormLayer(t, layerOf(t, bytes))

export class FormLayer {
  constructor(
    private readonly t: Test,
    readonly layer: ChangingLayer,
  ) {}

  async apply(...ops: readonly Op[]): Promise<Made> {
    return madeBy(await this.layer.apply(...ops))
  }

  async change(request: ChangeRequest): Promise<Made> {
    return madeBy(await this.layer.change(request))
  }

  /** Undoes a change, and returns the result of the undo. */
  async undo({ undo }: Pick<Made, 'undo'>): Promise<Made> {
    return madeBy(await this.layer.undo(undo))
  }

  async refused(code: JobRefusalCode, message: RegExp, ...ops: readonly Op[]): Promise<JobRefusal | undefined> {
    try {
      await this.layer.apply(...ops)
    } catch (error) {
      if (!(error instanceof JobRefusal)) throw error
      this.t.equal(error.code, code, `${JSON.stringify(ops[0])}: ${error.message}`)
      this.t.match(error.message, message)
      return error
    }
    this.t.fail(`not refused: ${JSON.stringify(ops)}`)
    return undefined
  }

  form(): FormSnapshot {
    return this.layer.reads(this.t).form()
  }

  field(name: string): FormField {
    const found = this.form().fields.find((field) => field.name === name)
    if (found === undefined) throw new Error(`There is no field ${name}`)
    return found
  }

  has(name: string): boolean {
    return this.form().fields.some((field) => field.name === name)
  }

  /** Returns the text of the pages by pdftotext, after checking the file with qpdf. */
  text(): string {
    const path = this.layer.sent()
    judged('qpdf', ['--check', path])
    return judged('pdftotext', ['-layout', path, '-']).toString()
  }

  /** Pixels of every page, as poppler draws them. */
  async pictures(): Promise<readonly Pixels[]> {
    const path = this.layer.sent()
    const pages = Number(/Pages:\s+(\d+)/.exec(judged('pdfinfo', [path]).toString())?.[1])
    const pictures: Pixels[] = []
    for (let page = 1; page <= pages; page++) {
      const args = ['-r', '36', '-png', '-f', String(page), '-l', String(page), '-singlefile', path]
      pictures.push(await pixelsOf(judged('pdftoppm', args)))
    }
    return pictures
  }
}

/** Share of the pages that differ most: 0 if every pixel is equal. */
export const mostDifferent = (ones: readonly Pixels[], others: readonly Pixels[]): number =>
  Math.max(
    ones.length === others.length ? 0 : 255,
    ...ones.map((one, page) => difference(one, others[page] ?? { width: 0, height: 0, rgba: new Uint8Array() })),
  )

function madeBy(changed: ChangeOutput): Made {
  const items = changed.items.map(answered)
  const [item] = items
  if (item === undefined) throw new Error('The op returned no item')
  return { item, items, undo: changed.undo, changed }
}

function answered(item: object): Answered {
  if (!isAnswered(item)) throw new Error(`No item: ${JSON.stringify(item)}`)
  if (item.type === 'skipped') return item
  const validator = validators.get(item.type)?.()
  const completed = { ...item, meta: { ...item.meta, ...completion } }
  if (validator?.Check(completed) === true) return item
  throw new Error(
    `${item.type} does not satisfy its schema: ${JSON.stringify(validator?.Errors(completed).slice(0, 3))}`,
  )
}

const isAnswered = (item: object): item is Answered => 'type' in item && 'meta' in item
