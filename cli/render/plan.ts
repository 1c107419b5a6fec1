// Renders a plan for people: every changed value, the reasons, and what cannot be undone.
import { marks } from '../../core/graph/resource.js'
import type { Action, Change, Plan } from '../../core/plan/plan.js'
import { parseAddress } from '../../core/value/address.js'
import { actions, actionView, causeTexts, effects } from './actions.js'
import { type LeafView, nameOf, renderLeaves } from './leaf.js'
import type { Style } from './style.js'
import { countOf, visible } from './text.js'
import { renderUploads } from './uploads.js'

export type ActionCounts = Readonly<Record<Action, number>>

export function countActions(changes: readonly Pick<Change, 'action'>[]): ActionCounts {
  const counted = new Map(actions.map((action) => [action, 0]))
  for (const { action } of changes) counted.set(action, (counted.get(action) ?? 0) + 1)
  return Object.fromEntries(counted) as ActionCounts
}

export function renderPlan(plan: Plan, style: Style): string {
  const shown = plan.changes.filter(({ action, notes }) => action !== 'none' || notes.length > 0)
  const blocks = renderChanges(
    shown.map((change) => shownOf(change, plan.changes)),
    { mode: plan.mode, style, names: plan.names },
  )
  return [...blocks, ...renderRenames(plan, style), renderSummary(countActions(plan.changes), plan.mode, style)].join(
    '\n\n',
  )
}

/** A change as people see it; one of a saved plan has no resource. */
export interface ShownChange
  extends Pick<Change, 'address' | 'action' | 'cause' | 'leaves' | 'unverified' | 'irreversible'> {
  readonly uploads: readonly string[]
  readonly notes: readonly string[]
  /** Id of the object, where it is shown. */
  readonly shownId?: string | undefined
  /** Ids of objects that an earlier run replaced, where they are shown. */
  readonly replaced: readonly string[]
  /** Provider that the resource goes to from now on, if that is another one. */
  readonly movedTo?: string | undefined
  /** True if state has a row for it. */
  readonly isRecorded: boolean
}

function shownOf(change: Change, all: readonly Pick<Change, 'address' | 'action'>[]): ShownChange {
  const notes = change.notes.map(({ summary, detail }) => detail ?? summary)
  return {
    ...change,
    uploads: renderUploads(change),
    notes,
    replaced: [],
    movedTo: movedTo(change, all),
    isRecorded: change.row !== undefined,
  }
}

/** Returns the provider on which a resource that is removed from another one is declared now. */
export function movedTo(
  { address, action }: Pick<Change, 'address' | 'action'>,
  all: readonly Pick<Change, 'address' | 'action'>[],
): string | undefined {
  if (action !== 'remove' && action !== 'forget') return undefined
  const { kind, name } = parseAddress(address)
  return all
    .filter((other) => other.action !== 'remove' && other.action !== 'forget')
    .map((other) => parseAddress(other.address))
    .find((other) => other.kind === kind && other.name === name)?.provider
}

export interface PlanView extends LeafView {
  readonly mode: Plan['mode']
}

/** Minimum number of objects with the same update that are shown together. */
const alikeMin = 3

/** Renders each change as a block, and updates that do the same to several objects as one. */
export function renderChanges(changes: readonly ShownChange[], view: PlanView): readonly string[] {
  const blocks = new Map<string, { readonly alike: ShownChange[]; readonly lines: readonly string[] }>()
  for (const change of changes) {
    const lines = renderDetails(change, view)
    const key = change.action === 'update' ? [change.cause, ...lines].join('\n') : change.address
    const block = blocks.get(key)
    if (block) block.alike.push(change)
    else blocks.set(key, { alike: [change], lines })
  }
  return [...blocks.values()].flatMap(({ alike, lines }) => {
    const [first] = alike
    if (alike.length < alikeMin || !first) return alike.map((one) => [renderHeading(one, view), ...lines].join('\n'))
    const { word, symbol, colour } = actionView(first.action, view.mode)
    const why = reason(first, view.mode)
    const heading = `${view.style[colour](symbol)} ${view.style.bold(`${word} ${countOf(alike.length, 'resource')} alike`)}`
    const addresses = alike.map(({ address }) => address).join(', ')
    return [
      [heading + (why === undefined ? '' : view.style.dim(`  (${why})`)), `    ${addresses}`, ...lines].join('\n'),
    ]
  })
}

