// Signs layers over HTTP, as a client does, and judges the result.
import { writeFileSync } from 'node:fs'
import type { Test } from 'tap'
import { judged } from '../../../support/pdf/judges.js'
import { Workshop } from '../../../support/pdf/workshop.js'
import { type DigestName, type TestSigner, testSigner } from '../../../support/signing/test-signer.js'
import { type Layer, layerPath } from '../../changes/support/changing.js'
import type { Answer, Client } from '../../support/client.js'
import { done } from '../../support/running-server.js'

/** One key for all tests of a file: making one takes a tenth of a second. */
export const signer: TestSigner = testSigner()

export interface SigningClient extends Layer {
  readonly api: Client
  readonly headers?: Readonly<Record<string, string>>
}

export const field = (name: string): object => ({ field: { kind: 'fqn', name } })

export const prepare = ({ api, headers = {}, ...layer }: SigningClient, request: object): Promise<Answer> =>
  api.post(`${layerPath(layer)}/signatures/prepare`, request, headers)

/** Sends the request with a file for the appearance. */
export function prepareWith(
  { api, headers = {}, ...layer }: SigningClient,
  request: object,
  appearance: Uint8Array,
): Promise<Answer> {
  const body = new FormData()
  body.set('body', JSON.stringify({ ...request, resources: { appearance: 'picture' } }))
  body.set('resource:picture', new Blob([Buffer.from(appearance)], { type: 'application/pdf' }), 'picture.pdf')
  return api.send(`${layerPath(layer)}/signatures/prepare`, { method: 'POST', body, headers })
}

/** The response of a preparation. */
export type Prepared = Pick<Answer, 'at' | 'word'>

export const cmsOver = (prepared: Prepared): string =>
  signer.sign(prepared.word('/digest'), { algorithm: prepared.word('/algorithm') as DigestName })

export interface CompletionRequest {
  /** Default: the test signer's CMS over the prepared digest. */
  readonly cms?: string
  /** Default: that of the preparation. */
  readonly expectedVersion?: object
}

export function complete(
  { api, headers = {}, ...layer }: SigningClient,
  prepared: Prepared,
  { cms = cmsOver(prepared), expectedVersion = Object(prepared.at('/expectedVersion')) }: CompletionRequest = {},
): Promise<Answer> {
  const path = `${layerPath(layer)}/signatures/${prepared.word('/signingId')}/complete`
  return api.post(path, { cms, expectedVersion }, headers)
}

export const cancel = ({ api, ...layer }: SigningClient, prepared: Prepared): Promise<Answer> =>
  api.delete(`${layerPath(layer)}/signatures/${prepared.word('/signingId')}`)

/** Prepares and completes. */
export async function sign(client: SigningClient, request: object): Promise<Answer> {
  const prepared = await prepare(client, request).then(done)
  return complete(client, prepared).then(done)
}

export async function download({ api, headers = {}, ...layer }: SigningClient): Promise<Buffer> {
  return (await api.get(`${layerPath(layer)}/download`, headers).then(done)).bytes
}

/** Poppler's verdict on one signature. */
export interface Verdict {
  readonly isValid: boolean
  /** The signature covers the whole file. */
  readonly isTotal: boolean
  readonly text: string
}

export function popplerVerdicts(t: Test, bytes: Uint8Array, password?: string): readonly Verdict[] {
  const { path } = Workshop.of(t).source(bytes)
  const report = judged('pdfsig', [...(password === undefined ? [] : ['-upw', password, '-opw', password]), path])
  return report
    .toString()
    .split(/^Signature #/m)
    .slice(1)
    .map((text) => ({
      isValid: text.includes('Signature is Valid'),
      isTotal: text.includes('Total document signed'),
      text,
    }))
}

/** Throws unless the CMS signs the bytes of the range. */
export function opensslVerifies(t: Test, file: Buffer, cms: string, byteRange: unknown): void {
  const workshop = Workshop.of(t)
  const content = workshop.source(signedBytes(file, byteRange)).path
  const signature = workshop.path('signature.der')
  writeFileSync(signature, Buffer.from(cms, 'base64'))
  const input = ['-inform', 'DER', '-in', signature, '-content', content]
  judged('openssl', ['cms', '-verify', '-binary', '-noverify', '-out', workshop.path('content'), ...input])
}

export function signedBytes(file: Buffer, byteRange: unknown): Buffer {
  const [a = 0, b = 0, c = 0, d = 0] = Array.isArray(byteRange) ? byteRange.map(Number) : []
  return Buffer.concat([file.subarray(a, a + b), file.subarray(c, c + d)])
}

/** Throws unless qpdf finds the file sound. */
export function qpdfAccepts(t: Test, bytes: Uint8Array, password?: string): void {
  const { path } = Workshop.of(t).source(bytes)
  judged('qpdf', ['--check', ...(password === undefined ? [] : [`--password=${password}`]), path])
}
