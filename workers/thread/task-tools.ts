// Tools of one task. They also repeat the task if the engine repaired a copy during the first attempt: a repair
// discards changes in memory, so the answer may mix two states of the document.

import type { HotDocuments } from '../document/hot-documents.js'
import type { OpenDocument } from '../document/open-document.js'
import { isTrap } from '../engine/trap.js'
import { forceRepair } from '../intake/force-repair.js'
import type { JobTools } from '../jobs/job.js'
import type { JobLimits } from '../limits.js'
import type { PdfSource } from '../messages/task.js'

interface Surroundings {
  readonly hotDocuments: HotDocuments
  readonly limits: JobLimits
}

/**
 * Runs a job; repeats it once, on copies that are reopened and repaired at once, if a copy was repaired meanwhile.
 * Throws `OverlayWanted` if a copy cannot be reopened without the images of the layer.
 */
export async function runWithTools<Answer>(
  run: (tools: JobTools) => Answer | Promise<Answer>,
  surroundings: Surroundings,
): Promise<Answer> {
  const tools = new TaskTools(surroundings, { isRepairedFirst: false })
  try {
    const answer = await run(tools)
    if (!tools.dropRepaired()) return answer
  } catch (error) {
    // The repair may be the only cause of the failure.
    if (isTrap(error) || !tools.dropRepaired()) throw error
  }
  return await run(new TaskTools(surroundings, { isRepairedFirst: true }))
}

interface OpenedTools {
  readonly source: PdfSource
  readonly wasRepaired: boolean
}

class TaskTools implements JobTools {
  readonly limits: JobLimits
  readonly #hot: HotDocuments
  readonly #isRepairedFirst: boolean
  readonly #opened = new Map<OpenDocument, OpenedTools>()

  constructor({ hotDocuments, limits }: Surroundings, { isRepairedFirst }: { readonly isRepairedFirst: boolean }) {
    this.limits = limits
    this.#hot = hotDocuments
    this.#isRepairedFirst = isRepairedFirst
  }

  readonly open = (source: PdfSource): OpenDocument => {
    const found = this.#hot.get(source)
    if (this.#opened.has(found)) return found
    const document = this.#isRepairedFirst ? this.#repaired(source, found) : found
    this.#opened.set(document, { source, wasRepaired: document.pdf.wasRepaired() })
    return document
  }

  readonly take = (source: PdfSource): OpenDocument => this.#hot.take(source)

  readonly keep = (source: PdfSource, document: OpenDocument): void => this.#hot.keep(source, document)

  /** Closes the copies that were repaired during the task. Returns whether there are any. */
  dropRepaired(): boolean {
    const repaired = [...this.#opened].filter(
      ([document, { wasRepaired }]) => !wasRepaired && !document.isClosed && document.pdf.wasRepaired(),
    )
    for (const [, { source }] of repaired) this.#hot.drop(source)
    return repaired.length > 0
  }

  /** Repairs a copy at once; one with changes in memory is not repaired, because it would lose them. */
  #repaired(source: PdfSource, found: OpenDocument): OpenDocument {
    if (found.pdf.wasRepaired()) return found
    if (found.isAltered) this.#hot.drop(source)
    const document = found.isAltered ? this.#hot.get(source) : found
    forceRepair(document.pdf)
    return document
  }
}
