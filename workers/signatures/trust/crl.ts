// Reads the status of a certificate from a certificate revocation list (RFC 5280, 5).
import { algorithmIdentifier } from '../asn1/algorithm-identifier.js'
import { childrenOf, encodingOf, isUniversal, onlyElement, tags } from '../asn1/element.js'
import { explicit, Members } from '../asn1/members.js'
import { bytesOfBits, integerHex, smallInteger, timeOf } from '../asn1/values.js'
import { type Certificate, type Extension, extensionsOf } from '../certificates/certificate.js'
import { distinguishedName } from '../certificates/distinguished-name.js'
import { maySignCrls } from './certificate-use.js'
import { isIssuedBy } from './path.js'
import type { RevocationStatus } from './revocation-status.js'

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
  if (!maySignCrls(issuer) || !isIssuedBy(signed, issuer)) return undefined
  const validity = { thisUpdate, nextUpdate: nextUpdate && timeOf(nextUpdate) }
  for (const element of revoked === undefined ? [] : childrenOf(revoked)) {
    const entry = Members.of(element, 'CertificateList')
    if (integerHex(entry.take(tags.integer)) !== certificate.serialNumber) continue
    const at = timeOf(entry.any())
    const details = entry.maybe(tags.sequence)
    const revokedAt = details === undefined ? at : revocationTime(at, extensionsOf(details))
    return { ...validity, revokedAt }
  }
  return { ...validity, revokedAt: undefined }
}

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
