// Blobs on a real S3-compatible storage.
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import t from 'tap'
import type { BlobName } from '../../../server/storage/blobs.js'
import { blobsConformance } from '../../../server/storage/conformance/blobs.js'
import { S3Blobs, type S3BlobsOptions } from '../../../server/storage/s3/s3-blobs.js'
import { scratchFolder } from '../../cli/scratch.js'
import { needsSwift, startSwift } from '../../support/engines/swift.js'

t.test('blobs on S3-compatible storage', needsSwift, async (t) => {
  const swift = await startSwift(t)
  const folder = scratchFolder(t)
  const client = new S3Client({
    endpoint: swift.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  t.teardown(() => client.destroy())
  await client.send(new CreateBucketCommand({ Bucket: 'steward' }))

  const open = async (name: string, options: Partial<S3BlobsOptions> = {}): Promise<S3Blobs> => {
    const root = join(folder, name)
    mkdirSync(root, { recursive: true })
    const blobs = await S3Blobs.open({
      address: `s3://steward/${name}?endpoint=${swift.endpoint}&pathStyle=true`,
      staging: join(root, 'workshop'),
      copies: join(root, 'copies'),
      copiesBytesMax: 64 * 1024 * 1024,
      ...options,
    })
    t.teardown(() => blobs.close())
    return blobs
  }

  await t.test('conformance', (t) => blobsConformance(t, open))
})
