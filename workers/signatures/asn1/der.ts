// Writes DER: structures that are compared or hashed, and elements that were encoded in BER.
import { Asn1Error, childrenOf, contentOf, depthMax, type Element, isUniversal, tags } from './element.js'
import { octetsOf } from './values.js'

/** Returns an element with this identifier octet and content. */
export function der(identifier: number, ...content: readonly Uint8Array[]): Uint8Array {
  const length = content.reduce((sum, { length }) => sum + length, 0)
  return Buffer.concat([Buffer.from([identifier, ...lengthBytes(length)]), ...content])
}

/** Returns the element with definite, shortest lengths at every depth. The order of sets is not changed. */
export function definite(element: Element, depth = 0): Uint8Array {
  if (depth > depthMax) throw new Asn1Error('elements are nested too deeply')
  const { source, start } = element
  const identifier = source[start] ?? 0
  const isOctets: boolean = isUniversal(element, tags.octetString)
  if (isOctets) return der(identifier & ~32, octetsOf(element))
  if (!element.isConstructed) return der(identifier, contentOf(element))
  return der(identifier, ...childrenOf(element).map((child) => definite(child, depth + 1)))
}

export function oid(text: string): Uint8Array {
  const [root = 0, second = 0, ...others] = text.split('.').map(Number)
  return der(tags.oid, Buffer.from([root * 40 + second, ...others].flatMap(base128)))
}

function base128(arc: number): readonly number[] {
  const bytes = [arc % 128]
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) + 128)
  return bytes
}

function lengthBytes(length: number): readonly number[] {
  if (length < 128) return [length]
  const bytes: number[] = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return [128 + bytes.length, ...bytes]
}
