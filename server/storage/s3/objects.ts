// Objects of the storage by key. Keys are random, so an object is never overwritten.
import { readFile } from 'node:fs/promises'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import { limits } from '../../limits.js'
import { ObjectMissing, type ObjectName, type S3Connection } from './connection.js'
import { uploadParts } from './upload-parts.js'

export interface StoredObject {
  /** Key without the prefix of the address. */
  readonly key: string
  readonly sizeBytes: number
  /** Milliseconds since 1970, by the clock of the storage. */
  readonly writtenAtMs: number
}

export class Objects {
  constructor(private readonly connection: S3Connection) {}

  async *list(prefix: string): AsyncIterable<StoredObject> {
    const { bucket: Bucket, prefix: root } = this.connection
    let token: string | undefined
    do {
      const page = await this.connection.run((client, options) =>
        client.send(new ListObjectsV2Command({ Bucket, Prefix: root + prefix, ContinuationToken: token }), options),
      )
      for (const { Key, Size = 0, LastModified } of page.Contents ?? []) {
        if (Key === undefined) continue
        yield { key: Key.slice(root.length), sizeBytes: Size, writtenAtMs: LastModified?.getTime() ?? Date.now() }
      }
      token = page.IsTruncated ? page.NextContinuationToken : undefined
    } while (token !== undefined)
  }

  async put(key: string, Body: Buffer): Promise<void> {
    await this.connection.run(
      (client, options) =>
        client.send(
          new PutObjectCommand({
            ...this.named(key),
            Body,
            ContentLength: Body.length,
            ContentType: 'application/octet-stream',
          }),
          options,
        ),
      limits.blobTransferMs,
    )
  }

  /** Uploads a file; the object is visible only as a whole. */
  async putFile(key: string, path: string, sizeBytes: number): Promise<void> {
    if (sizeBytes > limits.blobPartBytes) return uploadParts(this.connection, this.named(key), { path, sizeBytes })
    const bytes = await readFile(path)
    if (bytes.length !== sizeBytes) throw new Error(`A file of ${sizeBytes} bytes changed while it was uploaded`)
    await this.put(key, bytes)
  }

  /** Removes an object, if it exists. */
  async remove(key: string): Promise<void> {
    try {
      await this.connection.run((client, options) => client.send(new DeleteObjectCommand(this.named(key)), options))
    } catch (error) {
      if (!(error instanceof ObjectMissing)) throw error
    }
  }

  /** Ends uploads in parts that began before the time and were not finished, because their parts occupy space. */
  async abortUploads(prefix: string, beforeMs: number): Promise<void> {
    const { bucket: Bucket, prefix: root } = this.connection
    let at: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } | undefined = {}
    while (at !== undefined) {
      const markers: object = at
      const page = await this.connection.run((client, options) =>
        client.send(new ListMultipartUploadsCommand({ Bucket, Prefix: root + prefix, ...markers }), options),
      )
      for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
        if (Key === undefined || (Initiated?.getTime() ?? 0) >= beforeMs) continue
        await this.connection
          .run((client, options) => client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), options))
          .catch(unlessMissing)
      }
      const { NextKeyMarker, NextUploadIdMarker } = page
      at =
        page.IsTruncated && NextKeyMarker
          ? { KeyMarker: NextKeyMarker, ...(NextUploadIdMarker ? { UploadIdMarker: NextUploadIdMarker } : {}) }
          : undefined
    }
  }

  /** Removes objects, some at a time. */
  async removeMany(keys: readonly string[]): Promise<void> {
    const left = [...keys]
    const removeSome = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) await this.remove(key)
    }
    await Promise.all(Array.from({ length: Math.min(limits.blobRemovalsAtOnce, keys.length) }, removeSome))
  }

  named(key: string): ObjectName {
    return { Bucket: this.connection.bucket, Key: this.connection.prefix + key }
  }
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof ObjectMissing)) throw error
}
