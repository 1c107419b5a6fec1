// `AlgorithmIdentifier`: an algorithm's object identifier and its parameters.
import { type Element, isUniversal, tags } from './element.js'
import { Members } from './members.js'
import { oidOf } from './values.js'

export interface AlgorithmIdentifier {
  readonly oid: string
  /** Undefined if they are missing or NULL. */
  readonly parameters: Element | undefined
}

export function algorithmIdentifier(element: Element): AlgorithmIdentifier {
  const members = Members.of(element, 'AlgorithmIdentifier')
  const oid = oidOf(members.any())
  const parameters = members.maybeAny()
  members.end()
  return { oid, parameters: isUniversal(parameters, tags.null) ? undefined : parameters }
}
