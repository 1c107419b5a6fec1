// `AlgorithmIdentifier`: an algorithm's object identifier and its parameters.
import { type Element, is, tags } from './element.js'
import { Members } from './members.js'
import { oidOf } from './values.js'

export interface AlgorithmIdentifier {
  readonly oid: string
  /** Undefined for NULL and if there are none. */
  readonly parameters: Element | undefined
}

export function algorithmIdentifier(element: Element): AlgorithmIdentifier {
  const members = Members.of(element, 'AlgorithmIdentifier')
  const oid = oidOf(members.any())
  const parameters = members.maybeAny()
  members.end()
  return { oid, parameters: is(parameters, tags.null) ? undefined : parameters }
}
