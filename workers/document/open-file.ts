// Opens the source of a task: a file, unlocked with its password, and the layer's changes over it. Every failure is a
// refusal with a code of the wire contract.

import { JobRefusal } from '../contract/job-refusal.js'
import type { Piece } from '../engine/file-stream.js'
import { openPdf } from '../file/open-pdf.js'
import { layerSection } from '../file/section/layer-section.js'
import { unlockPdf } from '../file/unlock-pdf.js'
import type { OpenedFrom } from '../messages/task.js'
import { OpenDocument } from './open-document.js'

export function openFile(source: OpenedFrom): OpenDocument {
  const images = source.overlay === undefined ? [] : source.overlay.images
  if (images === undefined) throw new JobRefusal('OverlayWanted', 'The edits of the layer are required')
  const hidden = images.filter(({ isHidden }) => isHidden).map(({ number }) => number)
  return openUnlocked(source, images.length === 0 ? [] : layerSection(source, images), hidden)
}

/** End of a file that names no cross-reference section: the engine then looks for the objects by itself. */
const brokenEnd = Buffer.from('\nstartxref\n0\n%%EOF\n')

/** Opens a file as the engine repairs it, whatever its cross-reference sections say. */
export const openRepaired = (source: OpenedFrom): OpenDocument => openUnlocked(source, [brokenEnd], [])

function openUnlocked(
  { path, password, overlay }: OpenedFrom,
  appended: readonly Piece[],
  hidden: readonly number[],
): OpenDocument {
  const pdf = openPdf(path, appended)
  try {
    return new OpenDocument(pdf, unlockPdf(pdf, password), { path, hidden, promoted: overlay?.promoted ?? [] })
  } catch (error) {
    pdf.destroy()
    throw error
  }
}
