// Storages that the servers of a cluster import from, and that the load puts files into.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import type { Swift } from '../../support/engines/swift.js'

export interface ImportSource {
  /** Name of the connection in the settings of the servers. */
  readonly connectionId: string
  /** The connection as the settings of the servers have it. */
  readonly settings: Readonly<Record<string, unknown>>
  put(key: string, bytes: Uint8Array): Promise<void>
}

const anyKeyAndTenant = { prefixes: [''], tenants: ['*'] }

export function folderSource(folder: string): ImportSource {
  mkdirSync(folder, { recursive: true })
  return {
    connectionId: 'archive',
    settings: { type: 'filesystem', root: folder, ...anyKeyAndTenant },
    put: async (key, bytes) => writeFileSync(join(folder, key), bytes),
  }
}

/** A bucket of its own in the object store. */
export async function bucketSource({ endpoint, env }: Swift): Promise<ImportSource> {
  const place = { endpoint, region: 'us-east-1' }
  const client = new S3Client({ ...place, forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' })
  await client.send(new CreateBucketCommand({ Bucket: 'scans' }))
  const [accessKeyId, secretAccessKey] = Object.keys(env)
  return {
    connectionId: 'scans',
    settings: {
      type: 's3',
      bucket: 'scans',
      ...place,
      ...anyKeyAndTenant,
      credentials: { accessKeyId, secretAccessKey },
    },
    async put(key, bytes) {
      // The object store may be down.
      for (let isThere = false; !isThere; ) {
        const sent = client.send(new PutObjectCommand({ Bucket: 'scans', Key: key, Body: bytes }))
        isThere = await sent.then(() => true).catch(() => sleep(500, false))
      }
    },
  }
}
