// Finds the chain from a certificate to one that the operator trusts, and validates it (RFC 5280, 6.1).

import { Asn1Error } from '../asn1/element.js'
import type { Certificate } from '../certificates/certificate.js'
import { isoOf } from '../certificates/certificate.js'
import { isWeak } from '../cms/digest-algorithm.js'
import { schemeOf, UnsupportedAlgorithm } from '../cms/signature-scheme.js'
import { isSignedBy } from '../cms/signature-value.js'
import type { Answer } from './answer.js'
import { type Purpose, usageProblem } from './certificate-use.js'

export interface PathQuestion {
  readonly certificate: Certificate
  /** Certificates that may be between it and a root. */
  readonly known: readonly Certificate[]
  readonly anchors: readonly Certificate[]
  /** Undefined if it is not known. */
  readonly at: Date | undefined
  readonly purpose: Purpose
}

export interface Path extends Answer {
  /** From the certificate to the last one found. */
  readonly chain: readonly Certificate[]
  readonly isAnchored: boolean
}

const lengthMax = 10
/** Circles and cross-certificates of strangers must not cost more than this. */
const signatureChecksMax = 64

/** Returns the first valid chain, else the first that ends at a root, else the longest one. */
export function findPath(question: PathQuestion): Path {
  const search = new Search(question)
  const chains = search.chainsFrom([question.certificate])
  let best: Path | undefined
  for (const chain of chains) {
    const path = judged(chain, question)
    if (path.verdict === 'trusted') return path
    if (best === undefined || rank(path) > rank(best)) best = path
  }
  return best ?? judged([question.certificate], question)
}

const rank = ({ isAnchored, chain }: Path): number => (isAnchored ? 100 : 0) + chain.length

class Search {
  #checksLeft = signatureChecksMax

  constructor(private readonly question: PathQuestion) {}

  *chainsFrom(chain: readonly Certificate[]): Generator<readonly Certificate[]> {
    const last = chain[chain.length - 1]
    if (last === undefined || chain.length > lengthMax) return
    const { anchors, known } = this.question
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

  #isIssuer(issuer: Certificate, { issuer: name, issuerKeyIdentifier: identifier, ...of }: Certificate): boolean {
    if (issuer.subject.key !== name.key) return false
    const own = issuer.keyIdentifier
    if (identifier !== undefined && own !== undefined && Buffer.compare(identifier, own) !== 0) return false
    this.#checksLeft -= 1
    return this.#checksLeft >= 0 && isIssuedBy(of, issuer)
  }
}

type Signed = Pick<Certificate, 'signed' | 'signature' | 'signatureAlgorithm'>

/** Whether the signature of a certificate, list or answer is one of this key. Unsupported algorithms are not. */
export function isIssuedBy({ signed, signature, signatureAlgorithm }: Signed, issuer: Certificate): boolean {
  try {
    return isSignedBy(issuer.key(), schemeOf(signatureAlgorithm, undefined), signed, signature)
  } catch (error) {
    if (error instanceof UnsupportedAlgorithm || error instanceof Asn1Error) return false
    throw error
  }
}

const isAnchor = ({ sha256 }: Certificate, anchors: readonly Certificate[]): boolean =>
  anchors.some((anchor) => anchor.sha256 === sha256)

function judged(chain: readonly Certificate[], question: PathQuestion): Path {
  const { anchors, at, purpose } = question
  const last = chain[chain.length - 1] ?? question.certificate
  const isAnchored = isAnchor(last, anchors)
  const answer = anchors.length === 0 ? noRoots : !isAnchored ? unanchored(last) : validated(chain, at, purpose)
  return { ...answer, chain, isAnchored }
}

const noRoots: Answer = { verdict: 'unknown', reason: 'No trusted roots are configured' }

function unanchored(last: Certificate): Answer {
  const { subject, issuer } = last
  if (subject.key === issuer.key && isIssuedBy(last, last))
    return { verdict: 'untrusted', reason: `The chain ends at ${subject.text}, which is not among the trusted roots` }
  return { verdict: 'unknown', reason: `No certificate of the issuer ${issuer.text} is there` }
}

function validated(chain: readonly Certificate[], at: Date | undefined, purpose: Purpose): Answer {
  if (at === undefined) return { verdict: 'unknown', reason: 'The signing time is not known' }
  const answers = chain.map((certificate, index): Answer | undefined => {
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
  const problems = answers.filter((answer) => answer !== undefined)
  return problems.find(({ verdict }) => verdict === 'untrusted') ?? problems[0] ?? { verdict: 'trusted', reason: null }
}

const untrusted = (reason: string): Answer => ({ verdict: 'untrusted', reason })

function weak({ signatureAlgorithm, subject }: Certificate, isAnchorItself: boolean): Answer | undefined {
  if (isAnchorItself) return undefined
  const scheme = schemeOf(signatureAlgorithm, undefined)
  if (scheme.kind === 'eddsa' || !isWeak(scheme.digest)) return undefined
  return { verdict: 'unknown', reason: `The certificate of ${subject.text} is signed with SHA-1` }
}
