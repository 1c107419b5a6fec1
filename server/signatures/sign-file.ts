// Checks the CMS and writes the signed file in a worker. Nothing is stored yet.
import type { SignedFile } from '../../workers/jobs/complete-signature.js'
import type { ChangeState } from '../changes/state.js'
import { accountOf } from '../operation/account.js'
import { Refusal } from '../refusals/refusal.js'
import type { SigningRow } from '../rows/signing.js'

export interface SigningInput {
  /** CMS in DER. */
  readonly cms: Uint8Array
  readonly signing: SigningRow
  /** Path in the staging folder where the signed file is written; the caller removes it. */
  readonly path: string
}

/** Throws `SignatureRefused` with the check that failed. */
export async function signFile({ context, owner }: ChangeState, input: SigningInput): Promise<SignedFile> {
  const { cms, signing, path } = input
  const { blobs, workers, trustRoots, clock } = context.deployment
  const { tenant, document } = owner
  const { base, section, algorithm, digest, subFilter, byteRange, contentsSize, field } = signing
  if (section === null) throw new Error('An open signing has no section')
  if (cms.length > contentsSize) throw tooLong(cms.length, contentsSize)
  await blobs.demandRoom(base.sizeBytes + section.sizeBytes)
  const local = await blobs.openLocal({ tenant, document, name: base.name })
  try {
    const prepared = await blobs.openLocal({ tenant, document, name: section.name })
    try {
      const source = {
        document,
        account: accountOf(context),
        key: `${document}/${signing.version}/${base.name}`,
        path: local.path,
        sizeBytes: base.sizeBytes,
        ...(context.password && { password: context.password }),
      }
      return await workers.run('completeSignature', {
        source,
        cms,
        algorithm,
        digest,
        subFilter,
        byteRange,
        contentsSize,
        field,
        trustRoots,
        now: clock.now(),
        sectionPath: prepared.path,
        path,
      })
    } finally {
      prepared.release()
    }
  } finally {
    local.release()
  }
}

const tooLong = (length: number, max: number): Refusal =>
  new Refusal('SignatureRefused', `The CMS has ${length} bytes, and the signature has room for ${max}`, {
    details: { check: 'size', max, value: length },
  })
