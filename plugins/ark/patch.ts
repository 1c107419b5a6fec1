// Sends updates whose metadata is patched key by key.
import type { Call, Remote } from '../../core/plugin/handler.js'
import { isEmpty, isObject, type Json, type JsonObject } from '../../core/value/tree.js'
import type { ArkClient } from './client.js'

/**
 * Sends the patch. How a key is removed is not documented: null is sent first, and a key that the response still
 * contains is set to an empty text, which compares as absent. `again` adds the members that such a second update needs.
 */
export async function patch(
  { client, signal }: Call<ArkClient>,
  path: string,
  body: JsonObject,
  again: (answer: Remote) => JsonObject = () => ({}),
): Promise<Remote> {
  const answer = await client.update(path, body, { signal })
  const survivors = survivorsOf(body['metadata'], answer['metadata'])
  if (survivors.length === 0) return answer
  const metadata = Object.fromEntries(survivors.map((key) => [key, '']))
  return client.update(path, { ...again(answer), metadata }, { signal })
}

function survivorsOf(sent: Json | undefined, current: Json | undefined): readonly string[] {
  if (!isObject(sent) || !isObject(current)) return []
  return Object.keys(sent).filter((key) => sent[key] === null && !isEmpty(current[key]))
}
