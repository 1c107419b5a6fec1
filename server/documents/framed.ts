// Cached JSON with what only the request knows, written around it.

import type { Kept } from '../caches/read-cache.js'
import { limits } from '../limits.js'
import type { DocumentContext } from '../operation/operation.js'
import { ReadyJson } from '../operation/operation.js'

export interface Frame {
  readonly before?: string
  readonly after?: string
  /** Joins the entity tag: names the frame. */
  readonly name: string
}

/** Readers who are sent the same large answer share its bytes. */
export async function framed(
  { deployment }: Pick<DocumentContext, 'deployment'>,
  { bytes, contentType, etag }: Kept,
  { before = '', after = '', name }: Frame,
): Promise<ReadyJson> {
  const join = () => Buffer.concat([Buffer.from(before, 'utf8'), bytes, Buffer.from(after, 'utf8')])
  const ownTag = etag.replace(/"$/, `-${name}"`)
  if (bytes.length < limits.sharedAnswerBytesMin) return new ReadyJson(join(), ownTag)
  // No thread is asked for anything: nobody waits for the turn of another account.
  const ingredients = { scope: [etag], parts: [before, after], account: '' }
  const whole = await deployment.readCache.get(ingredients, async () => ({ contentType, bytes: join() }))
  return new ReadyJson(whole.bytes, ownTag)
}
