// Connection to a bucket of an S3-compatible storage. The client library is loaded when the first file is read.
import type { GetObjectCommandInput, GetObjectCommandOutput, S3Client, S3ClientConfig } from '@aws-sdk/client-s3'
import { limits } from '../limits.js'
import type { Connection, ConnectionFile, OpenedFile, ReadLimits } from '../operation/connections.js'
import { Refusal } from '../refusals/refusal.js'
import type { S3Settings } from '../settings/connections.js'
import { boundErrors } from '../storage/s3/bounded-errors.js'
import { isAllowedKey } from './allowed-key.js'
import { noSuchFile, tooLarge, upstreamFailed } from './failures.js'
import { steadyBytes, withDeadline } from './transfer.js'

export type Credentials =
  | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string }
  | { readonly profile: string }

interface Session {
  readonly client: S3Client
  get(input: GetObjectCommandInput, signal: AbortSignal): Promise<GetObjectCommandOutput>
}

type ObjectName = Pick<GetObjectCommandInput, 'Bucket' | 'Key' | 'VersionId'>

export class S3Connection implements Connection {
  readonly type = 's3'
  private session: Promise<Session> | undefined

  constructor(
    readonly id: string,
    private readonly settings: S3Settings,
    private readonly credentials: Credentials,
  ) {}

  allows({ key }: ConnectionFile): boolean {
    return isAllowedKey(key, this.settings.prefixes)
  }

  async read<Result>(
    { key, revision }: ConnectionFile,
    { sizeBytesMax, totalMs, signal: wanted }: ReadLimits,
    take: (opened: OpenedFile) => Promise<Result>,
  ): Promise<Result> {
    this.session ??= openSession(this.settings, this.credentials)
    const session = await this.session
    const name = { Bucket: this.settings.bucket, Key: key, ...(revision === null ? {} : { VersionId: revision }) }
    return withDeadline({ signal: wanted, timeouts: { totalMs } }, async (signal) => {
      const ended = new AbortController()
      const transfer = AbortSignal.any([signal, ended.signal])
      try {
        const first = await getObject(session, name, transfer)
        const { ContentLength: sizeBytes, ETag: tag } = first
        if (sizeBytes === undefined) throw upstreamFailed('The source does not declare a length')
        if (tag === undefined) throw upstreamFailed('The source declares no entity tag')
        if (sizeBytes > sizeBytesMax) throw tooLarge(sizeBytesMax)
        const pieces = resumed(first, { session, name, tag, sizeBytes, signal: transfer })
        const bounds = {
          sizeBytes,
          signal,
          idleMs: limits.importIdleTimeoutMs,
          bytesPerSecondMin: limits.importBytesPerSecondMin,
        }
        return await take({ sizeBytes, tag, bytes: steadyBytes(pieces, bounds) })
      } finally {
        // Ends a body that was not read to its end.
        ended.abort()
      }
    })
  }

  async close(): Promise<void> {
    const session = await this.session?.catch(() => undefined)
    session?.client.destroy()
  }
}

async function openSession(settings: S3Settings, credentials: Credentials): Promise<Session> {
  const { GetObjectCommand, S3Client } = await import('@aws-sdk/client-s3')
  const { region, endpoint, pathStyle = endpoint !== undefined } = settings
  const config: S3ClientConfig = {
    region,
    // Without one, variables of the environment could name another endpoint.
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    forcePathStyle: pathStyle,
    followRegionRedirects: false,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: limits.importConnectTimeoutMs, requestTimeout: limits.importIdleTimeoutMs },
    ...('profile' in credentials ? { profile: credentials.profile } : { credentials }),
  }
  const client = new S3Client(config)
  boundErrors(client)
  return { client, get: (input, abortSignal) => client.send(new GetObjectCommand(input), { abortSignal }) }
}

interface Transfer {
  readonly session: Session
  readonly name: ObjectName
  readonly tag: string
  readonly sizeBytes: number
  readonly signal: AbortSignal
}

/** Yields the bytes of an object. After a broken connection it continues where the bytes ended, in the same content. */
async function* resumed(first: GetObjectCommandOutput, transfer: Transfer): AsyncGenerator<Uint8Array> {
  const { session, name, tag, sizeBytes, signal } = transfer
  let at = 0
  let answer = first
  for (let resumes = 0; ; resumes++) {
    let failure: unknown
    try {
      for await (const chunk of bodyOf(answer)) {
        at += chunk.length
        yield chunk
      }
    } catch (error) {
      failure = error
    }
    if (at >= sizeBytes) return
    signal.throwIfAborted()
    if (resumes === limits.importResumesMax)
      throw failure ?? upstreamFailed('The source sent fewer bytes than it declared')
    answer = await getObject(session, { ...name, Range: `bytes=${at}-`, IfMatch: tag }, signal)
  }
}

function bodyOf({ Body }: GetObjectCommandOutput): AsyncIterable<Uint8Array> {
  // In Node the body is a stream; the type covers browsers too.
  if (Body === undefined) throw upstreamFailed('The source sent no body')
  return Body as unknown as AsyncIterable<Uint8Array>
}

async function getObject(
  session: Session,
  input: GetObjectCommandInput,
  signal: AbortSignal,
): Promise<GetObjectCommandOutput> {
  try {
    return await session.get(input, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw refusalOf(error)
  }
}

/** Statuses after which the same request may succeed later. */
const notNow: ReadonlySet<number> = new Set([408, 409, 425, 429])

/** Codes of a 403 that are about the request: credentials that ended, or a clock that is wrong for a while. */
const aboutRequest: ReadonlySet<string> = new Set([
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidSignatureException',
  'RequestExpired',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
])

/** Messages of the storage contain names and request ids, so only its status or code is reported. */
function refusalOf(error: unknown): unknown {
  if (error instanceof Refusal || !(error instanceof Error)) return error
  const { $metadata, code } = error as { $metadata?: { httpStatusCode?: number }; code?: unknown }
  const status = $metadata?.httpStatusCode
  if (status === undefined) return upstreamFailed(`The storage cannot be read (${code ?? error.name})`)
  if (status === 412) return upstreamFailed('The file was changed while it was read')
  const isAboutFile = status >= 400 && status < 500 && !notNow.has(status) && !aboutRequest.has(error.name)
  if (isAboutFile) return noSuchFile()
  return upstreamFailed(`The storage answered with status ${status}`)
}
