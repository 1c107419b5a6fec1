// Finds the chain from a certificate to a trusted root, and validates it (RFC 5280, 6.1).

import type { Certificate } from '../certificates/certificate.js'
import { isoOf } from '../certificates/certificate.js'
import { isWeak } from '../cms/digest-algorithm.js'
import { schemeOf } from '../cms/signature-scheme.js'
import { type Purpose, usageProblem } from './certificate-use.js'
import type { TrustResult } from './trust-result.js'
import type { VerificationWork } from './verification-work.js'

export interface PathQuery {
  readonly certificate: Certificate
  /** Certificates that may be between it and a root. */
  readonly known: readonly Certificate[]
  /** Trusted roots. */
  readonly anchors: readonly Certificate[]
  /** Time at which the chain must be valid; undefined if unknown. */
  readonly at: Date | undefined
  readonly purpose: Purpose
  readonly work: VerificationWork
}

export interface Path extends TrustResult {
  /** Certificates from the given one to the last issuer found. */
  readonly chain: readonly Certificate[]
  /** True if the chain ends at a trusted root. */
  readonly isAnchored: boolean
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
  const { anchors, at, purpose } = query
  const last = chain[chain.length - 1] ?? query.certificate
  const isAnchored = isAnchor(last, anchors)
  const result =
    anchors.length === 0 ? noRoots : !isAnchored ? unanchored(last, query.work) : validated(chain, at, purpose)
  return { ...result, chain, isAnchored }
}

const noRoots: TrustResult = { verdict: 'unknown', reason: 'No trusted roots are configured' }

function unanchored(last: Certificate, work: VerificationWork): TrustResult {
  const { subject, issuer } = last
  if (subject.key === issuer.key && work.isIssuedBy(last, last))
    return { verdict: 'untrusted', reason: `The chain ends at ${subject.text}, which is not among the trusted roots` }
  return { verdict: 'unknown', reason: `The certificate of the issuer ${issuer.text} is missing` }
}

function validated(chain: readonly Certificate[], at: Date | undefined, purpose: Purpose): TrustResult {
  if (at === undefined) return { verdict: 'unknown', reason: 'The signing time is unknown' }
  const results = chain.map((certificate, index): TrustResult | undefined => {
    const { notBefore, notAfter, subject } = certificate
    if (at < notBefore) return untrusted(`${subject.text} was not valid before ${isoOf(notBefore)}`)
    if (at > notAfter) return untrusted(`${subject.text} was not valid after ${isoOf(notAfter)}`)
    const below = chain.slice(1, index).filter((one) => one.subject.key !== one.issuer.key).length
    const isAnchorItself = index === chain.length - 1
    return (
      usageProblem(certificate, { isIssuer: index > 0, below, isAnchor: isAnchorItself, purpose }) ??
      weak(certificate, isAnchorItself)
    )
  })
  const problems = results.filter((result) => result !== undefined)
  return problems.find(({ verdict }) => verdict === 'untrusted') ?? problems[0] ?? { verdict: 'trusted', reason: null }
}

const untrusted = (reason: string): TrustResult => ({ verdict: 'untrusted', reason })

/** Returns the result for a certificate whose signature has a weak digest; undefined for others. */
function weak({ signatureAlgorithm, subject }: Certificate, isAnchorItself: boolean): TrustResult | undefined {
  if (isAnchorItself) return undefined
  const scheme = schemeOf(signatureAlgorithm, undefined)
  if (scheme.kind === 'eddsa' || !isWeak(scheme.digest)) return undefined
  return { verdict: 'unknown', reason: `The certificate of ${subject.text} is signed with SHA-1` }
}
