// Tools of one task: open copies of documents, and the check afterwards that none of them lost changes of a layer.
import type { JobTools } from './job.js'
import type { JobLimits } from './limits.js'
import type { HotDocuments } from './pdf/hot-documents.js'
import type { OpenDocument } from './pdf/open-document.js'
import { JobRefusal, type PdfSource } from './task.js'

export class TaskTools implements JobTools {
  readonly #hot: HotDocuments
  readonly #opened = new Map<PdfSource, OpenDocument>()

  constructor(
    hot: HotDocuments,
    readonly limits: JobLimits,
  ) {
    this.#hot = hot
  }

  readonly open = (source: PdfSource): OpenDocument => {
    const document = this.#hot.get(source)
    if (document.isAltered) this.#opened.set(source, document)
    return document
  }

  readonly take = (source: PdfSource): OpenDocument => this.#hot.take(source)

  readonly keep = (source: PdfSource, document: OpenDocument): void => this.#hot.keep(source, document)

  /**
   * Detects a repair by the engine, which met damage and lost the changes in its memory: the result is not that of the
   * layer. Throws `OverlayWanted`, so that the layer is opened again from its images.
   */
  refuseLostChanges(): void {
    for (const [source, document] of this.#opened) {
      if (!document.pdf.wasRepaired()) continue
      this.#hot.drop(source)
      throw new JobRefusal('OverlayWanted', 'The edits of the layer are needed')
    }
  }
}
