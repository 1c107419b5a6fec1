// Edits and reads shared layers: several clients set, undo and read the same few entries.
import { layerPath } from '../../server/changes/support/changing.js'
import type { Answer } from '../../server/support/client.js'
import type { ChangeRecord, Entries } from '../history/records.js'
import { type Load, layerNames, now, type Stage } from './load.js'
import { expected, unlessUnanswered } from './uploads.js'

const keys = ['a', 'b', 'c'] as const

export const layerOf = (stage: Stage, layerName: string): string => `${stage.docId}/${layerName}`

/** Sends one request after the other until the run is over. */
export async function editMany(load: Load, client: string, currentStage: () => Stage): Promise<void> {
  for (let number = 0; !load.over.aborted; number++) {
    const stage = currentStage()
    const layerName = layerNames[load.draw(layerNames.length)] ?? 'default'
    if (load.draw(3) === 0) await read(load, client, { stage, layerName })
    else await edit(load, { client, opId: `${client}-${number}`, stage, layerName })
  }
}

export interface Place {
  readonly stage: Stage
  readonly layerName: string
}

interface Edit extends Place {
  readonly client: string
  readonly opId: string
}

async function edit(load: Load, { client, opId, stage, layerName }: Edit): Promise<void> {
  const applied = stage.applied.get(layerName) ?? []
  const target = load.draw(4) === 0 ? applied[load.draw(Math.max(1, applied.length))] : undefined
  const key = target?.key ?? keys[load.draw(keys.length)] ?? 'a'
  const work = target ? { undoOf: target.opId } : { set: opId }
  await change(load, { client, opId, stage, layerName }, { key, work })
}

/** Sends a change and records it. */
export async function change(
  load: Load,
  { client, opId, stage, layerName }: Edit,
  { key, work }: Pick<ChangeRecord, 'key' | 'work'>,
): Promise<void> {
  const entry =
    'set' in work ? { opId, ops: [{ type: 'metadata.updateCustom', patch: { [key]: work.set } }] } : { opId, ...work }
  const invokedAt = now()
  const sent = { method: 'POST', json: { changes: [entry] } }
  const path = `${layerPath({ docId: stage.docId, layerName })}/changes`
  const answer = await unlessUnanswered(load.steady.send(path, sent, isFinal))
  const returnedAt = answer && now()
  const record = {
    kind: 'change',
    client,
    layer: layerOf(stage, layerName),
    opId,
    key,
    work,
    invokedAt,
    returnedAt,
  } as const
  const outcome = answer && outcomeOf(answer)
  load.records.push({ ...record, answer: outcome })
  if (outcome && 'entries' in outcome) {
    const applied = stage.applied.get(layerName) ?? []
    stage.applied.set(layerName, [...applied.slice(-20), { opId, key }])
  }
}

/** A change of an answered request may itself ask to be sent again. */
const isFinal = (answer: Answer): boolean =>
  answer.status !== 200 || !['RuntimeUnavailable', 'Timeout'].includes(String(answer.at('/changes/0/error/code')))

function outcomeOf(answer: Answer): ChangeRecord['answer'] {
  const code = expected(answer).at('/changes/0/error/code')
  return code === undefined
    ? { entries: shownEntries(answer.at('/changes/0/result/items')) }
    : { refused: String(code) }
}

async function read(load: Load, client: string, { stage, layerName }: Place): Promise<void> {
  const invokedAt = now()
  const path = `${layerPath({ docId: stage.docId, layerName })}/metadata/custom`
  const answer = await unlessUnanswered(load.steady.send(path, {}))
  if (answer === undefined) return
  const entries = entriesIn(expected(answer).json())
  load.records.push({ kind: 'read', client, layer: layerOf(stage, layerName), invokedAt, returnedAt: now(), entries })
}

/** Returns undefined for an undo without effect, which has no item. */
export function shownEntries(items: unknown): Entries | undefined {
  const [item]: readonly unknown[] = Array.isArray(items) ? items : []
  return item === undefined ? undefined : entriesIn(Object(item).custom)
}

/** Returns the entries of the shared keys; documents may have others. */
export function entriesIn(value: unknown): Entries {
  const custom = Object(value)
  return Object.fromEntries(keys.flatMap((key) => (custom[key] === undefined ? [] : [[key, String(custom[key])]])))
}
