// Determines whether certificates of a chain were revoked, from the OCSP responses and CRLs in the file. Nothing is
// fetched.
import type { SignatureVerification } from '../../contract/signatures/verification.js'
import { Asn1Error } from '../asn1/element.js'
import { type Certificate, isoOf } from '../certificates/certificate.js'
import { crlStatus } from './crl.js'
import { ocspStatus } from './ocsp.js'
import type { RevocationStatus } from './revocation-status.js'
import type { VerificationWork } from './verification-work.js'

export interface RevocationSource {
  readonly source: 'dss' | 'embedded'
  /** OCSP responses in DER. */
  readonly ocsps: readonly Uint8Array[]
  /** Certificate revocation lists in DER. */
  readonly crls: readonly Uint8Array[]
}

export interface RevocationQuery {
  /** Certificates from that of the signer to the last issuer found. */
  readonly chain: readonly Certificate[]
  /** True if the last certificate is a trusted root. */
  readonly isAnchored: boolean
  /** Reason why the chain ends before a trusted root. */
  readonly end: string | undefined
  readonly sources: readonly RevocationSource[]
  /** Signing time; undefined if unknown. */
  readonly at: Date | undefined
  /** Time by which a trusted timestamp proves that the signature existed; undefined without one. */
  readonly provenBy: Date | undefined
  readonly work: VerificationWork
}

type Revocation = SignatureVerification['revocation']

const statusesMax = 64
/**
 * Maximum age, at the signing, of a status without `nextUpdate`. A status that was fetched for a signing is a little
 * older than it.
 */
const ageMaxMs = 24 * 60 * 60 * 1000

/** Returns `good` if the file proves it for every certificate except a trusted root. */
export function revocationOf(query: RevocationQuery): Revocation {
  const { chain, isAnchored } = query
  const below = isAnchored ? chain.slice(0, -1) : chain
  if (below.length === 0)
    return { verdict: 'good', source: 'none', reason: 'The certificate is trusted itself', at: null }
  const revocations = below.map((certificate, index) => certificateRevocation(certificate, chain[index + 1], query))
  const [first] = revocations
  return (
    revocations.find(({ verdict }) => verdict === 'revoked') ??
    revocations.find(({ verdict }) => verdict === 'unknown') ??
    first ??
    unknown('There is no certificate')
  )
}

function certificateRevocation(
  certificate: Certificate,
  issuer: Certificate | undefined,
  query: RevocationQuery,
): Revocation {
  const name = certificate.subject.text
  if (issuer === undefined) return unknown(withoutIssuer(certificate, query))
  const found = query.sources.flatMap(({ source, ocsps, crls }) => [
    ...statuses(ocsps, (bytes) => ocspStatus(bytes, certificate, issuer, query.work), source),
    ...statuses(crls, (bytes) => crlStatus(bytes, certificate, issuer, query.work), source),
  ])
  const revoked = found.find(({ status }) => isRevoked(status, query))
  const revokedAt = revoked?.status.revokedAt
  if (revoked !== undefined && revokedAt !== undefined)
    return { verdict: 'revoked', source: revoked.source, reason: `${name} is revoked`, at: isoOf(revokedAt) }
  const good = found.find(({ status }) => isTimely(status, certificate, query.at))
  if (good !== undefined) return { verdict: 'good', source: good.source, reason: null, at: null }
  const [untimely] = found
  if (untimely === undefined) return unknown(`The file contains nothing about the revocation of ${name}`)
  return {
    ...unknown(`The file's information on the revocation of ${name} does not cover the signing time`),
    source: untimely.source,
  }
}

function withoutIssuer({ subject, issuer }: Certificate, { end }: RevocationQuery): string {
  if (subject.key === issuer.key) return `${subject.text} issued itself, so that nobody else says whether it is revoked`
  return end ?? `The certificate of the issuer of ${subject.text} is missing`
}

/** Reads the status in each encoding; encodings that cannot be read are skipped. */
function statuses<Source>(
  encodings: readonly Uint8Array[],
  read: (bytes: Uint8Array) => RevocationStatus | undefined,
  source: Source,
): readonly { readonly status: RevocationStatus; readonly source: Source }[] {
  return encodings.slice(0, statusesMax).flatMap((bytes) => {
    try {
      const status = read(bytes)
      return status === undefined ? [] : [{ status, source }]
    } catch (error) {
      if (error instanceof Asn1Error) return []
      throw error
    }
  })
}

/** True if the status revokes the certificate. A revocation after the proven time does not count. */
const isRevoked = ({ revokedAt }: RevocationStatus, { provenBy }: RevocationQuery): boolean =>
  revokedAt !== undefined && !(provenBy !== undefined && revokedAt > provenBy)

/**
 * True if the status covers the time. A status made after the certificate expired covers no time, because issuers may
 * drop expired certificates.
 */
function isTimely(
  { thisUpdate, nextUpdate }: RevocationStatus,
  { notAfter }: Certificate,
  at: Date | undefined,
): boolean {
  if (at === undefined || thisUpdate > notAfter) return false
  return (nextUpdate ?? thisUpdate).getTime() >= at.getTime() - (nextUpdate === undefined ? ageMaxMs : 0)
}

const unknown = (reason: string): Revocation => ({ verdict: 'unknown', source: 'none', reason, at: null })
