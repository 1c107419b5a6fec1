// Whether certificates of a chain were revoked, as far as what is embedded in the file says. Nothing is fetched.
import type { SignatureVerification } from '../../contract/signatures/verification.js'
import { Asn1Error } from '../asn1/element.js'
import { type Certificate, isoOf } from '../certificates/certificate.js'
import { crlStatement } from './crl.js'
import { ocspStatement } from './ocsp.js'
import type { Statement } from './statement.js'

export interface RevocationSource {
  readonly source: 'dss' | 'embedded'
  /** DER. */
  readonly ocsps: readonly Uint8Array[]
  readonly crls: readonly Uint8Array[]
}

export interface RevocationQuestion {
  /** From the signer's certificate to the last one found. */
  readonly chain: readonly Certificate[]
  /** The last one is trusted itself. */
  readonly isAnchored: boolean
  readonly sources: readonly RevocationSource[]
  readonly at: Date | undefined
  /** A trusted authority says so, and not only the signer. */
  readonly isTimeCertain: boolean
}

type Revocation = SignatureVerification['revocation']

const statementsMax = 64
/** An answer that was fetched for a signing is a little older than the signature. */
const oldestMs = 24 * 60 * 60 * 1000

/** `good` if every certificate but a trusted root has an answer that says so. */
export function revocationOf(question: RevocationQuestion): Revocation {
  const { chain, isAnchored } = question
  const below = isAnchored ? chain.slice(0, -1) : chain
  if (below.length === 0)
    return { verdict: 'good', source: 'none', reason: 'The certificate is trusted itself', at: null }
  const answers = below.map((certificate, index) => certificateRevocation(certificate, chain[index + 1], question))
  const [first] = answers
  return (
    answers.find(({ verdict }) => verdict === 'revoked') ??
    answers.find(({ verdict }) => verdict === 'unknown') ??
    first ??
    unknown('There is no certificate')
  )
}

function certificateRevocation(
  certificate: Certificate,
  issuer: Certificate | undefined,
  question: RevocationQuestion,
): Revocation {
  const name = certificate.subject.text
  if (issuer === undefined) return unknown(`The issuer of ${name} is not there`)
  const found = question.sources.flatMap(({ source, ocsps, crls }) => [
    ...statements(ocsps, (bytes) => ocspStatement(bytes, certificate, issuer), source),
    ...statements(crls, (bytes) => crlStatement(bytes, certificate, issuer), source),
  ])
  const revoked = found.find(({ statement }) => isRevoked(statement, question))
  const revokedAt = revoked?.statement.revokedAt
  if (revoked !== undefined && revokedAt !== undefined)
    return { verdict: 'revoked', source: revoked.source, reason: `${name} is revoked`, at: isoOf(revokedAt) }
  const good = found.find(({ statement }) => isTimely(statement, certificate, question.at))
  if (good !== undefined) return { verdict: 'good', source: good.source, reason: null, at: null }
  const [late] = found
  if (late === undefined) return unknown(`The file contains nothing about the revocation of ${name}`)
  return {
    ...unknown(`What the file contains about the revocation of ${name} is of another time`),
    source: late.source,
  }
}

function statements<Source>(
  encodings: readonly Uint8Array[],
  read: (bytes: Uint8Array) => Statement | undefined,
  source: Source,
): readonly { readonly statement: Statement; readonly source: Source }[] {
  return encodings.slice(0, statementsMax).flatMap((bytes) => {
    try {
      const statement = read(bytes)
      return statement === undefined ? [] : [{ statement, source }]
    } catch (error) {
      if (error instanceof Asn1Error) return []
      throw error
    }
  })
}

/** A revocation after the signing does not matter if it is certain that it was after it. */
function isRevoked({ revokedAt }: Statement, { at, isTimeCertain }: RevocationQuestion): boolean {
  if (revokedAt === undefined) return false
  return !(isTimeCertain && at !== undefined && revokedAt > at)
}

/** Issuers may forget certificates once they have expired. */
function isTimely({ from, until }: Statement, { notAfter }: Certificate, at: Date | undefined): boolean {
  if (at === undefined || from > notAfter) return false
  return (until ?? from).getTime() >= at.getTime() - (until === undefined ? oldestMs : 0)
}

const unknown = (reason: string): Revocation => ({ verdict: 'unknown', source: 'none', reason, at: null })
