// Finds the chain from a certificate to a trusted root, and validates it (RFC 5280, 6.1).

import type { AlgorithmPolicy } from '../../contract/signatures/algorithm-policy.js'
import type { Certificate } from '../certificates/certificate.js'
import { isoOf } from '../certificates/certificate.js'
import { weakDigest, weakKey } from '../cms/algorithm-strength.js'
import { schemeOf } from '../cms/signature-scheme.js'
import { type Purpose, usageProblem } from './certificate-use.js'
import type { TrustResult } from './trust-result.js'
import { otherKey, type VerificationWork } from './verification-work.js'

export interface PathQuery {
  readonly certificate: Certificate
  /** Certificates that may be between it and a root. */
  readonly known: readonly Certificate[]
  /** Trusted roots. */
  readonly anchors: readonly Certificate[]
  /** Time at which the chain must be valid; undefined if unknown. */
  readonly at: Date | undefined
  /** Time by which the signature is proven to exist. A certificate that expired earlier proves nothing. */
  readonly by: Date
  readonly policy: AlgorithmPolicy
  readonly purpose: Purpose
  readonly work: VerificationWork
}

export interface Path extends TrustResult {
  /** Certificates from the given one to the last issuer found. */
  readonly chain: readonly Certificate[]
  /** True if the chain ends at a trusted root. */
  readonly isAnchored: boolean
  /** Reason why the chain ends before a trusted root, a sentence without a full stop; undefined if it ends at one. */
  readonly end: string | undefined
}

const lengthMax = 10
/** Maximum number of signature checks of a search, because a file may contain circles and cross-certificates. */
const signatureChecksMax = 64

/** Returns the first valid chain, else the first that ends at a root, else the longest one. */
export function findPath(query: PathQuery): Path {
  const search = new Search(query)
  const chains = search.chainsFrom([query.certificate])
  let best: Path | undefined
  for (const chain of chains) {
    const path = judgeChain(chain, query)
    if (path.verdict === 'trusted') return path
    if (best === undefined || rank(path) > rank(best)) best = path
  }
  return best ?? judgeChain([query.certificate], query)
}

const rank = ({ isAnchored, chain }: Path): number => (isAnchored ? 100 : 0) + chain.length

class Search {
  #checksLeft = signatureChecksMax

  constructor(private readonly query: PathQuery) {}

  *chainsFrom(chain: readonly Certificate[]): Generator<readonly Certificate[]> {
    const last = chain[chain.length - 1]
    if (last === undefined || chain.length > lengthMax) return
    const { anchors, known } = this.query
    if (isAnchor(last, anchors)) {
      yield chain
      return
    }
    let isLast = true
    for (const issuer of [...anchors, ...known]) {
      if (chain.some(({ sha256 }) => sha256 === issuer.sha256) || !this.#isIssuer(issuer, last)) continue
      isLast = false
      yield* this.chainsFrom([...chain, issuer])
    }
    if (isLast) yield chain
  }

  #isIssuer(issuer: Certificate, of: Certificate): boolean {
    const { issuer: name, issuerKeyIdentifier: identifier } = of
    if (issuer.subject.key !== name.key) return false
    const own = issuer.keyIdentifier
    if (identifier !== undefined && own !== undefined && Buffer.compare(identifier, own) !== 0) return false
    this.#checksLeft -= 1
    return this.#checksLeft >= 0 && this.query.work.isIssuedBy(of, issuer)
  }
}

const isAnchor = ({ sha256 }: Certificate, anchors: readonly Certificate[]): boolean =>
  anchors.some((anchor) => anchor.sha256 === sha256)

function judgeChain(chain: readonly Certificate[], query: PathQuery): Path {
  const { anchors } = query
  const last = chain[chain.length - 1] ?? query.certificate
  const isAnchored = isAnchor(last, anchors)
  if (isAnchored) return { ...validated(chain, query), chain, isAnchored, end: undefined }
  const end = endOf(last, query)
  return { ...(anchors.length === 0 ? noRoots : end), chain, isAnchored, end: end.reason }
}

const noRoots: TrustResult = { verdict: 'unknown', reason: 'No trusted roots are configured' }

interface ChainEnd extends TrustResult {
  readonly reason: string
}

/** Says why no further issuer was found. */
function endOf(last: Certificate, { anchors, known, work }: PathQuery): ChainEnd {
  const { subject, issuer } = last
  if (subject.key === issuer.key && work.isIssuedBy(last, last))
    return { verdict: 'untrusted', reason: `The chain ends at ${subject.text}, which is not among the trusted roots` }
  const named = [...anchors, ...known].filter(({ subject: name }) => name.key === issuer.key)
  const problems = named.map((one) => work.issuanceProblem(last, one))
  const unread = problems.find((problem) => problem !== undefined && problem !== otherKey)
  if (unread !== undefined)
    return unknown(`It cannot be checked whether ${issuer.text} issued the certificate of ${subject.text}: ${unread}`)
  if (problems.includes(undefined)) return unknown('There are more chains of certificates than are followed')
  if (named.length === 0) return unknown(`The certificate of the issuer ${issuer.text} is missing`)
  return unknown(`The certificate of the issuer ${issuer.text} is missing; another of that name has another key`)
}

function validated(chain: readonly Certificate[], query: PathQuery): TrustResult {
  const { at, by, purpose, policy } = query
  if (at === undefined) return unknown('The signing time is unknown')
  const results = chain.map((certificate, index): TrustResult | undefined => {
    const { notBefore, notAfter, subject } = certificate
    if (at < notBefore) return untrusted(`${subject.text} was not valid before ${isoOf(notBefore)}`)
    if (at > notAfter) return untrusted(`${subject.text} was not valid after ${isoOf(notAfter)}`)
    const below = chain.slice(1, index).filter((one) => one.subject.key !== one.issuer.key).length
    const isAnchorItself = index === chain.length - 1
    return (
      usageProblem(certificate, { isIssuer: index > 0, below, isAnchor: isAnchorItself, purpose }) ??
      weak(certificate, isAnchorItself, policy) ??
      expired(certificate, by)
    )
  })
  const problems = results.filter((result) => result !== undefined)
  return problems.find(({ verdict }) => verdict === 'untrusted') ?? problems[0] ?? { verdict: 'trusted', reason: null }
}

const untrusted = (reason: string): TrustResult => ({ verdict: 'untrusted', reason })
const unknown = (reason: string): ChainEnd => ({ verdict: 'unknown', reason })

/** After a certificate expires, nobody answers for its key: who has it can claim an earlier time. */
function expired({ subject, notAfter }: Certificate, by: Date): TrustResult | undefined {
  if (by <= notAfter) return undefined
  return unknown(`${subject.text} expired at ${isoOf(notAfter)}, and no trusted timestamp proves an earlier signing`)
}

/** Returns the result for a certificate with a weak key, or a signature with a weak digest; undefined for others. */
function weak(certificate: Certificate, isAnchorItself: boolean, policy: AlgorithmPolicy): TrustResult | undefined {
  const key = weakKey(certificate, policy)
  if (key !== undefined) return unknown(key)
  if (isAnchorItself) return undefined
  const scheme = schemeOf(certificate.signatureAlgorithm, undefined)
  const digest = scheme.kind === 'eddsa' ? undefined : weakDigest([scheme.digest], policy)
  return digest === undefined
    ? undefined
    : unknown(`The certificate of ${certificate.subject.text} is signed with a weak digest: ${digest}`)
}