function renderHeading(change: ShownChange, { mode, style }: PlanView): string {
  const { symbol, word, colour } = actionView(change.action, mode)
  const why = reason(change, mode)
  const heading = `${style[colour](symbol)} ${style.bold(`${word} ${change.address}`)}`
  const id = change.shownId === undefined ? '' : style.dim(`  ${visible(change.shownId)}`)
  return heading + (why === undefined ? '' : style.dim(`  (${why})`)) + id
}

/** Returns the lines below the heading of a change. */
function renderDetails(change: ShownChange, view: PlanView): readonly string[] {
  const { style } = view
  const isNew = change.action === 'create' || change.action === 'replace'
  const leaves = isNew ? change.leaves.filter(({ path }) => !isMark(path)) : change.leaves
  const lines = renderLeaves(leaves, change.cause, view)
  return [
    ...lines.map((line) => `    ${line}`),
    ...change.uploads.map((line) => `    ${style.dim(`  ${line}`)}`),
    ...change.unverified.map(
      (path) => `    ${style.dim(`  ${visible(path)}: (cannot be read; sent with the next change)`)}`,
    ),
    ...change.replaced.map((old) => `    ${style.red('-')} ${visible(old)}, replaced by an earlier run`),
    ...(change.irreversible === undefined ? [] : [`    ${style.red('!')} ${visible(change.irreversible)}`]),
    ...change.notes.map((note) => `    ${style.yellow('!')} ${visible(note)}`),
  ]
}

/** Leaves out ownership marks of new objects; they are shown only if they change. */
function isMark(path: string): boolean {
  return Object.values(marks).some((mark) => path.endsWith(`/${mark}`))
}

/** Returns why the change is made. */
function reason({ action, cause, isRecorded, movedTo }: ShownChange, mode: Plan['mode']): string | undefined {
  if (cause === undefined) return undefined
  if (action === 'waiting') return 'the provider creates it later'
  if (cause !== 'intent') return causeTexts[cause]
  if (action === 'remove' || action === 'forget')
    return mode === 'destroy' ? undefined : movedTo === undefined ? 'no longer declared' : `now on ${movedTo}`
  return isRecorded ? causeTexts[cause] : undefined
}

/** Renders one line for each change, and what cannot be undone, for plans that are too long to read. */
export function renderOverview(plan: Plan, style: Style): string {
  const view = { mode: plan.mode, style, names: plan.names }
  const lines = plan.changes
    .filter(({ action }) => action !== 'none')
    .flatMap((change) => {
      const labels = change.action === 'update' ? change.leaves.map((leaf) => nameOf(leaf, plan.names)) : []
      const changed = labels.length === 0 ? '' : `: ${[...new Set(labels)].join(', ')}`
      const warning = change.irreversible === undefined ? [] : [`    ${style.red('!')} ${visible(change.irreversible)}`]
      return [renderHeading(shownOf(change, plan.changes), view) + changed, ...warning]
    })
  const blocks = lines.length === 0 ? [] : [lines.join('\n')]
  return [...blocks, ...renderRenames(plan, style), renderSummary(countActions(plan.changes), plan.mode, style)].join(
    '\n\n',
  )
}

function renderRenames({ likelyRenames }: Plan, style: Style): readonly string[] {
  if (likelyRenames.length === 0) return []
  const lines = likelyRenames.map(({ from, to }) => `    agents state mv ${from} ${to}`)
  return [
    [
      `${style.yellow('!')} ${countOf(likelyRenames.length, 'resource looks', 'resources look')} renamed: what is no longer declared is like what is created. To keep the ${likelyRenames.length === 1 ? 'object' : 'objects'}, run:`,
      ...lines,
    ].join('\n'),
  ]
}

/** Renders `Plan: 1 to create, 2 to update. 3 unchanged.` */
export function renderSummary(counts: ActionCounts, mode: Plan['mode'], style: Style): string {
  const waiting = counts.waiting > 0 ? `, ${counts.waiting} waiting` : ''
  if (effects.every((action) => counts[action] === 0)) {
    return style.bold(`No changes. ${countOf(counts.none, 'resource')} as declared${waiting}.`)
  }
  const parts = effects
    .filter((action) => counts[action] > 0)
    .map((action) => `${counts[action]} to ${actionView(action, mode).word}`)
  const unchanged =
    counts.none > 0 ? ` ${counts.none} unchanged${waiting}.` : waiting === '' ? '' : ` ${counts.waiting} waiting.`
  return style.bold(`Plan: ${parts.join(', ')}.${unchanged}`)
}
