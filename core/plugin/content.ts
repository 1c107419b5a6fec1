// Content that came from a provider and is to be written to a disk: what it is, and what nobody may write.
import { recogniseEverywhere } from '../brand.js'

export interface ContentFile {
  /** Relative, `/` between names. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** What was uploaded once, as the provider hands it out again. */
export interface Content {
  readonly files: readonly ContentFile[]
  /** What the content calls itself, where the object does not say. */
  readonly name?: string
}

export const contentLimits = {
  /** Of a download, packed. */
  downloadBytesMax: 64 * 1024 * 1024,
  /** Of all files together. */
  bytesMax: 64 * 1024 * 1024,
} as const

/** Broken or hostile content. The reason goes on after "because". */
export class ContentRefused extends Error {
  static {
    recogniseEverywhere(ContentRefused, 'ContentRefused')
  }

  constructor(
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(reason, options)
    this.name = 'ContentRefused'
  }
}
