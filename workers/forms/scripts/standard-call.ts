// Parses scripts of form editors: a single call of a standard function with constant arguments. Nothing is ever
// executed; any other script is not understood and has no effect.

import { lookUp } from '../../objects/look-up.js'

export type ScriptValue = string | number | boolean | readonly ScriptValue[]

export interface StandardCall {
  readonly name: string
  readonly values: readonly ScriptValue[]
}

/** Maximum length; longer scripts are programs. */
const charactersMax = 20_000

/** Maximum number of values in one list. */
const valuesMax = 2_000

const comment = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/y
const token =
  /\s*(?:([A-Za-z_]\w*)|(-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|"((?:[^"\\\n]|\\[^\n])*)"|'((?:[^'\\\n]|\\[^\n])*)'|([(),;[\]]))/y

interface Token {
  readonly kind: 'word' | 'number' | 'text' | 'sign'
  readonly text: string
}

/** Returns undefined for any other script. */
export function standardCall(script: string): StandardCall | undefined {
  if (script.length > charactersMax) return undefined
  const tokens = tokensOf(script)
  return tokens === undefined ? undefined : new CallReader(tokens).read()
}

function tokensOf(script: string): readonly Token[] | undefined {
  const tokens: Token[] = []
  let place = 0
  for (;;) {
    place += /^\s*/.exec(script.slice(place))?.[0].length ?? 0
    if (place >= script.length) return tokens
    comment.lastIndex = place
    if (comment.test(script)) {
      place = comment.lastIndex
      continue
    }
    token.lastIndex = place
    const found = token.exec(script)
    if (found === null) return undefined
    place = token.lastIndex
    const [, word, number, double, single, sign] = found
    const text = double ?? single
    if (text !== undefined) tokens.push({ kind: 'text', text: unescaped(text) })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else tokens.push({ kind: 'sign', text: sign ?? '' })
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', 0: '\0' }

export const unescaped = (text: string): string =>
  text.replace(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (_all, wide, narrow, plain: string) => {
    const code: unknown = wide ?? narrow
    return typeof code === 'string' ? String.fromCharCode(Number.parseInt(code, 16)) : (lookUp(escapes, plain) ?? plain)
  })

const constants: Readonly<Record<string, boolean>> = { true: true, false: false }

class CallReader {
  #place = 0

  constructor(private readonly tokens: readonly Token[]) {}

  read(): StandardCall | undefined {
    const name = this.#next()
    if (name?.kind !== 'word' || !this.#takes('(')) return undefined
    const values = this.#listUntil(')', true)
    if (values === undefined) return undefined
    while (this.#takes(';'));
    return this.#place === this.tokens.length ? { name: name.text, values } : undefined
  }

  #next(): Token | undefined {
    return this.tokens[this.#place++]
  }

  #takes(sign: string): boolean {
    const { kind, text } = this.tokens[this.#place] ?? {}
    if (kind !== 'sign' || text !== sign) return false
    this.#place++
    return true
  }

  #listUntil(end: string, mayHoldLists: boolean): readonly ScriptValue[] | undefined {
    const values: ScriptValue[] = []
    if (this.#takes(end)) return values
    while (values.length < valuesMax) {
      const value = this.#value(mayHoldLists)
      if (value === undefined) return undefined
      values.push(value)
      if (this.#takes(end)) return values
      if (!this.#takes(',')) return undefined
    }
    return undefined
  }

  #value(mayBeList: boolean): ScriptValue | undefined {
    if (mayBeList && this.#takes('[')) return this.#listUntil(']', false)
    const value = this.#next()
    if (value?.kind === 'text') return value.text
    if (value?.kind === 'number') return Number(value.text)
    if (value?.kind !== 'word') return undefined
    const constant = lookUp(constants, value.text)
    if (constant !== undefined) return constant
    if (!mayBeList || value.text !== 'new' || this.#next()?.text !== 'Array' || !this.#takes('(')) return undefined
    return this.#listUntil(')', false)
  }
}
