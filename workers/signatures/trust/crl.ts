// Reads the status of a certificate from a certificate revocation list (RFC 5280, 5).
import { algorithmIdentifier } from '../asn1/algorithm-identifier.js'
import { childrenInTurn, contentOf, type Element, encodingOf, isUniversal, onlyElement, tags } from '../asn1/element.js'
import { explicit, Members } from '../asn1/members.js'
import { bytesOfBits, integerHex, smallInteger, timeOf } from '../asn1/values.js'
import { type Certificate, type Extension, extensionsOf } from '../certificates/certificate.js'
import { distinguishedName } from '../certificates/distinguished-name.js'
import { maySignCrls } from './certificate-use.js'
import type { RevocationStatus } from './revocation-status.js'
import type { VerificationWork } from './verification-work.js'

const oids = { reason: '2.5.29.21', invalidityDate: '2.5.29.24' } as const
/** Critical extensions that do not limit a list to some certificates of its issuer. */
const unlimiting: ReadonlySet<string> = new Set(['2.5.29.20', '2.5.29.35', '2.5.29.18'])
/** Reason code `removeFromCRL`. */
const removedFromList = 8

/**
 * Returns the status; undefined if the list is another issuer's, covers only some of its certificates, or is not signed
 * by it. Throws `Asn1Error`.
 */
export function crlStatus(
  encoding: Uint8Array,
  certificate: Certificate,
  issuer: Certificate,
  work: VerificationWork,
): RevocationStatus | undefined {
  const outer = Members.of(onlyElement(encoding), 'CertificateList')
  const list = outer.any()
  const signatureAlgorithm = algorithmIdentifier(outer.any())
  const signature = bytesOfBits(outer.take(tags.bitString))
  outer.end()
  const members = Members.of(list, 'TBSCertList')
  members.maybe(tags.integer)
  members.take(tags.sequence)
  if (distinguishedName(members.take(tags.sequence)).key !== issuer.subject.key) return undefined
  const thisUpdate = timeOf(members.any())
  const nextUpdate = members.maybe(tags.utcTime) ?? members.maybe(tags.generalizedTime)
  const revoked = members.maybe(tags.sequence)
  const extensions = members.context(0)
  members.end()
  if (extensions !== undefined && isLimited(extensionsOf(explicit(extensions)))) return undefined
  const signed = { signed: encodingOf(list), signature, signatureAlgorithm }
  if (!maySignCrls(issuer) || !work.isSignedBy(encoding, signed, issuer)) return undefined
  const validity = { thisUpdate, nextUpdate: nextUpdate && timeOf(nextUpdate) }
  const entry = revoked && entryOf(encoding, revoked, certificate, work)
  if (entry === undefined) return { ...validity, revokedAt: undefined }
  const at = timeOf(entry.any())
  const details = entry.maybe(tags.sequence)
  return { ...validity, revokedAt: details === undefined ? at : revocationTime(at, extensionsOf(details)) }
}

/** Returns the entry of a certificate, of which the serial number is read; undefined if it is not revoked. */
function entryOf(
  encoding: Uint8Array,
  revoked: Element,
  { serialNumber }: Certificate,
  work: VerificationWork,
): Members | undefined {
  // Lists have up to a million entries. Few contain the bytes of the serial number, and only these are parsed.
  if (!viewOf(contentOf(revoked)).includes(serialNumber, 0, 'hex')) return undefined
  const element = work.entryIn(encoding, serialNumber, () => {
    for (const entry of childrenInTurn(revoked)) {
      const [number] = childrenInTurn(entry)
      if (integerHex(number) === serialNumber) return entry
    }
    return undefined
  })
  const entry = element && Members.of(element, 'CertificateList')
  entry?.take(tags.integer)
  return entry
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)

/** True for delta lists, lists of some certificates only, and lists with an unknown critical extension. */
const isLimited = (extensions: ReadonlyMap<string, Extension>): boolean =>
  [...extensions].some(([oid, { isCritical }]) => isCritical && !unlimiting.has(oid))

/** Returns the invalidity date if it is earlier than the revocation; undefined if the entry lifts the revocation. */
function revocationTime(at: Date, extensions: ReadonlyMap<string, Extension>): Date | undefined {
  const reason = extensions.get(oids.reason)
  const element = reason && onlyElement(reason.value)
  if (isUniversal(element, tags.enumerated) && smallInteger(element) === removedFromList) return undefined
  const invalid = extensions.get(oids.invalidityDate)
  const since = invalid && timeOf(onlyElement(invalid.value))
  return since !== undefined && since < at ? since : at
}
