// Finds e-mail addresses, as people write them: no quoted names, no addresses in brackets.
import { RE2JS } from 're2js'
import type { FindSpans } from './preset-pattern.js'

const address = RE2JS.compile(
  String.raw`[\p{L}\p{N}_][\p{L}\p{N}_.%+'-]{0,63}@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}(?:\p{L}{2,63}|xn--[a-z0-9-]{2,59})`,
)

export const emailAddresses: FindSpans = function* (text) {
  const matcher = address.matcher(text)
  while (matcher.find()) yield [matcher.start(), matcher.end()]
}
