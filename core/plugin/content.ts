// Content that a provider returned and that is to be written to a disk: its files, limits, and refusals.
import { recogniseEverywhere } from '../brand.js'

export interface ContentFile {
  /** Path relative to the content, with `/` between names. */
  readonly path: string
  readonly bytes: Uint8Array
}

/** Uploaded content as the provider returns it. */
export interface Content {
  readonly files: readonly ContentFile[]
  /** Name that the content gives the object, if the object itself has none. */
  readonly name?: string
}

export const contentLimits = {
  /** Maximum size of a packed download in bytes. */
  downloadBytesMax: 64 * 1024 * 1024,
  /** Maximum size of all files together in bytes. */
  bytesMax: 64 * 1024 * 1024,
} as const

/** Broken or hostile content. The reason continues a sentence after "because". */
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
