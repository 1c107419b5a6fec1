// Signs a layer like the server, in-process, without a CMS: the structure of the signature is what changes are judged by.
import { readFileSync } from 'node:fs'
import type { Test } from 'tap'
import type { SignaturePrepare } from '../../../workers/contract/signatures/preparation.js'
import type { DocumentProtection } from '../../../workers/contract/signatures/protection.js'
import { asTask } from '../../../workers/engine/library.js'
import { prepareSignature } from '../../../workers/jobs/prepare-signature.js'
import { limits } from '../../../workers/limits.js'
import { signatureSnapshot } from '../../../workers/signatures/reading/snapshot.js'
import { openStrict } from '../../../workers/strict-reader/open-strict.js'
import { type ChangingLayer, changedAt } from './changing.js'
import { Workshop } from './workshop.js'

let count = 0

/** Returns the signed file: base, edits and signature. */
export async function signedAgain(
  t: Test,
  layer: ChangingLayer,
  request: Omit<SignaturePrepare, 'field'> & { readonly field: string },
): Promise<Buffer> {
  const { source, inline, nextObject } = layer
  const path = Workshop.of(t).path(`signed-${++count}.section`)
  const input = {
    source,
    request: { ...request, field: { kind: 'fqn', name: request.field } as const },
    protection: protectionOf(layer.basePath),
    isRewritten: false,
    contentsSize: 64,
    nextObject,
    stamp: { now: changedAt, author: 'Ada' },
    inline,
    resources: {},
    path,
  }
  const tools = { open: none, take: none, keep: () => undefined, limits }
  await asTask(() => Promise.resolve(prepareSignature.run(input, tools)))
  return Buffer.concat([readFileSync(layer.basePath), readFileSync(path)])
}

const none = (): never => {
  throw new Error('The job opens its own copy')
}

/** Returns the protection by the signatures of a file. */
export function protectionOf(path: string): DocumentProtection {
  const document = openStrict(path)
  try {
    return signatureSnapshot(document).protection
  } finally {
    document.close()
  }
}
