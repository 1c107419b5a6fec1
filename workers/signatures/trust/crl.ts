// What a certificate revocation list says about a certificate (RFC 5280, 5).
import { algorithmIdentifier } from '../asn1/algorithm-identifier.js'
import { childrenOf, encodingOf, is, onlyElement, tags } from '../asn1/element.js'
import { explicit, Members } from '../asn1/members.js'
import { bytesOfBits, integerHex, smallInteger, timeOf } from '../asn1/values.js'
import { type Certificate, type Extension, extensionsOf } from '../certificates/certificate.js'
import { distinguishedName } from '../certificates/distinguished-name.js'
import { maySignCrls } from './certificate-use.js'
import { isIssuedBy } from './path.js'
import type { Statement } from './statement.js'

const oids = { reason: '2.5.29.21', invalidityDate: '2.5.29.24' } as const
/** Extensions of lists that do not narrow what the list is about. */
const harmless: ReadonlySet<string> = new Set(['2.5.29.20', '2.5.29.35', '2.5.29.18'])
const removedFromList = 8

/**
 * Returns undefined if the list is of another issuer, only covers some of its certificates, or is not signed by it.
 * Throws `Asn1Error`.
 */
export function crlStatement(
  encoding: Uint8Array,
  certificate: Certificate,
  issuer: Certificate,
): Statement | undefined {
  const outer = Members.of(onlyElement(encoding), 'CertificateList')
  const list = outer.any()
  const signatureAlgorithm = algorithmIdentifier(outer.any())
  const signature = bytesOfBits(outer.take(tags.bitString))
  outer.end()
  const members = Members.of(list, 'TBSCertList')
  members.maybe(tags.integer)
  members.take(tags.sequence)
  if (distinguishedName(members.take(tags.sequence)).key !== issuer.subject.key) return undefined
  const from = timeOf(members.any())
  const until = members.maybe(tags.utcTime) ?? members.maybe(tags.generalizedTime)
  const revoked = members.maybe(tags.sequence)
  const extensions = members.context(0)
  members.end()
  if (extensions !== undefined && isNarrowed(extensionsOf(explicit(extensions)))) return undefined
  const signed = { signed: encodingOf(list), signature, signatureAlgorithm }
  if (!maySignCrls(issuer) || !isIssuedBy(signed, issuer)) return undefined
  const validity = { from, until: until && timeOf(until) }
  for (const element of revoked === undefined ? [] : childrenOf(revoked)) {
    const entry = Members.of(element, 'CertificateList')
    if (integerHex(entry.take(tags.integer)) !== certificate.serialNumber) continue
    const at = timeOf(entry.any())
    const details = entry.maybe(tags.sequence)
    const revocation = details === undefined ? at : revocationOf(at, extensionsOf(details))
    return { ...validity, revokedAt: revocation }
  }
  return { ...validity, revokedAt: undefined }
}

/** Delta lists, lists of some certificates only, and whatever else is critical. */
const isNarrowed = (extensions: ReadonlyMap<string, Extension>): boolean =>
  [...extensions].some(([oid, { isCritical }]) => isCritical && !harmless.has(oid))

function revocationOf(at: Date, extensions: ReadonlyMap<string, Extension>): Date | undefined {
  const reason = extensions.get(oids.reason)
  const element = reason && onlyElement(reason.value)
  if (is(element, tags.enumerated) && smallInteger(element) === removedFromList) return undefined
  const invalid = extensions.get(oids.invalidityDate)
  const since = invalid && timeOf(onlyElement(invalid.value))
  return since !== undefined && since < at ? since : at
}
