// Grant that a client keeps to reopen its session: the password, sealed for one document, layer and subject. Only this
// deployment opens it, and only for a token of the same subject or share.
import type { DocumentContext } from '../operation/operation.js'
import { ownerOf } from '../operation/password-session.js'
import { Refusal } from '../refusals/refusal.js'

const timeBytes = 8

export function grantOf(context: DocumentContext, password: Uint8Array, expiresAt: number): string {
  const payload = Buffer.alloc(timeBytes + password.length)
  payload.writeDoubleBE(expiresAt)
  payload.set(password, timeBytes)
  return Buffer.from(context.deployment.sealing.seal(payload, placeOf(context))).toString('base64url')
}

/** Returns the password of a grant. Throws `DocPasswordRequired` for one that expired, or that is not the caller's. */
export function passwordOfGrant(context: DocumentContext, grant: string): Uint8Array {
  const payload = opened(context, grant)
  if (payload.length < timeBytes || payload.readDoubleBE() <= context.deployment.clock.now()) throw unusable()
  return payload.subarray(timeBytes)
}

function opened(context: DocumentContext, grant: string): Buffer {
  try {
    return Buffer.from(context.deployment.sealing.open(Buffer.from(grant, 'base64url'), placeOf(context)))
  } catch {
    throw unusable()
  }
}

const unusable = () =>
  new Refusal('DocPasswordRequired', 'The grant has expired or is for another session; ask for the password again')

function placeOf({ document, layerName, caller }: DocumentContext): string {
  const owner = caller.kind === 'document' ? ownerOf(caller) : []
  return JSON.stringify(['password-grant', document.internal, layerName, owner])
}
