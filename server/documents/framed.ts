// Wraps cached JSON with members that are specific to the request.

import type { CachedAnswer } from '../caches/answer-cache.js'
import { limits } from '../limits.js'
import type { DocumentContext } from '../operation/operation.js'
import { ReadyJson } from '../operation/operation.js'

export interface Frame {
  readonly before?: string
  readonly after?: string
  /** Name of the frame, appended to the entity tag. */
  readonly name: string
}

/**
 * Wraps a cached answer. Large results are cached for all readers (the row "small requests beside eight readers of
 * the largest lists" of `npm run bench`).
 */
export async function framed(
  { deployment }: Pick<DocumentContext, 'deployment'>,
  { bytes, contentType, etag }: CachedAnswer,
  { before = '', after = '', name }: Frame,
): Promise<ReadyJson> {
  const join = () => Buffer.concat([Buffer.from(before, 'utf8'), bytes, Buffer.from(after, 'utf8')])
  const ownTag = etag.replace(/"$/, `-${name}"`)
  if (bytes.length < limits.sharedAnswerBytesMin) return new ReadyJson(join(), ownTag)
  // Framing needs no worker thread, so all accounts share the entry.
  const key = { scope: [etag], parts: [before, after], account: '' }
  const whole = await deployment.caches.answers.get(key, async () => ({ contentType, bytes: join() }))
  return new ReadyJson(whole.bytes, ownTag)
}
