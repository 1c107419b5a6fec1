// Checks the request of a preparation, as far as no file is needed for that.
import type { SignaturePrepare } from '../../workers/contract/signatures/preparation.js'
import { holds } from '../auth/document-scope.js'
import { canonicalJson } from '../http/canonical-json.js'
import { permissionBitsIn } from '../operation/authority.js'
import type { DocumentContext, Resources } from '../operation/operation.js'
import { forbidden, invalidArg } from '../refusals/refusal.js'

/** Default size in bytes, enough for a certificate chain and a timestamp. */
const contentsSizeDefault = 16_384
const namesMax = 1_000
const nameLengthMax = 4_096

export interface PrepareRequest {
  readonly body: SignaturePrepare
  /** Received files: the appearance, if the request has one. */
  readonly resources: Resources
  readonly contentsSize: number
  /** Hash that is equal for equal requests, whatever the key of the file. */
  readonly requestHash: string
}

/** Validates the request. Throws `InvalidArg`, and `Forbidden` for a certification without its capability. */
export function checkedRequest(context: DocumentContext, body: SignaturePrepare): PrepareRequest {
  refuseContradiction(body)
  refuseCertification(context, body)
  refuseLongNames(body)
  const { contentsSize = contentsSizeDefault } = body
  const resources = checkedResources(body, context.resources())
  return { body, resources, contentsSize, requestHash: hashOf(body, resources, context) }
}

/** Members that only signatures have, and document timestamps do not. */
const signatureMembers = ['subFilter', 'certify', 'lock', 'signer'] as const

function refuseContradiction(body: SignaturePrepare): void {
  if (body.kind !== 'timestamp') return
  const member = signatureMembers.find((member) => body[member] !== undefined)
  if (member !== undefined) throw invalidArg(`A document timestamp has no ${member}`, { pointer: `/${member}` })
}

/** A lock with a permission restricts the whole document, as a certification does. */
function refuseCertification(context: DocumentContext, { certify, lock }: SignaturePrepare): void {
  const { caller } = context
  if ((certify ?? lock?.permission) === undefined || caller.kind !== 'document') return
  if (holds(caller.scope, 'doc.sign.certify', permissionBitsIn(context))) return
  throw forbidden('a certification, or a lock with a permission, needs doc.sign.certify', {
    capability: 'doc.sign.certify',
  })
}

/** Readers, this one included, stop at some number of names and would not know what is locked. */
function refuseLongNames({ field, lock }: SignaturePrepare): void {
  const fields = lock?.fields ?? []
  if (fields.length > namesMax) throw invalidArg(`A lock names at most ${namesMax} fields`, { pointer: '/lock/fields' })
  const long = fields.findIndex((name) => name.length > nameLengthMax)
  const longer = `The name of a field has at most ${nameLengthMax} characters`
  if (long >= 0) throw invalidArg(longer, { pointer: `/lock/fields/${long}` })
  if (field.kind === 'fqn' && field.name.length > nameLengthMax) throw invalidArg(longer, { pointer: '/field/name' })
}

/** Returns the received files. Throws `InvalidArg` unless they are those that the body names. */
function checkedResources({ resources }: SignaturePrepare, received: Resources): Resources {
  const named = resources?.appearance
  const unnamed = Object.keys(received).find((key) => key !== named)
  if (unnamed !== undefined) throw invalidArg(`Nothing in the body names the file ${JSON.stringify(unnamed)}`)
  if (named !== undefined && !Object.hasOwn(received, named)) {
    throw invalidArg(`The appearance needs a file: a part named resource:${named}`, { role: 'appearance' })
  }
  return received
}

function hashOf({ resources: named, ...members }: SignaturePrepare, resources: Resources, context: DocumentContext) {
  const appearance = named && resources[named.appearance]?.sha256
  return context.deployment.sealing.fingerprint(canonicalJson({ ...members, ...(appearance && { appearance }) }))
}
