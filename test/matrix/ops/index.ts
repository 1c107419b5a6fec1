// Cases of the matrix: each act alone, and chains of acts on one layer.
import type { Act } from './act.js'
import { annotationActs } from './annotations.js'
import { formFieldActs } from './form-fields.js'
import { formValueActs } from './form-values.js'
import { formWidgetActs } from './form-widgets.js'
import { pageActs } from './pages.js'
import { redactionChains } from './redactions.js'

export interface MatrixCase {
  readonly name: string
  readonly acts: readonly Act[]
  /** True if the act is undone and redone at the end. */
  readonly isRedone?: boolean
  /** True if the case is run on files that are expensive for readers. */
  readonly isCheap?: boolean
}

const acts = [...annotationActs, ...formValueActs, ...formFieldActs, ...formWidgetActs, ...pageActs]

function act(name: string): Act {
  const found = acts.find((act) => act.name === name)
  if (found === undefined) throw new Error(`There is no act ${name}`)
  return found
}

const chain = (...names: readonly string[]): MatrixCase => ({ name: names.join(' -> '), acts: names.map(act) })

const cheap: ReadonlySet<string> = new Set([
  'annotations.create square',
  'metadata.update',
  'pages.rotate',
  'pages.insertBlank',
])

const untouched: MatrixCase = { name: 'untouched', acts: [], isCheap: true }

export const matrixCases: readonly MatrixCase[] = [
  untouched,
  ...acts.map((act) => ({ name: act.name, acts: [act], isCheap: cheap.has(act.name) })),
  ...redactionChains.map(([name, acts]) => ({ name, acts })),
  { ...chain('forms.setValue text'), name: 'forms.setValue text, undone and redone', isRedone: true },
  { ...chain('annotations.create stamp'), name: 'annotations.create stamp, undone and redone', isRedone: true },
  chain('annotations.create square', 'annotations.flatten'),
  chain('annotations.create free text', 'pages.flatten one'),
  chain('pages.insert another file', 'pages.delete last'),
  chain('pages.insertBlank', 'pages.delete first', 'annotations.create square'),
  chain('pages.delete first', 'annotations.create stamp'),
  chain('forms.setValue text', 'pages.flatten one', 'pages.extract first'),
  chain('forms.setValue checkbox', 'pages.flatten one'),
  chain('pages.rotate', 'annotations.create stamp', 'pages.flatten one'),
  chain('forms.create signature', 'forms.setSignatureAppearance', 'pages.flatten one'),
  chain('pages.setName', 'pages.removeName'),
  chain('forms.create text', 'forms.setValue text', 'forms.delete'),
  ...redactionChains.slice(0, 1).map(([name, acts]) => ({
    name: `${name} -> annotations.create stamp -> pages.extract first`,
    acts: [...acts, act('annotations.create stamp'), act('pages.extract first')],
  })),
]

/** Returns the types of ops that some case sends. */
export const triedTypes = (): ReadonlySet<string> =>
  new Set(matrixCases.flatMap(({ acts }) => acts.map(({ type }) => type)))
