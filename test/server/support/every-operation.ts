// One request per operation and path of the table, including immutable reads, for tests of rules that hold for all
// operations, also for future ones.

import { operations } from '../../../server/api/index.js'
import type { Operation } from '../../../server/operation/operation.js'

export interface SentRequest {
  readonly operation: Operation
  readonly title: string
  readonly path: string
}

/** Values by name of the path parameter. Destructive operations name missing objects, so that they can be accepted. */
export type Names = Readonly<Record<string, string>>

const immutableReads = (operation: Operation): readonly string[] => {
  const { path, versioned } = operation
  if (!versioned) return []
  const pinned = `${path}@${versioned.pins.map((pin) => `${pin}=1`).join(',')}`
  return versioned.isInherited ? [pinned, pinned.replace('/layers/:layerName', '')] : [pinned]
}

export function everyRequest(names: Names): readonly SentRequest[] {
  return operations.flatMap((operation) =>
    [operation.path, ...immutableReads(operation)].map((pattern) => {
      const path = pattern.replace(/:([A-Za-z]+)/g, (_whole, name: string) => encodeURIComponent(nameOf(name, names)))
      return { operation, path, title: `${operation.name} (${operation.method} ${pattern})` }
    }),
  )
}

function nameOf(parameter: string, names: Names): string {
  const name = names[parameter]
  if (name === undefined) throw new Error(`The path parameter ${parameter} needs a value in this file`)
  return name
}

/** Returns values of path parameters for a document of the tenant `acme`. */
export const namesOf = (docId: string) => ({
  tenantId: 'acme',
  id: docId,
  docId,
  layerName: 'default',
  pageKey: 'obj:3',
  annotKey: 'obj:5',
  fieldKey: 'obj:7',
  sha: 'a'.repeat(64),
  index: '0',
  algorithm: 'sha256',
  shareId: `shr_${'x'.repeat(24)}`,
  jti: 'not-there',
  signingId: 'not-there',
  webhookId: `whk_${'0'.repeat(28)}`,
  deliveryId: `dlv_${'0'.repeat(28)}`,
  token: 'epoch=0,format=segments1,q=YQ',
  key: 'YQ',
})
