// Requests to an S3-compatible storage, each with a deadline and a bounded number of attempts, and the errors they end
// with. Details of responses, which may name keys, stay out of errors.
import { S3Client } from '@aws-sdk/client-s3'
import { limits } from '../../limits.js'
import { BlobsUnavailable } from '../blobs.js'
import type { Measurement } from '../measurement.js'
import type { S3Address } from './address.js'
import { boundErrors } from './bounded-errors.js'

type Send<Answer> = (client: S3Client, options: { readonly abortSignal: AbortSignal }) => Promise<Answer>

export class S3Connection {
  readonly bucket: string
  readonly prefix: string
  /** Client of URLs for others: it signs, and sends nothing. */
  readonly publicClient: S3Client
  readonly measurements: readonly Measurement[] = [
    {
      name: 'blob_requests',
      help: 'Requests to the storage of files, since the start; a repeated one counts once',
      read: () => this.ended,
    },
    {
      name: 'blob_requests_failed',
      help: 'Requests to the storage of files that were given up, since the start',
      read: () => this.failed,
    },
    {
      name: 'blob_request_seconds',
      help: 'Seconds in which requests to the storage of files waited for the head of the response, since the start',
      read: () => this.waitedMs / 1000,
    },
  ]
  private readonly client: S3Client
  private ended = 0
  private failed = 0
  private waitedMs = 0

  constructor(address: S3Address) {
    this.bucket = address.bucket
    this.prefix = address.prefix
    this.client = clientOf(address, address.endpoint)
    this.publicClient =
      address.publicEndpoint === address.endpoint ? this.client : clientOf(address, address.publicEndpoint)
  }

  /**
   * Sends a request; repeats it after throttling, failures of the storage and lost connections. Throws
   * `BlobsUnavailable` if it keeps failing or the deadline is over, and `ObjectMissing`.
   */
  async run<Answer>(send: Send<Answer>, deadlineMs: number = limits.blobRequestMs): Promise<Answer> {
    const controller = new AbortController()
    // The deadline ends with the head of the response: bodies have limits of their own.
    const timer = setTimeout(() => controller.abort(), deadlineMs)
    const startedMs = performance.now()
    try {
      return await send(this.client, { abortSignal: controller.signal })
    } catch (error) {
      const failure = storageError(error)
      if (failure instanceof BlobsUnavailable) this.failed += 1
      throw failure
    } finally {
      clearTimeout(timer)
      this.ended += 1
      this.waitedMs += performance.now() - startedMs
    }
  }

  close(): void {
    this.client.destroy()
    this.publicClient.destroy()
  }
}

function clientOf({ region, isPathStyle }: S3Address, endpoint: string | undefined): S3Client {
  const client = new S3Client({
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: isPathStyle,
    // Many compatible storages do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: limits.blobAttemptsMax,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: limits.blobConnectMs,
      requestTimeout: limits.blobIdleMs,
      // Otherwise the client only warns, and waits until the deadline of the whole request.
      throwOnRequestTimeout: true,
      // A download occupies its connection for as long as its reader takes.
      httpAgent: { keepAlive: true, maxSockets: limits.blobConnectionsMax },
      httpsAgent: { keepAlive: true, maxSockets: limits.blobConnectionsMax },
    },
  })
  boundErrors(client)
  return client
}

/** There is no such object. */
export class ObjectMissing extends Error {
  override readonly name = 'ObjectMissing'
}

interface Failure {
  readonly name: string
  readonly status: number | undefined
}

function failureOf(error: unknown): Failure {
  const { name = 'Error', $metadata } = Object(error) as { name?: string; $metadata?: { httpStatusCode?: number } }
  return { name, status: $metadata?.httpStatusCode }
}

/** Statuses of requests that are wrong in themselves; others may succeed later. */
const wrongStatuses: ReadonlySet<number | undefined> = new Set([400, 405, 411, 412, 416, 501])

function storageError(error: unknown): Error {
  const { name, status } = failureOf(error)
  if (status === 404 && name !== 'NoSuchBucket') return new ObjectMissing('No such object')
  const cause = describe(error)
  if (wrongStatuses.has(status) && name !== 'RequestTimeout') {
    return new Error(`The storage refused a request: ${cause.message}`, { cause })
  }
  return new BlobsUnavailable(reasonOf({ name, status }), cause)
}

function reasonOf({ name, status }: Failure): BlobsUnavailable['reason'] {
  if (name === 'NoSuchBucket') return 'no-bucket'
  if (status === 401 || status === 403 || name === 'CredentialsProviderError') return 'denied'
  return 'failed'
}

/** Returns an error with the code and message only: those of the client contain the whole response. */
function describe(error: unknown): Error {
  const { name, status } = failureOf(error)
  const { message = '', code = '' } = Object(error) as { message?: string; code?: string }
  const words = [name, String(code), message, status === undefined ? '' : `status ${status}`]
  return new Error(words.filter((word) => word !== '').join(', '))
}

export interface ObjectName {
  readonly Bucket: string
  readonly Key: string
}
