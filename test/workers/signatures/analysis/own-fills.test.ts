// Forms of every kind, certified by this program, filled, set back and signed again by it: neither is a permitted change refused, nor
// is what was written ever forbidden. STEWARD_TEST_LONG=1 tries many more of them.
import fc from 'fast-check'
import t, { type Test } from 'tap'
import type { FormField } from '../../../../workers/contract/form-field.js'
import { JobRefusal } from '../../../../workers/contract/job-refusal.js'
import { forbiddenIn } from '../../../../workers/signatures/analysis/forbidden-in.js'
import { openStrict } from '../../../../workers/strict-reader/open-strict.js'
import { type ChangingLayer, layerOf, type Op } from '../../../support/pdf/changing.js'
import { protectionOf, signedAgain } from '../../../support/pdf/signing-again.js'
import { isLong, longTimeoutMs, seed } from '../../../support/sample.js'
import { type FieldShape, fieldShape, formOf } from './support/any-form.js'

t.setTimeout(isLong ? longTimeoutMs : 120_000)
t.comment(`seed ${seed}`)

const texts = ['777', 'Two words', 'Grüße', '日本', '(a\\b)', '1', '']

type Step =
  | { readonly kind: 'set' | 'set back' | 'reset'; readonly field: number; readonly choice: number }
  | { readonly kind: 'undo' | 'sign' }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('set' as const), field: fc.nat(9), choice: fc.nat(9) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('set back' as const), field: fc.nat(9), choice: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const), field: fc.nat(9), choice: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sign' as const) }) },
)

/** A value that the field takes. */
function valueFor(field: FormField, choice: number): object | undefined {
  if (field.family === 'text') return { value: (texts[choice % texts.length] ?? '').slice(0, field.maxLength ?? 99) }
  if (field.family === 'checkbox') return { checked: choice % 2 === 0 }
  if (field.family === 'radio') {
    const states = field.widgets.map(({ onState }) => onState)
    return { value: choice % 4 === 0 ? null : (states[choice % states.length] ?? null) }
  }
  if (field.family === 'combobox') return { value: field.options[choice % field.options.length]?.value ?? null }
  if (field.family !== 'listbox') return undefined
  const values = field.options.map(({ value }) => value)
  return {
    selectedValues: values.slice(choice % values.length, field.multiSelect ? undefined : (choice % values.length) + 1),
  }
}

function currentOf(field: FormField): object | undefined {
  if (field.family === 'checkbox') return { checked: field.checked }
  if (field.family === 'listbox') return { selectedValues: field.selectedValues }
  return 'value' in field ? { value: field.value === '' ? null : field.value } : undefined
}

class Signing {
  readonly history: string[] = []
  #layer: ChangingLayer
  #undo: readonly object[] | null = null
  readonly #signed: readonly FormField[]
  #count = 0

  private constructor(
    readonly t: Test,
    layer: ChangingLayer,
  ) {
    this.#layer = layer
    this.#signed = this.#fields
  }

  static async certify(t: Test, shapes: readonly FieldShape[], permission: 2 | 3): Promise<Signing> {
    const certified = await signedAgain(t, layerOf(t, formOf(shapes)), { field: 'first', certify: { permission } })
    return new Signing(t, layerOf(t, certified))
  }

  get #fields(): readonly FormField[] {
    return this.#layer.reads(this.t).form().fields
  }

  async run(one: Step): Promise<void> {
    this.history.push(JSON.stringify(one))
    try {
      if (one.kind === 'sign') await this.#sign()
      else if (one.kind === 'undo') await this.#back()
      else if ('field' in one) await this.#fill(one)
    } catch (error) {
      if (!(error instanceof JobRefusal) || error.code === 'ProtectedDocument') throw error
      this.history.push(`  ${error.message}`)
    }
    this.#judge()
  }

  async #sign(): Promise<void> {
    const bytes = await signedAgain(this.t, this.#layer, { field: `again ${++this.#count}` })
    this.#layer = layerOf(this.t, bytes)
    this.#undo = null
  }

  async #back(): Promise<void> {
    if (this.#undo === null) return
    const undo = this.#undo as Parameters<ChangingLayer['undo']>[0]
    this.#undo = null
    await this.#layer.change({ undo, protection: protectionOf(this.#layer.basePath) })
  }

  async #fill({ kind, field: place, choice }: Extract<Step, { readonly field: number }>): Promise<void> {
    const now = this.#fields
    const field = now[place % now.length]
    const signed = this.#signed.find(({ name }) => name === field?.name)
    if (field === undefined || signed === undefined) return
    const value = kind === 'set' ? valueFor(field, choice) : currentOf(signed)
    if (value === undefined) return
    const ref = { kind: 'fqn', name: field.name }
    const op: Op =
      kind === 'reset' ? { type: 'forms.reset', fields: [ref] } : { type: 'forms.setValue', field: ref, value }
    this.history.push(`  ${JSON.stringify(op)}`)
    this.#undo = (await this.#layer.change({ ops: [op], protection: protectionOf(this.#layer.basePath) })).undo
  }

  #judge(): void {
    const document = openStrict(this.#layer.sent())
    try {
      const found = forbiddenIn(document)
      if (found.length > 0) throw new Error(JSON.stringify(found))
    } finally {
      document.close()
    }
  }
}

t.test('what this program writes to a certified form is never forbidden', async (t) => {
  const shapes = fc.array(fieldShape, { minLength: 1, maxLength: 4 })
  const steps = fc.array(step, { minLength: 2, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(shapes, steps, fc.constantFrom(2 as const, 3 as const), async (shapes, steps, permission) => {
      const signing = await Signing.certify(t, shapes, permission)
      try {
        for (const one of steps) await signing.run(one)
      } catch (error) {
        throw new Error(`${String(error)} after ${signing.history.join(' ')}`, { cause: error })
      }
    }),
    { numRuns: isLong ? 2_000 : 40, seed },
  )
})

t.test('a change that no writing makes permitted is refused with what the analysis would find', async (t) => {
  const shape = { kind: 'text', border: '', look: '', value: 4, drawn: 'other', place: 'merged', digits: 5 } as const
  const field = { kind: 'fqn', name: 'f0' }
  const fill = (value: string | null): Op => ({ type: 'forms.setValue', field, value: { value } })
  const change = (layer: ChangingLayer, op: Op) => layer.change({ ops: [op], protection: protectionOf(layer.basePath) })
  const certified = layerOf(
    t,
    await signedAgain(t, layerOf(t, formOf([shape])), { field: 'first', certify: { permission: 2 } }),
  )
  await change(certified, fill('777'))
  const again = layerOf(t, await signedAgain(t, certified, { field: 'again' }))
  // The first signature covers a field that shows a text without having a value.
  await t.rejects(change(again, fill(null)), {
    code: 'ProtectedDocument',
    message: /forbids this change \(rule field-appearance, object 20, AP: The appearance shows something other/,
    details: { rule: 'field-appearance', objectNumber: 20, edge: 'AP', by: { fieldName: 'first' } },
  })
  await change(again, fill('778'))
  t.same(
    again
      .reads(t)
      .form()
      .fields.map((one) => 'value' in one && one.value),
    ['778', false, false],
  )
})
