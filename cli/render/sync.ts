// Renders the result of `agents sync`: written declarations, objects to bind, and missing variables.
import type { Adjustment } from '../../core/sync/adjust.js'
import { addressOf } from '../../core/sync/discover.js'
import type { SyncResult } from '../../core/sync/sync.js'
import { shellWord } from '../../core/value/shell-word.js'
import type { JsonRecord } from './output.js'
import type { Style } from './style.js'
import { countOf, visible } from './text.js'

export interface SyncView {
  readonly result: SyncResult
  /** Variables that the file refers to and that are set nowhere. */
  readonly unset: readonly string[]
  readonly outcome: 'checked' | 'written' | 'bound'
  readonly file: string
}

export function renderSync({ result, unset, outcome, file }: SyncView, style: Style): string {
  const { added, changed, imports, leftOut } = result
  const blocks = [
    added.map(({ kind, name, objects }) => {
      const from = objects.map(({ address, id }) => `${address} ${id}`).join(', ')
      return `${style.green('+')} ${style.bold(`${kind} ${visible(name)}`)}${style.dim(`  ${visible(from)}`)}`
    }),
    changed.map(
      (change) =>
        `${style.yellow('~')} ${style.bold(`${change.kind} ${visible(change.name)}`)}  ${fieldOf(change.path)}${describeDifference(change)}`,
    ),
    leftOut.length === 0
      ? []
      : [
          'Left out, because agents.yaml cannot say it:',
          ...leftOut.map(
            ({ object, name, reason }) =>
              `  ${visible(addressOf(object, name))} ${visible(object.object.id)}: ${visible(reason)}`,
          ),
        ],
    unset.length === 0
      ? []
      : ['Secrets cannot be read back. Add their values to .env:', ...unset.map((name) => `  ${name}=`)],
    imports.length === 0 || outcome === 'bound'
      ? []
      : [
          'To take charge of what exists, run:',
          ...imports.map(({ address, id }) => `  agents import ${shellWord(address)} ${id}`),
        ],
    [style.bold(summary(result, outcome, file))],
  ]
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

/** True if leaves were left alone because they hold variables, whose values are never written to the file. */
const keepsVariables = ({ notes }: SyncResult): boolean => notes.some(({ code }) => code === 'sync.variable-kept')

export const isInSync = (result: SyncResult): boolean =>
  result.added.length + result.changed.length === 0 && !keepsVariables(result)

export function syncRecords({ result, unset, outcome }: SyncView): readonly JsonRecord[] {
  const { added, changed, imports, leftOut } = result
  return [
    ...added.map(({ kind, name, objects }) => ({ type: 'added', kind, name, objects })),
    ...changed.map(({ kind, name, path, value, file, folder }) => ({
      type: 'changed',
      kind,
      name,
      field: fieldOf(path),
      value: file?.after ?? value ?? null,
      ...(file ? { file: file.written } : {}),
      ...(folder === undefined ? {} : { folder }),
    })),
    ...leftOut.map(({ object: { provider, kind, object }, name, reason }) => {
      return { type: 'leftOut', provider, kind, id: object.id, name, reason }
    }),
    ...unset.map((name) => ({ type: 'variable', name })),
    ...imports.map(({ address, id }) => ({ type: outcome === 'bound' ? 'imported' : 'import', address, id })),
    {
      type: 'summary',
      isInSync: isInSync(result),
      added: added.length,
      changed: changed.length,
      imports: imports.length,
      leftOut: leftOut.length,
      outcome,
    },
  ]
}

/** Returns the path of a field, `config.networking.allowed_hosts`. */
function fieldOf(path: readonly string[]): string {
  return path.map(visible).join('.')
}

function describeDifference({ value, file, folder }: Adjustment): string {
  const place = file?.written ?? folder
  if (place !== undefined) return ` in ${visible(place)}`
  return value === undefined ? ' removed' : ''
}

function summary(result: SyncResult, outcome: SyncView['outcome'], file: string): string {
  const { added, changed, imports } = result
  const bound = outcome === 'bound' && imports.length > 0 ? `; ${countOf(imports.length, 'object')} bound` : ''
  if (added.length + changed.length === 0) {
    const but = keepsVariables(result) ? ', but for values of variables' : ''
    return `${file} says what the providers hold${but}${bound}.`
  }
  const found = [
    ...(added.length > 0 ? [countOf(added.length, 'declaration')] : []),
    ...(changed.length > 0 ? [countOf(changed.length, 'changed field')] : []),
  ].join(' and ')
  return outcome === 'checked' ? `${file} is not in sync: ${found} to write.` : `Wrote ${found} into ${file}${bound}.`
}
