// Stored responses of changes: a repeated request gets the response of the first one. See `rows/answer.ts`.
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { MutationMeta } from '../../workers/contract/mutation-meta.js'
import { isSealed, readContent, storeContents } from '../layers/content.js'
import { wasRedacted } from '../layers/redacted.js'
import { Refusal } from '../refusals/refusal.js'
import { type AnswerRow, type StoredRefusal, storedRefusals } from '../rows/answer.js'
import type { AuditRow } from '../rows/audit.js'
import type { EngineError, Outcome } from './change-types.js'
import type { ChangeState } from './state.js'
import { type Result, readStoredChange } from './stored-change.js'

const StoredRefusalBody = Type.Object({
  message: Type.String(),
  details: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
})
const refusalValidator = Compile(StoredRefusalBody)
const deltaValidator = Compile(MutationMeta.properties.cacheDelta)

export const isStoredRefusal = ({ code }: Refusal): boolean => storedRefusals.some((stored) => stored === code)

export function errorOf({ code, message, details }: Refusal): EngineError {
  return { name: 'EngineError', code, message, ...(details ? { details } : {}) }
}

/** Returns the row outcome of a refusal whose code is in `storedRefusals`; throws for any other. */
export async function storeRefusal(state: ChangeState, refusal: Refusal): Promise<AnswerRow['outcome']> {
  const code = storedRefusals.find((stored) => stored === refusal.code)
  if (code === undefined) throw new Error(`${refusal.code} is not a stored refusal`)
  const body: Static<typeof StoredRefusalBody> = { message: refusal.message, details: refusal.details ?? null }
  const pieces = [Buffer.from(JSON.stringify(body), 'utf8')]
  const storing = { layer: state.owner, isSealed: isSealed(state.document), pieces }
  const [content = null] = await storeContents(state.context.deployment, storing)
  return { status: 'refused', auditId: state.document.auditId, code, content }
}

/** Returns the stored response of the same change. If a redaction withheld its content, only whether it was applied. */
export async function replayed(state: ChangeState, { outcome }: AnswerRow): Promise<Outcome> {
  const { layer } = state
  const isWithheld = layer !== undefined && wasRedacted(layer) && outcome.auditId <= layer.withheldUntil
  if (outcome.status === 'refused') {
    return { status: 'refused', error: await refusalOf(state, outcome, isWithheld) }
  }
  const { tenant, document } = state.owner
  const row = await state.context.deployment.tables.audits.get([tenant, document, outcome.auditId])
  if (!row) throw new Error(`An answer names the audit row ${outcome.auditId}, which does not exist`)
  return { status: 'applied', result: isWithheld ? withheldResult(row) : await resultOf(state, row) }
}

async function resultOf({ context, owner }: ChangeState, row: AuditRow): Promise<Result> {
  if (row.content === null) return withheldResult(row)
  return (await readStoredChange(context.deployment, owner, row.content)).answer
}

function withheldResult({ affectedPages, cacheDelta, opId }: AuditRow): Result {
  return {
    items: [],
    meta: {
      affectedPages: affectedPages.map((objectNumber) => ({ kind: 'objectNumber', objectNumber })),
      cacheDelta: deltaValidator.Check(cacheDelta) ? cacheDelta : null,
      opId,
      undoable: false,
    },
  }
}

async function refusalOf(
  { context, owner }: ChangeState,
  { code, content }: Extract<AnswerRow['outcome'], { readonly status: 'refused' }>,
  isWithheld: boolean,
): Promise<EngineError> {
  if (isWithheld || content === null) return withheldError(code)
  const value: unknown = JSON.parse(Buffer.from(await readContent(context.deployment, owner, content)).toString('utf8'))
  if (!refusalValidator.Check(value)) throw new Error('A stored refusal does not match its schema')
  const { message, details } = value
  return errorOf(new Refusal(code, message, details ? { details } : {}))
}

const withheldError = (code: StoredRefusal): EngineError =>
  errorOf(new Refusal(code, 'The change was refused; why is withheld, because something was redacted since'))
