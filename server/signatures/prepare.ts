// `doc.signatures.prepare`: stores a section with the edits of a layer and an empty signature, and returns the digest
// to sign. The layer cannot be changed until the signing is completed, cancelled or expired.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SignaturePrepare, SignaturePrepared } from '../../workers/contract/signatures/preparation.js'
import type { PreparedSection } from '../../workers/jobs/prepare-signature.js'
import { callerKeyOf } from '../auth/caller-key.js'
import { tryAppearances } from '../changes/appearance-trials.js'
import { withGuardReferences } from '../changes/guarded-source.js'
import { inlineAnnotationsOf } from '../changes/inline-annotations.js'
import { rowBefore } from '../changes/layer-row.js'
import { pendingSigning, signingPending } from '../changes/refuse-pending.js'
import { isRepairWanted, withRepair } from '../changes/repairing.js'
import { type ChangeState, readState } from '../changes/state.js'
import { refuseTooMany } from '../changes/taken-numbers.js'
import { protectionOf } from '../documents/protection.js'
import { isEditedSinceRedaction, type View, viewOf, withEditedSource } from '../documents/view.js'
import { limits } from '../limits.js'
import { type DocumentContext, ReplayedJson } from '../operation/operation.js'
import { addStoredBy, refuseFull } from '../operation/storage-bounds.js'
import { moveLayer } from '../rebase/move-layer.js'
import { Refusal } from '../refusals/refusal.js'
import type { SigningRow } from '../rows/signing.js'
import { auditTopic } from '../storage/audit-topic.js'
import { newInternalId } from '../storage/internal-ids.js'
import { layerRowKinds } from '../storage/layer-row-kinds.js'
import { documentLease } from '../storage/removals.js'
import { signings } from '../storage/signing-row-kinds.js'
import { countStored } from '../storage/stored-bytes.js'
import { Transaction, transact } from '../storage/transaction.js'
import { adoptOwnBase, type OwnBase, writeOwnBase } from './own-base.js'
import { checkedRequest, type PrepareRequest } from './prepare-request.js'
import { storeSigningAudit } from './signing-audit.js'
import { holderOf } from './signing-holder.js'

interface Preparing {
  readonly answer: SignaturePrepared
  /** The signing was prepared by an earlier request. */
  readonly isReplay: boolean
}

/** Throws the refusals of the operation, which store nothing. */
export async function prepareSignature(
  context: DocumentContext,
  body: SignaturePrepare,
): Promise<SignaturePrepared | ReplayedJson> {
  const { deployment, document, signal } = context
  const request = checkedRequest(context, body)
  await tryAppearances(Object.values(request.resources), context)
  const work = (unrepairable?: Refusal) =>
    transact(
      { store: deployment.store },
      (transaction) => attempt(transaction, context, { ...request, unrepairable }),
      { outcomeOf: () => outcomeOf(context, request) },
    )
  const { answer, isReplay } = await deployment.leases.hold(
    documentLease(document.internal),
    async () => {
      await moveLayer(context)
      return withRepair(context, work)
    },
    signal(),
  )
  if (isReplay) return new ReplayedJson(answer)
  deployment.bus.publish(auditTopic(document.internal))
  return answer
}

interface Attempt extends PrepareRequest {
  /** Reason why the file could not be repaired; undefined at the first attempt. */
  readonly unrepairable: Refusal | undefined
}

async function attempt(transaction: Transaction, context: DocumentContext, request: Attempt): Promise<Preparing> {
  const state = await readState(transaction, context)
  const earlier = await repeatedAnswer(state, request)
  if (earlier !== undefined) return { answer: earlier, isReplay: true }
  await refuseStale(state)
  refuseTooMany(state, limits.numbersOfSigning)
  // The signed version is a file of its own, which must have room when it is completed.
  await refuseFull(transaction, context, state.document.readBytes ?? 0)
  const prepared = await runJob(state, request).catch((error: unknown) => {
    throw isRepairWanted(error) && request.unrepairable !== undefined ? request.unrepairable : error
  })
  return { answer: await put(transaction, state, { request, ...prepared }), isReplay: false }
}

/** Returns the response of the pending signing if the same caller repeats its request. Throws `SigningPending`. */
async function repeatedAnswer(
  state: ChangeState,
  { requestHash }: PrepareRequest,
): Promise<SignaturePrepared | undefined> {
  const signing = pendingSigning(state)
  if (signing === undefined) return undefined
  const { context, owner } = state
  const row = await context.deployment.tables.signings.get([owner.tenant, owner.document, signing.id])
  if (row?.state === 'open' && row.requestHash === requestHash && row.caller === callerKeyOf(context.caller)) {
    return preparedOf(signing.id, row)
  }
  throw signingPending(signing, row && holderOf(row))
}

/** Finds the signing of a commit whose outcome is unknown. */
async function outcomeOf(context: DocumentContext, request: PrepareRequest): Promise<Preparing | undefined> {
  const state = await readState(new Transaction(context.deployment.store), context)
  const answer = await repeatedAnswer(state, request)
  return answer && { answer, isReplay: false }
}

/** Refuses a layer behind the head, and a redacted layer whose version is signed. */
async function refuseStale({ layer, document, context, owner }: ChangeState): Promise<void> {
  if (layer === undefined) return
  const stale = (why: string) => new Refusal('StaleBase', `The layer cannot be signed: ${why}`)
  if (layer.version !== document.headVersion) throw stale('the document has a newer version')
  if (layer.privateBase === null) return
  const { versions } = context.deployment.tables
  const version = await versions.get([owner.tenant, owner.document, layer.version])
  // The redaction rewrote the layer's base, and so broke the signatures of the version.
  const isSigned = version?.producer === 'signature' || (version?.protection?.judged ?? null) !== null
  if (isSigned) throw stale('it was redacted, and its version is signed')
}

