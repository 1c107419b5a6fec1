// Derives the declaration of an imported object that agents.yaml does not declare yet.
import type { Variables } from '../plugin/declaration.js'
import { problem } from '../problems/index.js'
import type { Row } from '../state/row.js'
import { type Address, parseAddress } from '../value/address.js'
import type { Json, JsonObject } from '../value/tree.js'
import type { Binding } from './bound.js'
import type { FoundForImport } from './find-for-import.js'
import { areAmong, variableName } from './remote-index.js'
import type { FolderContent } from './source-folders.js'
import { variableNames, WrittenText } from './written-text.js'

export interface DeclarationRequest {
  readonly rows: ReadonlyMap<Address, Row>
  readonly variables: Variables
  /** Whole agents.yaml as data. */
  readonly file: Json
  /** Returns the path of a new folder for the content of the object. */
  newFolder(content: FolderContent): string
}

/**
 * Returns the declaration to write for an object that the file does not declare. References are names if state contains
 * them.
 */
export function declarationFor(
  { rows, file, variables, newFolder }: DeclarationRequest,
  { address }: Binding,
  { handler, object, content }: Pick<FoundForImport, 'handler' | 'object' | 'content'>,
): JsonObject {
  const { provider, name } = parseAddress(address)
  const text = new WrittenText(undefined, variableNames(file), variables)
  const ownerOf = (kind: string, id: string) =>
    [...rows].find(([other, row]) => other.startsWith(`${provider}.${kind}.`) && row.id === id)
  let reason = `${provider} does not show enough of its ${handler.kind}s`
  const body = handler.declare?.(object, {
    self: name,
    name: (kind, id) => {
      const owner = ownerOf(kind, id)
      return owner && parseAddress(owner[0]).name
    },
    isAt: (kind, id, outputs) => areAmong(outputs, ownerOf(kind, id)?.[1].outputs ?? {}),
    folder() {
      if (content?.type === 'refused') reason = content.reason
      return content?.type === 'content' ? text.placeholderFor(newFolder(content)) : undefined
    },
    secret: (_at, ...words) => text.placeholderFor(`\${${variableName(words)}}`),
    isWritten: () => false,
    nameWritten: () => undefined,
    cannotSay(why) {
      reason = why
      return undefined
    },
  })
  if (body) return text.of(body)
  throw problem('import.cannot-declare', {
    address,
    detail: `No declaration can be written for it, because ${reason}.`,
    fix: `Declare ${address} by hand, then import it.`,
  })
}
