// Signature fields.
import { Signature } from '../../contract/fields/signature.js'
import { entry, isStream } from '../../objects/values.js'
import { drawFrame, frameOf } from '../drawing/widget-frame.js'
import { familyWork } from '../family-work.js'
import { putAppearance } from '../writing/put-appearance.js'

export const work = familyWork(Signature, {
  read: (base) => ({ ...base, family: 'signature' }),
  draw({ model, widget }) {
    // A signed field, or one with an appearance in the file, is never redrawn.
    if (isStream(entry(widget, 'AP', 'N'))) return
    const frame = frameOf(widget)
    putAppearance(model.change, widget, { frame, content: drawFrame(frame), fonts: undefined })
  },
})
