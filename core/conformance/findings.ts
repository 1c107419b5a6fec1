// The form of findings, which are written for authors of plugins.
import assert from 'node:assert/strict'
import type { HttpRequest } from '../ports/http.js'
import type { HttpCall } from './life.js'

/** Throws if there are violations of a rule. The message has one line for each. */
export function expectNone(violations: readonly string[], rule: string): void {
  if (violations.length > 0) assert.fail([`${rule}:`, ...violations].join('\n  '))
}

/** Returns the request line without ids. */
export function lineOf({ method, url }: HttpRequest): string {
  const path = URL.parse(url)?.pathname ?? url
  const words = path.split('/').map((word) => (/\d/.test(word) && word.length > 8 ? '…' : word))
  return `${method} ${words.join('/')}`
}

/** Returns one line for each write, with the member of the handler that sent it. */
export function writesAmong(calls: readonly HttpCall[]): readonly string[] {
  return calls.flatMap(({ isWrite, by, request }) =>
    isWrite ? [`${by?.member ?? 'outside of a handler'}: ${lineOf(request)}`] : [],
  )
}
