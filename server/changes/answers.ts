// Stored responses of applied changes: a repeated request gets the response of the first one. See `rows/answer.ts`.
import { Compile } from 'typebox/compile'
import { MutationMeta } from '../../workers/contract/mutation-meta.js'
import { withheldUntil } from '../layers/redacted.js'
import type { Refusal } from '../refusals/refusal.js'
import type { AnswerRow } from '../rows/answer.js'
import type { AuditRow } from '../rows/audit.js'
import type { EngineError, Outcome } from './change-types.js'
import type { ChangeState } from './state.js'
import { type Result, readStoredChange } from './stored-change.js'

const deltaValidator = Compile(MutationMeta.properties.cacheDelta)

type AppliedChange = Extract<AnswerRow['outcome'], { readonly status: 'applied' }>

export function errorOf({ code, message, details }: Refusal): EngineError {
  return { name: 'EngineError', code, message, ...(details ? { details } : {}) }
}

/** Returns the stored response of the same change. If a redaction withheld its content, only that it was applied. */
export async function replayed(state: ChangeState, { auditId }: AppliedChange): Promise<Outcome> {
  const { tenant, document } = state.owner
  const isWithheld = auditId <= (await withheldIn(state))
  const row = await state.context.deployment.tables.audits.get([tenant, document, auditId])
  if (!row) throw new Error(`An answer names the audit row ${auditId}, which does not exist`)
  return { status: 'applied', result: isWithheld ? withheldResult(row) : await resultOf(state, row) }
}

/** Returns the audit id up to which answers are withheld. */
export const withheldIn = ({ context, owner, layer, document: { headVersion } }: ChangeState): Promise<number> =>
  withheldUntil(context.deployment.tables, owner, { layer, headVersion })

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
