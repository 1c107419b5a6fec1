// Limits the work that certificates, CRLs and OCSP responses of one file cost, and remembers results of signature checks.
// The limits are counts and not times, so that equal bytes give equal results.
import { Asn1Error, type Element } from '../asn1/element.js'
import { type Certificate, parseCertificates } from '../certificates/certificate.js'
import { schemeOf, UnsupportedAlgorithm } from '../cms/signature-scheme.js'
import { isSignedBy } from '../cms/signature-value.js'

/** The file exceeds a limit: trust in its signatures stays unknown. */
export class TooMuchWork extends Error {
  constructor() {
    super('The certificates and revocation data in the file exceed what is evaluated')
    this.name = 'TooMuchWork'
  }
}

export type Signed = Pick<Certificate, 'signed' | 'signature' | 'signatureAlgorithm'>

/** Cost of all signature checks; one with an RSA key of 2048 bits costs 1. */
const checksMax = 20_000
/** Bytes of certificates and revocation data that are hashed. */
const bytesMax = 4 * 1024 * 1024 * 1024
/** Number of bytes that are hashed in the time of parsing one. */
const parsingCost = 30

export class VerificationWork {
  #checksLeft = checksMax
  #bytesLeft = bytesMax
  /** Problem of each signature that was checked; undefined if the key made it. */
  readonly #results = new Map<string, string | undefined>()
  readonly #entries = new Map<string, Element | undefined>()
  #named = 0
  readonly #names = new WeakMap<Uint8Array, string>()
  readonly #certificates = new WeakMap<readonly Uint8Array[], readonly Certificate[]>()

  /** Counts bytes that are parsed. Throws `TooMuchWork`. */
  takeParsing(count: number): void {
    this.#takeBytes(parsingCost * count)
  }

  #takeBytes(count: number): void {
    this.#bytesLeft -= count
    if (this.#bytesLeft < 0) throw new TooMuchWork()
  }

  /** Searches a CRL once for a serial number. Throws `TooMuchWork`. */
  entryIn(encoding: Uint8Array, serialNumber: string, search: () => Element | undefined): Element | undefined {
    const key = `${this.#nameOf(encoding)} ${serialNumber}`
    if (!this.#entries.has(key)) {
      this.takeParsing(encoding.length)
      this.#entries.set(key, search())
    }
    return this.#entries.get(key)
  }

  /** Parses a list once, whose encodings are used for every signature of the file. */
  certificatesIn(encodings: readonly Uint8Array[], max?: number): readonly Certificate[] {
    const known = this.#certificates.get(encodings)
    if (known !== undefined) return known
    const certificates = parseCertificates(encodings, max)
    this.#certificates.set(encodings, certificates)
    return certificates
  }

  isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
    return this.issuanceProblem(certificate, issuer) === undefined
  }

  /** Returns why it is not proven that the issuer signed the certificate; undefined if it is. Throws `TooMuchWork`. */
  issuanceProblem(certificate: Certificate, issuer: Certificate): string | undefined {
    return this.#signatureProblem(certificate.sha256, certificate, issuer)
  }

  /** True if a CRL or OCSP response, whose whole encoding names it, is signed with this key. */
  isSignedBy(encoding: Uint8Array, signed: Signed, issuer: Certificate): boolean {
    return this.#signatureProblem(this.#nameOf(encoding), signed, issuer) === undefined
  }

  #nameOf(encoding: Uint8Array): string {
    const name = this.#names.get(encoding) ?? `list ${this.#named++}`
    this.#names.set(encoding, name)
    return name
  }

  #signatureProblem(
    name: string,
    { signed, signature, signatureAlgorithm }: Signed,
    issuer: Certificate,
  ): string | undefined {
    const key = `${name} ${issuer.sha256}`
    if (this.#results.has(key)) return this.#results.get(key)
    this.#takeBytes(signed.length)
    this.#checksLeft -= costOf(issuer)
    if (this.#checksLeft < 0) throw new TooMuchWork()
    const result = problemOf(() => isSignedBy(issuer.key(), schemeOf(signatureAlgorithm, undefined), signed, signature))
    this.#results.set(key, result)
    return result
  }
}

/** Checks with elliptic curves take as long as ten with an RSA key of 2048 bits. */
function costOf(issuer: Certificate): number {
  const bits = issuer.key()?.asymmetricKeyDetails?.modulusLength
  return bits === undefined ? 10 : Math.max(1, Math.ceil((bits / 2048) ** 2))
}

/** A reason of `issuanceProblem` that accuses nobody: the key is another one. */
export const otherKey = 'another key made its signature'

function problemOf(work: () => boolean): string | undefined {
  try {
    return work() ? undefined : otherKey
  } catch (error) {
    if (error instanceof UnsupportedAlgorithm) return error.message
    if (error instanceof Asn1Error) return 'its signature algorithm cannot be read'
    throw error
  }
}