interface Preparation {
  readonly view: View
  readonly section: PreparedSection
  readonly path: string
  /** The layer written anew, which the section is laid behind; undefined = it is laid behind the file of the view. */
  readonly ownBase: OwnBase | undefined
}

/** Writes the section, and the base if it needs one of its own, to the staging folder, in a worker. */
async function runJob(state: ChangeState, { body, resources, contentsSize }: PrepareRequest): Promise<Preparation> {
  const { context, document } = state
  const { deployment, caller } = context
  const [view, protection] = [await viewOf(context), await protectionOf(context)]
  const unfinished = join(deployment.blobs.staging, `signing-${randomUUID()}`)
  const [path, basePath] = [`${unfinished}.section`, `${unfinished}.pdf`]
  const stamp = {
    now: deployment.clock.now(),
    author: caller.kind === 'document' ? (caller.person.displayName ?? null) : null,
  }
  const inline = await inlineAnnotationsOf(state)
  const { nextObject } = document
  const isRewritten = isEditedSinceRedaction(view)
  await deployment.blobs.demandRoom((state.layer?.overlay.bytes ?? 0) + (isRewritten ? view.sizeBytes : 0))
  try {
    return await withEditedSource(view, context, async (source) => {
      const ownBase = isRewritten ? await writeOwnBase(deployment, source, basePath) : undefined
      const section = await withGuardReferences(view, context, protection, (referencesPath) =>
        deployment.workers.run('prepareSignature', {
          source: ownBase?.source ?? source,
          referencesPath,
          request: body,
          protection,
          isRewritten: view.version === 0,
          contentsSize,
          nextObject,
          stamp,
          inline,
          resources,
          path,
        }),
      )
      return { view, section, path, ownBase }
    })
  } catch (error) {
    // A killed thread cannot remove its file.
    for (const left of [path, basePath]) await rm(left, { force: true })
    throw error
  }
}

/** Stores the section, and puts every row of the signing into the transaction. */
async function put(
  transaction: Transaction,
  state: ChangeState,
  { request, view, section, path, ownBase }: Preparation & { readonly request: PrepareRequest },
): Promise<SignaturePrepared> {
  const { context, owner, document } = state
  const { tables, blobs, clock, random } = context.deployment
  const { tenant, document: internal, layerName } = owner
  const now = clock.now()
  const id = newInternalId(now, random)
  const name = `signing-${id}.section`
  await blobs.adopt({ tenant, document: internal, name }, path)
  const base =
    ownBase &&
    (await adoptOwnBase(context.deployment, { tenant, document: internal, name: `signing-${id}.pdf` }, ownBase))
  const before = rowBefore(state, newInternalId(now, random), now)
  const { sizeBytes, sha256, digest, algorithm, byteRange, subFilter, field, effects, promoted, nextObject } = section
  // The row of the signing, and its audit.
  const row: SigningRow = {
    layerName,
    caller: callerKeyOf(context.caller),
    requestHash: request.requestHash,
    state: 'open',
    expiresAt: now + limits.signingTtlMs,
    digest,
    algorithm,
    byteRange: [...byteRange],
    contentsSize: request.contentsSize,
    subFilter,
    expectedVersion: { baseSha256: view.base.sha256, editsVersion: before.editsVersion },
    version: document.headVersion,
    base: base ?? { name: view.blob, sizeBytes: view.sizeBytes },
    section: { name, sizeBytes, sha256 },
    field,
    effects: {
      pages: effects.pages.map(({ page, planes }) => ({ page, planes: [...planes] })),
      document: [...effects.document],
    },
    promoted: [...promoted],
    ...(section.usageRightsRemoved && { usageRightsRemoved: true }),
    completedBy: null,
    createdAt: now,
  }
  const answer = preparedOf(id, row)
  const auditId = document.auditId + 1
  const audit = await storeSigningAudit(state, {
    kind: 'signature.prepare',
    signingId: id,
    payload: { ...answer, field: request.body.field },
    affectedPages: [],
    cacheDelta: null,
    editsVersion: before.editsVersion,
    now,
  })
  // All rows that change.
  transaction.put(tables.documents.at([tenant, internal]), {
    ...document,
    auditId,
    nextObject: Math.max(document.nextObject, nextObject),
    updatedAt: now,
  })
  transaction.put(tables.layers.at([tenant, internal, layerName]), {
    ...before,
    numbersTaken: (before.numbersTaken ?? 0) + Math.max(0, nextObject - document.nextObject),
    signing: { id, expiresAt: row.expiresAt },
    updatedAt: now,
  })
  transaction.put(tables.signings.at([tenant, internal, id]), row)
  transaction.put(tables.audits.at([tenant, internal, auditId]), audit)
  const bytes = signings.storedBytes(row) + layerRowKinds.audits.storedBytes(audit)
  await countStored(tables, transaction, owner, bytes)
  await addStoredBy(transaction, context, bytes)
  return answer
}

const preparedOf = (signingId: string, row: SigningRow): SignaturePrepared => ({
  signingId,
  digest: row.digest,
  algorithm: row.algorithm,
  byteRange: [...row.byteRange],
  contentsSize: row.contentsSize,
  subFilter: row.subFilter,
  expectedVersion: row.expectedVersion,
  expiresAt: new Date(row.expiresAt).toISOString(),
})
