// Requests a timestamp from an authority (RFC 3161) and checks that the answer is for the digest that was sent.
import { randomBytes } from 'node:crypto'
import { defaultAlgorithmPolicy } from '../../../workers/contract/signatures/algorithm-policy.js'
import { der, oid } from '../../../workers/signatures/asn1/der.js'
import { Asn1Error, encodingOf, onlyElement, tags } from '../../../workers/signatures/asn1/element.js'
import { Members } from '../../../workers/signatures/asn1/members.js'
import { smallInteger } from '../../../workers/signatures/asn1/values.js'
import { CmsFailure } from '../../../workers/signatures/cms/cms-failure.js'
import { type DigestAlgorithm, oidOfDigest } from '../../../workers/signatures/cms/digest-algorithm.js'
import { signerCandidates } from '../../../workers/signatures/cms/judge-signer.js'
import { parseSignedData } from '../../../workers/signatures/cms/signed-data.js'
import { judgeToken } from '../../../workers/signatures/cms/timestamp-token.js'
import { documentsProblem } from '../problems.js'

const timeoutMs = 30_000
const answerBytesMax = 1024 * 1024

/** Resolves to the token, a CMS in DER. Rejects with the reason of the signal if it aborts. */
export async function requestTimestamp(
  url: string,
  digest: Uint8Array,
  algorithm: DigestAlgorithm,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const nonce = randomBytes(16)
  // The encoding of this number in DER is its own bytes: it is positive and has no leading zero byte.
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40
  const answer = await askAuthority(url, requestOf(digest, algorithm, nonce), signal)
  try {
    return checkedToken(answer, { digest, algorithm, nonce: nonce.toString('hex') })
  } catch (error) {
    if (error instanceof CmsFailure || error instanceof Asn1Error) throw failed(url, error.message, error)
    throw error
  }
}

function requestOf(digest: Uint8Array, algorithm: DigestAlgorithm, nonce: Uint8Array): Uint8Array {
  const imprint = der(0x30, der(0x30, oid(oidOfDigest(algorithm)), Buffer.from([5, 0])), der(tags.octetString, digest))
  const version = der(tags.integer, Buffer.from([1]))
  const wantsCertificates = der(tags.boolean, Buffer.from([255]))
  return der(0x30, version, imprint, der(tags.integer, nonce), wantsCertificates)
}

async function askAuthority(url: string, request: Uint8Array, signal: AbortSignal): Promise<Uint8Array> {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw failed(url, 'it is no http or https address')
  const { username, password, host } = new URL(url)
  if (username !== '' || password !== '') throw failed(host, 'its address must not contain a user name or password')
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
      body: Buffer.from(request),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    if (!response.ok) throw new Error(`it answered with ${response.status}`)
    return await boundedBody(response)
  } catch (error) {
    signal.throwIfAborted()
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    throw failed(url, cause instanceof Error ? cause.message : String(cause), error)
  }
}

async function boundedBody(response: Response): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    length += piece.length
    if (length > answerBytesMax) throw new Error('its answer is too long')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

interface Expected {
  readonly digest: Uint8Array
  readonly algorithm: DigestAlgorithm
  readonly nonce: string
}

function checkedToken(answer: Uint8Array, { digest, algorithm, nonce }: Expected): Uint8Array {
  const members = Members.of(onlyElement(answer), 'TimeStampResp')
  const status = smallInteger(Members.of(members.any(), 'PKIStatusInfo').take(tags.integer))
  // 0 = granted, 1 = granted with changes.
  if (status > 1) throw new Asn1Error(`it refused with status ${status}`)
  const token = encodingOf(members.any())
  const cms = parseSignedData(token)
  const stamped = (asked: DigestAlgorithm): Uint8Array => (asked === algorithm ? digest : new Uint8Array())
  const { info } = judgeToken(cms, stamped, defaultAlgorithmPolicy, signerCandidates(cms, []))
  if (info.nonce !== nonce) throw new Asn1Error('the timestamp is one of another request')
  return token
}

const failed = (url: string, reason: string, cause?: unknown) =>
  documentsProblem('documents.no-timestamp', {
    detail: `${url}: ${reason}.`,
    ...(cause === undefined ? {} : { cause }),
  })
