// Receives a multipart body of JSON and files: the part `body`, and parts `resource:<key>`, which are streamed into the
// staging folder and removed after the response.
import { createHash, randomUUID } from 'node:crypto'
import { open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasNul } from '../../workers/contract/nul.js'
import { limits } from '../limits.js'
import { bodyTooLarge } from '../operation/failures.js'
import type { BodyPart, Context, Operation, ReceivedFile, Resources, TenantContext } from '../operation/operation.js'
import { stage } from '../operation/storage-bounds.js'
import { invalidArg, Refusal } from '../refusals/refusal.js'
import { bounded } from './bounded-json.js'
import { notJson, refuseHeavy } from './json-text.js'

export interface ReceivedBody {
  /** Parsed JSON, not validated yet. */
  readonly body: unknown
  readonly resources: Resources
  discard(): Promise<void>
}

type FilePart = Extract<BodyPart, { readonly kind: 'file' }>

const prefix = 'resource:'
const loneFile = 'file'
const part = 'The part "body"'

/**
 * Receives a body. Throws `InvalidArg` for unknown parts, and `PayloadTooLarge`; received files are removed in that
 * case.
 */
export async function receiveBody(
  context: Context,
  { bodyOfLoneFile, loneFile }: Pick<Operation, 'bodyOfLoneFile' | 'loneFile'>,
): Promise<ReceivedBody> {
  const receiving = new BodyReceiver(context)
  try {
    for await (const part of context.parts()) {
      await receiving.take(part, bodyOfLoneFile !== undefined || loneFile !== undefined)
    }
    return loneFile === 'body' ? await receiving.finishWithLoneBody() : receiving.finish(bodyOfLoneFile)
  } catch (error) {
    await receiving.discard()
    throw error
  }
}

/**
 * Receives a body that is a file itself, as the resource `file`. Throws `PayloadTooLarge`; the received file is removed
 * in that case.
 */
export async function receiveFile(
  context: Context,
  { bodyOfLoneFile }: Pick<Operation, 'bodyOfLoneFile'>,
  { contentType, bytes }: Pick<FilePart, 'contentType' | 'bytes'>,
): Promise<ReceivedBody> {
  const receiving = new BodyReceiver(context)
  try {
    await receiving.take({ kind: 'file', name: loneFile, fileName: undefined, contentType, bytes }, true)
    return receiving.finish(bodyOfLoneFile)
  } catch (error) {
    await receiving.discard()
    throw error
  }
}

class BodyReceiver {
  readonly #paths: string[] = []
  readonly #files = new Map<string, ReceivedFile>()
  #body: string | undefined
  #bytesLeft: number
  #staged = 0

  constructor(private readonly context: Context) {
    this.#bytesLeft = context.deployment.config.documentBytesMax
  }

  async take(part: BodyPart, takesLoneFile: boolean): Promise<void> {
    const { name } = part
    if (name === 'body') return this.#takeBody(part)
    const key = name.startsWith(prefix) ? name.slice(prefix.length) : name === loneFile && takesLoneFile ? loneFile : ''
    if (key === '') {
      const names = ['body', ...(takesLoneFile ? [loneFile] : []), `${prefix}<key>`].join(', ')
      throw invalidArg(`The part ${JSON.stringify(name)} is unknown; known are ${names}`)
    }
    if (part.kind === 'file' && hasNul(part.fileName ?? '')) throw invalidArg(`The file name of ${name} has U+0000`)
    if (part.kind !== 'file') throw invalidArg(`The part ${JSON.stringify(name)} must be a file, with a file name`)
    if (this.#files.has(key)) throw invalidArg(`There are two files with the key ${JSON.stringify(key)}`)
    this.#files.set(key, await this.#keep(part))
  }

  finish(bodyOfLoneFile: object | undefined): ReceivedBody {
    const resources = Object.fromEntries(this.#files)
    const discard = () => this.discard()
    if (this.#body !== undefined) return { body: parsed(this.#body), resources, discard }
    if (bodyOfLoneFile === undefined || !this.#files.has(loneFile) || this.#files.size > 1) {
      throw invalidArg('The multipart body has no part named "body"')
    }
    return { body: bodyOfLoneFile, resources, discard }
  }

  /** A single file may contain the JSON; then it is no resource. */
  async finishWithLoneBody(): Promise<ReceivedBody> {
    const lone = this.#files.get(loneFile)
    if (lone === undefined || this.#body !== undefined || this.#files.size > 1) return this.finish(undefined)
    if (lone.sizeBytes > limits.jsonBodyBytesMax) throw bodyTooLarge()
    const text = await readFile(lone.path, 'utf8')
    return { body: parsed(text), resources: {}, discard: () => this.discard() }
  }

  async discard(): Promise<void> {
    for (const path of this.#paths.splice(0)) await rm(path, { force: true })
    const staged = this.#staged
    this.#staged = 0
    if (hasTenant(this.context)) await stage(this.context, -staged)
  }

  /** Reads the JSON from a field or, as some clients send it, a file. */
  async #takeBody(part: BodyPart): Promise<void> {
    if (this.#body !== undefined) throw invalidArg('There are two parts named "body"')
    this.#body = part.kind === 'field' ? part.value : await textOf(part.bytes)
  }

  async #keep({ bytes, contentType, fileName }: FilePart): Promise<ReceivedFile> {
    const path = join(this.context.deployment.blobs.staging, `resource-${randomUUID()}`)
    this.#paths.push(path)
    const hash = createHash('sha256')
    let sizeBytes = 0
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of bytes) {
        this.#bytesLeft -= chunk.length
        if (this.#bytesLeft < 0) throw tooLarge('documentBytesMax', this.context.deployment.config.documentBytesMax)
        this.#staged += chunk.length
        if (hasTenant(this.context)) await stage(this.context, chunk.length)
        hash.update(chunk)
        sizeBytes += chunk.length
        for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
      }
    } finally {
      await file.close()
    }
    return { path, sizeBytes, sha256: hash.digest('hex'), contentType, fileName }
  }
}

const hasTenant = (context: Context): context is TenantContext => 'tenant' in context

async function textOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let remaining: number = limits.jsonBodyBytesMax
  for await (const chunk of bytes) {
    remaining -= chunk.length
    if (remaining < 0) throw bodyTooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parsed(text: string): unknown {
  const value = bounded(parsedText(text))
  // `__proto__` would modify the prototype of the parsed object.
  if (hasPrototype(value)) throw notJson(text, part)
  return value
}

function parsedText(text: string): unknown {
  refuseHeavy(text)
  try {
    return JSON.parse(text)
  } catch {
    throw notJson(text, part)
  }
}

/** True if any object has the member `__proto__`. The caller has limited the depth. */
const hasPrototype = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototype))

const tooLarge = (limit: string, max: number) =>
  new Refusal('PayloadTooLarge', `File exceeds the limit of ${max} bytes`, { details: { limit, max } })
