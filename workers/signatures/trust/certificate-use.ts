// Checks whether the extensions of a certificate permit a use of it (RFC 5280, 4.2; RFC 3161, 2.3; RFC 9336).
import { Asn1Error, isUniversal, onlyElement, tags } from '../asn1/element.js'
import { listOf, Members } from '../asn1/members.js'
import { bitsOf, booleanOf, oidOf, smallInteger } from '../asn1/values.js'
import type { Certificate } from '../certificates/certificate.js'
import type { TrustResult } from './trust-result.js'

export type Purpose = 'signing' | 'timestamps' | 'ocsp'

export interface CertificateUse {
  /** True if the certificate issued the one before it in the chain. */
  readonly isIssuer: boolean
  /** Issuers between it and the first certificate of the chain, self-issued ones not counted. */
  readonly below: number
  /** True if the certificate is a trusted root. */
  readonly isAnchor: boolean
  /** Use of the first certificate of the chain. */
  readonly purpose: Purpose
}

const oids = { basicConstraints: '2.5.29.19', keyUsage: '2.5.29.15', extendedKeyUsage: '2.5.29.37' } as const

/** Critical extensions that are checked here, or that do not matter for a signature. */
const understood: ReadonlySet<string> = new Set([
  ...Object.values(oids),
  '2.5.29.14', // subjectKeyIdentifier
  '2.5.29.17', // subjectAltName
  '2.5.29.18', // issuerAltName
  '2.5.29.31', // cRLDistributionPoints
  '2.5.29.32', // certificatePolicies: every policy is accepted
  '2.5.29.35', // authorityKeyIdentifier
])

/** Critical extensions that restrict a chain and are not evaluated. */
const unevaluated: Readonly<Record<string, string>> = {
  '2.5.29.30': 'name constraints',
  '2.5.29.33': 'policy mappings',
  '2.5.29.36': 'policy constraints',
  '2.5.29.54': 'a limit on policies',
}

const anyPurpose = '2.5.29.37.0'
const purposes: Readonly<Record<Purpose, readonly string[]>> = {
  signing: [
    anyPurpose,
    '1.3.6.1.5.5.7.3.36', // documentSigning
    '1.3.6.1.5.5.7.3.4', // emailProtection
    '1.3.6.1.5.5.7.3.2', // clientAuth
    '1.3.6.1.5.5.7.3.3', // codeSigning
    '1.2.840.113583.1.1.5', // Adobe: authentic documents
    '1.3.6.1.4.1.311.10.3.12', // Microsoft: document signing
  ],
  timestamps: ['1.3.6.1.5.5.7.3.8'],
  ocsp: ['1.3.6.1.5.5.7.3.9'],
}

const keyUsageBits = { digitalSignature: 0, nonRepudiation: 1, keyCertSign: 5, cRLSign: 6 } as const

/** Returns why the certificate may not be used so; undefined if it may. */
export function usageProblem(certificate: Certificate, use: CertificateUse): TrustResult | undefined {
  try {
    return (
      criticalProblem(certificate) ?? (use.isIssuer ? issuerProblem(certificate, use) : leafProblem(certificate, use))
    )
  } catch (error) {
    if (error instanceof Asn1Error) return untrusted(certificate, 'has an extension that cannot be read')
    throw error
  }
}

export function maySignCrls(certificate: Certificate): boolean {
  const usage = keyUsageOf(certificate)
  return usage === undefined || usage.has(keyUsageBits.cRLSign)
}

function criticalProblem(certificate: Certificate): TrustResult | undefined {
  for (const [oid, { isCritical }] of certificate.extensions) {
    if (!isCritical || understood.has(oid)) continue
    const name = unevaluated[oid]
    if (name === undefined) return untrusted(certificate, `has the unknown critical extension ${oid}`)
    return { verdict: 'unknown', reason: `${certificate.subject.text} has ${name}, which are not evaluated` }
  }
  return undefined
}

function issuerProblem(certificate: Certificate, { below, isAnchor }: CertificateUse): TrustResult | undefined {
  const constraints = certificate.extensions.get(oids.basicConstraints)
  // Certificates of version 1 have no extensions; such a root is trusted all the same.
  if (constraints === undefined && isAnchor && certificate.extensions.size === 0) return undefined
  const { isAuthority, lengthMax } = basicConstraints(constraints?.value)
  if (!isAuthority) return untrusted(certificate, 'may not issue certificates')
  if (lengthMax !== undefined && below > lengthMax)
    return untrusted(certificate, `allows ${lengthMax} issuers below it, and there are ${below}`)
  const usage = keyUsageOf(certificate)
  if (usage !== undefined && !usage.has(keyUsageBits.keyCertSign))
    return untrusted(certificate, 'may not issue certificates')
  return undefined
}

function leafProblem(certificate: Certificate, { purpose }: CertificateUse): TrustResult | undefined {
  const usage = keyUsageOf(certificate)
  const { digitalSignature, nonRepudiation } = keyUsageBits
  if (usage !== undefined && !usage.has(digitalSignature) && !usage.has(nonRepudiation))
    return untrusted(certificate, 'may not be used for signatures')
  const extension = certificate.extensions.get(oids.extendedKeyUsage)
  const allowed = extension && listOf(onlyElement(extension.value), tags.sequence, 'ExtKeyUsage').map(oidOf)
  if (purpose === 'signing' && allowed === undefined) return undefined
  const isAllowed = allowed?.some((oid) => purposes[purpose].includes(oid)) ?? false
  // The extension must be critical, and name no other purpose (RFC 3161, 2.3).
  const isSole = purpose !== 'timestamps' || (extension?.isCritical === true && allowed?.length === 1)
  return isAllowed && isSole ? undefined : untrusted(certificate, `may not be used for ${shown[purpose]}`)
}

const shown: Readonly<Record<Purpose, string>> = {
  signing: 'signatures of documents',
  timestamps: 'timestamps',
  ocsp: 'OCSP responses',
}

function basicConstraints(value: Uint8Array | undefined) {
  if (value === undefined) return { isAuthority: false, lengthMax: undefined }
  const members = Members.of(onlyElement(value), 'BasicConstraints')
  const authority = members.maybe(tags.boolean)
  const length = members.maybe(tags.integer)
  members.end()
  return {
    isAuthority: authority !== undefined && booleanOf(authority),
    lengthMax: length && smallInteger(length),
  }
}

function keyUsageOf(certificate: Certificate): ReadonlySet<number> | undefined {
  const extension = certificate.extensions.get(oids.keyUsage)
  if (extension === undefined) return undefined
  const element = onlyElement(extension.value)
  if (!isUniversal(element, tags.bitString)) throw new Asn1Error('a malformed key usage')
  return bitsOf(element)
}

const untrusted = ({ subject }: Certificate, problem: string): TrustResult => ({
  verdict: 'untrusted',
  reason: `${subject.text} ${problem}`,
})
